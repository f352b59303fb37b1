package io.margay.lab;

import io.margay.lab.load.GeneratorProcess;
import io.margay.lab.load.HeldConnections;
import io.margay.lab.load.LoadJob;
import io.margay.lab.load.LoadResult;
import io.margay.lab.machine.ProcessSample;
import io.margay.lab.machine.Tools;
import io.margay.lab.report.StartReport;
import io.margay.lab.report.StartReport.Held;
import io.margay.lab.report.StartReport.Memory;
import io.margay.lab.report.StartReport.Start;
import io.margay.lab.servers.Catalog;
import io.margay.lab.servers.Certificate;
import io.margay.lab.servers.HostFiles;
import io.margay.lab.servers.RunningServer;
import io.margay.lab.servers.ServerSpec;
import io.margay.lab.servers.Setting;
import io.margay.lab.servers.Surroundings;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// What servers need from the start of their process to the first page, and the memory they hold
/// then, after a load and after a rest. Confined to one thread.
final class StartStudy {
    /// Margay's cache of loaded classes takes a process of its own some seconds.
    private static final long CACHE_SECONDS_MAX = 180;

    private static final long POLL_NANOS = 5_000_000L;
    private static final long REST_NANOS = 1_000_000_000L;
    private static final int CONNECTIONS = 100;
    private static final int ANSWER_MILLIS_MAX = 60_000;
    private static final String PAGE = "/heartbeat/heartbeat.jsp";
    private static final String FILE = "/pages/small.html";
    private static final int WARM_CONNECTIONS = 500;

    /// A small young generation, so that what grows belongs to connections.
    private static final List<String> IDLE_OPTIONS =
            List.of("-Xmx512m", "-Xmn16m", "-XX:+UseSerialGC");

    private static final String MARGAY = "margay:native";
    private static final String TOMCAT = "tomcat:production";

    private final Surroundings surroundings;
    private final Path folder;
    private final String processors;
    private final Consumer<String> says;
    private int started;

    /// @param processors as `taskset` takes them
    StartStudy(Surroundings surroundings, Path folder, String processors, Consumer<String> says) {
        this.surroundings = surroundings;
        this.folder = folder;
        this.processors = processors;
        this.says = says;
    }

    /// One column: a server with what it finds.
    private record Kind(String title, ServerSpec spec, Surroundings here) {}

    /// Measures.
    ///
    /// @param runs starts of each server
    /// @param loadSeconds of the load after which memory is taken; 0 for none
    /// @param idle connections to hold; 0 for none
    StartReport run(int runs, int loadSeconds, int restSeconds, int idle) throws IOException {
        Path site = Site.make(surroundings.webapps(), folder.resolve("site"));
        Certificate certificate = Certificate.in(folder, surroundings.javaHome(), false);
        List<Kind> kinds = kinds(surroundings);
        for (Kind kind : kinds) {
            kind.spec.front().fetch(surroundings);
        }
        try {
            List<Start> starts = new ArrayList<>();
            List<Memory> memories = new ArrayList<>();
            if (runs > 0) {
                makeCache(kinds, site, certificate);
            }
            for (int run = 1; run <= runs; run++) {
                for (Kind kind : kinds) {
                    starts.add(start(kind, site, certificate));
                }
            }
            if (loadSeconds > 0) {
                List<Kind> own = kinds(surroundings.withOptions(List.of()));
                makeCache(own, site, certificate);
                for (Kind kind : own.subList(1, own.size())) {
                    memories.add(memory(kind, site, certificate, loadSeconds, restSeconds));
                }
            }
            List<Held> held = new ArrayList<>();
            if (idle > 0) {
                held.add(held(new HostFiles("native", "openssl"), false, idle, site, certificate));
                held.add(held(new HostFiles("nio", "openssl"), false, idle, site, certificate));
                held.add(held(new HostFiles("native", "openssl"), true, idle, site, certificate));
                held.add(held(new HostFiles("native", "jsse"), true, idle, site, certificate));
            }
            return new StartReport(starts, memories, held, loadSeconds, restSeconds);
        } finally {
            Site.remove(site);
            Leftovers.remove(folder);
        }
    }

    private List<Kind> kinds(Surroundings here) {
        ServerSpec margay = ServerSpec.of(MARGAY, Catalog.all());
        ServerSpec tomcat = ServerSpec.of(TOMCAT, Catalog.all());
        return List.of(
                new Kind("Margay, no cache", margay, here),
                new Kind("Margay, with its cache", margay, here.caching(folder.resolve("cache"))),
                new Kind("Tomcat 11", tomcat, here));
    }

    /// The first start of Margay makes its cache in the background.
    private void makeCache(List<Kind> kinds, Path site, Certificate certificate)
            throws IOException {
        Path cache = Files.createDirectories(folder.resolve("cache"));
        long before = caches(cache);
        says.accept("making Margay's cache");
        Kind cached = kinds.get(1);
        try (RunningServer server = server(cached, site, certificate)) {
            long until = System.nanoTime() + CACHE_SECONDS_MAX * 1_000_000_000;
            while (caches(cache) == before) {
                server.requireAlive();
                if (System.nanoTime() - until > 0) {
                    throw new IOException("Margay made no cache in " + cache);
                }
                LockSupport.parkNanos(REST_NANOS);
            }
        }
    }

    private static long caches(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(it -> it.toString().endsWith(".aot")).count();
        }
    }

    private RunningServer server(Kind kind, Path site, Certificate certificate) throws IOException {
        return server(kind, site, certificate, PAGE);
    }

    private RunningServer server(Kind kind, Path site, Certificate certificate, String page)
            throws IOException {
        Path own = Files.createDirectories(folder.resolve("servers").resolve("" + ++started));
        Setting setting =
                new Setting(
                        kind.here,
                        own,
                        site,
                        port(),
                        port(),
                        port(),
                        "s",
                        "b",
                        certificate,
                        List.of());
        RunningServer server = new RunningServer(kind.spec, setting);
        try {
            server.start(List.of(surroundings.tools().get("taskset").toString(), "-c", processors));
            awaitPage(server, page);
            return server;
        } catch (IOException e) {
            server.close();
            throw e;
        }
    }

    private static int port() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static void awaitPage(RunningServer server, String page) throws IOException {
        while (!answers(server.setting().http(), page)) {
            server.requireAlive();
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    private static boolean answers(int port, String page) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(ANSWER_MILLIS_MAX);
            String request =
                    "GET " + page + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            InputStream in = socket.getInputStream();
            String head = new String(in.readNBytes(12), StandardCharsets.US_ASCII);
            return head.endsWith(" 200");
        }
    }

    private Start start(Kind kind, Path site, Certificate certificate) throws IOException {
        long before = System.nanoTime();
        try (RunningServer server = server(kind, site, certificate)) {
            double millis = (System.nanoTime() - before) / 1e6;
            ProcessSample used = sample(server);
            says.accept("%s: %.0f ms".formatted(kind.title, millis));
            return new Start(kind.title, millis, used.cpuSeconds(), used.residentKib() / 1024.0);
        }
    }

    private Memory memory(
            Kind kind, Path site, Certificate certificate, int loadSeconds, int restSeconds)
            throws IOException {
        try (RunningServer server = server(kind, site, certificate);
                GeneratorProcess generator =
                        new GeneratorProcess(List.of(), folder.resolve("generator.log"))) {
            double first = mib(server);
            LoadJob job =
                    LoadJob.closed(CONNECTIONS, false, true)
                            .to(server.setting().http(), List.of(PAGE), "")
                            .lasting(0, loadSeconds * 1000L, loadSeconds * 1000L + 15_000);
            says.accept("%s: load".formatted(kind.title));
            LoadResult load = generator.load(job, () -> {}, _ -> {}, () -> {});
            double loaded = mib(server);
            long until = System.nanoTime() + restSeconds * 1_000_000_000L;
            while (System.nanoTime() - until < 0) {
                LockSupport.parkNanos(REST_NANOS);
            }
            return new Memory(kind.title, first, loaded, mib(server), load.requests());
        }
    }

    /// The memory that so many kept-alive connections take, once some have warmed the server.
    private Held held(HostFiles kind, boolean tls, int idle, Path site, Certificate certificate)
            throws IOException {
        ServerSpec spec = new ServerSpec(kind.name(), kind, List.of());
        Surroundings here = surroundings.withOptions(IDLE_OPTIONS);
        Optional<Path> trusted = tls ? Optional.of(certificate.pem()) : Optional.empty();
        try (RunningServer server =
                server(new Kind(kind.title(), spec, here), site, certificate, FILE)) {
            int port = tls ? server.setting().https() : server.setting().http();
            HeldConnections.open(WARM_CONNECTIONS, port, FILE, trusted).close();
            collect(server);
            double before = mib(server);
            try (HeldConnections _ = HeldConnections.open(idle, port, FILE, trusted)) {
                double with = mib(server);
                String title = idle + (tls ? " TLS, " : " plain, ") + kind.transport();
                says.accept(title);
                return new Held(title + (tls ? ", " + kind.tls() : ""), with - before);
            }
        }
    }

    private void collect(RunningServer server) throws IOException {
        for (long process : server.processes().values().iterator().next()) {
            Tools.run(
                    List.of(
                            surroundings.javaHome().resolve("bin/jcmd").toString(),
                            String.valueOf(process),
                            "GC.run"),
                    folder);
        }
        LockSupport.parkNanos(REST_NANOS);
    }

    private static double mib(RunningServer server) {
        return sample(server).residentKib() / 1024.0;
    }

    private static ProcessSample sample(RunningServer server) {
        return server.sample().values().stream().reduce(ProcessSample.NONE, ProcessSample::plus);
    }
}
