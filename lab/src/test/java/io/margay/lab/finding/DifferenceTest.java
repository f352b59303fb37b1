package io.margay.lab.finding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.lab.result.CellResult;
import io.margay.lab.result.Samples;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// What the difference between two servers consists of.
final class DifferenceTest {
    private static CellResult cell(String server, double cost, Map<String, Double> calls) {
        CellResult cell = Samples.cell(server, 0.5, cost, cost, cost, cost, cost);
        return new CellResult(
                server,
                server,
                "/",
                List.of(),
                List.of(),
                cell.rounds(),
                List.of(),
                Map.of("tier", calls),
                "");
    }

    @Test
    void costAndCalls_areNamed_callsThatDoTheSameTogether() {
        CellResult a = cell("a", 0.10, Map.of("all", 5.0, "write", 2.0, "epoll_ctl", 2.0));
        CellResult b = cell("b", 0.06, Map.of("all", 2.0, "sendto", 2.0));
        assertEquals(
                "s: what a spends more than b, 0.040 CPU-seconds per 10 000 requests, consists of"
                        + " +0.020 inside the kernel and +0.020 in their own code; system calls per"
                        + " request 5.00, against 2.00 (epoll_ctl 2.00 against 0.00).",
                Difference.words("s", a, b, true));
    }

    @Test
    void costsThatDoNotDiffer_areNotSaidTo() {
        CellResult a = cell("a", 0.10, Map.of());
        assertTrue(
                Difference.words("s", a, a, false)
                        .startsWith("s: a is not shown to differ from a in CPU per request"));
    }
}
