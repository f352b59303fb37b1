package io.margay.gateway.status;

import static io.margay.gateway.status.StatusPage.escaped;

import io.margay.gateway.balance.Peer;
import io.margay.gateway.balance.Upstream;
import io.margay.protocol.http.Authority;
import io.margay.server.config.ServerStats;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.Handler;
import io.margay.server.host.StatusResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// mod_status's page: for people, and with `?auto` for programs, by the same keys, followed by
/// those of `ProxyStatus`. Immutable.
///
/// There are no processes and no slots: the scoreboard has one character for each thread that may
/// work on requests, `W` for those that do.
public final class ServerStatus implements Handler {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("EEEE, dd-MMM-yyyy HH:mm:ss zzz", Locale.ENGLISH);
    private static final double TICKS_PER_SECOND = 100;
    private static final int SCOREBOARD_MAX = 1024;
    private static final int REFRESH_SECONDS_MAX = 3600;

    private final ServerInfo server;
    private final StatusSource source;

    public ServerStatus(ServerInfo server, StatusSource source) {
        this.server = server;
        this.source = source;
    }

    @Override
    public void handle(Exchange exchange) throws IOException {
        String method = exchange.request().method();
        if (!method.equals("GET") && !method.equals("HEAD")) {
            exchange.fields().set("Allow", "GET, HEAD");
            StatusResponse.plain(exchange, 405);
            return;
        }
        String query = exchange.request().target().rawQuery();
        List<String> asked = query == null ? List.of() : List.of(query.split("&", 10));
        boolean auto = asked.contains("auto");
        String host = Authority.host(exchange.request().target().authority());
        String name = host == null ? "localhost" : host;
        exchange.fields().set("Cache-Control", "no-store");
        exchange.fields()
                .set("Content-Type", auto ? "text/plain;charset=utf-8" : "text/html;charset=utf-8");
        if (!auto) {
            exchange.fields().set("Content-Security-Policy", StatusLooks.POLICY);
        }
        for (String word : asked) {
            int seconds =
                    word.startsWith("refresh=")
                            ? Numbers.parse(word.substring("refresh=".length()), 0)
                            : 0;
            if (seconds > 0 && seconds <= REFRESH_SECONDS_MAX) {
                exchange.fields().set("Refresh", Integer.toString(seconds));
            }
        }
        String text = auto ? auto(name) : html(name);
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.end(bytes, 0, bytes.length);
    }

    private String auto(String host) {
        StringBuilder out = new StringBuilder(host).append('\n');
        values().forEach((name, value) -> out.append(name + ": " + value + "\n"));
        proxies(out);
        return out.toString();
    }

    private String html(String host) {
        StringBuilder out = new StringBuilder("<!DOCTYPE html>\n<html lang=\"en\"><head>");
        out.append("<meta charset=\"utf-8\"><title>Server Status</title>");
        out.append(StatusLooks.HEAD)
                .append("</head>\n<body><main>\n<h1>Server Status for ")
                .append(escaped(host))
                .append("</h1>\n<ul>\n");
        // The name and its value stand in one element, as scripts for httpd's page expect.
        values().forEach((name, value) ->
                out.append("<li>" + name + ": " + escaped(value) + "</li>\n"));
        out.append("</ul>\n<pre tabindex=\"0\">\n");
        StringBuilder proxies = new StringBuilder();
        proxies(proxies);
        return out.append(escaped(proxies.toString()))
                .append("</pre>\n</main></body></html>\n")
                .toString();
    }

    private Map<String, String> values() {
        Total total = new Total(server.listeners().get());
        Instant now = server.clock().instant();
        Duration up = Duration.between(server.started(), now);
        long seconds = Math.max(1, up.toSeconds());
        Map<String, String> values = new LinkedHashMap<>();
        values.put("ServerVersion", server.software());
        values.put("ServerMPM", "margay");
        values.put("CurrentTime", TIME.format(now.atZone(ZoneId.systemDefault())));
        values.put("RestartTime", TIME.format(server.started().atZone(ZoneId.systemDefault())));
        values.put("ParentServerConfigGeneration", "1");
        values.put("ParentServerMPMGeneration", "0");
        values.put("ServerUptimeSeconds", Long.toString(seconds));
        values.put("ServerUptime", spoken(seconds));
        load(values);
        values.put("Total Accesses", Long.toString(total.requests));
        values.put("Total kBytes", Long.toString(total.bytes / 1024));
        values.put("Total Duration", Long.toString(total.nanos / 1_000_000));
        cpu(values, seconds);
        values.put("Uptime", Long.toString(seconds));
        values.put("ReqPerSec", decimal((double) total.requests / seconds));
        values.put("BytesPerSec", decimal((double) total.bytes / seconds));
        values.put("BytesPerReq", decimal((double) total.bytes / Math.max(1, total.requests)));
        values.put("DurationPerReq", decimal(total.nanos / 1e6 / Math.max(1, total.requests)));
        long busy = Math.max(1, total.active);
        long idle = Math.max(0, server.workersMax() - busy);
        values.put("BusyWorkers", Long.toString(busy));
        values.put("GracefulWorkers", "0");
        values.put("IdleWorkers", Long.toString(idle));
        values.put("Processes", "1");
        values.put("Stopping", "0");
        values.put("ConnsTotal", Long.toString(total.open));
        values.put("ConnsAsyncWaitIO", "0");
        values.put("ConnsAsyncWriting", "0");
        values.put("ConnsAsyncKeepAlive", Long.toString(Math.max(0, total.open - busy)));
        values.put("ConnsAsyncClosing", "0");
        int slots = Math.clamp(busy + idle, 1, SCOREBOARD_MAX);
        int working = (int) Math.min(slots, busy);
        values.put("Scoreboard", "W".repeat(working) + "_".repeat(slots - working));
        return values;
    }

    /// All listeners together.
    private static final class Total {
        final long requests;
        final long bytes;
        final long nanos;
        final long active;
        final long open;

        Total(List<ServerStats.Reading> readings) {
            requests = readings.stream().mapToLong(ServerStats.Reading::requests).sum();
            bytes = readings.stream().mapToLong(ServerStats.Reading::bytesSent).sum();
            nanos = readings.stream().mapToLong(ServerStats.Reading::nanos).sum();
            active = readings.stream().mapToLong(ServerStats.Reading::requestsActive).sum();
            open = readings.stream().mapToLong(ServerStats.Reading::connectionsOpen).sum();
        }
    }

    private static String decimal(double value) {
        return String.format(Locale.ROOT, "%.6g", value);
    }

    private static String spoken(long seconds) {
        StringBuilder text = new StringBuilder();
        part(text, seconds / 86_400, "day");
        part(text, seconds / 3600 % 24, "hour");
        part(text, seconds / 60 % 60, "minute");
        part(text, seconds % 60, "second");
        return text.toString().strip();
    }

    private static void part(StringBuilder text, long count, String unit) {
        if (count > 0) {
            text.append(count).append(' ').append(unit).append(count == 1 ? " " : "s ");
        }
    }

    private static void load(Map<String, String> values) {
        String[] words = firstLine("/proc/loadavg").split(" ", 4);
        for (int i = 0; i < 3; i++) {
            values.put(
                    "Load" + List.of("1", "5", "15").get(i),
                    i < words.length - 1 ? words[i] : "-1");
        }
    }

    private static void cpu(Map<String, String> values, long seconds) {
        String line = firstLine("/proc/self/stat");
        String[] words = line.substring(line.lastIndexOf(')') + 1).strip().split(" ", 20);
        double user = words.length > 12 ? Numbers.parse(words[11], 0) / TICKS_PER_SECOND : 0;
        double system = words.length > 12 ? Numbers.parse(words[12], 0) / TICKS_PER_SECOND : 0;
        values.put("CPUUser", String.format(Locale.ROOT, "%.2f", user));
        values.put("CPUSystem", String.format(Locale.ROOT, "%.2f", system));
        values.put("CPUChildrenUser", "0");
        values.put("CPUChildrenSystem", "0");
        values.put("CPULoad", decimal((user + system) * 100 / seconds));
    }

    /// Of a file of the kernel, or nothing where there is none.
    private static String firstLine(String file) {
        try {
            List<String> lines = Files.readAllLines(Path.of(file));
            return lines.isEmpty() ? "" : lines.getFirst();
        } catch (IOException e) {
            return "";
        }
    }

    private void proxies(StringBuilder out) {
        int balancer = 0;
        for (Upstream upstream : source.upstreams()) {
            String prefix = "ProxyBalancer[" + balancer++ + "]";
            out.append(prefix + "Name: balancer://" + upstream.config().name() + "\n");
            int worker = 0;
            for (Peer peer : upstream.peers()) {
                String of = prefix + "Worker[" + worker++ + "]";
                out.append(of + "Name: " + peer.config().name() + "\n");
                out.append(of + "Status: " + BalancerPage.status(peer, Set.of()) + "\n");
                out.append(of + "Elected: " + peer.used() + "\n");
                out.append(of + "Busy: " + peer.busy() + "\n");
                out.append(of + "Sent: " + peer.bytesOut() / 1024 + "K\n");
                out.append(of + "Rcvd: " + peer.bytesIn() / 1024 + "K\n");
            }
        }
    }
}
