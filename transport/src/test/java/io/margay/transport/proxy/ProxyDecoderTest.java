package io.margay.transport.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.transport.ProxyHeader;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Random;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Headers of the PROXY protocol, taken whole, byte by byte and cut anywhere.
@Tag("slow")
final class ProxyDecoderTest {
    private static final int BYTES_MAX = 4096;
    private static final String FOLLOWS = "GET / HTTP/1.1\r\n";
    private static final String V4 = "cb007107 0a000001 d431 01bb";

    private static final String CLIENT_6 = "20010db8" + "00".repeat(11) + "07";

    /// What came of a header.
    ///
    /// @param wrong why it was refused, or "missing" when it ended early
    /// @param left bytes that were not read
    private record Outcome(@Nullable ProxyHeader header, @Nullable String wrong, int left) {}

    private static Outcome decode(byte[] header, int most) {
        ByteBuffer input = ByteBuffer.allocate(header.length + FOLLOWS.length());
        input.put(header).put(FOLLOWS.getBytes(StandardCharsets.US_ASCII)).flip();
        ProxyDecoder decoder = new ProxyDecoder(BYTES_MAX);
        while (decoder.missing() > 0) {
            int n = Math.min(most, Math.min(decoder.missing(), input.remaining()));
            if (n == 0) {
                return new Outcome(null, "missing", 0);
            }
            input.get(decoder.bytes(), decoder.length(), n);
            String wrong = decoder.took(n);
            if (wrong != null) {
                return new Outcome(null, wrong, input.remaining());
            }
        }
        return new Outcome(decoder.header(), null, input.remaining());
    }

    private static ProxyHeader good(byte[] header) {
        Outcome whole = decode(header, Integer.MAX_VALUE);
        assertEquals(null, whole.wrong());
        assertEquals(FOLLOWS.length(), whole.left(), "what follows is left alone");
        for (int most = 1; most < header.length; most++) {
            assertEquals(whole, decode(header, most), "at most " + most + " bytes at a time");
        }
        assertNotNull(whole.header());
        return whole.header();
    }

    private static void bad(byte[] header) {
        for (int most = 1; most <= header.length; most++) {
            Outcome outcome = decode(header, most);
            assertNotNull(outcome.wrong(), () -> "taken: " + outcome.header());
        }
    }

    private static byte[] line(String text) {
        return (text + "\r\n").getBytes(StandardCharsets.ISO_8859_1);
    }

    /// Version 2.
    ///
    /// @param begin version and command, family and type, in hexadecimal
    /// @param rest addresses and values, in hexadecimal
    private static byte[] binary(String begin, String... rest) {
        byte[] body = HexFormat.of().parseHex(String.join("", rest).replace(" ", ""));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(ProxyDecoder.SIGNATURE);
        out.writeBytes(HexFormat.of().parseHex(begin));
        out.write(body.length >> 8);
        out.write(body.length);
        out.writeBytes(body);
        return out.toByteArray();
    }

    private static String value(int type, byte[] content) {
        return "%02x%04x%s".formatted(type, content.length, HexFormat.of().formatHex(content));
    }

    private static String value(int type, String text) {
        return value(type, text.getBytes(StandardCharsets.US_ASCII));
    }

    @ParameterizedTest
    @CsvSource({
        "PROXY TCP4 203.0.113.7 10.0.0.1 54321 443, /203.0.113.7:54321, /10.0.0.1:443",
        "PROXY TCP4 1.1.1.1 1.1.1.1 0 0, /1.1.1.1:0, /1.1.1.1:0",
        "PROXY TCP4 255.255.255.255 255.255.255.255 65535 65535,"
                + " /255.255.255.255:65535, /255.255.255.255:65535",
        "PROXY TCP6 :: ::1 1 2, '/[0:0:0:0:0:0:0:0]:1', '/[0:0:0:0:0:0:0:1]:2'",
        "PROXY TCP6 ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"
                + " ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff 65535 65535,"
                + " '/[ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff]:65535',"
                + " '/[ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff]:65535'",
        "PROXY TCP6 ::ffff:192.0.2.1 ::1 5 6, /192.0.2.1:5, '/[0:0:0:0:0:0:0:1]:6'",
        "PROXY UNKNOWN, , ",
        "PROXY UNKNOWN ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"
                + " ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff 65535 65535, , ",
        "PROXY UNKNOWN x, , ",
    })
    void line_thatIsWellFormed_isTaken_andNothingBeyondIt(
            String text, @Nullable String client, @Nullable String server) {
        ProxyHeader header = good(line(text));
        assertEquals(client, header.client() == null ? null : header.client().toString());
        assertEquals(server, header.server() == null ? null : header.server().toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1",
                "PROXY",
                "PROXY ",
                "proxy TCP4 1.1.1.1 1.1.1.1 1 1",
                "PROXY TCP4 ",
                "PROXY TCP4 1.1.1.1 1.1.1.1 1",
                "PROXY TCP4 1.1.1.1 1.1.1.1 1 1 ",
                "PROXY TCP4 1.1.1.1 1.1.1.1 1 1 1",
                "PROXY  TCP4 1.1.1.1 1.1.1.1 1 1",
                "PROXY TCP4  1.1.1.1 1.1.1.1 1 1",
                "PROXY TCP5 1.1.1.1 1.1.1.1 1 1",
                "PROXY tcp4 1.1.1.1 1.1.1.1 1 1",
                "PROXY TCP4 ::1 1.1.1.1 1 1",
                "PROXY TCP6 1.1.1.1 ::1 1 1",
                "PROXY TCP4 1.1.1 1.1.1.1 1 1",
                "PROXY TCP4 1.1.1.256 1.1.1.1 1 1",
                "PROXY TCP4 01.1.1.1 1.1.1.1 1 1",
                "PROXY TCP4 1.1.1.1 localhost 1 1",
                "PROXY TCP4 1.1.1.1 1.1.1.1 -1 1",
                "PROXY TCP4 1.1.1.1 1.1.1.1 +1 1",
                "PROXY TCP4 1.1.1.1 1.1.1.1 01 1",
                "PROXY TCP4 1.1.1.1 1.1.1.1 65536 1",
                "PROXY TCP4 1.1.1.1 1.1.1.1 1 99999999999999999999",
                "PROXY TCP6 ::1%lo ::1 1 1",
                "PROXY TCP6 ::: ::1 1 1",
                "PROXY TCP6 [::1] ::1 1 1",
                "PROXY UNKNOWNX",
                "PROXY TCP4 1.1.1.1\t1.1.1.1 1 1",
                "PROXY TCP4 1.1.1.1 1.1.1.1 1 1\r",
                "PROXY TCP4 1.1.1.1 1.1.1.1 1 1\0",
                "PROXY UNKNOWN \u00e9",
            })
    void line_thatIsNot_isRefused(String text) {
        bad(line(text));
    }

    @Test
    void line_withoutCarriageReturn_isRefused() {
        bad("PROXY TCP4 1.1.1.1 1.1.1.1 1 1\n".getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void line_of107Bytes_isTaken_andALongerOneIsNot() {
        String longest = "PROXY UNKNOWN " + "x".repeat(91);
        assertEquals(ProxyDecoder.LINE_BYTES_MAX, line(longest).length);
        good(line(longest));
        bad(line(longest + "x"));
        bad(line("PROXY TCP4 " + "1".repeat(2000)));
    }

    @Test
    void addresses_ofVersion2_areTaken() {
        ProxyHeader four = good(binary("2111", V4));
        assertEquals("/203.0.113.7:54321", String.valueOf(four.client()));
        assertEquals("/10.0.0.1:443", String.valueOf(four.server()));
        ProxyHeader six = good(binary("2121", CLIENT_6, "00".repeat(15) + "01", "0001 0002"));
        assertEquals("/[2001:db8:0:0:0:0:0:7]:1", String.valueOf(six.client()));
        assertEquals("/[0:0:0:0:0:0:0:1]:2", String.valueOf(six.server()));
    }

    @Test
    void clients_withoutAddress_areThoseOfTheConnection() {
        ProxyHeader[] all = {
            good(binary("2000")), // LOCAL
            good(binary("2011", V4)), // LOCAL, whatever follows
            good(binary("2020", "ff")),
            good(binary("2100")), // without family
            good(binary("2100", "0102")),
            good(binary("2131", "2f".repeat(216))), // of a file system
        };
        for (ProxyHeader header : all) {
            assertEquals(ProxyHeader.NOTHING, header);
        }
    }

    @Test
    void details_ofTheConnection_areTaken_whereTheyAreWords() {
        String alpn = value(1, "h2");
        String authority = value(2, "shop.example");
        ProxyHeader told = good(binary("2111", V4, alpn, authority, value(5, "ab-12")));
        assertEquals(new ProxyHeader.Details("shop.example", "h2", "ab-12"), told.details());
        ProxyHeader odd = good(binary("2111", V4, value(2, "a b"), value(5, "\0\1")));
        assertEquals(new ProxyHeader.Details(null, null, "0001"), odd.details());
        ProxyHeader empty = good(binary("2111", V4, value(1, ""), value(2, ""), value(5, "")));
        assertEquals(ProxyHeader.Details.NONE, empty.details());
        ProxyHeader longest = good(binary("2111", V4, value(2, "x".repeat(256))));
        assertEquals(null, longest.details().authority());
        bad(binary("2111", V4, value(5, "x".repeat(129))));
    }

    @Test
    void tls_ofTheClient_isTaken_withoutItsNames() {
        byte[] versions =
                HexFormat.of()
                        .parseHex(
                                "01 00000000".replace(" ", "")
                                        + value(0x21, "TLSv1.3")
                                        + value(0x22, "admin")
                                        + value(0x23, "TLS_AES_128_GCM_SHA256"));
        String authority = value(0x02, "shop.example");
        ProxyHeader.ClientTls told =
                good(binary("2111", V4, value(0x01, "h2"), authority, value(0x20, versions))).tls();
        assertEquals(new ProxyHeader.ClientTls("TLSv1.3", "TLS_AES_128_GCM_SHA256"), told);
        byte[] clear = versions.clone();
        clear[0] = 0;
        assertEquals(null, good(binary("2111", V4, value(0x20, clear))).tls());
        byte[] odd = HexFormat.of().parseHex("0100000000" + value(0x21, "a b") + value(0x23, ""));
        assertEquals(
                new ProxyHeader.ClientTls("", ""),
                good(binary("2111", V4, value(0x20, odd))).tls());
    }

    @Test
    void checksum_thatIsRight_isTaken_andAWrongOneIsNot() {
        byte[] header = binary("2111", V4, value(0x04, "padding"), value(0x03, new byte[4]));
        bad(header);
        CRC32C sum = new CRC32C();
        sum.update(header);
        ByteBuffer.wrap(header).putInt(header.length - 4, (int) sum.getValue());
        good(header);
        header[header.length - 10] ^= 1;
        bad(header);
        bad(binary("2111", V4, value(0x03, new byte[3])));
    }

    @Test
    void headers_thatAreMalformed_areRefused() {
        bad(binary("1111", V4)); // versions
        bad(binary("3111", V4));
        bad(binary("2211", V4)); // commands
        bad(binary("2f11", V4));
        bad(binary("2141", V4)); // families and types
        bad(binary("2113", V4));
        bad(binary("2112", V4)); // datagrams
        bad(binary("2111")); // too short
        bad(binary("2111", "cb007107 0a000001 d431 01"));
        bad(binary("2121", V4));
        bad(binary("2111", V4, "02")); // values that do not end
        bad(binary("2111", V4, "0200"));
        bad(binary("2111", V4, "020002 61"));
        bad(binary("2111", V4, "02ffff 61"));
        bad(binary("2111", V4, value(0x20, new byte[4])));
        bad(binary("2111", V4, value(0x20, HexFormat.of().parseHex("0100000000" + "210005"))));
        bad(binary("2111", V4, "00".repeat(BYTES_MAX))); // too long
        byte[] other = binary("2111", V4);
        other[11] ^= 1;
        bad(other);
    }

    @Test
    void chance_neverEscapesItsValues() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        byte[] begin = binary("2111", V4, value(0x20, new byte[30]), value(0x03, new byte[4]));
        for (int i = 0; i < 20_000; i++) {
            byte[] header = begin.clone();
            for (int change = random.nextInt(1, 5); change > 0; change--) {
                header[random.nextInt(12, header.length)] = (byte) random.nextInt();
            }
            try {
                Outcome outcome = decode(header, random.nextInt(1, 20));
                assertTrue((outcome.header() == null) != (outcome.wrong() == null), "seed " + seed);
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
    }
}
