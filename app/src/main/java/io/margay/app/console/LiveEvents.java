package io.margay.app.console;

import io.margay.server.exchange.Exchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Tells browsers what has changed, as server-sent events (HTML, section 9.2): an event for each
/// part whose JSON is another than before, then `tick` with the time. Thread-safe; each client
/// keeps the thread that serves it, which may wait.
public final class LiveEvents {
    /// How often parts are looked at.
    private static final Duration PACE = Duration.ofSeconds(2);

    /// Clients at once: each is a thread and some pages of text.
    private static final int CLIENTS_MAX = 20;

    private final Map<String, Supplier<Part>> parts;
    private final Semaphore clients = new Semaphore(CLIENTS_MAX);

    /// What one client follows. Confined to the thread that serves it.
    @FunctionalInterface
    public interface Part {
        /// JSON on one line; null = it is as it was.
        @Nullable String changed() throws IOException;
    }

    /// @param parts by name, made for each client
    public LiveEvents(Map<String, Supplier<Part>> parts) {
        this.parts = Map.copyOf(parts);
    }

    /// A part whose whole JSON is sent when it has changed.
    public static Supplier<Part> whole(JsonSource source) {
        return () ->
                new Part() {
                    private String last = "";

                    @Override
                    public @Nullable String changed() throws IOException {
                        String json = source.json();
                        if (json.equals(last)) {
                            return null;
                        }
                        last = json;
                        return json;
                    }
                };
    }

    /// Makes JSON on one line.
    @FunctionalInterface
    public interface JsonSource {
        String json() throws IOException;
    }

    /// Answers until the client has gone.
    ///
    /// @param names of the parts, separated by commas
    /// @return why it was not answered: 400 or 503; 0 = it was
    /// @throws IOException when the client has gone
    public int serve(Exchange exchange, String names) throws IOException {
        Map<String, Part> followed = new LinkedHashMap<>();
        for (String name : names.split(",")) {
            Supplier<Part> part = parts.get(name);
            if (part == null) {
                return 400;
            }
            followed.put(name, part.get());
        }
        if (!clients.tryAcquire()) {
            return 503;
        }
        try {
            exchange.status(200);
            exchange.fields().set("Content-Type", "text/event-stream");
            exchange.fields().set("Cache-Control", "no-store");
            exchange.fields().set("X-Content-Type-Options", "nosniff");
            while (true) {
                byte[] events = events(followed).getBytes(StandardCharsets.UTF_8);
                exchange.write(events, 0, events.length);
                LockSupport.parkNanos(this, PACE.toNanos());
            }
        } finally {
            clients.release();
        }
    }

    private static String events(Map<String, Part> followed) throws IOException {
        StringBuilder text = new StringBuilder();
        for (Map.Entry<String, Part> each : followed.entrySet()) {
            String json = each.getValue().changed();
            if (json != null) {
                text.append("event: ").append(each.getKey());
                text.append("\ndata: ").append(json).append("\n\n");
            }
        }
        return text.append("event: tick\ndata: {\"at\":")
                .append(System.currentTimeMillis())
                .append("}\n\n")
                .toString();
    }
}
