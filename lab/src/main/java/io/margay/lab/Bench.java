package io.margay.lab;

import io.margay.lab.generator.GeneratorProcess;
import io.margay.lab.load.LoadJob;
import io.margay.lab.machine.CallCounter;
import io.margay.lab.machine.FlightRecording;
import io.margay.lab.machine.Machine;
import io.margay.lab.machine.Tools;
import io.margay.lab.servers.LabEnvironment;
import io.margay.lab.servers.LabServer;
import io.margay.lab.servers.RunningServer;
import io.margay.lab.servers.ServerSpec;
import io.margay.lab.servers.Setting;
import io.margay.lab.servers.SettingBuilder;
import io.margay.lab.site.Certificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The servers and the load generator of a run: starts them, each on its core, and stops them.
/// Confined to the lab's thread, but for [#close], which is thread-safe.
final class Bench implements AutoCloseable {
    private static final int GENERATOR_CORE = 1;
    private static final int PORT_FIRST = 18200;
    private static final int PORT_RANGE = 80;
    private static final int PORT_RANGES = 100;
    private static final int PORT_MAX = 28000;
    private static final String SECRET = "lab-secret";

    private final LabEnvironment here;
    private final Path folder;
    private final Path site;
    private final Certificate certificate;
    private final boolean pinned;
    private final GeneratorProcess generator;
    private final GeneratorProcess otherGenerator;
    private final int cores;
    private final Map<String, RunningServer> running = new LinkedHashMap<>();
    private final Set<String> warm = new HashSet<>();
    private final Map<String, String> versions = new HashMap<>();
    private final boolean portsFixed;
    private int nextPort;
    private final Optional<CallCounter> calls;
    private int started;

    /// @param site what servers serve
    /// @param firstPort the first port to use, 0 for free ones
    /// @param cores how many processors the servers have
    /// @param ecKey whether the servers' key is of the curve P-256
    Bench(LabEnvironment here, Path folder, Path site, int firstPort, int cores, boolean ecKey)
            throws IOException {
        this.here = here;
        this.cores = cores;
        this.folder = folder;
        this.site = site;
        portsFixed = firstPort > 0;
        nextPort = portsFixed ? firstPort : ownPort();
        pinned =
                Runtime.getRuntime().availableProcessors() >= 2
                        && here.tools().find("taskset").isPresent();
        certificate = Certificate.in(Files.createDirectories(folder), here.javaHome(), ecKey);
        calls = CallCounter.of(here.tools(), folder);
        String core = String.valueOf(GENERATOR_CORE);
        generator = new GeneratorProcess(prefix(core), folder.resolve("generator.log"));
        otherGenerator = new GeneratorProcess(prefix(core), folder.resolve("beside.log"));
    }

    /// Where two runs at a time do not look for the same ports.
    private static int ownPort() {
        return PORT_FIRST + (int) (ProcessHandle.current().pid() % PORT_RANGES) * PORT_RANGE;
    }

    private List<String> prefix(String processors) throws IOException {
        Tools tools = here.tools();
        return pinned ? List.of(tools.get("taskset").toString(), "-c", processors) : List.of();
    }

    boolean pinned() {
        return pinned;
    }

    GeneratorProcess generator() {
        return generator;
    }

    /// For load beside what is measured.
    GeneratorProcess otherGenerator() {
        return otherGenerator;
    }

    /// What counts system calls, where it can be done.
    Optional<CallCounter> calls() {
        return calls;
    }

    /// Begins samples of a JVM.
    FlightRecording record(long process) throws IOException {
        return FlightRecording.begin(here.javaHome(), process, folder);
    }

    Certificate certificate() {
        return certificate;
    }

    /// CPU time that the servers' cores have spent on whatever it was.
    double coreSeconds() {
        return pinned ? IntStream.range(0, cores).mapToDouble(Machine::coreSeconds).sum() : 0;
    }

    /// A running server; starts it if it is not.
    RunningServer server(ServerSpec spec) throws IOException {
        RunningServer server = get(spec.name());
        if (server == null) {
            Path own = folder.resolve("servers").resolve(++started + "-" + spec.folder());
            List<Setting> backs = new ArrayList<>();
            for (int i = 0; i < spec.backs().size(); i++) {
                backs.add(setting(own.resolve("back-" + (i + 1)), "b" + (i + 1), List.of()));
            }
            server = new RunningServer(spec, setting(own, "front", backs));
            put(spec.name(), server);
            server.start(prefix("0-" + (cores - 1)));
        }
        return server;
    }

    private synchronized @Nullable RunningServer get(String name) {
        return running.get(name);
    }

    private synchronized void put(String name, RunningServer server) {
        running.put(name, server);
    }

    private Setting setting(Path own, String route, List<Setting> backs) throws IOException {
        return SettingBuilder.builder()
                .here(here)
                .folder(Files.createDirectories(own))
                .webapps(site)
                .http(port())
                .https(port())
                .ajp(port())
                .secret(SECRET)
                .route(route)
                .certificate(certificate)
                .backs(backs)
                .build();
    }

    /// The next port; without a wish one that is free, and below those the system gives to clients.
    private int port() throws IOException {
        int port = nextPort++;
        while (!portsFixed && !RunningServer.isFree(port)) {
            if (nextPort > PORT_MAX) {
                throw new IOException("no port is free from " + PORT_FIRST + " to " + PORT_MAX);
            }
            port = nextPort++;
        }
        return port;
    }

    /// Whether a server, since it was started, has been warmed up by such a load to those paths.
    boolean isWarm(String name, LoadJob load) {
        return warm.contains(warmth(name, load));
    }

    /// It has been.
    void warmed(String name, LoadJob load) {
        warm.add(warmth(name, load));
    }

    private static String warmth(String name, LoadJob load) {
        return name
                + ' '
                + load.port()
                + ' '
                + load.keepAlive()
                + ' '
                + load.protocol()
                + load.streams()
                + load.paths();
    }

    /// Stops those servers that are not named.
    void keepOnly(List<String> names) {
        List<RunningServer> others = new ArrayList<>();
        synchronized (this) {
            for (String name : List.copyOf(running.keySet())) {
                if (!names.contains(name)) {
                    others.add(running.remove(name));
                }
            }
        }
        others.forEach(RunningServer::ask);
        others.forEach(RunningServer::close);
    }

    /// The versions of a server and of what stands behind it.
    List<String> versions(ServerSpec spec) throws IOException {
        List<String> all = new ArrayList<>();
        for (LabServer kind : spec.kinds()) {
            String version = versions.get(kind.name());
            if (version == null) {
                version = kind.version(here);
                versions.put(kind.name(), version);
            }
            all.add(kind.name() + ": " + version);
        }
        return all;
    }

    @Override
    public void close() {
        keepOnly(List.of());
        generator.close();
        otherGenerator.close();
    }
}
