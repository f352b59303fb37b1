package io.margay.lab.result;

import io.margay.lab.load.Latency;
import io.margay.lab.load.LoadResult;
import io.margay.lab.machine.ProcessSample;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// One round: one piece of load to one server. Immutable.
///
/// @param launch which start of the servers, from 1
/// @param number which round of that start, from 1
/// @param tiers what the processes of each tier used
/// @param othersSeconds CPU time that the servers' core spent on other processes
/// @param behind connections that were opened beside those of the generator: between the tiers
/// @param timeWait connections closed by this machine that still hold their ports (TIME_WAIT), more
///   than before the round
/// @param objection why the round does not count, or empty
@RecordBuilder
public record RoundResult(
        int launch,
        int number,
        LoadResult load,
        Map<String, ProcessSample> tiers,
        double othersSeconds,
        long behind,
        long timeWait,
        String objection) {
    /// A generator this busy has nothing left.
    private static final double BUSY = 0.93;

    /// A generator that sends later than this does not keep its rate.
    private static final double LATE_MICROS_MAX = 5000;

    public RoundResult {
        tiers = new LinkedHashMap<>(tiers);
    }

    /// The same, but it does not count.
    public RoundResult refused(String why) {
        return RoundResultBuilder.builder(this).objection(why).build();
    }

    public boolean counts() {
        return objection.isEmpty() && load.requests() > 0;
    }

    public double seconds() {
        return load.nanos() / 1e9;
    }

    public double cpuSeconds() {
        return tiers.values().stream().mapToDouble(ProcessSample::cpuSeconds).sum();
    }

    /// CPU-seconds of all tiers per 10 000 requests.
    public double cpuPer10k() {
        return load.requests() == 0 ? 0 : cpuSeconds() * 1e4 / load.requests();
    }

    /// CPU-seconds per 10 000 requests of what is compared: of the front end alone, of all tiers,
    /// or of all with the generator.
    public double cpuPer10k(Metric metric) {
        return switch (metric) {
            case FRONT -> frontPer10k();
            case BOTH_ENDS -> cpuPer10k() + generatorPer10k();
            case CPU, THROUGHPUT, KNEE, START, MEMORY -> cpuPer10k();
        };
    }

    /// CPU-seconds of the foremost tier per 10 000 requests.
    private double frontPer10k() {
        double seconds = 0;
        for (ProcessSample tier : tiers.values()) {
            seconds = tier.cpuSeconds(); // the last is the one that clients speak to
        }
        return load.requests() == 0 ? 0 : seconds * 1e4 / load.requests();
    }

    /// The latency that 99 of 100 answers do not exceed.
    public double p99Millis() {
        return Latency.of(List.of(load.latency())).percentileMillis(99);
    }

    /// CPU-seconds of the generator per 10 000 requests.
    public double generatorPer10k() {
        return load.requests() == 0
                ? 0
                : (load.userSeconds() + load.systemSeconds()) * 1e4 / load.requests();
    }

    /// The share of the time in which the servers ran, of one core.
    public double serverShare() {
        return seconds() == 0 ? 0 : cpuSeconds() / seconds();
    }

    /// The share of the time in which the processes of one tier ran.
    public double tierShare(String tier) {
        return seconds() == 0
                ? 0
                : tiers.getOrDefault(tier, ProcessSample.NONE).cpuSeconds() / seconds();
    }

    /// The share of the servers' core that other processes took.
    public double othersShare() {
        return seconds() == 0 ? 0 : othersSeconds / seconds();
    }

    /// The share of the time in which the generator ran.
    public double generatorShare() {
        return seconds() == 0 ? 0 : (load.userSeconds() + load.systemSeconds()) / seconds();
    }

    /// Whether the generator, not the server, set the pace. At a fixed rate it may wait busily, so
    /// that there it is told by how late it was.
    public boolean generatorBound() {
        if (load.lateMicrosP99() > 0) {
            return load.lateMicrosP99() > LATE_MICROS_MAX;
        }
        return generatorShare() > BUSY && serverShare() < BUSY;
    }

    /// Connections opened between the tiers, per request.
    public double behindPerRequest() {
        return load.requests() == 0 ? 0 : (double) behind / load.requests();
    }

    /// Memory of all tiers.
    public double residentMib() {
        return tiers.values().stream().mapToLong(ProcessSample::residentKib).sum() / 1024.0;
    }
}
