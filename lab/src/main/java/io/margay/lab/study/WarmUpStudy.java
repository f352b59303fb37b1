package io.margay.lab.study;

import io.margay.lab.generator.GeneratorProcess;
import io.margay.lab.load.LoadJob;
import io.margay.lab.load.LoadResult;
import io.margay.lab.machine.ProcStat;
import io.margay.lab.report.WarmUpReport;
import io.margay.lab.report.WarmUpReport.Run;
import io.margay.lab.servers.LabEnvironment;
import io.margay.lab.servers.RunningServer;
import io.margay.lab.servers.ServerSpec;
import io.margay.lab.servers.Setting;
import io.margay.lab.servers.kinds.Catalog;
import io.margay.lab.stats.RateCurve;
import io.margay.lab.stats.RateCurve.Warmth;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/// How many requests a server answers from a fresh start until it is as fast as it gets: Margay
/// without its cache and with it, Tomcat and Jetty, in turn. Confined to one thread.
public final class WarmUpStudy {
    private static final int CONNECTIONS = 50;
    private static final int STREAMS = 10;
    private static final int STREAM_CONNECTIONS = 10;
    private static final String PAGE = "/heartbeat/heartbeat.jsp";
    private static final String SERVLET = "/heartbeat/servlet";
    private static final String FILE = "/pages/small.html";

    /// What is asked for.
    @SuppressWarnings("ImmutableEnumChecker") // its lists are made by List.of
    public enum Load {
        /// A JSP page over HTTP.
        PAGE("JSP page", WarmUpStudy.PAGE, false, 0, List.of("tomcat:production", "jetty:pool")),
        /// The same over HTTPS.
        HTTPS(
                "JSP page, HTTPS",
                WarmUpStudy.PAGE,
                true,
                0,
                List.of("tomcat:production", "jetty:pool")),
        /// The same over HTTP/2 in clear text.
        HTTP2(
                "JSP page, HTTP/2",
                WarmUpStudy.PAGE,
                false,
                STREAMS,
                List.of("tomcat:http2", "jetty:http2")),
        /// A small file of an application.
        FILE(
                "file of 1.5 KB",
                WarmUpStudy.FILE,
                false,
                0,
                List.of("tomcat:production", "jetty:pool")),
        /// The gateway over HTTP.
        GATEWAY("gateway, HTTP", SERVLET, false, 0, List.of("gateway:http")),
        /// The gateway over AJP.
        AJP("gateway, AJP", SERVLET, false, 0, List.of("gateway:ajp"));

        private final String title;
        private final String path;
        private final boolean tls;
        private final int streams;
        private final List<String> peers;

        Load(String title, String path, boolean tls, int streams, List<String> peers) {
            this.title = title;
            this.path = path;
            this.tls = tls;
            this.streams = streams;
            this.peers = peers;
        }

        private boolean isGateway() {
            return peers.getFirst().startsWith("gateway:");
        }
    }

    private static final String MARGAY = "margay:native";
    private static final String BACK = "tomcat:production";

    private final LabEnvironment here;
    private final LabEnvironment caching;
    private final StudyServers servers;
    private final Consumer<String> says;

    /// @param processors of the servers, as `taskset` takes them
    public WarmUpStudy(LabEnvironment here, Path folder, String processors, Consumer<String> says)
            throws IOException {
        this.here = here;
        this.says = says;
        caching = here.caching(folder.resolve("cache"));
        servers = new StudyServers(here, folder, processors, true);
    }

    /// One server with what it finds.
    private record Kind(String title, ServerSpec spec, LabEnvironment here) {}

    /// Measures.
    ///
    /// @param runs of each server and load
    /// @param seconds of each load, of which the last third shows the final rate
    public WarmUpReport run(List<Load> loads, int runs, int seconds) throws IOException {
        List<Run> all = new ArrayList<>();
        try (StudyServers _ = servers;
                GeneratorProcess generator = servers.generator(here)) {
            for (Load load : loads) {
                List<Kind> kinds = kinds(load);
                for (Kind kind : kinds) {
                    says.accept("fetching or making what " + kind.title + " needs");
                    kind.spec.front().fetch(kind.here);
                }
                if (load.isGateway()) {
                    ServerSpec spec = Catalog.all().spec(BACK);
                    spec.front().fetch(here);
                    try (RunningServer back = servers.start(spec, here, load.path)) {
                        all.addAll(
                                inTurn(
                                        load,
                                        kinds,
                                        List.of(back.setting()),
                                        generator,
                                        runs,
                                        seconds));
                    }
                } else {
                    all.addAll(inTurn(load, kinds, List.of(), generator, runs, seconds));
                }
            }
        }
        return new WarmUpReport(all);
    }

    private List<Kind> kinds(Load load) {
        String name = load.isGateway() ? load.peers.getFirst() : MARGAY;
        ServerSpec margay = margay(name);
        List<Kind> kinds = new ArrayList<>();
        kinds.add(new Kind("Margay, no cache", margay, here));
        kinds.add(new Kind("Margay, with its cache", margay, caching));
        if (!load.isGateway()) {
            for (String peer : load.peers) {
                ServerSpec spec = Catalog.all().spec(peer);
                kinds.add(new Kind(spec.title(), spec, here));
            }
        }
        return kinds;
    }

    /// A gateway is started alone, in front of what runs already.
    private static ServerSpec margay(String name) {
        if (!name.startsWith("gateway:")) {
            return Catalog.all().spec(name);
        }
        ServerSpec whole = Catalog.all().spec(name + "/" + BACK);
        return new ServerSpec(name, whole.front(), List.of());
    }

    private List<Run> inTurn(
            Load load,
            List<Kind> kinds,
            List<Setting> backs,
            GeneratorProcess generator,
            int runs,
            int seconds)
            throws IOException {
        // Does not count: it warms the generator, and what stands behind a gateway.
        Run _ = once(load, kinds.getFirst(), backs, generator, seconds);
        List<Run> all = new ArrayList<>();
        for (int run = 0; run < runs; run++) {
            for (Kind kind : run % 2 == 0 ? kinds : kinds.reversed()) {
                Run one = once(load, kind, backs, generator, seconds);
                Warmth warmth = one.warmth();
                says.accept(
                        String.format(
                                Locale.ROOT,
                                "%s, %s: %d requests, %.1f s, %.2f CPU-s beyond",
                                one.load(),
                                one.server(),
                                warmth.requests(),
                                warmth.seconds(),
                                warmth.beyondSeconds()));
                all.add(one);
            }
        }
        return all;
    }

    private Run once(
            Load load, Kind kind, List<Setting> backs, GeneratorProcess generator, int seconds)
            throws IOException {
        try (RunningServer server = servers.start(kind.spec, kind.here, load.path, backs)) {
            Setting setting = server.setting();
            int connections = load.streams > 0 ? STREAM_CONNECTIONS : CONNECTIONS;
            LoadJob job =
                    LoadJob.closed(connections, load.tls, true)
                            .withStreams(load.streams)
                            .to(
                                    load.tls ? setting.https() : setting.http(),
                                    List.of(load.path),
                                    setting.certificate().pem().toString())
                            .lasting(0, seconds * 1000L, seconds * 1000L + 15_000);
            Watch watch = new Watch(StudyServers.process(server));
            double startCpu = watch.cpuSeconds();
            LoadResult result = generator.load(job, watch::begin, watch::at, () -> {});
            server.requireAlive();
            if (result.failed() > 0) {
                throw new IOException(kind.title + ": " + result.errors());
            }
            return new Run(load.title, kind.title, startCpu, watch.curve.warmth());
        }
    }

    /// Takes the CPU time of one process at each word of the generator. Confined to one thread.
    private static final class Watch {
        private final long process;
        private final RateCurve curve = new RateCurve();
        private long beganNanos;
        private double beganCpu;

        Watch(long process) {
            this.process = process;
        }

        double cpuSeconds() {
            try {
                ProcStat stat = ProcStat.of(process);
                return stat.userSeconds() + stat.systemSeconds();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        void begin() {
            beganCpu = cpuSeconds();
            beganNanos = System.nanoTime();
        }

        void at(long answers) {
            curve.add((System.nanoTime() - beganNanos) / 1e9, answers, cpuSeconds() - beganCpu);
        }
    }
}
