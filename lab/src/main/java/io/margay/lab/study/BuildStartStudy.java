package io.margay.lab.study;

import io.margay.lab.machine.ProcessSample;
import io.margay.lab.report.BuildStartReport;
import io.margay.lab.report.BuildStartReport.Start;
import io.margay.lab.servers.LabEnvironment;
import io.margay.lab.servers.RunningServer;
import io.margay.lab.servers.ServerSpec;
import io.margay.lab.servers.kinds.Catalog;
import io.margay.lab.site.Site;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/// Starts of several builds of Margay in turn, each with a cache of its own that is made
/// beforehand: processor time and time until the first page, memory and threads a second later, and
/// processor time at rest. Confined to one thread.
///
/// @param builds folders of built checkouts or distributions
/// @param processors of the servers, as `taskset` takes them
public record BuildStartStudy(
        LabEnvironment here,
        Path folder,
        String processors,
        List<Path> builds,
        Consumer<String> says) {
    private static final long SECOND_NANOS = 1_000_000_000L;
    private static final String PAGE = StartStudy.APP_PAGE;

    /// By the words of the command line: an application with a JSP page, compiled in an earlier
    /// start, named on the command line and in a `margay.yaml`; and one upstream, which is asked
    /// once.
    public static final Map<String, String> KINDS =
            Map.of(
                    "page", "before:native",
                    "yaml", "before:edge-app",
                    "gateway", "before-gateway:http/before:native");

    public BuildStartStudy {
        builds = List.copyOf(builds);
    }

    /// Measures.
    ///
    /// @param kinds words of [#KINDS]
    /// @param rest seconds in which nothing is asked, after the memory is taken
    public BuildStartReport run(List<String> kinds, int runs, int rest) throws IOException {
        Path site = folder.resolve("app");
        Site.remove(site);
        Path app = Site.ofApp(here.webapps().resolve("heartbeat"), site);
        List<Start> starts = new ArrayList<>();
        try (StudyServers servers = new StudyServers(here, folder, processors, false)) {
            for (Path build : builds) {
                says.accept(build + ": its cache");
                spec("page").front().fetch(with(build));
                start(servers, "page", build, app, 0); // compiles the page
            }
            for (String kind : kinds) {
                for (int run = 1; run <= runs; run++) {
                    for (Path build : builds) {
                        starts.add(start(servers, kind, build, app, rest));
                    }
                }
            }
        } finally {
            Site.remove(site);
        }
        return new BuildStartReport(starts);
    }

    private static ServerSpec spec(String kind) {
        return Catalog.all().spec(Objects.requireNonNull(KINDS.get(kind), kind));
    }

    private LabEnvironment with(Path build) {
        return here.with(build).caching(folder.resolve("cache-" + builds.indexOf(build)));
    }

    private Start start(StudyServers servers, String kind, Path build, Path app, int rest)
            throws IOException {
        ServerSpec spec = spec(kind);
        Path own = folder.resolve("build-" + builds.indexOf(build));
        if (spec.backs().isEmpty()) {
            Path base = Files.createDirectories(own.resolve("server"));
            return start(
                    kind,
                    build,
                    rest,
                    () -> servers.start(spec, with(build), base, app, List.of(PAGE)));
        }
        ServerSpec back = new ServerSpec("back", spec.backs().getFirst(), List.of());
        ServerSpec front = new ServerSpec("front", spec.front(), List.of());
        Path behind = Files.createDirectories(own.resolve("back"));
        try (RunningServer member =
                servers.start(back, with(builds.getFirst()), behind, app, List.of(PAGE))) {
            return start(
                    kind,
                    build,
                    rest,
                    () -> servers.start(front, with(build), PAGE, List.of(member.setting())));
        }
    }

    private Start start(String kind, Path build, int rest, StartStudy.Starting starting)
            throws IOException {
        long before = System.nanoTime();
        try (RunningServer server = starting.start()) {
            double millis = (System.nanoTime() - before) / 1e6;
            double cpu = StudyServers.sample(server).cpuSeconds();
            LockSupport.parkNanos(SECOND_NANOS);
            ProcessSample idle = StudyServers.sample(server);
            int threads = StudyServers.threads(server);
            LockSupport.parkNanos(rest * SECOND_NANOS);
            double rested = StudyServers.sample(server).cpuSeconds() - idle.cpuSeconds();
            says.accept("%s, %s: %.2f CPU-s, %.0f ms".formatted(kind, build, cpu, millis));
            double mib = idle.residentKib() / 1024.0;
            return new Start(kind, build.toString(), cpu, millis, mib, threads, rested);
        }
    }
}
