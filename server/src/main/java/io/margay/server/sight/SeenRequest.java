package io.margay.server.sight;

import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.Relay;
import io.margay.server.timing.RequestPhase;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One request, as far as an operator needs it to know where its time went: without its query,
/// fields and content, in which secrets may be. Immutable.
///
/// @param id of the request, as in the access log
/// @param atMillis when it began, since 1970
/// @param client its address
/// @param path without the query, cut off after 256 characters
/// @param micros how long it took, or has taken so far
/// @param status of the answer; 0 = there is none yet
/// @param failure why it failed, cut off; empty = it did not
/// @param place who answers, and after how many attempts
/// @param phases microseconds in each phase in which it was
public record SeenRequest(
        String id,
        long atMillis,
        String client,
        String path,
        long micros,
        int status,
        String failure,
        Place place,
        Map<RequestPhase, Long> phases) {
    /// Bytes that one takes at most.
    static final int BYTES_MAX = 1_792;

    private static final int TEXT_MAX = 128;
    private static final int PATH_MAX = 256;

    /// Where a request was answered.
    ///
    /// @param method of the request
    /// @param host that was asked for by the client, by the name that it counts for; empty = none
    ///   was found yet
    /// @param route that answers; empty = none
    /// @param member that was asked last, as `upstream/member`; empty = none
    /// @param attempts how often a member was asked
    public record Place(String method, String host, String route, String member, int attempts) {}

    public SeenRequest {
        phases = Map.copyOf(phases);
    }

    /// A request that has ended.
    ///
    /// @param nowNanos by the clock of the exchange
    /// @param nowMillis since 1970
    static SeenRequest of(Exchange exchange, SightKey at, long nowNanos, long nowMillis) {
        return of(exchange, at, null, nowNanos, nowMillis);
    }

    /// A request as it is now, on any thread, with the time in the phase that is under way.
    static SeenRequest of(RunningRequests.Running one, long nowNanos, long nowMillis) {
        Exchange exchange = one.exchange();
        return of(exchange, one.at(), exchange.underWay(), nowNanos, nowMillis);
    }

    private static SeenRequest of(
            Exchange exchange,
            @Nullable SightKey at,
            @Nullable RequestPhase underWay,
            long nowNanos,
            long nowMillis) {
        long micros = Math.max(0, (nowNanos - exchange.startNanos()) / 1_000);
        Map<RequestPhase, Long> phases = new EnumMap<>(RequestPhase.class);
        for (RequestPhase phase : RequestPhase.values()) {
            long spent = exchange.micros(phase);
            if (spent > 0) {
                phases.put(phase, spent);
            }
        }
        if (underWay != null) {
            phases.merge(underWay, Math.max(0, micros - counted(phases)), Long::sum);
        }
        Exception failure = exchange.failure();
        Relay relay = exchange.relay();
        return new SeenRequest(
                cut(exchange.requestId(), TEXT_MAX),
                nowMillis - micros / 1_000,
                address(exchange.remote()),
                cut(exchange.request().target().rawPath(), PATH_MAX),
                micros,
                exchange.committed() ? exchange.status() : 0,
                failure == null ? "" : cut(String.valueOf(failure.getMessage()), TEXT_MAX),
                new Place(
                        cut(exchange.request().method(), TEXT_MAX / 4),
                        at == null ? "" : at.of(),
                        at == null ? "" : at.name(),
                        relay == null ? "" : cut(relay.upstream() + "/" + relay.peer(), TEXT_MAX),
                        exchange.attempts()),
                phases);
    }

    /// Microseconds in phases of its duration.
    private static long counted(Map<RequestPhase, Long> phases) {
        return phases.entrySet().stream()
                .filter(each -> each.getKey() != RequestPhase.HEAD)
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    /// Microseconds that are of no phase; phases may overlap.
    public long restMicros() {
        return Math.max(0, micros - counted(phases));
    }

    private static String cut(String text, int most) {
        return text.length() <= most ? text : text.substring(0, most);
    }

    private static String address(SocketAddress address) {
        return address instanceof InetSocketAddress inet && inet.getAddress() != null
                ? inet.getAddress().getHostAddress()
                : "";
    }

    void write(DataOutput out, long nowMillis) throws IOException {
        out.writeLong(nowMillis - atMillis);
        out.writeLong(micros);
        out.writeInt(status);
        out.writeInt(place.attempts);
        for (String text :
                List.of(
                        id,
                        client,
                        path,
                        failure,
                        place.method,
                        place.host,
                        place.route,
                        place.member)) {
            out.writeUTF(text);
        }
        out.writeByte(phases.size());
        for (Map.Entry<RequestPhase, Long> each : phases.entrySet()) {
            out.writeUTF(each.getKey().name());
            out.writeLong(each.getValue());
        }
    }

    static SeenRequest read(DataInput in, long nowMillis) throws IOException {
        long age = in.readLong();
        long micros = in.readLong();
        int status = in.readInt();
        int attempts = in.readInt();
        String id = in.readUTF();
        String client = in.readUTF();
        String path = in.readUTF();
        String failure = in.readUTF();
        Place place = new Place(in.readUTF(), in.readUTF(), in.readUTF(), in.readUTF(), attempts);
        Map<RequestPhase, Long> phases = new EnumMap<>(RequestPhase.class);
        int count = in.readByte();
        for (int i = 0; i < count; i++) {
            phases.put(RequestPhase.valueOf(in.readUTF()), in.readLong());
        }
        return new SeenRequest(
                id, nowMillis - age, client, path, micros, status, failure, place, phases);
    }
}
