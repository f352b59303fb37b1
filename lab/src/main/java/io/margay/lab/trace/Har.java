package io.margay.lab.trace;

import io.margay.lab.json.Json;
import io.margay.protocol.http.Fields;
import io.margay.protocol.trace.TraceFormat;
import io.margay.protocol.trace.TraceScrub;
import io.margay.protocol.trace.TracedRequest;
import java.io.IOException;
import java.net.URI;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads HTTP Archives (HAR 1.2), as browsers save them: the requests to the host of the first one.
/// Stateless.
final class Har {
    private Har() {}

    static Trace read(String text) throws IOException {
        Trace.Collector all = new Trace.Collector();
        try {
            Map<String, Object> log = Json.object(get(Json.object(Json.parse(text)), "log"));
            String host = null;
            for (Object entry : Json.array(get(log, "entries"))) {
                Map<String, Object> request = Json.object(get(Json.object(entry), "request"));
                URI url = url(String.valueOf(get(request, "url")));
                String authority = url == null ? null : url.getRawAuthority();
                host = host == null ? authority : host;
                if (url != null && authority != null && authority.equals(host)) {
                    all.add(read(Json.object(entry), request, url));
                } else {
                    all.leaveOut();
                }
            }
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new IOException("a malformed HAR: " + e.getMessage(), e);
        }
        return all.trace(false);
    }

    /// Null where a browser has asked for what is not a URI.
    private static @Nullable URI url(String text) {
        try {
            return URI.create(text);
        } catch (IllegalArgumentException _) {
            return null;
        }
    }

    private static @Nullable TracedRequest read(
            Map<String, Object> entry, Map<String, Object> request, URI url) {
        String path =
                url.getRawPath() == null || url.getRawPath().isEmpty() ? "/" : url.getRawPath();
        String query = url.getRawQuery() == null ? "" : "?" + url.getRawQuery();
        Map<String, Object> response = Json.object(entry.getOrDefault("response", Map.of()));
        int status = response.get("status") instanceof Number number ? number.intValue() : 0;
        TracedRequest read =
                new TracedRequest(
                        OffsetDateTime.parse(String.valueOf(get(entry, "startedDateTime")))
                                .toInstant()
                                .toEpochMilli(),
                        String.valueOf(get(request, "method")),
                        path + query,
                        Math.max(0, status),
                        TraceScrub.fields(fields(request)));
        String line = TraceFormat.write(read);
        try {
            return line == null ? null : TraceFormat.read(line);
        } catch (IllegalArgumentException _) {
            return null; // It cannot be sent.
        }
    }

    private static Fields fields(Map<String, Object> request) {
        Fields.Builder fields = new Fields.Builder();
        for (Object each : Json.array(request.getOrDefault("headers", List.of()))) {
            Map<String, Object> field = Json.object(each);
            String name = String.valueOf(get(field, "name"));
            if (!name.startsWith(":")) { // As HTTP/2 has the target.
                fields.add(name.toLowerCase(Locale.ROOT), String.valueOf(get(field, "value")));
            }
        }
        return fields.build();
    }

    private static Object get(Map<String, Object> object, String name) {
        Object value = object.get(name);
        if (value == null) {
            throw new IllegalArgumentException("\"" + name + "\" is missing");
        }
        return value;
    }
}
