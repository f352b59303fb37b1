package io.margay.transport.proxy;

import java.lang.System.Logger.Level;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/// The connections of a listener that were reset because no header of the PROXY protocol came that
/// is believed. Thread-safe.
public final class ProxyRefusals {
    private static final System.Logger LOG = System.getLogger("io.margay.transport");

    /// How often the log tells of them.
    private static final long REPORT_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final LongSupplier nanos;
    private final AtomicLong reportedNanos;
    private final LongAdder count = new LongAdder();

    public ProxyRefusals(LongSupplier nanos) {
        this.nanos = nanos;
        this.reportedNanos = new AtomicLong(nanos.getAsLong() - REPORT_NANOS);
    }

    /// How many there were.
    public long count() {
        return count.sum();
    }

    void add(SocketAddress peer, String why) {
        count.increment();
        long now = nanos.getAsLong();
        long last = reportedNanos.get();
        if (now - last >= REPORT_NANOS && reportedNanos.compareAndSet(last, now)) {
            LOG.log(
                    Level.WARNING,
                    "a connection of {0} is reset, for the listener expects the PROXY protocol:"
                            + " {1}",
                    peer,
                    why);
        }
    }
}
