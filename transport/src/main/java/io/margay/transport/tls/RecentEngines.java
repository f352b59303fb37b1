package io.margay.transport.tls;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// The engines that have come to work last. They may keep the memory that OpenSSL needs to work,
/// up to 80 KiB each, which all others have given back: so a busy connection does not ask for it
/// with each record, and thousands that idle have none. Thread-safe, without locks.
///
/// A ring: who comes in pushes out who has been in for longest, busy or not. Who was pushed out
/// comes in again with its next record.
final class RecentEngines {
    /// How many keep their memory.
    private static final int COUNT = 256;

    private final AtomicReferenceArray<@Nullable OpenSslEngine> ring =
            new AtomicReferenceArray<>(COUNT);
    private final AtomicInteger next = new AtomicInteger();

    /// Takes one in.
    ///
    /// @return whose turn it is to give its memory back, or null
    @Nullable OpenSslEngine add(OpenSslEngine engine) {
        return ring.getAndSet(next.getAndIncrement() & (COUNT - 1), engine);
    }
}
