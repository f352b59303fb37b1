package io.margay.lab.report;

import io.margay.lab.result.CellResult;
import io.margay.lab.result.Comparison;
import io.margay.lab.result.Metric;
import io.margay.lab.result.RunResult;
import io.margay.lab.result.ScenarioResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The few comparisons that stand for all: ratios with their intervals from published runs. A run
/// that is rough or was interrupted gives none. Stateless.
final class Headlines {
    private record Line(
            String what,
            String preset,
            String scenario,
            String server,
            String reference,
            Metric metric) {}

    private static final String TOMCAT = "tomcat:nio";
    private static final String NATIVE = "margay:native";

    private static final List<Line> LINES =
            List.of(
                    cpu("Heartbeat page (JSP), HTTP keep-alive", "heartbeat", "direct", NATIVE),
                    cpu("the same", "heartbeat", "direct", "margay:nio"),
                    cpu("the same", "heartbeat", "direct", "margay:blocking"),
                    cpu("The same, a connection per request", "connectors", "http", NATIVE),
                    cpu("The same, HTTPS, kept", "connectors", "https-keep", NATIVE),
                    cpu(
                            "The same, HTTPS, a full handshake per request",
                            "connectors",
                            "https",
                            NATIVE),
                    new Line(
                            "The same, HTTP/2 in clear text",
                            "connectors",
                            "h2c",
                            NATIVE,
                            "tomcat:http2",
                            Metric.CPU),
                    frontAlone("A front end by AJP", "gateway:ajp", "httpd:mod_jk"),
                    frontAlone("A front end by HTTP", "gateway:http", "nginx:proxy"),
                    frontAlone("the same", "gateway:http", "haproxy"),
                    front("gateway:ajp", "httpd:mod_jk"),
                    front("gateway:http", "nginx:proxy"),
                    front("gateway:http", "haproxy"),
                    files("A file of 1.5 KB", "small-8x2", "nginx:files"),
                    files("the same", "small-8x2", TOMCAT),
                    files("A page with 66 images", "images-8x2", "nginx:files"),
                    boot("Spring Boot 4, JSON", "json", Metric.CPU),
                    boot("the same, a page", "page", Metric.CPU),
                    boot("the same, its start", "start", Metric.START),
                    boot("the same, after 30 000 requests", "memory", Metric.MEMORY),
                    new Line(
                            "27 KB in, 51 KB out",
                            "network-heavy",
                            "few",
                            NATIVE,
                            TOMCAT,
                            Metric.THROUGHPUT));

    private Headlines() {}

    private static Line cpu(String what, String preset, String scenario, String server) {
        return new Line(what, preset, scenario, server, TOMCAT, Metric.CPU);
    }

    private static Line boot(String what, String scenario, Metric metric) {
        return new Line(what, "boot", scenario, "boot:margay", "boot:tomcat", metric);
    }

    private static Line front(String server, String reference) {
        return new Line(
                "Front end and Tomcat together",
                "heartbeat",
                "fronts",
                server + "/" + TOMCAT,
                reference + "/" + TOMCAT,
                Metric.CPU);
    }

    private static Line frontAlone(String what, String server, String reference) {
        return new Line(
                what,
                "fronts",
                "http",
                server + "/" + TOMCAT,
                reference + "/" + TOMCAT,
                Metric.FRONT);
    }

    private static Line files(String what, String scenario, String reference) {
        return new Line(what, "static-pages", scenario, NATIVE, reference, Metric.CPU);
    }

    /// A Markdown list; nothing if no run has one of them.
    static String of(List<RunResult> runs) {
        List<String> rows = new ArrayList<>();
        for (Line line : LINES) {
            comparison(line, runs).ifPresent(it -> rows.add(row(line, it)));
        }
        return rows.isEmpty()
                ? ""
                : "Ratios, with their 95 % intervals and the number of rounds:\n\n"
                        + String.join("", rows);
    }

    private static Optional<Comparison> comparison(Line line, List<RunResult> runs) {
        for (RunResult run : runs) {
            if (!run.preset().equals(line.preset) || run.quick() || run.interrupted()) {
                continue;
            }
            for (ScenarioResult scenario : run.scenarios()) {
                Optional<CellResult> own = scenario.cell(line.server);
                Optional<CellResult> other = scenario.cell(line.reference);
                if (scenario.id().equals(line.scenario) && own.isPresent() && other.isPresent()) {
                    return Optional.of(
                                    Comparison.of(own.get(), other.get(), line.metric, run.seed()))
                            .filter(it -> it.refusal().isEmpty());
                }
            }
        }
        return Optional.empty();
    }

    private static String row(Line line, Comparison comparison) {
        return String.format(
                Locale.ROOT,
                "- %s: `%s` beside `%s`, %s %.2f (%.2f to %.2f, n = %d)%s%n",
                line.what,
                line.server,
                line.reference,
                switch (line.metric) {
                    case CPU -> "CPU per request";
                    case FRONT -> "CPU of the front end";
                    case BOTH_ENDS -> "CPU of both ends";
                    case THROUGHPUT, KNEE -> "requests/s";
                    case START -> "time to the first answer";
                    case MEMORY -> "memory";
                },
                comparison.ratio().estimate(),
                comparison.ratio().low(),
                comparison.ratio().high(),
                comparison.ratio().rounds(),
                comparison.differs() ? "" : ", no difference shown");
    }
}
