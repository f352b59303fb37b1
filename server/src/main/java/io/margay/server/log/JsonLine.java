package io.margay.server.log;

import io.margay.protocol.http.RequestHead;
import io.margay.server.exchange.Exchange;
import java.time.Instant;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// An event of the access log as one JSON object (RFC 8259). Stateless.
///
/// Beyond what JSON asks for, DEL and the C1 controls are escaped, since terminals obey them too.
final class JsonLine implements Consumer<LogLine> {
    @Override
    public void accept(LogLine line) {
        Exchange exchange = line.exchange;
        RequestHead head = exchange.request();
        StringBuilder out = line.text;
        out.append("{\"time\":\"").append(Instant.ofEpochMilli(line.startMillis)).append('"');
        member(out, "remote", LogLine.address(exchange.remote()));
        member(out, "user", exchange.remoteUser());
        member(out, "host", head.target().authority());
        member(out, "method", head.method());
        member(out, "target", head.target().raw());
        member(out, "protocol", head.version().text());
        member(out, "status", exchange.status());
        member(out, "bytes", exchange.bytesSent());
        member(out, "wire_in", exchange.wireBytesIn());
        member(out, "wire_out", exchange.wireBytesOut());
        member(out, "duration_us", line.tookNanos / 1000);
        member(out, "referer", head.field("Referer"));
        member(out, "user_agent", head.field("User-Agent"));
        member(out, "connection", exchange.connectionId());
        member(out, "request", exchange.id());
        if (exchange.failure() != null) {
            out.append(",\"failed\":true");
        }
        out.append('}');
    }

    private static void member(StringBuilder out, String name, long value) {
        out.append(",\"").append(name).append("\":").append(value);
    }

    private static void member(StringBuilder out, String name, @Nullable String value) {
        if (value == null) {
            return;
        }
        out.append(",\"").append(name).append("\":\"");
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (isUnsafe(c)) {
                out.append("\\u").append(String.format("%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }

    private static boolean isUnsafe(char c) {
        return c < 0x20
                || (c >= 0x7f && c < 0xa0)
                || (c >= 0x2028 && c <= 0x202e)
                || Character.isSurrogate(c);
    }
}
