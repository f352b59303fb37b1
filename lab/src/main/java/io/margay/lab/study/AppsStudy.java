package io.margay.lab.study;

import io.margay.lab.machine.ProcessSample;
import io.margay.lab.report.AppsReport;
import io.margay.lab.report.AppsReport.Start;
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
import java.util.function.Consumer;
import java.util.stream.IntStream;

/// What servers need from the start of their process to the first page of each of many copies of an
/// application: with an empty work folder, and with that of the start before. Confined to one
/// thread.
///
/// @param app a WAR file or its folder
/// @param page of the application, such as `/index.jsp`
/// @param servers their names
/// @param processors of the servers, as `taskset` takes them
public record AppsStudy(
        LabEnvironment here,
        Path folder,
        String processors,
        Path app,
        String page,
        List<String> servers,
        Consumer<String> says) {
    public AppsStudy {
        servers = List.copyOf(servers);
    }

    /// Measures.
    ///
    /// @param counts how many copies
    /// @param runs of each server and count
    public AppsReport run(List<Integer> counts, int runs) throws IOException {
        List<ServerSpec> specs = servers.stream().map(Catalog.all()::spec).toList();
        for (ServerSpec spec : specs) {
            spec.front().fetch(here);
        }
        List<Start> starts = new ArrayList<>();
        try (StudyServers own = new StudyServers(here, folder, processors, false)) {
            for (int apps : counts) {
                for (int run = 1; run <= runs; run++) {
                    for (ServerSpec spec : specs) {
                        Path base = folder.resolve("base");
                        Site.remove(base);
                        Path site = Site.ofApps(app, apps, base.resolve("apps"));
                        starts.add(start(own, spec, site, apps, false));
                        starts.add(start(own, spec, site, apps, true));
                        Site.remove(base);
                    }
                }
            }
        }
        return new AppsReport(starts);
    }

    private Start start(StudyServers own, ServerSpec spec, Path site, int apps, boolean again)
            throws IOException {
        List<String> pages =
                IntStream.rangeClosed(1, apps).mapToObj(it -> Site.appName(it) + page).toList();
        Path base = Files.createDirectories(site.resolveSibling("server"));
        long before = System.nanoTime();
        try (RunningServer server = own.start(spec, here, base, site, pages)) {
            double millis = (System.nanoTime() - before) / 1e6;
            ProcessSample used = StudyServers.sample(server);
            String title = spec.front().title();
            says.accept("%d of %s: %.0f ms".formatted(apps, title, millis));
            return new Start(
                    apps, title, again, millis, used.cpuSeconds(), used.residentKib() / 1024.0);
        }
    }
}
