package io.margay.server.compression;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// A coding by a library of the system, to which content is copied piece by piece. Used by one
/// thread at a time.
final class NativeEncoder implements Encoder {
    private static final int PIECE_BYTES = 16 * 1024;

    private final NativeCodec codec;
    private final MemorySegment in;
    private final MemorySegment out;
    private byte[] source = {};
    private int from;
    private int to;

    private boolean more;

    NativeEncoder(NativeCodec codec) {
        this.codec = codec;
        in = Arena.ofAuto().allocate(PIECE_BYTES);
        out = Arena.ofAuto().allocate(PIECE_BYTES);
    }

    @Override
    public void begin(int level) {
        codec.begin();
        from = 0;
        to = 0;
        more = false;
    }

    @Override
    public void input(byte[] bytes, int offset, int length) {
        source = bytes;
        from = offset;
        to = offset + length;
    }

    @Override
    public int output(byte[] target, int offset, int length, Flush flush) {
        int at = offset;
        int end = offset + length;
        while (true) {
            int held = Math.min(PIECE_BYTES, to - from);
            MemorySegment.copy(source, from, in, ValueLayout.JAVA_BYTE, 0, held);
            Flush step = from + held == to ? flush : Flush.NONE;
            long moved = codec.encode(in, held, out, Math.min(end - at, PIECE_BYTES), step);
            int put = (int) moved;
            MemorySegment.copy(out, ValueLayout.JAVA_BYTE, 0, target, at, put);
            at += put;
            from += (int) (moved >>> 32);
            if (from == to && !codec.hasMore()) {
                more = false;
                return at - offset;
            }
            if (at == end) {
                more = true;
                return at - offset;
            }
        }
    }

    @Override
    public boolean hasMore() {
        return more;
    }

    @Override
    public void close() {
        codec.close();
    }
}
