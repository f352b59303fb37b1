package io.margay.lab.study;

import io.margay.lab.generator.GeneratorProcess;
import io.margay.lab.load.LoadJob;
import io.margay.lab.load.LoadResult;
import io.margay.lab.machine.ProcessSample;
import io.margay.lab.machine.Tools;
import io.margay.lab.report.ApplicationsReport;
import io.margay.lab.report.ApplicationsReport.Held;
import io.margay.lab.report.ApplicationsReport.Round;
import io.margay.lab.servers.LabEnvironment;
import io.margay.lab.servers.RunningServer;
import io.margay.lab.servers.ServerSpec;
import io.margay.lab.servers.kinds.Catalog;
import io.margay.lab.site.LabApp;
import io.margay.lab.site.Site;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/// What a request costs and what memory is held where one server has many copies of a small
/// application, with the requests spread over all of them. Servers of one kind with different
/// numbers of applications run at the same time and are measured in turn. Confined to one thread.
///
/// @param servers their names
/// @param processors of the servers, as `taskset` takes them
public record ApplicationsStudy(
        LabEnvironment here,
        Path folder,
        String processors,
        List<String> servers,
        Consumer<String> says) {
    private static final int CONNECTIONS = 50;
    private static final String PAGE = "/servlet";
    private static final long COLLECTED_NANOS = 2_000_000_000L;

    public ApplicationsStudy {
        servers = List.copyOf(servers);
    }

    /// One server under way.
    private record Running(int apps, RunningServer server, LoadJob job) {}

    /// Measures.
    ///
    /// @param counts how many applications, ascending
    /// @param warmSeconds of load before the first round, for each
    public ApplicationsReport run(List<Integer> counts, int rounds, int seconds, int warmSeconds)
            throws IOException {
        List<ServerSpec> specs = servers.stream().map(Catalog.all()::spec).toList();
        for (ServerSpec spec : specs) {
            spec.front().fetch(here);
        }
        List<Round> all = new ArrayList<>();
        List<Held> held = new ArrayList<>();
        try (StudyServers own = new StudyServers(here, folder, processors, false);
                GeneratorProcess generator = own.generator(here)) {
            Path app = folder.resolve("app");
            LabApp.make(app);
            for (ServerSpec spec : specs) {
                List<Running> running = new ArrayList<>();
                try {
                    for (int apps : counts) {
                        running.add(start(own, spec, app, apps));
                    }
                    measure(spec.title(), running, generator, rounds, seconds, warmSeconds, all);
                    for (Running each : running) {
                        collect(each.server);
                        double mib = StudyServers.mib(each.server);
                        held.add(new Held(spec.title(), each.apps, mib));
                    }
                } finally {
                    running.forEach(it -> it.server.close());
                    Site.remove(folder.resolve("base"));
                }
            }
            Site.remove(app);
        }
        return new ApplicationsReport(all, held);
    }

    private Running start(StudyServers own, ServerSpec spec, Path app, int apps)
            throws IOException {
        says.accept("starting %d of %s".formatted(apps, spec.title()));
        Path base = folder.resolve("base").resolve(String.valueOf(apps));
        Path site = Site.ofApps(app, apps, base.resolve("apps"));
        List<String> pages =
                IntStream.rangeClosed(1, apps).mapToObj(it -> Site.appName(it) + PAGE).toList();
        Path writes = Files.createDirectories(base.resolve("server"));
        RunningServer server = own.start(spec, here, writes, site, pages);
        LoadJob job =
                LoadJob.closed(CONNECTIONS, false, true).to(server.setting().http(), pages, "");
        return new Running(apps, server, job);
    }

    private void measure(
            String title,
            List<Running> running,
            GeneratorProcess generator,
            int rounds,
            int seconds,
            int warmSeconds,
            List<Round> all)
            throws IOException {
        for (Running each : running) {
            says.accept("warming %d of %s".formatted(each.apps, title));
            LoadJob job = lasting(each.job, warmSeconds);
            LoadResult _ = generator.load(job, () -> {}, _ -> {}, () -> {});
        }
        for (int round = 0; round < rounds; round++) {
            for (Running each : round % 2 == 0 ? running : running.reversed()) {
                all.add(measured(title, each, generator, seconds));
            }
        }
    }

    private Round measured(String title, Running each, GeneratorProcess generator, int seconds)
            throws IOException {
        ProcessSample[] samples = new ProcessSample[2];
        LoadResult result =
                generator.load(
                        lasting(each.job, seconds),
                        () -> samples[0] = StudyServers.sample(each.server),
                        _ -> {},
                        () -> samples[1] = StudyServers.sample(each.server));
        each.server.requireAlive();
        if (result.failed() > 0 || result.requests() == 0) {
            throw new IOException(title + " with " + each.apps + ": " + result.errors());
        }
        double cost = samples[1].since(samples[0]).cpuSeconds() / result.requests() * 10_000;
        says.accept(String.format(Locale.ROOT, "%d of %s: %.4f CPU-s", each.apps, title, cost));
        return new Round(title, each.apps, cost, result.perSecond());
    }

    private static LoadJob lasting(LoadJob job, int seconds) {
        return job.lasting(0, seconds * 1000L, seconds * 1000L + 15_000);
    }

    /// What is left then belongs to applications, and not to requests that are over.
    private void collect(RunningServer server) throws IOException {
        String jcmd = here.javaHome().resolve("bin/jcmd").toString();
        String process = String.valueOf(StudyServers.process(server));
        String _ = Tools.run(List.of(jcmd, process, "GC.run"), folder);
        LockSupport.parkNanos(COLLECTED_NANOS);
    }
}
