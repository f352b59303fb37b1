package io.margay.lab.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.lab.result.Metric;
import io.margay.lab.result.RunResult;
import io.margay.lab.result.Samples;
import io.margay.lab.result.ScenarioResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MeasurementsPageTest {
    @TempDir Path folder;

    private static MeasurementsPage page() {
        var run =
                Samples.run(
                        Samples.cell("tomcat:nio", 0.5, 0.20, 0.20, 0.20, 0.20, 0.20),
                        Samples.cell("margay:native", 0.5, 0.10, 0.10, 0.10, 0.10, 0.10));
        ScenarioResult one = run.scenarios().getFirst();
        return new MeasurementsPage(
                List.of(
                        run.with(
                                List.of(
                                        new ScenarioResult(
                                                "direct",
                                                "Direct <page>",
                                                one.load(),
                                                one.metric(),
                                                one.reference(),
                                                one.cells())))));
    }

    @Test
    void page_hasTheMachineTheFiguresAndTheCommand() throws IOException {
        page().write(folder);
        String text = Files.readString(folder.resolve("README.md"));
        assertTrue(text.contains("> **Machine:** cpu, 2 processors"), text);
        assertTrue(text.contains("`./margay lab run heartbeat`"), text);
        assertTrue(text.contains("| margay:native | 0.1000 |"), text);
        assertTrue(text.contains("`direct` Direct <page>"), text);
        assertTrue(text.contains("(heartbeat.svg)"), text);
        assertTrue(text.contains("CPU per request 0.50 (0.50 to 0.50, n = 5)\n"), text);
    }

    @Test
    void drawing_isWellFormed_withBarsInProportion() throws Exception {
        page().write(folder);
        var svg =
                DocumentBuilderFactory.newInstance()
                        .newDocumentBuilder()
                        .parse(folder.resolve("heartbeat.svg").toFile());
        var bars = svg.getElementsByTagName("rect");
        assertEquals(2, bars.getLength());
        double tomcat = width(bars.item(0));
        assertEquals(tomcat / 2, width(bars.item(1)), 0.1);
        assertTrue(
                Files.readString(folder.resolve("heartbeat.svg")).contains("Direct &lt;page&gt;"));
    }

    private static double width(org.w3c.dom.Node bar) {
        return Double.parseDouble(bar.getAttributes().getNamedItem("width").getNodeValue());
    }

    @Test
    void figures_ofFrontEndsThatAreComparedAlone_areTheirs() {
        RunResult run = Samples.run(Samples.fronted("nginx:proxy/tomcat:nio", 0.125, 0.5));
        ScenarioResult all = run.scenarios().getFirst();
        ScenarioResult alone =
                new ScenarioResult(
                        "alone", "Alone", all.load(), Metric.FRONT, all.reference(), all.cells());
        String page = new MeasurementsPage(List.of(run.with(List.of(all, alone)))).markdown();
        assertTrue(page.contains("| one | 0.6250 |"), page);
        assertTrue(page.contains("| alone | 0.1250 |"), page);
    }

    @Test
    void page_saysThatMargayHadItsCache_onlyWhereEveryRunHad() {
        RunResult without = Samples.run(Samples.cell("margay:native", 0.5, 0.10));
        RunResult with =
                new RunResult(
                        without.format(),
                        "connectors",
                        without.started(),
                        without.command(),
                        false,
                        false,
                        1,
                        true,
                        without.machine(),
                        without.servers(),
                        without.scenarios(),
                        List.of(RunResult.WITH_CACHE));
        String both = new MeasurementsPage(List.of(without, with)).markdown();
        assertFalse(both.contains(RunResult.WITH_CACHE), both);
        String one = new MeasurementsPage(List.of(with)).markdown();
        assertTrue(one.contains("> " + RunResult.WITH_CACHE + "\n"), one);
    }

    @Test
    void headlines_standBetweenTheMarks_whateverWasThere() throws IOException {
        Path readme =
                Files.writeString(
                        folder.resolve("R.md"),
                        "above\n<!-- lab:begin -->\nold\n<!-- lab:end -->\nbelow\n");
        page().headlinesInto(readme);
        List<String> lines = Files.readAllLines(readme);
        assertEquals("above", lines.getFirst());
        assertEquals("below", lines.getLast());
        assertTrue(lines.stream().noneMatch("old"::equals), lines.toString());
        assertTrue(lines.stream().anyMatch(it -> it.contains("0.50 (0.50")), lines.toString());
    }

    @Test
    void pageWithoutMarks_isLeftAsItIs() throws IOException {
        Path readme = Files.writeString(folder.resolve("R.md"), "nothing\n");
        assertThrows(IOException.class, () -> page().headlinesInto(readme));
        assertEquals("nothing\n", Files.readString(readme));
    }
}
