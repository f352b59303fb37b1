package io.margay.transport.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Which ticket is opened with which key, and for how long.
final class TicketKeysTest {
    private static final int NO_KEY = 0;
    private static final int GOOD = 1;
    private static final int GOOD_BUT_OLD = 2;

    private final AtomicLong now = new AtomicLong(17);
    private final TicketKeys keys = new TicketKeys(now::get, null);
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment vector = arena.allocate(16);
    private final long cipher = OpenSsl.call(OpenSsl.crypto("EVP_CIPHER_CTX_new"));
    private final long kind =
            OpenSsl.call(
                    OpenSsl.crypto("EVP_MAC_fetch"), 0, arena.allocateFrom("HMAC").address(), 0);
    private final long mac = OpenSsl.call(OpenSsl.crypto("EVP_MAC_CTX_new"), kind);

    @AfterEach
    void free() {
        OpenSsl.call(OpenSsl.crypto("EVP_CIPHER_CTX_free"), cipher);
        OpenSsl.call(OpenSsl.crypto("EVP_MAC_CTX_free"), mac);
        OpenSsl.call(OpenSsl.crypto("EVP_MAC_free"), kind);
        arena.close();
    }

    private MemorySegment seal() {
        MemorySegment name = arena.allocate(16);
        assertEquals(GOOD, keys.seal(name.address(), vector.address(), cipher, mac));
        return name;
    }

    private int open(MemorySegment name) {
        return keys.open(name.address(), vector.address(), cipher, mac);
    }

    @Test
    void ticket_ofTheKeyInUse_isOpened() {
        assertEquals(GOOD, open(seal()));
    }

    @Test
    void ticket_ofAnUnknownKey_isNotOpened() {
        assertEquals(NO_KEY, open(arena.allocate(16)));
    }

    @Test
    void ticket_afterOneRotation_isOpenedAndReplaced() {
        MemorySegment name = seal();
        now.addAndGet(TicketKeys.ROTATION_NANOS);
        assertEquals(GOOD_BUT_OLD, open(name));
        assertEquals(GOOD, open(seal()));
    }

    @Test
    void ticket_afterTwoRotations_isNotOpened() {
        MemorySegment name = seal();
        now.addAndGet(TicketKeys.ROTATION_NANOS);
        seal();
        now.addAndGet(TicketKeys.ROTATION_NANOS);
        assertEquals(NO_KEY, open(name));
    }

    @Test
    void ticket_afterALongPause_isNotOpened() {
        MemorySegment name = seal();
        now.addAndGet(2 * TicketKeys.ROTATION_NANOS);
        assertEquals(NO_KEY, open(name));
    }

    @Test
    void ticket_afterTrustChanged_isNotOpened() {
        MemorySegment name = seal();
        keys.renew();
        assertEquals(NO_KEY, open(name));
    }

    /// A secret of the group.
    private static byte[] secret(int number) {
        byte[] made = new byte[32];
        made[0] = (byte) number;
        return made;
    }

    private TicketKeys other(AtomicReference<List<byte[]>> secrets, String settings) {
        TicketKeys made = new TicketKeys(now::get, secrets::get);
        made.bind(settings.getBytes(StandardCharsets.US_ASCII));
        return made;
    }

    private MemorySegment seal(TicketKeys with) {
        MemorySegment name = arena.allocate(16);
        assertEquals(GOOD, with.seal(name.address(), vector.address(), cipher, mac));
        return name;
    }

    private int open(TicketKeys with, MemorySegment name) {
        return with.open(name.address(), vector.address(), cipher, mac);
    }

    @Test
    void ticket_ofAnotherServerWithTheSameSecrets_isOpened() {
        AtomicReference<List<byte[]>> secrets = new AtomicReference<>(List.of(secret(1)));
        TicketKeys left = other(secrets, "settings");
        TicketKeys right = other(new AtomicReference<>(List.of(secret(1))), "settings");
        assertEquals(GOOD, open(right, seal(left)));
        assertEquals(NO_KEY, open(keys, seal(left)));
        assertEquals(NO_KEY, open(other(secrets, "others"), seal(left)));
        TicketKeys stranger = other(new AtomicReference<>(List.of(secret(2))), "settings");
        assertEquals(NO_KEY, open(stranger, seal(left)));
        left.bind("others".getBytes(StandardCharsets.US_ASCII));
        assertEquals(NO_KEY, open(right, seal(left)));
    }

    @Test
    void ticket_whileServersRotate_isOpenedAndReplaced() {
        AtomicReference<List<byte[]>> ahead = new AtomicReference<>(List.of(secret(1), secret(2)));
        AtomicReference<List<byte[]>> behind = new AtomicReference<>(ahead.get());
        TicketKeys left = other(ahead, "settings");
        TicketKeys right = other(behind, "settings");
        MemorySegment before = seal(left);
        ahead.set(List.of(secret(2), secret(3), secret(1)));
        assertEquals(GOOD_BUT_OLD, open(left, before));
        // The other has not heard of it, but has the secret already.
        assertEquals(GOOD_BUT_OLD, open(right, seal(left)));
        behind.set(ahead.get());
        assertEquals(GOOD, open(right, seal(left)));
        assertEquals(GOOD_BUT_OLD, open(right, before));
    }

    @Test
    void ticket_whenThereAreNoSecrets_isOfTheServersOwnKeys_untilThereAre() {
        AtomicReference<List<byte[]>> secrets = new AtomicReference<>(List.of());
        TicketKeys left = other(secrets, "settings");
        TicketKeys right = other(secrets, "settings");
        MemorySegment own = seal(left);
        assertEquals(GOOD, open(left, own));
        assertEquals(NO_KEY, open(right, own));
        secrets.set(List.of(secret(1)));
        assertEquals(GOOD_BUT_OLD, open(left, own));
        MemorySegment all = seal(left);
        assertEquals(GOOD, open(right, all));
        secrets.set(List.of());
        assertEquals(NO_KEY, open(left, all));
        assertEquals(GOOD, open(left, seal(left)));
    }
}
