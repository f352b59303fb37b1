package io.margay.lab.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.lab.machine.Profile;
import io.margay.lab.preset.Presets;
import io.margay.lab.result.Metric;
import io.margay.lab.result.RunResult;
import io.margay.lab.result.Samples;
import io.margay.lab.result.ScenarioResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReportTest {
    private static final RunResult RUN =
            Samples.run(
                    Samples.cell("tomcat:nio", 0.5, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1),
                    Samples.cell("margay:nio", 0.5, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05));

    @TempDir Path folder = Path.of("");

    @Test
    void html_needsNothingElse_andEscapesWhatItIsGiven() {
        String html = HtmlReport.of(RUN, Presets.find("heartbeat"));
        assertFalse(
                Pattern.compile("(src|href)=(?!\"#)|@import|url\\(|<script").matcher(html).find());
        assertTrue(html.contains("One &lt;scenario&gt;"));
        assertTrue(html.contains("a &lt;note&gt;"));
        assertFalse(html.contains("tier<1>"));
        assertTrue(html.contains("prefers-color-scheme: dark"));
        assertTrue(html.contains("margay:nio uses 0.50 × the CPU of tomcat:nio"));
    }

    @Test
    void html_drawsABarPerServer_inProportion() {
        String html = HtmlReport.of(RUN, Optional.empty());
        assertTrue(html.contains("width=\"50.000%\""), "half of the longest bar, user time");
        assertTrue(html.contains("width=\"25.000%\""), "half of that");
    }

    @Test
    void latencyAxis_namesEachDecadeInItsShortestUnit() {
        assertEquals(
                "1 µs, 10 µs, 100 µs, 1 ms, 10 ms, 100 ms, 1 s, 10 s",
                IntStream.rangeClosed(-3, 4)
                        .mapToObj(LatencyChart::tick)
                        .collect(Collectors.joining(", ")));
    }

    @Test
    void text_namesVerdictAndThen() {
        String text = TextReport.of(RUN, Presets.find("heartbeat"));
        assertTrue(text.contains("margay:nio uses 0.50 × the CPU of tomcat:nio"), text);
        assertTrue(text.contains("JMeter, 100 users"), text);
        assertTrue(text.contains("6 of 6"), text);
    }

    @Test
    void severalScenarios_standInATableOfThePublishedForm_everywhere() {
        ScenarioResult one = RUN.scenarios().getFirst();
        ScenarioResult two =
                new ScenarioResult(
                        "direct", "Two", one.load(), one.metric(), one.reference(), one.cells());
        RunResult both = RUN.with(List.of(one, two));
        String text = TextReport.of(both, Presets.find("heartbeat"));
        assertTrue(
                text.matches("(?s).*CPU-s/10k +one +direct\\R  tomcat:nio +0.10+ +0.10+\\R.*"),
                text);
        String html = HtmlReport.of(both, Presets.find("heartbeat"));
        assertTrue(html.contains("<th>CPU-s/10k</th><th>one</th><th>direct</th>"), html);
        assertTrue(html.contains("<a href=\"#direct\">Two</a>"), html);
        assertTrue(html.contains("<h2>Verdicts"));
        assertTrue(html.indexOf("<h2>Verdicts") < html.indexOf("<h2>Why"));
        assertTrue(html.indexOf("<h2>Why") < html.indexOf("<h2>Then"));
        assertTrue(html.indexOf("<h2>Then") < html.indexOf("<h2>Now"));
        assertTrue(html.indexOf("<h2>Now") < html.indexOf("<h2 id=\"one\""));
    }

    @Test
    void profile_isDrawn() {
        ScenarioResult one = RUN.scenarios().getFirst();
        Profile.Frame fill = new Profile.Frame("a.b.Busy.fill<>", 70, List.of());
        Profile profile =
                new Profile(
                        new Profile.Frame("all", 100, List.of(fill)),
                        new Profile.Collections(3, 5, 12.5, 7));
        ScenarioResult profiled =
                new ScenarioResult(
                        one.id(),
                        one.title(),
                        one.load(),
                        one.metric(),
                        one.reference(),
                        one.cells(),
                        Map.of("margay:nio", profile));
        String html = HtmlReport.of(RUN.with(List.of(profiled)), Optional.empty());
        assertTrue(html.contains("<title>a.b.Busy.fill&lt;&gt;: 70.0 %</title>"), html);
        assertTrue(html.contains(">Busy.fill&lt;&gt;</text>"), html);
        assertTrue(html.contains("3 collections in 5.0 s: 12.5 ms of pauses, the longest"), html);
        assertFalse(HtmlReport.of(RUN, Optional.empty()).contains("by method"));
    }

    private static RunResult withStarts() {
        ScenarioResult one = RUN.scenarios().getFirst();
        ScenarioResult start =
                new ScenarioResult(
                        "start",
                        "Starts",
                        one.load(),
                        Metric.START,
                        "tomcat:nio",
                        List.of(
                                Samples.started("tomcat:nio", 2000, 2000, 2000, 2000, 2000),
                                Samples.started("margay:nio", 1500, 1500, 1500, 1500, 1500)));
        ScenarioResult memory =
                new ScenarioResult(
                        "memory",
                        "Memory",
                        one.load(),
                        Metric.MEMORY,
                        "tomcat:nio",
                        List.of(Samples.started("margay:nio", 70)));
        return RUN.with(List.of(one, start, memory));
    }

    @Test
    void starts_haveColumnsOfTheirOwn_andNoFiguresOfRequests() {
        String text = TextReport.of(withStarts(), Presets.find("boot"));
        assertTrue(text.matches("(?s).*  server +ms +CPU-s +MiB +starts\\R.*"), text);
        assertTrue(
                text.matches("(?s).*  margay:nio +1\u202f500 +1.50 +1\u202f500 +5 of 5\\R.*"),
                text);
        assertTrue(
                text.contains(
                        "margay:nio needs 0.75 × the time of tomcat:nio until it answers"
                                + " (0.75 to 0.75, n = 5)"),
                text);
        assertTrue(
                text.matches(
                        "(?s).*each round a start +start, ms .*memory, MiB\\R.* 2.00 .* –\\R.*"),
                text);
        String html = HtmlReport.of(withStarts(), Optional.empty());
        String starts = html.substring(html.indexOf("<h2 id=\"start\""));
        assertFalse(starts.contains("Requests per second"), starts);
        assertTrue(starts.contains("<th>MiB</th><th>requests</th>"), starts);
    }

    @Test
    void starts_areDrawnInTheirOwnUnit() {
        String drawing = new RunChart(withStarts()).toString();
        assertTrue(drawing.contains(">Starts, ms<"), drawing);
        assertTrue(drawing.contains(">1\u202f500<"), drawing);
        assertTrue(drawing.contains(">Memory, MiB<"), drawing);
    }

    @Test
    void live_tellsHowFarAScenarioIs() {
        List<String> lines = TextReport.live(RUN.scenarios().getFirst());
        assertEquals(3, lines.size());
        assertTrue(lines.get(2).matches(" *margay:nio +0.0500 +100.000 +0.50 +6"), lines.get(2));
    }

    @Test
    void file_writtenAndRead_isTheSameRun() throws IOException {
        Path file = folder.resolve("result.json");
        RUN.write(file);
        assertEquals(RUN, RunResult.read(file));
        assertEquals(
                HtmlReport.of(RUN, Optional.empty()),
                HtmlReport.of(RunResult.read(file), Optional.empty()));
    }

    @Test
    void fileOfAnotherKind_isRefused() throws IOException {
        Path file = Files.writeString(folder.resolve("other.json"), "{\"a\": 1}");
        assertThrows(IllegalArgumentException.class, () -> RunResult.read(file));
    }

    @Test
    void compare_showsBothAndTheRatio() {
        RunResult better =
                Samples.run(
                        Samples.cell("tomcat:nio", 0.5, 0.1),
                        Samples.cell("margay:nio", 0.5, 0.04));
        String text = CompareReport.of(RUN, better);
        assertTrue(text.contains("0.80"), text);
    }
}
