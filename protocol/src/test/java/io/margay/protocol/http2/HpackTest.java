package io.margay.protocol.http2;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.protocol.fields.HuffmanCode;
import io.margay.testkit.HpackReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Header compression: the examples of RFC 7541 Appendix C, both halves against each other, and
/// what is malformed.
class HpackTest {
    private final List<String> seen = new ArrayList<>();
    private final HpackDecoder.Sink sink =
            (name, nf, nt, value, vf, vt) ->
                    seen.add(
                            new String(name, nf, nt - nf, StandardCharsets.ISO_8859_1)
                                    + ": "
                                    + new String(value, vf, vt - vf, StandardCharsets.ISO_8859_1));

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex.replaceAll("\\s", ""));
    }

    private void decodes(HpackDecoder decoder, String hex, String... fields) {
        seen.clear();
        byte[] block = bytes(hex);
        assertTrue(decoder.decode(block, 0, block.length, sink), hex);
        assertEquals(List.of(fields), seen);
    }

    private static boolean accepts(String hex) {
        byte[] block = bytes(hex);
        return new HpackDecoder(4096)
                .decode(block, 0, block.length, (name, nf, nt, value, vf, vt) -> {});
    }

    @Test
    void rfc7541_C2_singleFields() {
        HpackDecoder decoder = new HpackDecoder(4096);
        decodes(
                decoder,
                "400a 6375 7374 6f6d 2d6b 6579 0d63 7573 746f 6d2d 6865 6164 6572",
                "custom-key: custom-header");
        assertEquals(55, decoder.tableBytes());
        decodes(decoder, "040c 2f73 616d 706c 652f 7061 7468", ":path: /sample/path");
        decodes(decoder, "1008 7061 7373 776f 7264 0673 6563 7265 74", "password: secret");
        decodes(decoder, "82", ":method: GET");
        assertEquals(55, decoder.tableBytes());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void rfc7541_C3_C4_requests_withAndWithoutHuffman(boolean huffman) {
        HpackDecoder decoder = new HpackDecoder(4096);
        decodes(
                decoder,
                huffman
                        ? "8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff"
                        : "8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d",
                ":method: GET",
                ":scheme: http",
                ":path: /",
                ":authority: www.example.com");
        assertEquals(57, decoder.tableBytes());
        decodes(
                decoder,
                huffman ? "8286 84be 5886 a8eb 1064 9cbf" : "8286 84be 5808 6e6f 2d63 6163 6865",
                ":method: GET",
                ":scheme: http",
                ":path: /",
                ":authority: www.example.com",
                "cache-control: no-cache");
        assertEquals(110, decoder.tableBytes());
        decodes(
                decoder,
                huffman
                        ? "8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf"
                        : "8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75"
                                + " 65",
                ":method: GET",
                ":scheme: https",
                ":path: /index.html",
                ":authority: www.example.com",
                "custom-key: custom-value");
        assertEquals(164, decoder.tableBytes());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void rfc7541_C5_C6_responses_withEviction(boolean huffman) {
        HpackDecoder decoder = new HpackDecoder(256);
        String date = "date: Mon, 21 Oct 2013 20:13:21 GMT";
        String location = "location: https://www.example.com";
        decodes(
                decoder,
                huffman
                        ? "4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81"
                                + " 66e0 82a6 2d1b ff6e 919d 29ad 1718 63c7 8f0b 97c8 e9ae 82ae"
                                + " 43d3"
                        : "4803 3330 3258 0770 7269 7661 7465 611d 4d6f 6e2c 2032 3120 4f63 7420"
                                + " 3230 3133 2032 303a 3133 3a32 3120 474d 546e 1768 7474 7073"
                                + " 3a2f 2f77 7777 2e65 7861 6d70 6c65 2e63 6f6d",
                ":status: 302",
                "cache-control: private",
                date,
                location);
        assertEquals(222, decoder.tableBytes());
        decodes(
                decoder,
                huffman ? "4883 640e ffc1 c0bf" : "4803 3330 37c1 c0bf",
                ":status: 307",
                "cache-control: private",
                date,
                location);
        assertEquals(222, decoder.tableBytes());
        decodes(
                decoder,
                huffman
                        ? "88c1 6196 d07a be94 1054 d444 a820 0595 040b 8166 e084 a62d 1bff c05a"
                                + " 839b d9ab 77ad 94e7 821d d7f2 e6c7 b335 dfdf cd5b 3960 d5af"
                                + " 2708 7f36 72c1 ab27 0fb5 291f 9587 3160 65c0 03ed 4ee5 b106"
                                + " 3d50 07"
                        : "88c1 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32"
                                + " 3220 474d 54c0 5a04 677a 6970 7738 666f 6f3d 4153 444a 4b48"
                                + " 514b 425a 584f 5157 454f 5049 5541 5851 5745 4f49 553b 206d"
                                + " 6178 2d61 6765 3d33 3630 303b 2076 6572 7369 6f6e 3d31",
                ":status: 200",
                "cache-control: private",
                "date: Mon, 21 Oct 2013 20:13:22 GMT",
                location,
                "content-encoding: gzip",
                "set-cookie: foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1");
        assertEquals(215, decoder.tableBytes());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "80", // index 0
                "be", // beyond both tables
                "ff80808080808000", // an integer without end
                "ff8080808010", // an integer too large
                "ff", // an integer cut off
                "40", // a name is missing
                "400161", // a value is missing
                "40016105", // a value is cut off
                "00 01 61 84 1fffffff", // a value of EOS and more
                "00 01 61 82 f8ff", // padding of more than seven bits
                "00 01 61 81 18", // padding of zeros
                "82 20", // a size update after a field
                "3fe21f" // a size update beyond what was announced
            })
    void block_malformed_isRefused(String hex) {
        assertFalse(accepts(hex), hex);
    }

    @Test
    void sizeUpdate_toZero_emptiesTheTable() {
        HpackDecoder decoder = new HpackDecoder(4096);
        decodes(decoder, "400161 0162", "a: b");
        assertEquals(34, decoder.tableBytes());
        decodes(decoder, "20");
        assertEquals(0, decoder.tableBytes());
    }

    @Test
    void huffman_everyOctet_comesBack() {
        Random random = new Random(7);
        for (int i = 0; i < 2_000; i++) {
            byte[] plain = new byte[i % 60];
            random.nextBytes(plain);
            String text = new String(plain, StandardCharsets.ISO_8859_1);
            byte[] encoded = new byte[HuffmanCode.encodedBytes(text)];
            HuffmanCode.encode(text, encoded, 0);
            byte[] target = new byte[HuffmanCode.decodedMax(encoded.length)];
            int length = HuffmanCode.decode(encoded, 0, encoded.length, target);
            assertArrayEquals(plain, Arrays.copyOf(target, length), "seed 7, turn " + i);
        }
    }

    /// Whatever the encoder writes, with tables of any size, the decoder reads, and so does one
    /// that has no code in common with it.
    @Test
    void encoder_randomFieldsAndTableSizes_comeBack() throws IOException {
        long seed = 20_260_101;
        Random random = new Random(seed);
        HpackEncoder encoder = new HpackEncoder();
        HpackDecoder decoder = new HpackDecoder(4096);
        HpackReader reader = new HpackReader(4096);
        String[] names = {
            ":status", "content-type", "set-cookie", "x-one", "x-two", "etag", "date", "vary"
        };
        for (int turn = 0; turn < 3_000; turn++) {
            if (turn % 50 == 49) {
                encoder.tableBytesMax(random.nextInt(5_000));
                encoder.tableBytesMax(random.nextInt(5_000));
            }
            Http2Buffer out = new Http2Buffer();
            encoder.begin(out);
            List<String> sent = new ArrayList<>();
            for (int i = random.nextInt(6); i >= 0; i--) {
                String name = names[random.nextInt(names.length)];
                String value = "v".repeat(random.nextInt(40)) + random.nextInt(12);
                encoder.field(out, name, value);
                sent.add(name + ": " + value);
            }
            seen.clear();
            assertTrue(decoder.decode(out.array(), 0, out.size(), sink), "seed " + seed);
            assertEquals(sent, seen, "seed " + seed + ", turn " + turn);
            assertEquals(sent, reader.read(Arrays.copyOf(out.array(), out.size())));
        }
    }

    /// A peer's table may be as large as it says; what is remembered for it is not.
    @Test
    void encoder_forTheLargestTableOfAPeer_keepsToItsOwn_cve2026_93492() {
        HpackEncoder encoder = new HpackEncoder();
        encoder.tableBytesMax(Integer.MAX_VALUE);
        encoded(encoder, "x-first", "value");
        for (int i = 0; i < 1_000; i++) {
            encoded(encoder, "x-name-" + i, "value " + i);
        }
        assertTrue(encoded(encoder, "x-first", "value") > 1, "it is remembered still");
        assertEquals(1, encoded(encoder, "x-first", "value"));
    }

    /// Identifiers that are new in each message leave the fields that are not in the table.
    @Test
    void valuesThatAreNewEachTime_pushNothingOut() {
        for (String name : List.of("x-request-id", "traceparent")) {
            HpackEncoder encoder = new HpackEncoder();
            encoded(encoder, "user-agent", "browser/1.0");
            for (int i = 0; i < 500; i++) {
                encoded(encoder, name, "00-4bf92f3577b34da6a3ce929d0e0e4736-" + i);
            }
            assertEquals(1, encoded(encoder, "user-agent", "browser/1.0"), name);
        }
    }

    @Test
    void valuesThatComeAgain_areIndexedFromTheSecondTimeOn() {
        HpackEncoder encoder = new HpackEncoder();
        encoded(encoder, "x-forwarded-for", "192.0.2.1");
        assertTrue(encoded(encoder, "x-forwarded-for", "192.0.2.2") > 1);
        assertTrue(encoded(encoder, "x-forwarded-for", "192.0.2.2") > 1);
        assertEquals(1, encoded(encoder, "x-forwarded-for", "192.0.2.2"));
        encoded(encoder, "x-forwarded-for", "192.0.2.3");
        assertEquals(
                1, encoded(encoder, "x-forwarded-for", "192.0.2.3"), "the one before was used");
        assertEquals(1, encoded(encoder, "x-forwarded-for", "192.0.2.1"));
    }

    private static int encoded(HpackEncoder encoder, String name, String value) {
        Http2Buffer out = new Http2Buffer();
        encoder.field(out, name, value);
        return out.size();
    }

    @Test
    void secrets_areNeverIndexed() {
        HpackEncoder encoder = new HpackEncoder();
        for (String name : List.of("cookie", "set-cookie", "authorization")) {
            Http2Buffer out = new Http2Buffer();
            encoder.field(out, name, "secret");
            int first = out.size();
            assertEquals(0x10, out.array()[0] & 0xf0, name);
            encoder.field(out, name, "secret");
            assertEquals(2 * first, out.size(), "the second is as long as the first");
        }
    }
}
