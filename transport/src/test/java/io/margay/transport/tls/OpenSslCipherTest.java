package io.margay.transport.tls;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.security.GeneralSecurityException;
import java.security.spec.AlgorithmParameterSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class OpenSslCipherTest {
    private static final HexFormat HEX = HexFormat.of();
    private static final int FROM = 3;
    private static final int HEADER = 13;
    private static final int TAG = 16;

    @BeforeEach
    void library() {
        assumeTrue(OpenSsl.library().problem() == null, "OpenSSL is needed");
    }

    private static OpenSslCipher cipher(int suite, byte[] key, boolean seals) {
        OpenSslCipher made = OpenSslCipher.of(suite, key, seals);
        assertNotNull(made);
        return made;
    }

    /// Seals a packet, and opens it.
    private static void sealed(
            int suite, String key, String nonce, String header, String payload, String expected) {
        byte[] before = HEX.parseHex(header);
        byte[] plain = HEX.parseHex(payload);
        byte[] packet = Arrays.copyOf(before, before.length + plain.length + TAG);
        System.arraycopy(plain, 0, packet, before.length, plain.length);
        OpenSslCipher seals = cipher(suite, HEX.parseHex(key), true);
        OpenSslCipher opens = cipher(suite, HEX.parseHex(key), false);
        seals.seal(HEX.parseHex(nonce), packet, 0, before.length, packet.length - TAG);
        assertEquals(expected, HEX.formatHex(packet, before.length, packet.length));
        byte[] target = new byte[plain.length];
        int opened =
                opens.open(HEX.parseHex(nonce), packet, 0, before.length, packet.length, target);
        assertEquals(payload, HEX.formatHex(target, 0, opened));
        seals.close();
        opens.close();
    }

    /// RFC 9001 A.3 and A.5: the server's first packet, and one of ChaCha20-Poly1305.
    @Test
    void packetsOfTheRfc_areSealedAndOpened() {
        sealed(
                0x1301,
                "cf3a5331653c364c88f0f379b6067e37",
                "0ac1493ca1905853b0bba03f",
                "c1000000010008f067a5502a4262b50040750001",
                "02000000000600405a020000560303eefce7f7b37ba1d1632e96677825ddf73988cfc79825df566dc5"
                        + "430b9a045a1200130100002e00330024001d00209d3c940d89690b84d08a60993c144eca"
                        + "684d1081287c834d5311bcf32bb9da1a002b00020304",
                "5a482cd0991cd25b0aac406a5816b6394100f37a1c69797554780bb38cc5a99f5ede4cf73c3ec2493a"
                        + "1839b3dbcba3f6ea46c5b7684df3548e7ddeb9c3bf9c73cc3f3bded74b562bfb19fb8402"
                        + "2f8ef4cdd93795d77d06edbb7aaf2f58891850abbdca3d20398c276456cbc42158407dd0"
                        + "74ee");
        sealed(
                0x1303,
                "c6d98ff3441c3fe1b2182094f69caa2ed4b716b65488960a7a984979fb23e1c8",
                "e0459b3474bdd0e46d417eb0",
                "4200bff4",
                "01",
                "655e5cd55c41f69080575d7999c25a5bfb");
    }

    /// A packet as the JDK seals it.
    private static byte[] byTheJdk(int suite, byte[] key, byte[] nonce, byte[] plain, int to)
            throws GeneralSecurityException {
        boolean aes = suite != 0x1303;
        Cipher cipher = Cipher.getInstance(aes ? "AES/GCM/NoPadding" : "ChaCha20-Poly1305");
        AlgorithmParameterSpec with =
                aes ? new GCMParameterSpec(8 * TAG, nonce) : new IvParameterSpec(nonce);
        cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, aes ? "AES" : "ChaCha20"), with);
        cipher.updateAAD(plain, FROM, HEADER - FROM);
        byte[] packet = plain.clone();
        int _ = cipher.doFinal(plain, HEADER, to - HEADER, packet, HEADER);
        return packet;
    }

    @ParameterizedTest
    @ValueSource(ints = {0x1301, 0x1302, 0x1303})
    void packets_ofEachLength_areThoseOfTheJdk_andForgedOnesAreNotOpened(int suite)
            throws Exception {
        agreesWithTheJdk(suite, 1);
    }

    private static Void agreesWithTheJdk(int suite, long seed) throws GeneralSecurityException {
        Random random = new Random(seed);
        byte[] key = new byte[suite == 0x1301 ? 16 : 32];
        random.nextBytes(key);
        byte[] nonce = new byte[12];
        OpenSslCipher seals = cipher(suite, key, true);
        OpenSslCipher opens = cipher(suite, key, false);
        byte[] target = new byte[2_048];
        for (int length = 0; length < 1_500; length += 1 + length / 40) {
            int to = HEADER + length;
            int end = to + TAG;
            random.nextBytes(nonce);
            byte[] packet = new byte[end + 5];
            random.nextBytes(packet);
            byte[] plain = packet.clone();
            byte[] expected = byTheJdk(suite, key, nonce, plain, to);
            seals.seal(nonce, packet, FROM, HEADER, to);
            assertArrayEquals(expected, packet, () -> "seed " + seed + " length " + (to - HEADER));
            assertEquals(length, opens.open(nonce, packet, FROM, HEADER, end, target));
            assertArrayEquals(Arrays.copyOfRange(plain, HEADER, to), Arrays.copyOf(target, length));
            packet[FROM + random.nextInt(end - FROM)] ^= (byte) (1 << random.nextInt(8));
            assertEquals(-1, opens.open(nonce, packet, FROM, HEADER, end, target));
            // Anything left would be taken for a failure of the next handshake.
            assertEquals("no reason given", OpenSsl.error());
        }
        seals.close();
        opens.close();
        return null;
    }

    @Test
    void ciphersOfSeveralThreads_doNotMeet() throws Exception {
        List<Callable<Void>> tasks = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            int number = i;
            tasks.add(() -> agreesWithTheJdk(0x1301 + number % 3, 100 + number));
        }
        try (var threads = Executors.newFixedThreadPool(4)) {
            for (Future<Void> each : threads.invokeAll(tasks)) {
                each.get();
            }
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause());
        }
    }

    @Test
    void cipher_thatIsClosed_orHasNoRoom_touchesNoMemory() {
        OpenSslCipher cipher = cipher(0x1301, new byte[16], true);
        byte[] packet = new byte[40];
        assertThrows(
                IndexOutOfBoundsException.class,
                () -> cipher.seal(new byte[12], packet, 0, 10, 30));
        cipher.seal(new byte[12], packet, 0, 10, 24);
        cipher.close();
        cipher.close();
        assertThrows(
                IllegalStateException.class, () -> cipher.seal(new byte[12], packet, 0, 10, 24));
        assertNull(OpenSslCipher.of(0x1399, new byte[16], true), "an unknown suite");
    }

    @Test
    void nonceOrKeyOfAnotherLength_isRefused() {
        OpenSslCipher cipher = cipher(0x1301, new byte[16], true);
        assertThrows(
                IllegalArgumentException.class,
                () -> cipher.seal(new byte[11], new byte[40], 0, 10, 24));
        cipher.close();
        assertThrows(
                IllegalArgumentException.class, () -> OpenSslCipher.of(0x1302, new byte[16], true));
    }
}
