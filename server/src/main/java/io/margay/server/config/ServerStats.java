package io.margay.server.config;

import io.margay.server.meter.Distribution;
import io.margay.server.meter.Durations;
import io.margay.server.meter.Meter;
import io.margay.server.meter.MeterTable;
import io.margay.server.meter.RecentDurations;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/// Counters of one listener or server. Thread-safe; a reading is not a snapshot of one instant.
public final class ServerStats {
    private static final int CLASSES = 6;

    private final LongAdder accepted = new LongAdder();
    private final LongAdder closed = new LongAdder();
    private final Map<RequestProtocol, LongAdder> started = new EnumMap<>(RequestProtocol.class);
    private final LongAdder failed = new LongAdder();
    private final LongAdder received = new LongAdder();
    private final LongAdder sent = new LongAdder();
    private final LongAdder[] byClass = new LongAdder[CLASSES];
    private final Durations durations = Durations.ofAll();
    private final RecentDurations recent = new RecentDurations();

    public ServerStats() {
        Arrays.setAll(byClass, _ -> new LongAdder());
        for (RequestProtocol each : RequestProtocol.values()) {
            started.put(each, new LongAdder());
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
    /// @param protocols requests begun since the start by protocol, of those that had any
    /// @param statuses responses by class of status, from 1xx on
    /// @param bytesReceived by requests, heads included
    /// @param bytesSent by responses, heads included
    /// @param nanos time from complete heads to the ends of the responses
    /// @param longestNanos the longest of them
    /// @param durations the same, in seconds
    public record Reading(
            long connections,
            long connectionsOpen,
            long requests,
            long requestsActive,
            long requestsFailed,
            Map<String, Long> protocols,
            List<Long> statuses,
            long bytesReceived,
            long bytesSent,
            long nanos,
            long longestNanos,
            Distribution durations) {
        private static final MeterTable<Reading> METERS =
                new MeterTable<Reading>("margay_")
                        .counter("connections", "Accepted connections.", Reading::connections)
                        .gauge("connections_open", "Open connections.", Reading::connectionsOpen)
                        .gauge("requests_active", "Requests in flight.", Reading::requestsActive)
                        .counter(
                                "requests_failed",
                                "Requests whose client left, stalled or broke the protocol, or that"
                                        + " were given up.",
                                Reading::requestsFailed)
                        .statuses(
                                "requests", "Ended requests by class of status.", Reading::statuses)
                        .counter("received_bytes", "Bytes of requests.", Reading::bytesReceived)
                        .counter("sent_bytes", "Bytes of responses.", Reading::bytesSent)
                        .distribution(
                                "request_seconds",
                                "From complete heads to ends of responses.",
                                Reading::durations);

        /// Responses with status 2xx.
        public long successful() {
            return statuses.get(1);
        }

        /// Responses with status 3xx.
        public long redirects() {
            return statuses.get(2);
        }

        /// Responses with status 4xx.
        public long clientErrors() {
            return statuses.get(3);
        }

        /// Responses with status 5xx.
        public long serverErrors() {
            return statuses.get(4);
        }

        /// Its numbers.
        public List<Meter> meters() {
            List<Meter> all = new ArrayList<>(METERS.of(this));
            protocols.forEach((protocol, begun) ->
                    all.add(
                            Meter.counter(
                                            "margay_protocol_requests",
                                            "Requests begun by protocol.",
                                            () -> begun)
                                    .with("protocol", protocol)));
            return all;
        }
    }

    /// The counters now.
    public Reading read() {
        Distribution took = durations.read();
        long requests = took.count();
        Map<String, Long> protocols = new LinkedHashMap<>();
        started.forEach((protocol, begun) -> {
            if (begun.sum() > 0) {
                protocols.put(protocol.label(), begun.sum());
            }
        });
        long connections = accepted.sum();
        return new Reading(
                connections,
                Math.max(0, connections - closed.sum()),
                requests,
                begunSince(requests),
                failed.sum(),
                protocols,
                statuses(),
                received.sum(),
                sent.sum(),
                durations.nanos(),
                durations.longestNanos(),
                took);
    }

    /// Ended requests by class of status, from 1xx on.
    public List<Long> statuses() {
        return Arrays.stream(byClass).skip(1).map(LongAdder::sum).toList();
    }

    /// Requests that have failed.
    public long failed() {
        return failed.sum();
    }

    /// Bytes of requests.
    public long bytesReceived() {
        return received.sum();
    }

    /// Bytes of responses.
    public long bytesSent() {
        return sent.sum();
    }

    /// Requests that have begun and not ended.
    public long active() {
        return begunSince(durations.count());
    }

    private long begunSince(long ended) {
        return Math.max(0, started.values().stream().mapToLong(LongAdder::sum).sum() - ended);
    }

    /// How long requests took of late.
    public RecentDurations recent() {
        return recent;
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
    public void requestStarted(RequestProtocol protocol) {
        Objects.requireNonNull(started.get(protocol)).increment();
    }

    /// A request has ended.
    public void requestEnded(int status, boolean failure, long in, long out, long tookNanos) {
        durations.count(tookNanos);
        boolean _ = recent.count(tookNanos);
        byClass[Math.clamp(status / 100, 0, CLASSES - 1)].increment();
        if (failure) {
            failed.increment();
        }
        received.add(in);
        sent.add(out);
    }
}
