package io.margay.transport.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Which ticket is opened with which key, and for how long.
final class TicketKeysTest {
    private static final int NO_KEY = 0;
    private static final int GOOD = 1;
    private static final int GOOD_BUT_OLD = 2;

    private final AtomicLong now = new AtomicLong(17);
    private final TicketKeys keys = new TicketKeys(now::get);
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
}
