package io.margay.protocol.quic.stream;

import java.util.ArrayDeque;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The octets of a stream between two offsets, in chunks that are made when they are written to and
/// given back when they are passed. Confined to its owner, who bounds the distance of the offsets.
final class Chunks {
    /// Most requests fit into one.
    static final int CHUNK_BYTES = 2_048;

    private static final int SHIFT = 11;

    private byte[] @Nullable [] chunks = new byte[1][];
    private int first;
    private long firstIndex;
    private int held;
    private final ArrayDeque<byte[]> spare = new ArrayDeque<>(1);

    /// Chunks that are held.
    int held() {
        return held;
    }

    private int slot(long index) {
        return (first + (int) (index - firstIndex)) & (chunks.length - 1);
    }

    /// Writes octets at an offset that was not passed.
    void put(long offset, byte[] source, int from, int to) {
        long at = offset;
        int next = from;
        while (next < to) {
            int within = (int) at & (CHUNK_BYTES - 1);
            int count = Math.min(to - next, CHUNK_BYTES - within);
            System.arraycopy(source, next, chunk(at >> SHIFT), within, count);
            at += count;
            next += count;
        }
    }

    private byte[] chunk(long index) {
        if (index - firstIndex >= chunks.length) {
            grow((int) (index - firstIndex) + 1);
        }
        int slot = slot(index);
        byte[] chunk = chunks[slot];
        if (chunk == null) {
            held += spare.isEmpty() ? 1 : 0;
            chunk = spare.isEmpty() ? new byte[CHUNK_BYTES] : spare.pop();
            chunks[slot] = chunk;
        }
        return chunk;
    }

    private void grow(int least) {
        int size = Integer.highestOneBit(2 * least - 1);
        byte[] @Nullable [] larger = new byte[size][];
        for (int i = 0; i < chunks.length; i++) {
            larger[i] = chunks[(first + i) & (chunks.length - 1)];
        }
        chunks = larger;
        first = 0;
    }

    /// Reads octets that were written.
    void get(long offset, byte[] target, int from, int to) {
        long at = offset;
        int next = from;
        while (next < to) {
            int within = (int) at & (CHUNK_BYTES - 1);
            int count = Math.min(to - next, CHUNK_BYTES - within);
            byte[] chunk = chunks[slot(at >> SHIFT)];
            if (chunk == null) {
                throw new IllegalStateException("octets that were never written");
            }
            System.arraycopy(chunk, within, target, next, count);
            at += count;
            next += count;
        }
    }

    /// Gives back the chunks before an offset.
    void pass(long offset) {
        long index = offset >> SHIFT;
        if (index - firstIndex >= chunks.length) {
            Arrays.fill(chunks, null);
            held = spare.size();
            first = 0;
            firstIndex = index;
            return;
        }
        while (firstIndex < index) {
            byte[] chunk = chunks[first];
            if (chunk != null && spare.isEmpty()) {
                spare.push(chunk);
            } else if (chunk != null) {
                held--;
            }
            chunks[first] = null;
            first = (first + 1) & (chunks.length - 1);
            firstIndex++;
        }
    }

    /// Gives everything back.
    void clear() {
        chunks = new byte[1][];
        first = 0;
        held = 0;
        spare.clear();
    }
}
