package io.margay.app.admin;

import io.margay.gateway.status.StatusLooks;
import io.margay.server.config.ServerStats;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryUsage;
import java.util.concurrent.TimeUnit;

/// The status page of Tomcat's manager (`/manager/status`), and its XML, whose elements and
/// attributes monitors read. Stateless but for the server.
record ManagerStatus(ManagedServer server) {
    /// Answers `/manager/status`, or with the applications `/manager/status/all`.
    void handle(AdminRequest request) throws IOException {
        if (request.flag("XML")) {
            request.answer(200, "text/xml;charset=utf-8", xml());
        } else {
            request.answer(200, "text/html;charset=utf-8", page(request.path().endsWith("/all")));
        }
    }

    private String xml() {
        Runtime runtime = Runtime.getRuntime();
        StringBuilder text = new StringBuilder();
        text.append("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<status><jvm><memory");
        attribute(text, "free", runtime.freeMemory());
        attribute(text, "total", runtime.totalMemory());
        attribute(text, "max", runtime.maxMemory());
        text.append("/>");
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            memory(text, pool);
        }
        text.append("</jvm>");
        ManagedServer.Workers workers = server.workers();
        for (ManagedServer.Listener listener : server.listeners()) {
            connector(text, listener, workers);
        }
        return text.append("</status>").toString();
    }

    private static void memory(StringBuilder text, MemoryPoolMXBean pool) {
        MemoryUsage usage = pool.getUsage();
        text.append("<memorypool name='").append(escaped(pool.getName())).append("' type='");
        text.append(escaped(pool.getType().toString())).append('\'');
        attribute(text, "usageInit", usage.getInit());
        attribute(text, "usageCommitted", usage.getCommitted());
        attribute(text, "usageMax", usage.getMax());
        attribute(text, "usageUsed", usage.getUsed());
        text.append("/>");
    }

    private static void connector(
            StringBuilder text, ManagedServer.Listener listener, ManagedServer.Workers workers) {
        ServerStats.Reading reading = listener.reading();
        text.append("<connector name='\"").append(escaped(listener.connector()));
        text.append("\"'><threadInfo");
        attribute(text, "maxThreads", workers.max());
        attribute(text, "currentThreadCount", workers.threads());
        attribute(text, "currentThreadsBusy", workers.active());
        text.append("/><requestInfo");
        attribute(text, "maxTime", millis(reading.longestNanos()));
        attribute(text, "processingTime", millis(reading.nanos()));
        attribute(text, "requestCount", reading.requests());
        attribute(text, "errorCount", errors(reading));
        attribute(text, "bytesReceived", reading.bytesReceived());
        attribute(text, "bytesSent", reading.bytesSent());
        text.append("/><workers></workers></connector>");
    }

    private static void attribute(StringBuilder text, String name, long value) {
        text.append(' ').append(name).append("=\"").append(value).append('"');
    }

    private static long millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }

    /// As Tomcat counts them.
    private static long errors(ServerStats.Reading reading) {
        return reading.clientErrors() + reading.serverErrors();
    }

    private String page(boolean all) {
        Runtime runtime = Runtime.getRuntime();
        StringBuilder text = new StringBuilder();
        text.append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">");
        text.append("<title>Server status</title>").append(StatusLooks.HEAD);
        text.append("</head><body><main><h1>Server status</h1><p>Margay ");
        text.append(escaped(server.version())).append(", Java ").append(Runtime.version());
        text.append(", up ").append(server.uptime().toSeconds()).append(" s. ");
        text.append("Applications are managed by the <a href=\"/\">console</a>.</p>");
        text.append("<h2>JVM</h2><p>Free memory: ").append(megabytes(runtime.freeMemory()));
        text.append(" Total memory: ").append(megabytes(runtime.totalMemory()));
        text.append(" Max memory: ").append(megabytes(runtime.maxMemory())).append("</p>");
        ManagedServer.Workers workers = server.workers();
        text.append("<h2>Connectors</h2><p>Max threads: ").append(workers.max());
        text.append(" Current thread count: ").append(workers.threads());
        text.append(" Current threads busy: ").append(workers.active()).append("</p>");
        head(
                text,
                "Connector",
                "Connections",
                "Max time, ms",
                "Processing time, ms",
                "Requests",
                "Errors",
                "Bytes received",
                "Bytes sent");
        for (ManagedServer.Listener listener : server.listeners()) {
            ServerStats.Reading reading = listener.reading();
            row(
                    text,
                    listener.connector(),
                    reading.connectionsOpen(),
                    millis(reading.longestNanos()),
                    millis(reading.nanos()),
                    reading.requests(),
                    errors(reading),
                    reading.bytesReceived(),
                    reading.bytesSent());
        }
        text.append(StatusLooks.TABLE_END);
        if (all) {
            applications(text);
        } else {
            text.append("<p><a href=\"/manager/status/all\">With applications</a></p>");
        }
        return text.append("</main></body></html>\n").toString();
    }

    private void applications(StringBuilder text) {
        text.append("<h2>Applications</h2>");
        head(text, "Application", "Sessions", "Requests", "In flight", "Errors");
        for (ManagedServer.App app : server.apps()) {
            String version = app.version().isEmpty() ? "" : "##" + app.version();
            row(
                    text,
                    (app.host().isEmpty() ? "localhost" : app.host()) + app.path() + version,
                    app.sessions(),
                    app.requests(),
                    app.requestsRunning(),
                    app.errors());
        }
        text.append(StatusLooks.TABLE_END);
    }

    private static void head(StringBuilder text, String... names) {
        text.append(StatusLooks.TABLE).append("<tr>");
        for (String name : names) {
            text.append("<th scope=\"col\">").append(name).append("</th>");
        }
        text.append("</tr>\n");
    }

    private static void row(StringBuilder text, String name, long... values) {
        text.append("<tr><td>").append(escaped(name)).append("</td>");
        for (long value : values) {
            text.append("<td class=\"number\">").append(value).append("</td>");
        }
        text.append("</tr>\n");
    }

    private static String megabytes(long bytes) {
        return (bytes >> 20) + " MB";
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&apos;");
    }
}
