package io.margay.server.compression;

import java.lang.foreign.MemorySegment;

/// An encoder of a library, for one content after the other. Used by one thread at a time.
interface NativeCodec {
    /// Begins another content.
    void begin();

    /// Encodes from `in` to `out`, from their beginnings on.
    ///
    /// @return bytes taken, in the upper half, and bytes put
    long encode(MemorySegment in, long inBytes, MemorySegment out, long outBytes, Encoder.Flush to);

    /// Whether the latest call had too little room.
    boolean hasMore();

    /// Frees everything.
    void close();
}
