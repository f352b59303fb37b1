package io.margay.gateway.peer;

import io.margay.server.exchange.MemoryBudget;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Bytes of a request or response that are held until they can be passed on, counted as memory
/// beyond the first. Confined to the loop of what holds them.
public final class HeldBytes {
    private static final byte[] NOTHING = new byte[0];

    /// What each request may have held without being counted.
    private static final int FREE_BYTES = 8 * 1024;

    private final MemoryBudget budget;
    private MemoryBudget.@Nullable Share share;
    private byte[] bytes = NOTHING;
    private int length;

    public HeldBytes(MemoryBudget budget) {
        this.budget = budget;
    }

    /// The array, of which the first [#length] bytes are held; another one after [#add].
    public byte[] bytes() {
        return bytes;
    }

    /// How much is held.
    public int length() {
        return length;
    }

    /// Holds more.
    ///
    /// @param expected a size of the array that is likely to be enough for all that comes
    /// @return false when there is no memory for it; then nothing has changed
    public boolean add(byte[] source, int from, int to, int expected) {
        int all = length + to - from;
        if (all > bytes.length) {
            int size = Math.max(all, Math.max(expected, bytes.length * 2));
            if (!count(size)) {
                return false;
            }
            bytes = Arrays.copyOf(bytes, size);
        }
        System.arraycopy(source, from, bytes, length, to - from);
        length = all;
        return true;
    }

    private boolean count(int size) {
        MemoryBudget.Share known = share;
        if (known == null) {
            if (size <= FREE_BYTES) {
                return true;
            }
            known = budget.share(FREE_BYTES);
            share = known;
        }
        return known.hold(size);
    }

    /// What was held, and is not any more.
    public byte[] take() {
        byte[] all = bytes;
        drop();
        return all;
    }

    /// Forgets what was held.
    public void drop() {
        bytes = NOTHING;
        length = 0;
        if (share != null) {
            share.release();
        }
    }
}
