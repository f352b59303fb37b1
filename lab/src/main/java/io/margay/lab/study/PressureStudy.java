package io.margay.lab.study;

import io.margay.lab.generator.GeneratorProcess;
import io.margay.lab.hostile.HostileKind;
import io.margay.lab.hostile.HostileProcess;
import io.margay.lab.load.Latency;
import io.margay.lab.load.LoadJob;
import io.margay.lab.load.LoadResult;
import io.margay.lab.machine.Machine;
import io.margay.lab.machine.ThreadWaits;
import io.margay.lab.report.PressureReport;
import io.margay.lab.report.PressureReport.Grown;
import io.margay.lab.report.PressureReport.Seen;
import io.margay.lab.report.PressureReportSeenBuilder;
import io.margay.lab.servers.LabEnvironment;
import io.margay.lab.servers.RunningServer;
import io.margay.lab.servers.ServerSpec;
import io.margay.lab.servers.kinds.PressedHost;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/// What slow clients, a storm of connections and bad requests do to other clients and to memory:
/// one server, to which ever more of them come. Confined to one thread.
public final class PressureStudy {
    /// How much of each. Immutable.
    ///
    /// @param slow slow senders, and as many slow readers
    /// @param uploads clients that send content slowly to a servlet that reads it
    /// @param storm connections that are opened and closed at once
    /// @param requests of which one in ten is bad
    /// @param seconds of each measurement of the others
    /// @param rounds of them, of which the median counts
    public record Sizes(int slow, int uploads, int storm, int requests, int seconds, int rounds) {}

    /// Descriptors that slow senders and readers leave to everything else.
    private static final int FILES_LEFT = 2_500;

    private static final int SLOW_MAX = 10_000;
    private static final int CONNECTIONS = 50;
    private static final int STEPS = 10;
    private static final String PAGE = "/heartbeat/servlet";
    private static final String UPLOAD = "/upload/digest";
    private static final String LARGE = PressedHost.FILES + "/huge.bin";
    private static final int PAGE_KIB = 4;

    private final LabEnvironment here;
    private final Path folder;
    private final PressedHost host;
    private final Consumer<String> says;
    private final List<String> unfriendly;
    private final List<Seen> seen = new ArrayList<>();
    private final List<Grown> grown = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    public PressureStudy(LabEnvironment here, Path folder, PressedHost host, Consumer<String> says)
            throws IOException {
        this.here = here;
        this.folder = folder;
        this.host = host;
        this.says = says;
        unfriendly = new ArrayList<>(StudyServers.pinned(here, "1"));
        // The others' answers are not to be late because their client has no processor.
        unfriendly.addAll(List.of("nice", "-n", "5"));
    }

    /// As many slow clients of each kind as this process may have descriptors for.
    public static int slowMax() {
        return Math.clamp((Machine.filesMax() - FILES_LEFT) / 2, 0, SLOW_MAX);
    }

    /// Measures.
    public PressureReport run(Sizes sizes) throws IOException {
        ServerSpec spec = new ServerSpec(host.name(), host, List.of());
        try (StudyServers servers = new StudyServers(here, folder, "0", false);
                RunningServer server = servers.start(spec, here, PAGE);
                GeneratorProcess generator = servers.generator(here)) {
            LoadResult _ = load(server, generator, sizes.seconds());
            press(server, generator, sizes);
            if (sizes.requests() > 0) {
                grow(server, sizes.requests());
            }
            return new PressureReport(seen, grown, notes);
        }
    }

    /// Each kind comes to those that are there already.
    private void press(RunningServer server, GeneratorProcess generator, Sizes sizes)
            throws IOException {
        List<HostileProcess> held = new ArrayList<>();
        try {
            others(server, generator, sizes, sizes.rounds(), "nothing else");
            if (sizes.slow() > 0) {
                held.add(hostile(HostileKind.SLOW_HEAD, server, sizes.slow(), PAGE));
                others(server, generator, sizes, sizes.rounds(), sizes.slow() + " slow senders");
                held.add(hostile(HostileKind.SLOW_READER, server, sizes.slow(), LARGE));
                String readers = words(HostileKind.SLOW_READER, sizes.slow());
                others(server, generator, sizes, sizes.rounds(), readers);
            }
            if (sizes.uploads() > 0) {
                held.add(hostile(HostileKind.SLOW_UPLOAD, server, sizes.uploads(), UPLOAD));
                String uploads = words(HostileKind.SLOW_UPLOAD, sizes.uploads());
                others(server, generator, sizes, sizes.rounds(), uploads);
            }
            if (sizes.storm() > 0) {
                try (HostileProcess storm =
                        hostile(HostileKind.STORM, server, sizes.storm(), PAGE)) {
                    String opened = words(HostileKind.STORM, sizes.storm());
                    others(server, generator, sizes, 1, opened);
                    notes.add("The storm: " + storm.awaitEnd() + ".");
                }
            }
            long again = 0;
            for (HostileProcess each : held) {
                again += each.again();
            }
            notes.add("Slow clients that were thrown out and came again: " + again + ".");
        } finally {
            held.forEach(HostileProcess::close);
        }
    }

    private static String words(HostileKind kind, int count) {
        return "and " + count + " " + kind.title();
    }

    private HostileProcess hostile(HostileKind kind, RunningServer server, int count, String path)
            throws IOException {
        says.accept(count + " " + kind.title());
        Path log = folder.resolve("hostile.log");
        return new HostileProcess(unfriendly, kind, server.setting().http(), count, path, log);
    }

    private static LoadResult load(RunningServer server, GeneratorProcess generator, int seconds)
            throws IOException {
        LoadJob job =
                LoadJob.closed(CONNECTIONS, false, true)
                        .to(server.setting().http(), List.of(PAGE), "")
                        .lasting(0, seconds * 1000L, seconds * 1000L + 60_000);
        return generator.load(job, () -> {}, _ -> {}, () -> {});
    }

    /// What the others see: of the rounds, that with the median of the 99th percentiles.
    private void others(
            RunningServer server,
            GeneratorProcess generator,
            Sizes sizes,
            int rounds,
            String during)
            throws IOException {
        String loops = "margay-" + host.transport() + "-";
        long process = StudyServers.process(server);
        double waited = ThreadWaits.seconds(process, loops);
        double serverBusy = Machine.coreSeconds(0);
        double clientsBusy = Machine.coreSeconds(1);
        long notAccepted = Machine.connectionsNotAccepted();
        long start = System.nanoTime();
        List<LoadResult> results = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            results.add(load(server, generator, sizes.seconds()));
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        results.sort(Comparator.comparingDouble(PressureStudy::p99));
        LoadResult median = results.get((rounds - 1) / 2);
        seen.add(
                PressureReportSeenBuilder.builder()
                        .during(during)
                        .perSecond(median.perSecond())
                        .p50Millis(Latency.of(List.of(median.latency())).percentileMillis(50))
                        .p99Millis(p99(median))
                        .failed(results.stream().mapToLong(LoadResult::failed).sum())
                        .loopWaited((ThreadWaits.seconds(process, loops) - waited) / seconds)
                        .serverBusy((Machine.coreSeconds(0) - serverBusy) / seconds)
                        .clientsBusy((Machine.coreSeconds(1) - clientsBusy) / seconds)
                        .notAccepted(Machine.connectionsNotAccepted() - notAccepted)
                        .mib(StudyServers.mib(server))
                        .tcpMib(Machine.tcpPages() * PAGE_KIB / 1024.0)
                        .build());
        says.accept(
                String.format(
                        Locale.ROOT,
                        "%s: %.0f requests/s, p99 %.2f ms",
                        during,
                        median.perSecond(),
                        p99(median)));
    }

    private static double p99(LoadResult result) {
        return Latency.of(List.of(result.latency())).percentileMillis(99);
    }

    private void grow(RunningServer server, int requests) throws IOException {
        int step = Math.max(1, requests / STEPS);
        for (long sent = step; sent <= requests; sent += step) {
            try (HostileProcess bad = hostile(HostileKind.BAD_REQUESTS, server, step, PAGE)) {
                String _ = bad.awaitEnd();
            }
            grown.add(new Grown(sent, StudyServers.mib(server)));
        }
    }
}
