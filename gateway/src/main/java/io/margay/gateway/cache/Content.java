package io.margay.gateway.cache;

import java.io.IOException;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/// The content of a stored response: in memory, in a file, or in both. Immutable; its array is not
/// changed.
///
/// @param bytes null where it is in the file alone
/// @param lent who sends it from memory
@SuppressWarnings("ArrayRecordComponent") // made once, and never compared
record Content(byte @Nullable [] bytes, int length, @Nullable DiskFile file, Lent lent) {
    /// One that nobody sends.
    Content(byte @Nullable [] bytes, int length, @Nullable DiskFile file) {
        this(bytes, length, file, new Lent());
    }

    /// In memory.
    static Content of(byte[] bytes) {
        return new Content(bytes, bytes.length, null);
    }

    /// The same in a file.
    ///
    /// @param kept what stays in memory; null = nothing
    Content in(DiskFile written, byte @Nullable [] kept) {
        return new Content(kept, length, written, lent);
    }

    /// Of a file; null where it is not what it was.
    ///
    /// @throws IllegalStateException where it is in memory
    @Nullable FileChannel open() {
        DiskFile known = file;
        if (known == null) {
            throw new IllegalStateException("the content is in memory");
        }
        try {
            return known.open();
        } catch (IOException e) {
            return null;
        }
    }

    /// What it takes of the memory.
    int held() {
        return bytes == null ? 0 : bytes.length;
    }
}
