package io.margay.server.connection;

import java.util.concurrent.atomic.AtomicLongArray;

/// Numbers for exchanges, each given once in a process. Thread-safe.
///
/// Threads on different processors count apart, two lines of a processor's cache from each other,
/// as one counter for all would bound them all. So numbers grow along a thread, and one that is
/// larger than another's is not always the later one.
public final class ExchangeNumbers {
    private static final int STRIPES_MAX = 64;

    /// Counters of eight octets in two lines of the cache.
    private static final int APART = 16;

    private final AtomicLongArray given;
    private final int stripes;

    /// @param processors that take numbers
    public ExchangeNumbers(int processors) {
        stripes = Integer.highestOneBit(Math.min(STRIPES_MAX, processors));
        given = new AtomicLongArray((stripes + 1) * APART);
    }

    /// A number from 1.
    public long next() {
        long id = Thread.currentThread().threadId();
        int stripe = (int) (id ^ (id >>> 7)) & (stripes - 1);
        return given.getAndIncrement((stripe + 1) * APART) * stripes + stripe + 1;
    }
}
