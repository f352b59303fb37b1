package io.margay.lab.stats;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class BootstrapTest {
    /// Ratios around `center` with noise of 3 %.
    private static List<Double> rounds(SplittableRandom random, double center, int count) {
        List<Double> rounds = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            rounds.add(center * Math.exp(0.03 * random.nextGaussian()));
        }
        return rounds;
    }

    @Test
    void sameSeed_givesTheSameInterval() {
        List<List<Double>> rounds = List.of(rounds(new SplittableRandom(1), 0.5, 8));
        assertEquals(Bootstrap.ofRatios(rounds, 7), Bootstrap.ofRatios(rounds, 7));
    }

    @ParameterizedTest
    @CsvSource({"6", "8", "10", "20"})
    void equalServers_areToldApartInFewOfManyTrials(int count) {
        SplittableRandom random = new SplittableRandom(count);
        int wrong = 0;
        for (int trial = 0; trial < 200; trial++) {
            Interval interval = Bootstrap.ofRatios(List.of(rounds(random, 1, count)), trial, 1500);
            wrong += interval.excludesOne() ? 1 : 0;
        }
        assertTrue(wrong <= 200 * 0.08, wrong + " of 200 with seed " + count);
    }

    @Test
    void tenPercent_areShown() {
        SplittableRandom random = new SplittableRandom(10);
        int shown = 0;
        for (int trial = 0; trial < 100; trial++) {
            Interval interval = Bootstrap.ofRatios(List.of(rounds(random, 1.1, 10)), trial, 1500);
            shown += interval.differsBy(0.02) ? 1 : 0;
        }
        assertTrue(shown >= 95, shown + " of 100");
    }

    @Test
    void startsThatDiffer_widenTheInterval() {
        SplittableRandom random = new SplittableRandom(3);
        List<Double> low = rounds(random, 0.95, 5);
        List<Double> high = rounds(random, 1.05, 5);
        List<Double> all = new ArrayList<>(low);
        all.addAll(high);
        Interval together = Bootstrap.ofRatios(List.of(all), 1);
        Interval apart = Bootstrap.ofRatios(List.of(low, high), 1);
        assertTrue(apart.high() - apart.low() > together.high() - together.low());
        assertTrue(!apart.excludesOne());
    }

    @Test
    void fewRounds_giveTheirExtremesAndAreRough() {
        Interval interval = Bootstrap.ofRatios(List.of(List.of(0.9, 0.8, 1.2)), 1);
        assertEquals(new Interval(0.9, 0.8, 1.2, 3), interval);
        assertTrue(interval.isRough());
    }

    @Test
    void noRounds_giveNothing() {
        assertEquals(0, Bootstrap.ofRatios(List.of(), 1).rounds());
    }

    /// By hand: t(4) = 2.776, times the root of 5/4 is 3.104, beyond which lie 0.000955 of a normal
    /// distribution.
    @Test
    void tail_ofFiveRounds_isThatOfStudent() {
        assertEquals(0.000955, Bootstrap.tail(5), 2e-6);
    }
}
