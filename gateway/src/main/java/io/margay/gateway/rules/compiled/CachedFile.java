package io.margay.gateway.rules.compiled;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// A small file, read when it is first asked for and again when it has changed, which is looked at
/// once a second at most. Thread-safe.
///
/// @param <T> what is made of its bytes
final class CachedFile<T> {
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Path file;
    private final int bytesMax;
    private final Function<byte[], T> reader;
    private final T none;
    private final LongSupplier clock;
    private volatile @Nullable State<T> state;

    /// @param changed when the file was changed that was read; null when there was none
    private record State<T>(T value, @Nullable FileTime changed, long lookedNanos) {}

    /// @param none what it is while the file cannot be read or is larger than `bytesMax`
    /// @param clock nanoseconds, as [System#nanoTime]
    CachedFile(Path file, int bytesMax, Function<byte[], T> reader, T none, LongSupplier clock) {
        this.file = file;
        this.bytesMax = bytesMax;
        this.reader = reader;
        this.none = none;
        this.clock = clock;
    }

    /// What was made of the file.
    T get() {
        State<T> known = state;
        long now = clock.getAsLong();
        if (known != null && now - known.lookedNanos < LOOK_NANOS) {
            return known.value;
        }
        State<T> next = look(known, now);
        state = next;
        return next.value;
    }

    private State<T> look(@Nullable State<T> known, long now) {
        try {
            FileTime changed = Files.getLastModifiedTime(file);
            if (known != null && changed.equals(known.changed)) {
                return new State<>(known.value, changed, now);
            }
            try (InputStream in = Files.newInputStream(file)) {
                byte[] bytes = in.readNBytes(bytesMax + 1);
                T value = bytes.length > bytesMax ? none : reader.apply(bytes);
                return new State<>(value, changed, now);
            }
        } catch (IOException e) {
            return new State<>(none, null, now);
        }
    }
}
