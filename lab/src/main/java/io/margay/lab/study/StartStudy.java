package io.margay.lab.study;

import io.margay.lab.generator.GeneratorProcess;
import io.margay.lab.generator.HeldConnections;
import io.margay.lab.load.LoadJob;
import io.margay.lab.load.LoadResult;
import io.margay.lab.machine.ControlGroup;
import io.margay.lab.machine.ProcessSample;
import io.margay.lab.machine.Tools;
import io.margay.lab.report.StartReport;
import io.margay.lab.report.StartReport.Front;
import io.margay.lab.report.StartReport.Held;
import io.margay.lab.report.StartReport.Memory;
import io.margay.lab.report.StartReport.Start;
import io.margay.lab.servers.LabEnvironment;
import io.margay.lab.servers.LabServer;
import io.margay.lab.servers.RunningServer;
import io.margay.lab.servers.ServerSpec;
import io.margay.lab.servers.Setting;
import io.margay.lab.servers.kinds.Catalog;
import io.margay.lab.servers.kinds.HostFiles;
import io.margay.lab.site.Site;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/// What servers need from the start of their process to the first page, and the memory they hold
/// then, after a load and after a rest. Confined to one thread.
public final class StartStudy {
    private static final long REST_NANOS = 1_000_000_000L;
    private static final int CONNECTIONS = 100;
    private static final String PAGE = "/heartbeat/heartbeat.jsp";

    /// Where it is the only application.
    static final String APP_PAGE = "/heartbeat.jsp";

    private static final String FILE = "/pages/small.html";
    private static final int WARM_CONNECTIONS = 500;

    /// A small young generation, so that what grows belongs to connections.
    private static final List<String> IDLE_OPTIONS =
            List.of("-Xmx512m", "-Xmn16m", "-XX:+UseSerialGC");

    private static final String MARGAY = "margay:native";
    private static final String TOMCAT = "tomcat:production";

    /// Before one server that is always the same, and needs little itself.
    private static final String BACK = "c-epoll";

    private static final List<String> FRONTS = List.of("gateway:http", "nginx:proxy", "haproxy");
    private static final int FRONT_REQUESTS = 1_000;

    private final LabEnvironment here;
    private final Path folder;
    private final StudyServers servers;
    private final Consumer<String> says;

    /// @param processors of the servers, as `taskset` takes them
    public StartStudy(LabEnvironment here, Path folder, String processors, Consumer<String> says)
            throws IOException {
        this.here = here;
        this.folder = folder;
        this.says = says;
        servers = new StudyServers(here, folder, processors, false);
    }

    /// One column: a server with what it finds.
    private record Kind(String title, ServerSpec spec, LabEnvironment here) {}

    /// Measures.
    ///
    /// @param runs starts of each server
    /// @param loadSeconds of the load after which memory is taken; 0 for none
    /// @param idle connections to hold; 0 for none
    /// @param fronts whether to take the memory of idle front ends, too
    public StartReport run(int runs, int loadSeconds, int restSeconds, int idle, boolean fronts)
            throws IOException {
        List<Kind> kinds = kinds(here);
        for (Kind kind : kinds) {
            kind.spec.front().fetch(here);
        }
        try (StudyServers _ = servers) {
            List<Start> starts = new ArrayList<>();
            List<Memory> memories = new ArrayList<>();
            if (runs > 0) {
                makeCache(kinds);
            }
            for (int run = 1; run <= runs; run++) {
                for (Kind kind : kinds) {
                    starts.add(start(kind.title, () -> server(kind)));
                }
            }
            if (loadSeconds > 0) {
                List<Kind> own = kinds(here.withOptions(List.of()));
                makeCache(own);
                for (Kind kind : own.subList(1, own.size())) {
                    memories.add(memory(kind, loadSeconds, restSeconds));
                }
            }
            List<Front> fronted = fronts ? fronts(restSeconds) : List.of();
            List<Held> held = new ArrayList<>();
            if (idle > 0) {
                held.add(held(new HostFiles("native", "openssl"), false, idle));
                held.add(held(new HostFiles("nio", "openssl"), false, idle));
                held.add(held(new HostFiles("native", "openssl"), true, idle));
                held.add(held(new HostFiles("native", "jsse"), true, idle));
                heldBesideNginx(idle, held);
            }
            return new StartReport(starts, memories, fronted, held, loadSeconds, restSeconds);
        }
    }

    /// Measures starts of Margay, Tomcat and Jetty where processors are scarce.
    ///
    /// @param shares of a processor, such as 0.1
    public StartReport scarce(List<Double> shares, int runs) throws IOException {
        List<Kind> kinds = new ArrayList<>(kinds(here));
        kinds.add(new Kind("Jetty 12.1", Catalog.all().spec("jetty:pool"), here));
        for (Kind kind : kinds) {
            kind.spec.front().fetch(kind.here);
        }
        List<Start> starts = new ArrayList<>();
        Path app = Site.ofApp(here.webapps().resolve("heartbeat"), folder.resolve("app"));
        try (StudyServers _ = servers) {
            for (double share : shares) {
                try (ControlGroup group = new ControlGroup(share)) {
                    servers.startBy(group.prefix());
                    for (int run = 1; run <= runs; run++) {
                        for (Kind kind : kinds) {
                            Path own = Files.createDirectories(folder.resolve("server"));
                            String title = share + " of a processor: " + kind.title;
                            starts.add(
                                    start(
                                            title,
                                            () ->
                                                    servers.start(
                                                            kind.spec,
                                                            kind.here,
                                                            own,
                                                            app,
                                                            List.of(APP_PAGE))));
                            Site.remove(own);
                        }
                    }
                }
            }
        } finally {
            Site.remove(app);
        }
        return new StartReport(starts, List.of(), List.of(), List.of(), 0, 0);
    }

    private List<Kind> kinds(LabEnvironment here) {
        ServerSpec margay = Catalog.all().spec(MARGAY);
        ServerSpec tomcat = Catalog.all().spec(TOMCAT);
        return List.of(
                new Kind("Margay, no cache", margay, here),
                new Kind("Margay, with its cache", margay, here.caching(folder.resolve("cache"))),
                new Kind("Tomcat 11", tomcat, here));
    }

    /// Has the cache made that the second kind starts with.
    private void makeCache(List<Kind> kinds) throws IOException {
        says.accept("making Margay's cache");
        Kind cached = kinds.get(1);
        cached.spec.front().fetch(cached.here);
    }

    private RunningServer server(Kind kind) throws IOException {
        return servers.start(kind.spec, kind.here, PAGE);
    }

    /// Starts a server, and waits for its page.
    interface Starting {
        RunningServer start() throws IOException;
    }

    private Start start(String title, Starting starting) throws IOException {
        long before = System.nanoTime();
        try (RunningServer server = starting.start()) {
            double millis = (System.nanoTime() - before) / 1e6;
            ProcessSample used = StudyServers.sample(server);
            says.accept("%s: %.0f ms".formatted(title, millis));
            return new Start(title, millis, used.cpuSeconds(), used.residentKib() / 1024.0);
        }
    }

    private Memory memory(Kind kind, int loadSeconds, int restSeconds) throws IOException {
        try (RunningServer server = server(kind);
                GeneratorProcess generator =
                        new GeneratorProcess(List.of(), folder.resolve("generator.log"))) {
            double first = StudyServers.mib(server);
            LoadJob job =
                    LoadJob.closed(CONNECTIONS, false, true)
                            .to(server.setting().http(), List.of(PAGE), "")
                            .lasting(0, loadSeconds * 1000L, loadSeconds * 1000L + 15_000);
            says.accept("%s: load".formatted(kind.title));
            LoadResult load = generator.load(job, () -> {}, _ -> {}, () -> {});
            double loaded = StudyServers.mib(server);
            rest(restSeconds);
            return new Memory(kind.title, first, loaded, StudyServers.mib(server), load.requests());
        }
    }

    /// The memory of front ends that have nothing to do.
    private List<Front> fronts(int restSeconds) throws IOException {
        LabEnvironment own = here.withOptions(List.of()).caching(folder.resolve("cache"));
        List<Front> fronts = new ArrayList<>();
        try (RunningServer back = servers.start(Catalog.all().spec(BACK), own, "/")) {
            for (String name : FRONTS) {
                ServerSpec whole = Catalog.all().spec(name + "/" + BACK);
                if (whole.availability(own).ready()) {
                    ServerSpec alone = new ServerSpec(name, whole.front(), List.of());
                    alone.front().fetch(own);
                    fronts.add(front(alone, own, back.setting(), restSeconds));
                }
            }
        }
        return fronts;
    }

    private Front front(ServerSpec spec, LabEnvironment own, Setting back, int restSeconds)
            throws IOException {
        try (RunningServer server = servers.start(spec, own, "/", List.of(back));
                GeneratorProcess generator =
                        new GeneratorProcess(List.of(), folder.resolve("generator.log"))) {
            rest(restSeconds);
            double idle = StudyServers.mib(server);
            LoadJob job =
                    LoadJob.closed(1, false, true)
                            .to(server.setting().http(), List.of("/"), "")
                            .lasting(FRONT_REQUESTS, 0, 60_000);
            LoadResult _ = generator.load(job, () -> {}, _ -> {}, () -> {});
            rest(restSeconds);
            says.accept("%s: memory".formatted(spec.front().title()));
            return new Front(
                    spec.front().title(),
                    idle,
                    StudyServers.mib(server),
                    StudyServers.threads(server));
        }
    }

    private static void rest(int seconds) {
        long until = System.nanoTime() + seconds * 1_000_000_000L;
        while (System.nanoTime() - until < 0) {
            LockSupport.parkNanos(REST_NANOS);
        }
    }

    /// The memory that so many kept-alive connections take, once some have warmed the server.
    private Held held(HostFiles kind, boolean tls, int idle) throws IOException {
        Optional<Path> trusted = tls ? Optional.of(servers.certificate().pem()) : Optional.empty();
        String title =
                (tls ? " TLS, " : " plain, ") + kind.transport() + (tls ? ", " + kind.tls() : "");
        return held(
                kind,
                idle,
                title,
                (count, server) ->
                        HeldConnections.open(
                                count,
                                tls ? server.setting().https() : server.setting().http(),
                                FILE,
                                trusted));
    }

    /// The same of TLS and of HTTP/2 by nginx, and of HTTP/2 by Margay.
    private void heldBesideNginx(int idle, List<Held> held) throws IOException {
        LabServer nginx = Catalog.all().spec("nginx:files").front();
        Path pem = servers.certificate().pem();
        Holding byHttp2 =
                (count, server) ->
                        HeldConnections.http2(count, server.setting().https(), FILE, pem);
        held.add(
                held(
                        new HostFiles("native", "openssl"),
                        idle,
                        " HTTP/2, native, openssl",
                        byHttp2));
        if (nginx.availability(here).ready()) {
            held.add(
                    held(
                            nginx,
                            idle,
                            " TLS, nginx",
                            (count, server) ->
                                    HeldConnections.open(
                                            count,
                                            server.setting().https(),
                                            FILE,
                                            Optional.of(pem))));
            held.add(held(nginx, idle, " HTTP/2, nginx", byHttp2));
        }
    }

    /// Opens connections to a server.
    private interface Holding {
        HeldConnections open(int count, RunningServer server) throws IOException;
    }

    private Held held(LabServer kind, int idle, String title, Holding holding) throws IOException {
        ServerSpec spec = new ServerSpec(kind.name(), kind, List.of());
        try (RunningServer server = servers.start(spec, here.withOptions(IDLE_OPTIONS), FILE)) {
            holding.open(WARM_CONNECTIONS, server).close();
            if (!kind.name().startsWith("nginx")) {
                collect(server);
            }
            double before = StudyServers.mib(server);
            try (HeldConnections _ = holding.open(idle, server)) {
                says.accept(idle + title);
                return new Held(idle + title, StudyServers.mib(server) - before);
            }
        }
    }

    private void collect(RunningServer server) throws IOException {
        String jcmd = here.javaHome().resolve("bin/jcmd").toString();
        String process = String.valueOf(StudyServers.process(server));
        String _ = Tools.run(List.of(jcmd, process, "GC.run"), folder);
        LockSupport.parkNanos(REST_NANOS);
    }
}
