package io.margay.lab.study;

import io.margay.lab.generator.GeneratorProcess;
import io.margay.lab.load.Change;
import io.margay.lab.load.LoadJob;
import io.margay.lab.machine.Tools;
import io.margay.lab.servers.LabEnvironment;
import io.margay.lab.servers.RunningServer;
import io.margay.lab.servers.ServerSpec;
import io.margay.lab.servers.Setting;
import io.margay.lab.servers.kinds.Catalog;
import io.margay.lab.stats.Medians;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The ratios that the README claims, by the lab's generator and by another in turn, wrk over
/// HTTP/1.1 and h2load over HTTP/2: the CPU time of Margay and of the server beside it for each
/// request. Confined to one thread.
///
/// @param processors of the servers, as `taskset` takes them
public record RatioStudy(
        LabEnvironment here, Path folder, String processors, Consumer<String> says) {
    private static final String LAB = "lab";
    private static final String WRK = "wrk";
    private static final String H2LOAD = "h2load";
    private static final String PACKAGES = "apt install wrk nghttp2-client";
    private static final String BACK = "tomcat:nio";
    private static final int CONNECTIONS = 100;
    private static final int STREAMS = 10;
    private static final double APART_MAX = 0.05;
    private static final Pattern WRK_COUNT = Pattern.compile("(\\d+) requests in ");
    private static final Pattern H2LOAD_COUNT = Pattern.compile(", (\\d+) succeeded");

    /// What is compared.
    private enum Claim {
        PAGE("JSP page", "margay:native", BACK, "/heartbeat/heartbeat.jsp", false, 0),
        FILE("file of 1.5 KB", "margay:native-files", "nginx:files", "/pages/small.html", false, 0),
        TLS("JSP page, HTTPS kept", "margay:native", BACK, "/heartbeat/heartbeat.jsp", true, 0),
        HTTP2(
                "JSP page, HTTP/2 in clear text",
                "margay:native",
                "tomcat:http2",
                "/heartbeat/heartbeat.jsp",
                false,
                STREAMS),
        GATEWAY("gateway by HTTP", "gateway:http", "nginx:proxy", "/lab/servlet", false, 0),
        AJP("gateway by AJP13", "gateway:ajp", "httpd:mod_jk", "/lab/servlet", false, 0);

        private final String title;
        private final String server;
        private final String other;
        private final String path;
        private final boolean tls;
        private final int streams;

        Claim(String title, String server, String other, String path, boolean tls, int streams) {
            this.title = title;
            this.server = server;
            this.other = other;
            this.path = path;
            this.tls = tls;
            this.streams = streams;
        }

        private List<String> tools() {
            return List.of(LAB, streams > 0 ? H2LOAD : WRK);
        }

        private int connections() {
            return streams > 0 ? STREAMS : CONNECTIONS;
        }

        private int port(Setting setting) {
            return tls ? setting.https() : setting.http();
        }
    }

    /// Measures.
    ///
    /// @param seconds of each tool in each round
    /// @param warmSeconds of load before the first round, for each server
    /// @return a table in Markdown
    public String run(int rounds, int seconds, int warmSeconds) throws IOException {
        for (String tool : List.of(WRK, H2LOAD)) {
            if (here.tools().find(tool).isEmpty()) {
                throw new IOException(tool + " is missing: " + PACKAGES);
            }
        }
        List<String> lines = new ArrayList<>();
        lines.add("| claim | tool | Margay, CPU-s | beside | CPU-s | ratio | apart |");
        lines.add("|---|---|---|---|---|---|---|");
        try (StudyServers servers = new StudyServers(here, folder, processors, false);
                RunningServer back = servers.start(alone(BACK), here, "/lab/servlet")) {
            for (Claim claim : Claim.values()) {
                List<Setting> backs =
                        Catalog.all().spec(front(claim.server)).backs().isEmpty()
                                ? List.of()
                                : List.of(back.setting());
                try (RunningServer one =
                                servers.start(alone(claim.server), here, claim.path, backs);
                        RunningServer other =
                                servers.start(alone(claim.other), here, claim.path, backs);
                        GeneratorProcess generator = servers.generator(here)) {
                    String pem = servers.certificate().pem().toString();
                    lines.addAll(
                            new Rounds(claim, List.of(one, other), generator, pem)
                                    .run(rounds, seconds, warmSeconds));
                }
            }
        }
        return String.join("\n", lines) + "\n";
    }

    /// A front end is named with what stands behind it.
    private static String front(String name) {
        return Catalog.all().servers().stream()
                        .anyMatch(it -> it.name().equals(name) && it.isFront())
                ? name + "/" + BACK
                : name;
    }

    private ServerSpec alone(String name) throws IOException {
        ServerSpec spec = Catalog.all().spec(front(name));
        spec.front().fetch(here);
        return new ServerSpec(name, spec.front(), List.of());
    }

    /// All rounds of a claim.
    private final class Rounds {
        private final Claim claim;
        private final List<RunningServer> servers;
        private final GeneratorProcess generator;
        private final String pem;
        private final Map<String, List<Double>> costs = new LinkedHashMap<>();

        Rounds(Claim claim, List<RunningServer> servers, GeneratorProcess generator, String pem) {
            this.claim = claim;
            this.servers = servers;
            this.generator = generator;
            this.pem = pem;
        }

        List<String> run(int rounds, int seconds, int warmSeconds) throws IOException {
            for (RunningServer server : servers) {
                generator.learn(job(server, 1), Change.EACH_SECOND, "");
                double _ = cost(LAB, server, warmSeconds);
            }
            for (int round = 0; round < rounds; round++) {
                for (String tool : claim.tools()) {
                    for (int i = 0; i < 2; i++) {
                        int which = round % 2 == 0 ? i : 1 - i;
                        double cost = cost(tool, servers.get(which), seconds);
                        costs.computeIfAbsent(tool + which, _ -> new ArrayList<>()).add(cost);
                    }
                }
            }
            List<String> lines = new ArrayList<>();
            double lab = median(LAB, 0) / median(LAB, 1);
            for (String tool : claim.tools()) {
                double one = median(tool, 0);
                double other = median(tool, 1);
                double apart = one / other / lab - 1;
                lines.add(
                        String.format(
                                Locale.ROOT,
                                "| %s | %s | %.4f | %s | %.4f | %.2f | %+.0f %%%s |",
                                claim.title,
                                tool,
                                one,
                                claim.other,
                                other,
                                one / other,
                                apart * 100,
                                Math.abs(apart) > APART_MAX ? ", differs" : ""));
                says.accept(lines.getLast());
            }
            return lines;
        }

        private double median(String tool, int which) {
            return Medians.of(costs.getOrDefault(tool + which, List.of()));
        }

        private LoadJob job(RunningServer server, int seconds) {
            return LoadJob.closed(claim.connections(), claim.tls, true)
                    .withStreams(claim.streams)
                    .to(claim.port(server.setting()), List.of(claim.path), pem)
                    .lasting(0, seconds * 1000L, seconds * 1000L + 15_000);
        }

        /// CPU-seconds of a server for 10 000 requests of a tool.
        private double cost(String tool, RunningServer server, int seconds) throws IOException {
            double before = StudyServers.sample(server).cpuSeconds();
            double requests =
                    tool.equals(LAB)
                            ? generator
                                    .load(job(server, seconds), () -> {}, _ -> {}, () -> {})
                                    .requests()
                            : requests(tool, server, seconds);
            double used = StudyServers.sample(server).cpuSeconds() - before;
            return used * 10_000 / requests;
        }

        private double requests(String tool, RunningServer server, int seconds) throws IOException {
            String url =
                    (claim.tls ? "https" : "http")
                            + "://127.0.0.1:"
                            + claim.port(server.setting())
                            + claim.path;
            String clients = String.valueOf(claim.connections());
            List<String> command = new ArrayList<>(StudyServers.pinned(here, "1"));
            if (tool.equals(WRK)) {
                command.addAll(List.of(WRK, "-t", "1", "-c", clients, "-d", seconds + "s", url));
            } else {
                command.addAll(List.of(H2LOAD, "-t", "1", "-c", clients, "-D", "" + seconds));
                command.addAll(List.of("-m", "" + STREAMS, url));
            }
            String said = Tools.run(command, folder);
            Matcher found = (tool.equals(WRK) ? WRK_COUNT : H2LOAD_COUNT).matcher(said);
            if (!found.find() || said.contains("Non-2xx")) {
                throw new IOException(tool + " has failed: " + said);
            }
            return Double.parseDouble(found.group(1));
        }
    }
}
