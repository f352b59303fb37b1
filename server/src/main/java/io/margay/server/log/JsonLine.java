package io.margay.server.log;

import io.margay.protocol.http.RequestHead;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.Relay;
import io.margay.server.timing.RequestPhase;
import java.time.Instant;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// An event of the access log as one JSON object (RFC 8259). Stateless.
///
/// Beyond what JSON asks for, DEL and the C1 controls are escaped, since terminals obey them too,
/// and what Latin-1 does not have. Long values are cut ([LogText]).
final class JsonLine implements Consumer<LogLine> {
    private static final LogText JSON = LogText.json();

    @Override
    public void accept(LogLine line) {
        Exchange exchange = line.exchange;
        RequestHead head = exchange.request();
        StringBuilder out = line.text;
        out.append("{\"time\":\"").append(Instant.ofEpochMilli(line.startMillis)).append('"');
        member(line, "remote", LogLine.address(exchange.remote()));
        member(line, "user", exchange.remoteUser());
        member(line, "host", head.target().authority());
        member(line, "method", head.method());
        member(line, "target", head.target().raw());
        member(line, "protocol", head.version().text());
        member(out, "status", exchange.status());
        member(out, "bytes", exchange.bytesSent());
        member(out, "wire_in", exchange.wireBytesIn());
        member(out, "wire_out", exchange.wireBytesOut());
        member(out, "duration_us", line.tookNanos / 1000);
        phases(line);
        member(line, "referer", head.field("Referer"));
        member(line, "user_agent", head.field("User-Agent"));
        member(out, "connection", exchange.connectionId());
        member(out, "request", exchange.id());
        member(line, "request_id", exchange.requestId());
        member(line, "traceparent", head.field("traceparent"));
        Relay relay = exchange.relay();
        if (relay != null) {
            member(line, "upstream", relay.upstream());
            member(line, "member", relay.peer());
        }
        if (exchange.failure() != null) {
            out.append(",\"failed\":true");
        }
        out.append('}');
    }

    /// Where the time went, in microseconds; phases without any are left out.
    private static void phases(LogLine line) {
        StringBuilder out = line.text;
        int head = line.exchange.headMicros();
        if (head >= 0) {
            member(out, "first_byte_us", head);
        }
        for (RequestPhase phase : RequestPhase.values()) {
            long micros = line.exchange.micros(phase);
            if (micros > 0) {
                out.append(",\"").append(phase.label()).append("_us\":").append(micros);
            }
        }
        if (line.exchange.attempts() > 0) {
            member(out, "attempts", line.exchange.attempts());
        }
    }

    private static void member(StringBuilder out, String name, long value) {
        out.append(",\"").append(name).append("\":").append(value);
    }

    private static void member(LogLine line, String name, @Nullable String value) {
        if (value != null) {
            StringBuilder out = line.text.append(",\"").append(name).append("\":\"");
            JSON.append(out, value, line.valueMax);
            out.append('"');
        }
    }
}
