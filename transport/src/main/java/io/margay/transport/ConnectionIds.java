package io.margay.transport;

import java.util.concurrent.atomic.AtomicLong;

/// Numbers for connections, unique in this process over all transports. Thread-safe; a counter is
/// the one static state of this module.
public final class ConnectionIds {
    private static final AtomicLong LAST = new AtomicLong();

    private ConnectionIds() {}

    /// The next number, from 1.
    public static long next() {
        return LAST.incrementAndGet();
    }
}
