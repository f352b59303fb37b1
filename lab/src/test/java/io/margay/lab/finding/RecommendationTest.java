package io.margay.lab.finding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.lab.result.CellResult;
import io.margay.lab.result.Samples;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What `mine` recommends.
final class RecommendationTest {
    private static CellResult cell(String server, double cost) {
        return Samples.cell(server, 0.5, cost, cost * 1.01, cost * 0.99, cost, cost * 1.01);
    }

    /// @param reference first
    private static List<String> words(CellResult... cells) {
        return new Recommendation(Samples.run(cells).scenarios().getFirst(), 1).words();
    }

    private static String starting(List<String> words, String start) {
        List<String> found = words.stream().filter(it -> it.startsWith(start)).toList();
        assertEquals(1, found.size(), words.toString());
        return found.getFirst();
    }

    @Test
    void everythingCompared_isRecommendedWithItsMargin() {
        List<String> words =
                words(
                        cell("tomcat:nio", 0.10),
                        cell("margay:blocking", 0.06),
                        cell("margay:nio", 0.05),
                        cell("margay:native", 0.05),
                        cell("margay:native-virtual", 0.08),
                        cell("nginx:proxy/margay:native", 0.12));
        assertTrue(
                starting(words, "Recommended")
                        .endsWith("margay:nio; not shown to cost more: margay:native."),
                words.toString());
        assertTrue(
                starting(words, "The margin").contains("uses 0.50 × the CPU of tomcat:nio"),
                words.toString());
        String transport = starting(words, "Transport: native. ");
        assertTrue(transport.contains("margay:blocking uses 1.20 × the CPU"), transport);
        assertTrue(transport.contains("no difference"), transport);
        String dispatch = starting(words, "Dispatch: inline. ");
        assertTrue(dispatch.contains("margay:native-virtual uses 1.60 × the CPU"), dispatch);
        String front = starting(words, "Front end: none");
        assertTrue(front.contains("uses 2.40 × the CPU of margay:native"), front);
    }

    @Test
    void busyMachine_givesNoRecommendation() {
        CellResult busy = Samples.disturbed(cell("margay:nio", 0.05), 0.88);
        List<String> words = words(cell("tomcat:nio", 0.1), busy);
        assertEquals(1, words.size(), words.toString());
        assertTrue(words.getFirst().startsWith("No recommendation: "), words.toString());
        assertTrue(words.getFirst().contains("up to 88 %"), words.toString());
    }

    @Test
    void cheaperDispatch_isRecommended() {
        List<String> words =
                words(cell("margay", 0.06), cell("margay:native-pool", 0.05), cell("x", 0.2));
        assertTrue(
                starting(words, "Dispatch: pool. ").contains("margay uses 1.20 ×"),
                words.toString());
    }

    @Test
    void whatWasNotCompared_isNotRecommended() {
        List<String> words = words(cell("margay:nio", 0.05), cell("tomcat:nio", 0.1));
        assertTrue(starting(words, "Transport").contains("not compared"));
        assertTrue(starting(words, "Dispatch").contains("not compared"));
        assertTrue(starting(words, "Front end").contains("not compared"));
    }

    @Test
    void frontEndThatCostsLess_isRecommended() {
        List<String> words = words(cell("tomcat:nio", 0.20), cell("nginx:proxy/tomcat:nio", 0.10));
        assertTrue(starting(words, "Front end: it pays").contains("0.50 ×"), words.toString());
    }
}
