package io.margay.lab.result;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.lab.load.Course;
import io.margay.lab.load.LoadResult;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RampTest {
    /// One second at that rate of a server that answers so many requests per second at most.
    private static RoundResult second(double wanted, double most, Map<String, Long> errors) {
        long requests = Math.round(Math.min(wanted, most));
        LoadResult load =
                new LoadResult(
                        requests, 1_000_000_000L, errors, 0, 0, 0, 0, Course.NONE, "", 0, 0.1, 0.1);
        return new RoundResult(1, 1, load, Map.of(), 0, 0, 0, "");
    }

    @ParameterizedTest
    @ValueSource(doubles = {130, 800, 1000, 3300, 70_000})
    void ramp_findsTheKnee(double most) throws IOException {
        Ramp ramp = new Ramp(rate -> second(rate, most, Map.of()), () -> false);
        double found = ramp.run(1000).load().perSecond();
        assertTrue(found <= most && found >= most * 0.9, found + " of " + most);
    }

    @ParameterizedTest
    @CsvSource({"0, 500", "3000, 500", "4000, 1000", "60000, 8000"})
    void first_isAFewDoublingsBelowTheLimit(double expected, double first) {
        assertEquals(first, Ramp.first(500, expected), 0);
    }

    @Test
    void errors_endTheRamp_andAreKept() throws IOException {
        Ramp ramp =
                new Ramp(
                        rate ->
                                second(
                                        rate,
                                        rate,
                                        rate > 2000 ? Map.of("status 503", 50L) : Map.of()),
                        () -> false);
        assertEquals(2000, ramp.run(1000).load().perSecond(), 1);
        assertTrue(
                ramp.steps().stream()
                        .anyMatch(it -> !it.sustained() && it.errors().containsKey("status 503")));
    }

    @Test
    void interruptedRamp_endsWithWhatItHas() throws IOException {
        Ramp ramp = new Ramp(rate -> second(rate, 1e9, Map.of()), () -> true);
        assertEquals(1000, ramp.run(1000).load().perSecond(), 1);
        assertEquals(1, ramp.steps().size());
        assertTrue(ramp.isCut());
    }
}
