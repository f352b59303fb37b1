package io.margay.lab.stats;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/// Intervals by resampling (Efron). Stateless; the same seed gives the same interval.
///
/// The statistic is the median of the ratios of two servers in the same round, since rounds are
/// interleaved and a drift of the machine hits both. When servers were started several times, whole
/// starts are resampled first and rounds within them second: two starts of one server differ more
/// than two rounds. Percentile intervals of few values are too narrow, so the percentiles are moved
/// outwards as Student's distribution is wider than the normal one (Hesterberg, "What Teachers
/// Should Know about the Bootstrap", 2015, section 3.3).
public final class Bootstrap {
    private static final int RESAMPLES = 10_000;

    /// 97.5 % quantiles of Student's distribution for 1, 2, … degrees of freedom.
    private static final double[] STUDENT = {
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
        2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
        2.052, 2.048, 2.045, 2.042
    };

    /// Coefficients of the normal tail, the highest power first.
    private static final double[] NORMAL_TAIL = {
        1.330274429, -1.821255978, 1.781477937, -0.356563782, 0.319381530
    };

    private Bootstrap() {}

    /// The median of all ratios and its interval.
    ///
    /// @param launches for each start of the servers the ratios of its rounds, all above 0
    public static Interval ofRatios(List<List<Double>> launches, long seed) {
        return ofRatios(launches, seed, RESAMPLES);
    }

    static Interval ofRatios(List<List<Double>> launches, long seed, int resamples) {
        double[] all = pooled(launches);
        if (all.length == 0) {
            return new Interval(0, 0, 0, 0);
        }
        double estimate = Medians.quantile(all, 0.5);
        if (all.length < Interval.ROUNDS_MIN) {
            return new Interval(estimate, all[0], all[all.length - 1], all.length);
        }
        double[][] full =
                launches.stream()
                        .filter(it -> !it.isEmpty())
                        .map(it -> it.stream().mapToDouble(Double::doubleValue).toArray())
                        .toArray(double[][]::new);
        SplittableRandom random = new SplittableRandom(seed);
        double[] medians = new double[resamples];
        for (int i = 0; i < resamples; i++) {
            medians[i] = resampledMedian(full, random);
        }
        Arrays.sort(medians);
        double tail = tail(all.length);
        return new Interval(
                estimate,
                Medians.quantile(medians, tail),
                Medians.quantile(medians, 1 - tail),
                all.length);
    }

    private static double[] pooled(List<List<Double>> launches) {
        return launches.stream()
                .flatMap(List::stream)
                .mapToDouble(Double::doubleValue)
                .sorted()
                .toArray();
    }

    private static double resampledMedian(double[][] launches, SplittableRandom random) {
        double[][] chosen = new double[launches.length][];
        int count = 0;
        for (int i = 0; i < chosen.length; i++) {
            chosen[i] = launches[random.nextInt(launches.length)];
            count += chosen[i].length;
        }
        double[] values = new double[count];
        int at = 0;
        for (double[] from : chosen) {
            for (int j = 0; j < from.length; j++) {
                values[at++] = from[random.nextInt(from.length)];
            }
        }
        Arrays.sort(values);
        return Medians.quantile(values, 0.5);
    }

    /// The share of resamples beyond each bound.
    static double tail(int count) {
        int freedom = count - 1;
        double student = freedom <= STUDENT.length ? STUDENT[freedom - 1] : 1.96 + 2.5 / freedom;
        return normalTail(student * Math.sqrt(count / (double) freedom));
    }

    /// The probability that a normal variable exceeds `z`, for z from 0 on (Abramowitz and Stegun,
    /// 26.2.17).
    private static double normalTail(double z) {
        double t = 1 / (1 + 0.2316419 * z);
        double polynomial = 0;
        for (double coefficient : NORMAL_TAIL) {
            polynomial = t * (coefficient + polynomial);
        }
        return Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI) * polynomial;
    }
}
