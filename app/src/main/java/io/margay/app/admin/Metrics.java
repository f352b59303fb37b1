package io.margay.app.admin;

import io.margay.server.config.ServerStats;
import io.margay.server.exchange.MemoryBudget;
import java.util.List;
import java.util.function.ToLongFunction;

/// The server's counters in the text format of Prometheus, version 0.0.4. Stateless.
final class Metrics {
    static final String TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private static final double NANOS = 1e9;

    private final StringBuilder out = new StringBuilder();

    private Metrics() {}

    static String of(ManagedServer server) {
        Metrics metrics = new Metrics();
        metrics.server(server);
        metrics.listeners(server.listeners());
        metrics.logs(server.logs());
        metrics.apps(server.apps());
        return metrics.out.toString();
    }

    private void head(String name, String type, String help) {
        out.append("# HELP ").append(name).append(' ').append(help).append('\n');
        out.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    }

    private void line(String name, String labels, Object value) {
        out.append(name).append(labels).append(' ').append(value).append('\n');
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }

    private void server(ManagedServer server) {
        head("margay_uptime_seconds", "gauge", "Time since the start.");
        line("margay_uptime_seconds", "", server.uptime().toMillis() / 1e3);
        head("margay_serving", "gauge", "1 while requests are taken.");
        line("margay_serving", "", server.isServing() ? 1 : 0);
        MemoryBudget memory = server.memory();
        head("margay_held_bytes", "gauge", "What clients make the server hold.");
        line("margay_held_bytes", "", memory.held());
        head("margay_held_max_bytes", "gauge", "What they may make it hold.");
        line("margay_held_max_bytes", "", memory.bytesMax());
        head("margay_held_refused_total", "counter", "How often there was no room for more.");
        line("margay_held_refused_total", "", memory.refused());
        Runtime runtime = Runtime.getRuntime();
        head("jvm_memory_used_bytes", "gauge", "Heap in use.");
        line(
                "jvm_memory_used_bytes",
                "{area=\"heap\"}",
                runtime.totalMemory() - runtime.freeMemory());
        head("jvm_memory_max_bytes", "gauge", "Heap at most.");
        line("jvm_memory_max_bytes", "{area=\"heap\"}", runtime.maxMemory());
        head("jvm_threads_current", "gauge", "Platform threads.");
        line("jvm_threads_current", "", Thread.getAllStackTraces().size());
    }

    private void listeners(List<ManagedServer.Listener> listeners) {
        counters(
                listeners,
                "margay_connections_total",
                "Accepted connections.",
                ServerStats.Reading::connections);
        head("margay_connections_open", "gauge", "Open connections.");
        each(listeners, "margay_connections_open", ServerStats.Reading::connectionsOpen);
        head("margay_requests_active", "gauge", "Requests under way.");
        each(listeners, "margay_requests_active", ServerStats.Reading::requestsActive);
        counters(
                listeners,
                "margay_requests_failed_total",
                "Requests whose client left, stalled or broke the protocol, or that were given up.",
                ServerStats.Reading::requestsFailed);
        head("margay_requests_total", "counter", "Ended requests by class of status.");
        for (ManagedServer.Listener listener : listeners) {
            ServerStats.Reading reading = listener.reading();
            String label = "{listener=\"" + escaped(listener.name()) + "\",status=\"";
            line("margay_requests_total", label + "1xx\"}", reading.informational());
            line("margay_requests_total", label + "2xx\"}", reading.successful());
            line("margay_requests_total", label + "3xx\"}", reading.redirects());
            line("margay_requests_total", label + "4xx\"}", reading.clientErrors());
            line("margay_requests_total", label + "5xx\"}", reading.serverErrors());
        }
        counters(
                listeners,
                "margay_received_bytes_total",
                "Bytes of requests.",
                ServerStats.Reading::bytesReceived);
        counters(
                listeners,
                "margay_sent_bytes_total",
                "Bytes of responses.",
                ServerStats.Reading::bytesSent);
        head("margay_request_seconds", "summary", "From complete heads to ends of responses.");
        for (ManagedServer.Listener listener : listeners) {
            String label = label(listener);
            line("margay_request_seconds_sum", label, listener.reading().nanos() / NANOS);
            line("margay_request_seconds_count", label, listener.reading().requests());
        }
    }

    private void counters(
            List<ManagedServer.Listener> listeners,
            String name,
            String help,
            ToLongFunction<ServerStats.Reading> value) {
        head(name, "counter", help);
        each(listeners, name, value);
    }

    private void each(
            List<ManagedServer.Listener> listeners,
            String name,
            ToLongFunction<ServerStats.Reading> value) {
        for (ManagedServer.Listener listener : listeners) {
            line(name, label(listener), value.applyAsLong(listener.reading()));
        }
    }

    private static String label(ManagedServer.Listener listener) {
        return "{listener=\"" + escaped(listener.name()) + "\"}";
    }

    private void logs(List<ManagedServer.Log> logs) {
        String name = "margay_access_log_dropped_lines_total";
        head(name, "counter", "Lines that came too fast, or that the disk did not take.");
        for (ManagedServer.Log log : logs) {
            line(name, "{file=\"" + escaped(log.file().toString()) + "\"}", log.dropped());
        }
    }

    private void apps(List<ManagedServer.App> apps) {
        app(
                apps,
                "margay_application_running",
                "gauge",
                "1 while it runs.",
                app -> app.state() == ManagedServer.State.RUNNING ? 1 : 0);
        app(apps, "margay_application_sessions", "gauge", "Live sessions.", app -> app.sessions());
        app(
                apps,
                "margay_application_requests_total",
                "counter",
                "Requests begun.",
                app -> app.requests());
        app(
                apps,
                "margay_application_requests_active",
                "gauge",
                "Requests under way.",
                app -> app.requestsRunning());
        app(
                apps,
                "margay_application_errors_total",
                "counter",
                "Responses with 5xx.",
                app -> app.errors());
    }

    private void app(
            List<ManagedServer.App> apps,
            String name,
            String type,
            String help,
            ToLongFunction<ManagedServer.App> value) {
        head(name, type, help);
        for (ManagedServer.App app : apps) {
            String labels =
                    "{host=\""
                            + escaped(app.host())
                            + "\",path=\""
                            + escaped(app.path().isEmpty() ? "/" : app.path())
                            + "\",version=\""
                            + escaped(app.version())
                            + "\"}";
            line(name, labels, value.applyAsLong(app));
        }
    }
}
