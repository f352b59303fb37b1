package io.margay.server.config;

import java.util.concurrent.atomic.LongAdder;

/// Counters of one listener or server. Thread-safe; a reading is not a snapshot of one instant.
public final class ServerStats {
    private static final int CLASSES = 6;

    private final LongAdder accepted = new LongAdder();
    private final LongAdder closed = new LongAdder();
    private final LongAdder started = new LongAdder();
    private final LongAdder ended = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder received = new LongAdder();
    private final LongAdder sent = new LongAdder();
    private final LongAdder nanos = new LongAdder();
    private final LongAdder[] byClass = new LongAdder[CLASSES];

    public ServerStats() {
        for (int i = 0; i < CLASSES; i++) {
            byClass[i] = new LongAdder();
        }
    }

    /// What the counters said.
    ///
    /// @param connections accepted since the start
    /// @param connectionsOpen open now
    /// @param requests ended since the start, failed ones included
    /// @param requestsActive begun and not ended
    /// @param requestsFailed ended because the client left, stalled or broke the protocol, or the
    ///   handler gave up
    /// @param informational responses with status 1xx; `successful` to `serverErrors` are 2xx to
    ///   5xx
    /// @param bytesReceived by requests, heads included
    /// @param bytesSent by responses, heads included
    /// @param nanos time from complete heads to the ends of the responses
    public record Reading(
            long connections,
            long connectionsOpen,
            long requests,
            long requestsActive,
            long requestsFailed,
            long informational,
            long successful,
            long redirects,
            long clientErrors,
            long serverErrors,
            long bytesReceived,
            long bytesSent,
            long nanos) {}

    /// The counters now.
    public Reading read() {
        long requests = ended.sum();
        long connections = accepted.sum();
        return new Reading(
                connections,
                Math.max(0, connections - closed.sum()),
                requests,
                Math.max(0, started.sum() - requests),
                failed.sum(),
                byClass[1].sum(),
                byClass[2].sum(),
                byClass[3].sum(),
                byClass[4].sum(),
                byClass[5].sum(),
                received.sum(),
                sent.sum(),
                nanos.sum());
    }

    /// A connection was accepted.
    public void connectionAccepted() {
        accepted.increment();
    }

    /// A connection was closed.
    public void connectionClosed() {
        closed.increment();
    }

    /// The head of a request is complete.
    public void requestStarted() {
        started.increment();
    }

    /// A request has ended.
    public void requestEnded(int status, boolean failure, long in, long out, long tookNanos) {
        ended.increment();
        byClass[Math.clamp(status / 100, 0, CLASSES - 1)].increment();
        if (failure) {
            failed.increment();
        }
        received.add(in);
        sent.add(out);
        nanos.add(tookNanos);
    }
}
