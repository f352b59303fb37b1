package io.margay.lab.study;

import io.margay.lab.generator.GeneratorProcess;
import io.margay.lab.load.LoadJob;
import io.margay.lab.load.LoadResult;
import io.margay.lab.machine.FlightRecording;
import io.margay.lab.machine.ProcessSample;
import io.margay.lab.servers.LabEnvironment;
import io.margay.lab.servers.RunningServer;
import io.margay.lab.servers.ServerSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;

/// Which part of a Margay the CPU time of a request goes to, by samples of the JDK's flight
/// recorder under closed load. Confined to one thread.
public final class ProfileStudy {
    private static final int CONNECTIONS = 100;
    private static final String EVENT = "jdk.CPUTimeSample";

    private final LabEnvironment here;
    private final Path folder;
    private final Consumer<String> says;

    public ProfileStudy(LabEnvironment here, Path folder, Consumer<String> says) {
        List<String> options = new ArrayList<>(here.javaOptions());
        options.addAll(List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:+DebugNonSafepoints"));
        this.here = here.withOptions(options);
        this.folder = folder;
        this.says = says;
    }

    /// Samples a server while it answers for a page.
    ///
    /// @return a table in Markdown
    public String run(ServerSpec spec, String page, int warmUpSeconds, int seconds)
            throws IOException {
        try (StudyServers servers = new StudyServers(here, folder, "0", false);
                RunningServer server = servers.start(spec, here, page);
                GeneratorProcess generator = servers.generator(here)) {
            says.accept("warm-up");
            LoadResult _ = load(server, generator, page, warmUpSeconds);
            says.accept("samples");
            try (FlightRecording recording =
                    FlightRecording.begin(here.javaHome(), StudyServers.process(server), folder)) {
                ProcessSample before = StudyServers.sample(server);
                LoadResult load = load(server, generator, page, seconds);
                ProcessSample used = StudyServers.sample(server).since(before);
                return report(load, used, samples(recording.end()));
            }
        }
    }

    private static LoadResult load(
            RunningServer server, GeneratorProcess generator, String page, int seconds)
            throws IOException {
        LoadJob job =
                LoadJob.closed(CONNECTIONS, false, true)
                        .to(server.setting().http(), List.of(page), "")
                        .lasting(0, seconds * 1000L, seconds * 1000L + 15_000);
        LoadResult result = generator.load(job, () -> {}, _ -> {}, () -> {});
        if (result.failed() > 0 || result.requests() == 0) {
            throw new IOException("requests for " + page + " failed: " + result.errors());
        }
        return result;
    }

    private static Map<CpuPart, Integer> samples(Path recording) throws IOException {
        Map<CpuPart, Integer> samples = new EnumMap<>(CpuPart.class);
        try (RecordingFile file = new RecordingFile(recording)) {
            while (file.hasMoreEvents()) {
                RecordedEvent event = file.readEvent();
                if (event.getEventType().getName().equals(EVENT)) {
                    samples.merge(part(event), 1, Integer::sum);
                }
            }
        }
        return samples;
    }

    /// That of the innermost frame which belongs to any.
    private static CpuPart part(RecordedEvent event) {
        if (event.getStackTrace() == null) {
            return CpuPart.OTHER;
        }
        for (RecordedFrame frame : event.getStackTrace().getFrames()) {
            var part =
                    CpuPart.of(frame.getMethod().getType().getName(), frame.getMethod().getName());
            if (part.isPresent()) {
                return part.get();
            }
        }
        return CpuPart.OTHER;
    }

    private static String report(
            LoadResult load, ProcessSample used, Map<CpuPart, Integer> samples) {
        int all = samples.values().stream().mapToInt(Integer::intValue).sum();
        double per10k = 10_000.0 / load.requests();
        StringBuilder text = new StringBuilder();
        text.append(
                String.format(
                        Locale.ROOT,
                        "%d requests, %.4f CPU-s per 10 000 (user %.4f, system %.4f), %d"
                                + " samples%n%n| part | share of samples |%n|---|---|%n",
                        load.requests(),
                        used.cpuSeconds() * per10k,
                        used.userSeconds() * per10k,
                        used.systemSeconds() * per10k,
                        all));
        for (CpuPart part : CpuPart.values()) {
            text.append(
                    String.format(
                            Locale.ROOT,
                            "| %s | %.1f %% |%n",
                            part.title(),
                            100.0 * samples.getOrDefault(part, 0) / Math.max(1, all)));
        }
        return text.toString();
    }
}
