package io.margay.server.compression;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.margay.server.compression.Encoder.Flush;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// The coding `br` (RFC 7932) by libbrotlienc, whose functions are those of `brotli/encode.h`. Used
/// by one thread at a time.
final class BrotliCodec implements NativeCodec {
    private static final NativeLibrary LIBRARY = NativeLibrary.load("libbrotlienc.so.1");

    private static final int QUALITY = 1;
    private static final int WINDOW = 2;

    /// About as quick as gzip; from 5 on the library needs much more memory and time.
    private static final int QUALITY_USED = 4;

    /// 256 KiB: a window of megabytes helps few pages, and each response would hold it.
    private static final int WINDOW_BITS = 18;

    /// Made when the library is there and used.
    private static final class Functions {
        static final MethodHandle CREATE =
                LIBRARY.function("BrotliEncoderCreateInstance", ADDRESS, ADDRESS, ADDRESS, ADDRESS);
        static final MethodHandle DESTROY =
                LIBRARY.procedure("BrotliEncoderDestroyInstance", ADDRESS);
        static final MethodHandle SET =
                LIBRARY.function(
                        "BrotliEncoderSetParameter", JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT);
        static final MethodHandle STREAM =
                LIBRARY.function(
                        "BrotliEncoderCompressStream",
                        JAVA_INT,
                        ADDRESS,
                        JAVA_INT,
                        ADDRESS,
                        ADDRESS,
                        ADDRESS,
                        ADDRESS,
                        ADDRESS);
        static final MethodHandle HAS_MORE =
                LIBRARY.function("BrotliEncoderHasMoreOutput", JAVA_INT, ADDRESS);
        static final MethodHandle IS_FINISHED =
                LIBRARY.function("BrotliEncoderIsFinished", JAVA_INT, ADDRESS);
    }

    /// `available_in`, `next_in`, `available_out`, `next_out`, eight bytes each.
    private final MemorySegment words = Arena.ofAuto().allocate(32, 8);

    private MemorySegment state = MemorySegment.NULL;
    private boolean more;

    static boolean isThere() {
        return LIBRARY.isThere();
    }

    /// The library begins a content with another encoder.
    @Override
    public void begin() {
        close();
        MemorySegment none = MemorySegment.NULL;
        try {
            state = (MemorySegment) Functions.CREATE.invokeExact(none, none, none);
            int _ = (int) Functions.SET.invokeExact(state, QUALITY, QUALITY_USED);
            int _ = (int) Functions.SET.invokeExact(state, WINDOW, WINDOW_BITS);
        } catch (Throwable e) {
            throw NativeLibrary.failed(e);
        }
    }

    @Override
    public long encode(
            MemorySegment in, long inBytes, MemorySegment out, long outBytes, Flush flush) {
        words.set(JAVA_LONG, 0, inBytes);
        words.set(ADDRESS, 8, in);
        words.set(JAVA_LONG, 16, outBytes);
        words.set(ADDRESS, 24, out);
        try {
            int done =
                    (int)
                            Functions.STREAM.invokeExact(
                                    state,
                                    flush.operation(),
                                    words,
                                    words.asSlice(8),
                                    words.asSlice(16),
                                    words.asSlice(24),
                                    MemorySegment.NULL);
            if (done == 0) {
                throw new IllegalStateException("libbrotlienc failed");
            }
            more =
                    flush == Flush.END
                            ? (int) Functions.IS_FINISHED.invokeExact(state) == 0
                            : (int) Functions.HAS_MORE.invokeExact(state) != 0;
        } catch (Throwable e) {
            throw NativeLibrary.failed(e);
        }
        long taken = inBytes - words.get(JAVA_LONG, 0);
        return taken << 32 | (outBytes - words.get(JAVA_LONG, 16));
    }

    @Override
    public boolean hasMore() {
        return more;
    }

    @Override
    public void close() {
        MemorySegment was = state;
        state = MemorySegment.NULL;
        if (was.address() != 0) {
            try {
                Functions.DESTROY.invokeExact(was);
            } catch (Throwable e) {
                throw NativeLibrary.failed(e);
            }
        }
    }
}
