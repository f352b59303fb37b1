package io.margay.lab.result;

import io.margay.lab.load.Course;
import io.margay.lab.load.LoadJob;
import io.margay.lab.load.LoadResult;
import io.margay.lab.machine.Machine;
import io.margay.lab.machine.ProcessSample;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/// Made-up results for tests of what follows from them. Stateless.
public final class Samples {
    private Samples() {}

    /// A round of one second that cost so many CPU-seconds per 10 000 requests.
    public static RoundResult round(int launch, int number, double cpuPer10k, double generator) {
        long requests = 100_000;
        double cpu = cpuPer10k * requests / 1e4;
        Map<String, ProcessSample> tiers = new LinkedHashMap<>();
        tiers.put("tier<1>", new ProcessSample(cpu / 2, cpu / 2, cpu, 2048, 5, 6, 1));
        return new RoundResult(
                launch,
                number,
                new LoadResult(
                        requests,
                        1_000_000_000L,
                        Map.of(),
                        1,
                        1,
                        1,
                        0,
                        Course.NONE,
                        "",
                        0,
                        generator,
                        0),
                tiers,
                0,
                0,
                0,
                "");
    }

    /// A server whose rounds cost that.
    public static CellResult cell(String server, double generator, double... costs) {
        List<RoundResult> rounds = new ArrayList<>();
        for (int i = 0; i < costs.length; i++) {
            rounds.add(round(1, i + 1, costs[i], generator));
        }
        return new CellResult(
                server, server, "/", List.of("all"), List.of(1.0), rounds, List.of(), Map.of(), "");
    }

    /// A front end and a server behind it that cost so much each, in six rounds.
    public static CellResult fronted(String server, double front, double back) {
        List<RoundResult> rounds = new ArrayList<>();
        for (int i = 1; i <= 6; i++) {
            RoundResult round = round(1, i, 0, 0);
            double scale = round.load().requests() / 1e4;
            Map<String, ProcessSample> tiers = new LinkedHashMap<>();
            tiers.put("back", new ProcessSample(back * scale, 0, 0, 1, 1, 1, 1));
            tiers.put("front", new ProcessSample(front * scale, 0, 0, 1, 1, 1, 1));
            rounds.add(with(round, tiers));
        }
        return new CellResult(
                server, server, "/", List.of(), List.of(), rounds, List.of(), Map.of(), "");
    }

    /// A server that took so many milliseconds to start, and as many MiB.
    public static CellResult started(String server, long... millis) {
        List<RoundResult> rounds = new ArrayList<>();
        for (int i = 0; i < millis.length; i++) {
            ProcessSample used =
                    new ProcessSample(millis[i] / 1e3, 0, 0, millis[i] * 1024, 0, 0, 1);
            rounds.add(
                    new RoundResult(
                            i + 1,
                            1,
                            new LoadResult(
                                    1,
                                    millis[i] * 1_000_000,
                                    Map.of(),
                                    0,
                                    0,
                                    1,
                                    0,
                                    Course.NONE,
                                    "",
                                    0,
                                    0,
                                    0),
                            Map.of("tier", used),
                            0,
                            0,
                            0,
                            ""));
        }
        return new CellResult(
                server, server, "/", List.of(), List.of(), rounds, List.of(), Map.of(), "");
    }

    /// The same server while other processes took that share of its core; its rounds last a second.
    public static CellResult disturbed(CellResult cell, double share) {
        List<RoundResult> rounds = new ArrayList<>();
        for (RoundResult round : cell.good()) {
            rounds.add(
                    new RoundResult(
                            round.launch(),
                            round.number(),
                            round.load(),
                            round.tiers(),
                            share,
                            0,
                            0,
                            ""));
        }
        return new CellResult(
                cell.server(),
                cell.server(),
                "/",
                List.of("all"),
                List.of(1.0),
                rounds,
                List.of(),
                Map.of(),
                "");
    }

    /// The same round with other tiers.
    static RoundResult with(RoundResult round, Map<String, ProcessSample> tiers) {
        return new RoundResult(
                round.launch(), round.number(), round.load(), tiers, 0, 0, 0, round.objection());
    }

    /// The same round with the same answers in another time.
    static RoundResult lasting(RoundResult round, long nanos) {
        LoadResult load = round.load();
        return new RoundResult(
                round.launch(),
                round.number(),
                new LoadResult(
                        load.requests(), nanos, Map.of(), 1, 1, 1, 0, Course.NONE, "", 0, 0.5, 0),
                round.tiers(),
                0,
                0,
                0,
                "");
    }

    /// The histogram of answers that all took so long.
    static String latency(long nanos) {
        Histogram histogram = new Histogram(3);
        histogram.recordValueWithCount(nanos, 1000);
        ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(buffer);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
    }

    /// A run of one scenario.
    public static RunResult run(CellResult... cells) {
        ScenarioResult scenario =
                new ScenarioResult(
                        "one",
                        "One <scenario>",
                        LoadJob.closed(10, false, true),
                        Metric.CPU,
                        cells[0].server(),
                        List.of(cells));
        return new RunResult(
                1,
                "heartbeat",
                "2026-01-02T03:04:05Z",
                "./margay lab run heartbeat",
                false,
                false,
                1,
                true,
                new Machine("cpu", 2, 1000, "Linux", "Java"),
                List.of(),
                List.of(scenario),
                List.of("a <note>"));
    }
}
