package io.margay.gateway.canary;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Says when a new version is worse than the old one, by the answers of both as they come: more of
/// them fail, or more are slower than a multiple of the old version's 99th percentile. Answers are
/// compared in pairs of what both gave at about the same time, so that a failure of what both
/// depend on is not the new version's. A good version is taken back with a probability of at most
/// [#RISK], however long it is watched. Confined to its owner.
final class StopRule {
    /// How often good versions are taken back at most.
    static final double RISK = 0.01;

    /// Part of the answers that are slower than the 99th percentile.
    private static final double TAIL = 0.01;

    private static final double PERCENT = 100;

    private final CanaryConfig.Stop config;
    private final Evidence errors;
    private final @Nullable Evidence times;
    private final Latencies usual = new Latencies();
    private final Pair failed = new Pair();
    private final Pair slow = new Pair();

    StopRule(CanaryConfig.Stop config) {
        this.config = config;
        boolean hasTimes = config.p99() > 0;
        double risk = hasTimes ? RISK / 2 : RISK;
        errors = new Evidence(config.errors() / PERCENT, risk);
        times = hasTimes ? new Evidence(TAIL, risk) : null;
    }

    /// What both versions have answered since they were compared last.
    private static final class Pair {
        private int oldCount;
        private int oldHits;
        private int newCount;
        private int newHits;

        /// The difference, when both have answered; else not a number.
        private double add(boolean ofNew, boolean hit) {
            if (ofNew) {
                newCount++;
                newHits += hit ? 1 : 0;
            } else {
                oldCount++;
                oldHits += hit ? 1 : 0;
            }
            if (newCount == 0 || oldCount == 0) {
                return Double.NaN;
            }
            double difference = (double) newHits / newCount - (double) oldHits / oldCount;
            oldCount = 0;
            oldHits = 0;
            newCount = 0;
            newHits = 0;
            return difference;
        }
    }

    /// Adds an answer.
    ///
    /// @param ofNew whether the new version gave it
    /// @param micros how long it took
    /// @return why the new version is to be taken back, or null
    @Nullable String add(boolean ofNew, boolean hasFailed, long micros) {
        double more = failed.add(ofNew, hasFailed);
        if (!Double.isNaN(more) && errors.add(more)) {
            return "more than " + number(config.errors()) + " % more of its answers fail";
        }
        Evidence slower = times;
        if (slower == null || hasFailed) {
            return null;
        }
        long limit = usual.limit(config.p99());
        double difference = limit == 0 ? Double.NaN : slow.add(ofNew, micros > limit);
        if (!ofNew) {
            usual.add(micros);
        }
        if (!Double.isNaN(difference) && slower.add(difference)) {
            return "more than 1 % of its answers take longer than "
                    + number(config.p99())
                    + " times the 99th percentile of the others";
        }
        return null;
    }

    void write(DataOutput out) throws IOException {
        errors.write(out);
        if (times != null) {
            times.write(out);
        }
    }

    void read(DataInput in) throws IOException {
        errors.read(in);
        if (times != null) {
            times.read(in);
        }
    }

    private static String number(double value) {
        String text = String.format(Locale.ROOT, "%.2f", value);
        return text.replaceFirst("\\.?0+$", "");
    }
}
