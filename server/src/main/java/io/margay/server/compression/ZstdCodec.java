package io.margay.server.compression;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.margay.server.compression.Encoder.Flush;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// The coding `zstd` (RFC 8878) by libzstd, whose functions are those of `zstd.h`. Used by one
/// thread at a time.
final class ZstdCodec implements NativeCodec {
    private static final NativeLibrary LIBRARY = NativeLibrary.load("libzstd.so.1");

    private static final int COMPRESSION_LEVEL = 100;
    private static final int WINDOW_LOG = 101;
    private static final int SESSION_ONLY = 1;

    /// The library's default.
    private static final int LEVEL = 3;

    /// 256 KiB: a window of megabytes helps few pages, and each response would hold it.
    private static final int WINDOW_BITS = 18;

    /// Of `ZSTD_inBuffer` and `ZSTD_outBuffer`: address, size, position.
    private static final int BUFFER_BYTES = 24;

    /// Made when the library is there and used.
    private static final class Functions {
        static final MethodHandle CREATE = LIBRARY.function("ZSTD_createCCtx", ADDRESS);
        static final MethodHandle FREE = LIBRARY.function("ZSTD_freeCCtx", JAVA_LONG, ADDRESS);
        static final MethodHandle RESET =
                LIBRARY.function("ZSTD_CCtx_reset", JAVA_LONG, ADDRESS, JAVA_INT);
        static final MethodHandle SET =
                LIBRARY.function("ZSTD_CCtx_setParameter", JAVA_LONG, ADDRESS, JAVA_INT, JAVA_INT);
        static final MethodHandle STREAM =
                LIBRARY.function(
                        "ZSTD_compressStream2", JAVA_LONG, ADDRESS, ADDRESS, ADDRESS, JAVA_INT);
        static final MethodHandle IS_ERROR = LIBRARY.function("ZSTD_isError", JAVA_INT, JAVA_LONG);
    }

    private final MemorySegment context;
    private final MemorySegment source = Arena.ofAuto().allocate(BUFFER_BYTES, 8);
    private final MemorySegment target = Arena.ofAuto().allocate(BUFFER_BYTES, 8);
    private boolean more;

    ZstdCodec() {
        try {
            context = (MemorySegment) Functions.CREATE.invokeExact();
            check((long) Functions.SET.invokeExact(context, COMPRESSION_LEVEL, LEVEL));
            check((long) Functions.SET.invokeExact(context, WINDOW_LOG, WINDOW_BITS));
        } catch (Throwable e) {
            throw NativeLibrary.failed(e);
        }
    }

    static boolean isThere() {
        return LIBRARY.isThere();
    }

    private static void check(long result) throws Throwable {
        if ((int) Functions.IS_ERROR.invokeExact(result) != 0) {
            throw new IllegalStateException("libzstd failed with " + result);
        }
    }

    @Override
    public void begin() {
        try {
            check((long) Functions.RESET.invokeExact(context, SESSION_ONLY));
        } catch (Throwable e) {
            throw NativeLibrary.failed(e);
        }
    }

    @Override
    public long encode(
            MemorySegment in, long inBytes, MemorySegment out, long outBytes, Flush flush) {
        fill(source, in, inBytes);
        fill(target, out, outBytes);
        try {
            long left =
                    (long) Functions.STREAM.invokeExact(context, target, source, flush.operation());
            check(left);
            long taken = source.get(JAVA_LONG, 16);
            more = flush == Flush.NONE ? taken < inBytes : left > 0;
            return taken << 32 | target.get(JAVA_LONG, 16);
        } catch (Throwable e) {
            throw NativeLibrary.failed(e);
        }
    }

    private static void fill(MemorySegment buffer, MemorySegment bytes, long size) {
        buffer.set(ADDRESS, 0, bytes);
        buffer.set(JAVA_LONG, 8, size);
        buffer.set(JAVA_LONG, 16, 0);
    }

    @Override
    public boolean hasMore() {
        return more;
    }

    @Override
    public void close() {
        try {
            long _ = (long) Functions.FREE.invokeExact(context);
        } catch (Throwable e) {
            throw NativeLibrary.failed(e);
        }
    }
}
