package io.margay.server.config;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/// Counters of one listener or server. Thread-safe; a reading is not a snapshot of one instant.
public final class ServerStats {
    private static final int CLASSES = 6;

    private final LongAdder accepted = new LongAdder();
    private final LongAdder closed = new LongAdder();
    private final LongAdder started = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder received = new LongAdder();
    private final LongAdder sent = new LongAdder();
    private final LongAdder[] byClass = new LongAdder[CLASSES];
    private final Durations durations = new Durations();

    public ServerStats() {
        Arrays.setAll(byClass, _ -> new LongAdder());
    }

    /// How many requests took so long.
    ///
    /// @param upToNanos the longest of them at most; `Long.MAX_VALUE` = without bound
    /// @param count of those that are not in the bucket before
    public record Bucket(long upToNanos, long count) {}

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
    /// @param longestNanos the longest of them
    /// @param durations the same request by request, by ascending bounds
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
            long nanos,
            long longestNanos,
            List<Bucket> durations) {
        public Reading {
            durations = List.copyOf(durations);
        }
    }

    /// The counters now.
    public Reading read() {
        List<Bucket> took = durations.read();
        long requests = took.stream().mapToLong(Bucket::count).sum();
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
                durations.nanos(),
                durations.longestNanos(),
                took);
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
        durations.count(tookNanos);
        byClass[Math.clamp(status / 100, 0, CLASSES - 1)].increment();
        if (failure) {
            failed.increment();
        }
        received.add(in);
        sent.add(out);
    }
}
