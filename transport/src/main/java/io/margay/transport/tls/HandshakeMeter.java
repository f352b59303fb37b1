package io.margay.transport.tls;

import io.margay.transport.HandshakeCounts;
import java.util.concurrent.atomic.LongAdder;

/// Counts the handshakes of one listener. Thread-safe.
final class HandshakeMeter {
    private final LongAdder done = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder nanos = new LongAdder();

    void done(long tookNanos) {
        done.increment();
        nanos.add(tookNanos);
    }

    void failed() {
        failed.increment();
    }

    HandshakeCounts read() {
        return new HandshakeCounts(done.sum(), failed.sum(), nanos.sum());
    }
}
