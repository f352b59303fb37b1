package io.margay.transport.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Which first messages of clients are known to lead to a quick key exchange, and for which host
/// they ask.
final class ClientHelloTest {
    private static final int HEADER_BYTES = 5;

    private static final int X25519 = 0x001d;
    private static final int SECP256R1 = 0x0017;
    private static final int SECP384R1 = 0x0018;
    private static final int FFDHE8192 = 0x0104;
    private static final int HYBRID = 0x11ec;
    private static final int GREASE = 0x7a7a;

    /// What the JDK's client sends first, without the record around it.
    private static byte[] hello(String version, String... groups) throws Exception {
        SSLEngine engine = SSLContext.getDefault().createSSLEngine("localhost", 443);
        engine.setUseClientMode(true);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setProtocols(new String[] {version});
        if (groups.length > 0) {
            parameters.setNamedGroups(groups);
        }
        engine.setSSLParameters(parameters);
        ByteBuffer record = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        engine.wrap(ByteBuffer.allocate(0), record);
        byte[] message = new byte[record.flip().remaining() - HEADER_BYTES];
        record.position(HEADER_BYTES).get(message);
        return message;
    }

    /// One with nothing but what groups are told by.
    private static byte[] hello(int[] groups, int... shares) {
        ByteArrayOutputStream offered = new ByteArrayOutputStream();
        number(offered, groups.length * 2);
        for (int group : groups) {
            number(offered, group);
        }
        ByteArrayOutputStream keys = new ByteArrayOutputStream();
        for (int group : shares) {
            number(keys, group);
            vector(keys, 2, new byte[group == GREASE ? 1 : 32]);
        }
        ByteArrayOutputStream keyShare = new ByteArrayOutputStream();
        vector(keyShare, 2, keys.toByteArray());
        ByteArrayOutputStream extensions = new ByteArrayOutputStream();
        number(extensions, 0x0010);
        vector(extensions, 2, new byte[] {0, 3, 2, 'h', '2'});
        number(extensions, 10);
        vector(extensions, 2, offered.toByteArray());
        number(extensions, 51);
        vector(extensions, 2, keyShare.toByteArray());
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.writeBytes(new byte[34]);
        vector(body, 1, new byte[32]);
        vector(body, 2, new byte[] {0x13, 0x02});
        vector(body, 1, new byte[1]);
        vector(body, 2, extensions.toByteArray());
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        message.write(1);
        vector(message, 3, body.toByteArray());
        return message.toByteArray();
    }

    private static void number(ByteArrayOutputStream out, int value) {
        out.write(value >> 8);
        out.write(value);
    }

    private static void vector(ByteArrayOutputStream out, int lengthBytes, byte[] content) {
        for (int i = lengthBytes - 1; i >= 0; i--) {
            out.write(content.length >> 8 * i);
        }
        out.writeBytes(content);
    }

    private static boolean isQuick(byte[] message) {
        return ClientHello.isQuick(ByteBuffer.wrap(message));
    }

    private static int[] groups(int... all) {
        return all;
    }

    @ParameterizedTest
    @CsvSource({
        "TLSv1.3, x25519, true",
        "TLSv1.3, secp256r1, true",
        "TLSv1.3, x25519 secp384r1, false",
        "TLSv1.3, secp384r1, false",
        "TLSv1.3, secp521r1 x25519, false",
        "TLSv1.3, ffdhe8192 x25519, false",
        "TLSv1.2, x25519, true",
        "TLSv1.2, secp521r1 secp256r1, true",
        "TLSv1.2, secp384r1, false",
    })
    void helloOfTheJdk_isQuickByItsGroups(String version, String named, boolean quick)
            throws Exception {
        assertEquals(quick, isQuick(hello(version, named.split(" "))));
    }

    @Test
    void shares_ofQuickGroupsAlone_areQuick() {
        assertTrue(isQuick(hello(groups(X25519), X25519)));
        assertTrue(isQuick(hello(groups(GREASE, HYBRID, X25519), GREASE, HYBRID, X25519)));
        assertTrue(isQuick(hello(groups(FFDHE8192, SECP256R1))), "the server asks for another");
        assertFalse(isQuick(hello(groups(X25519, FFDHE8192), X25519, FFDHE8192)));
        assertFalse(isQuick(hello(groups(X25519, SECP384R1), SECP384R1)));
        assertFalse(isQuick(hello(groups(SECP384R1), X25519)), "a share that was not offered");
        assertFalse(isQuick(hello(groups(X25519), 0x7a7b)), "almost a value of no meaning");
        assertFalse(isQuick(hello(groups(X25519), 0x7a8a)), "almost a value of no meaning");
        assertFalse(isQuick(hello(groups(GREASE), GREASE)));
    }

    @Test
    void hello_cutOrWithMoreBehindIt_isNotKnownToBeQuick() throws Exception {
        for (byte[] whole : new byte[][] {hello("TLSv1.3"), hello(groups(X25519), X25519)}) {
            assertTrue(isQuick(whole));
            for (int length = 0; length < whole.length; length++) {
                byte[] cut = new byte[length];
                System.arraycopy(whole, 0, cut, 0, length);
                assertFalse(isQuick(cut), "cut at " + length);
                if (length >= 4) {
                    cut[2] = (byte) (length - 4 >> 8);
                    cut[3] = (byte) (length - 4);
                    assertFalse(isQuick(cut), "cut at " + length + ", and said so");
                }
            }
            byte[] longer = new byte[whole.length + 1];
            System.arraycopy(whole, 0, longer, 0, whole.length);
            assertFalse(isQuick(longer));
            whole[0] = 2;
            assertFalse(isQuick(whole), "another message");
        }
    }

    @Test
    void garbage_ofAnyKind_isLookedAtToItsEndAtMost() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        byte[] whole = hello("TLSv1.3");
        for (int i = 0; i < 20_000; i++) {
            byte[] changed = whole.clone();
            for (int n = random.nextInt(4); n >= 0; n--) {
                changed[4 + random.nextInt(changed.length - 4)] = (byte) random.nextInt();
            }
            try {
                boolean _ = isQuick(changed);
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
    }

    // Which host is asked for

    private static byte[] record(byte[] message) {
        ByteArrayOutputStream record = new ByteArrayOutputStream();
        record.writeBytes(new byte[] {22, 3, 1});
        vector(record, 2, message);
        return record.toByteArray();
    }

    /// With extensions of these types and contents.
    private static byte[] asking(Object... typesAndContents) {
        ByteArrayOutputStream extensions = new ByteArrayOutputStream();
        for (int i = 0; i < typesAndContents.length; i += 2) {
            number(extensions, (int) typesAndContents[i]);
            vector(extensions, 2, (byte[]) typesAndContents[i + 1]);
        }
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.writeBytes(new byte[34]);
        vector(body, 1, new byte[0]);
        vector(body, 2, new byte[] {0x13, 1});
        vector(body, 1, new byte[1]);
        vector(body, 2, extensions.toByteArray());
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        message.write(1);
        vector(message, 3, body.toByteArray());
        return message.toByteArray();
    }

    private static byte[] names(int kind, String... hosts) {
        ByteArrayOutputStream list = new ByteArrayOutputStream();
        for (String host : hosts) {
            list.write(kind);
            vector(list, 2, host.getBytes(StandardCharsets.ISO_8859_1));
        }
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        vector(content, 2, list.toByteArray());
        return content.toByteArray();
    }

    private static ClientHello.Asked asked(byte[] records) throws SSLException {
        return ClientHello.asked(ByteBuffer.wrap(records));
    }

    @Test
    void host_ofAFirstMessage_isFoundHoweverItIsCut() throws Exception {
        byte[] whole = record(asking(5, new byte[3], 0, names(0, "Shop.Example"), 6, new byte[0]));
        assertEquals("shop.example", asked(whole).host());
        for (int cut = 0; cut < whole.length; cut++) {
            assertNull(asked(Arrays.copyOf(whole, cut)), "cut at " + cut);
        }
        assertNull(asked(record(asking(5, new byte[3]))).host());
        assertNull(asked(record(hello("TLSv1.3"))).host()); // the JDK names no "localhost"
    }

    @Test
    void host_ofAMessageInSeveralRecords_isFound() throws Exception {
        byte[] message = asking(0, names(0, "shop.example"));
        for (int cut = 1; cut < message.length; cut++) {
            ByteArrayOutputStream records = new ByteArrayOutputStream();
            records.writeBytes(record(Arrays.copyOf(message, cut)));
            records.writeBytes(record(Arrays.copyOfRange(message, cut, message.length)));
            assertEquals("shop.example", asked(records.toByteArray()).host());
        }
    }

    @Test
    void message_thatCouldBeReadInTwoWays_isRefused() {
        byte[] good = names(0, "a.example");
        byte[][] doubtful = {
            asking(0, good, 0, names(0, "b.example")),
            asking(0, names(0, "a.example", "b.example")),
            asking(0, names(1, "a.example")),
            asking(0, names(0, "")),
            asking(0, names(0)),
            asking(0, names(0, "a\0.example")),
            asking(0, names(0, "\u00e4.example")),
            asking(0, Arrays.copyOf(good, good.length + 1)),
            asking(0, Arrays.copyOf(good, good.length - 1)),
            new byte[] {2, 0, 0, 0},
            new byte[] {1, 0, 0, 1, 7},
        };
        for (byte[] message : doubtful) {
            assertThrows(SSLException.class, () -> asked(record(message)));
        }
        byte[] tooLong = asking(0, good);
        byte[] more = Arrays.copyOf(tooLong, tooLong.length + 1);
        assertThrows(SSLException.class, () -> asked(record(more)));
        byte[] other = record(tooLong);
        other[0] = 21;
        assertThrows(SSLException.class, () -> asked(other));
        assertThrows(SSLException.class, () -> asked(record(new byte[0])));
    }
}
