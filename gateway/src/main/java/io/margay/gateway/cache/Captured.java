package io.margay.gateway.cache;

import io.margay.server.exchange.MemoryBudget;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Content of a response while it comes, for as long as it is not too much. What is counted is what
/// it has allocated, also while that is copied. Thread-safe: the end of the exchange drops it on
/// any thread.
final class Captured {
    private final MemoryBudget.Share held;
    private final int bytesMax;
    private byte[] bytes = {};
    private int used;
    private boolean lost;

    Captured(MemoryBudget memory, int bytesMax) {
        held = memory.share(0);
        this.bytesMax = bytesMax;
    }

    /// Takes a copy; forgets everything when it is too much.
    synchronized void add(byte[] source, int offset, int length) {
        if (lost) {
            return;
        }
        long needed = (long) used + length;
        if (needed > bytesMax) {
            drop();
            return;
        }
        if (needed > bytes.length) {
            resize((int) Math.min(bytesMax, Math.max(needed, 2L * used)));
            if (lost) {
                return;
            }
        }
        System.arraycopy(source, offset, bytes, used, length);
        used += length;
    }

    private void resize(int length) {
        if (!held.hold((long) bytes.length + length)) {
            drop();
            return;
        }
        bytes = Arrays.copyOf(bytes, length);
        boolean _ = held.hold(length); // less than before
    }

    synchronized boolean isLost() {
        return lost;
    }

    /// All of it; null where it is lost.
    synchronized byte @Nullable [] whole() {
        if (!lost && bytes.length != used) {
            resize(used);
        }
        return lost ? null : bytes;
    }

    /// Nothing is kept any more.
    synchronized void drop() {
        lost = true;
        bytes = new byte[0];
        used = 0;
        held.release();
    }
}
