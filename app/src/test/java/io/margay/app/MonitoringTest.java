package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.program.Program;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/// The alerts and the dashboard of the distribution: they ask for metrics that there are, and
/// Prometheus's own tool takes them.
final class MonitoringTest {
    private static final Path ROOT = Path.of(System.getProperty("margay.root", ".."));
    private static final Path FOLDER = ROOT.resolve("docs/monitoring");
    private static final Pattern METRIC =
            Pattern.compile("\\b(?:margay|process|jvm)_[a-z0-9_]+\\b");
    private static final int COLUMNS = 24;

    private static Map<?, ?> read(String file) throws IOException {
        String text = Files.readString(FOLDER.resolve(file));
        return (Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromString(text);
    }

    private static List<?> list(Object of, String key) {
        return ((Map<?, ?>) of).get(key) instanceof List<?> all ? all : List.of();
    }

    private static List<String> alerts() throws IOException {
        List<String> all = new ArrayList<>();
        for (Object group : list(read("margay-alerts.yaml"), "groups")) {
            list(group, "rules")
                    .forEach(rule -> all.add(((Map<?, ?>) rule).get("expr").toString()));
        }
        return all;
    }

    /// What panels ask for, as Grafana would ask for everything.
    private static List<String> panels() throws IOException {
        List<String> all = new ArrayList<>();
        for (Object panel : list(read("margay-dashboard.json"), "panels")) {
            for (Object target : list(panel, "targets")) {
                String expression = ((Map<?, ?>) target).get("expr").toString();
                all.add(
                        expression
                                .replace("$__rate_interval", "5m")
                                .replace("$instance", ".*")
                                .replace("$host", ".*"));
            }
        }
        return all;
    }

    @Test
    void metrics_thatAreAskedFor_areThoseOfTheReference() throws IOException {
        String reference = Files.readString(ROOT.resolve("docs/reference/metrics.md"));
        Set<String> asked = new LinkedHashSet<>();
        List<String> all = new ArrayList<>(alerts());
        all.addAll(panels());
        for (String expression : all) {
            METRIC.matcher(expression).results().forEach(found -> asked.add(found.group()));
        }
        assertTrue(asked.size() > 25, asked.toString());
        for (String name : asked) {
            String told = name.replaceFirst("_(bucket|count|sum)$", "");
            assertTrue(reference.contains("`" + told + "`"), name);
        }
    }

    @Test
    void dashboard_hasPanelsWithNumbersOfTheirOwn_besideEachOther() throws IOException {
        Set<Object> numbers = new HashSet<>();
        Set<String> taken = new HashSet<>();
        List<?> panels = list(read("margay-dashboard.json"), "panels");
        assertTrue(panels.size() > 20);
        for (Object each : panels) {
            Map<?, ?> panel = (Map<?, ?>) each;
            assertTrue(numbers.add(panel.get("id")), panel.toString());
            Map<?, ?> at = (Map<?, ?>) panel.get("gridPos");
            int x = (int) at.get("x");
            int y = (int) at.get("y");
            assertTrue(x + (int) at.get("w") <= COLUMNS, panel.toString());
            for (int column = x; column < x + (int) at.get("w"); column++) {
                for (int line = y; line < y + (int) at.get("h"); line++) {
                    assertTrue(taken.add(column + "," + line), panel.toString());
                }
            }
        }
        for (String expression : panels()) {
            assertFalse(expression.contains("$"), expression);
        }
    }

    @Test
    void alerts_areTakenByPrometheus_andRaisedWhenTheyShould() throws Exception {
        promtool("check", "rules", FOLDER.resolve("margay-alerts.yaml").toString());
        promtool("test", "rules", FOLDER.resolve("margay-alerts-test.yaml").toString());
    }

    @Test
    void panels_askWhatPrometheusUnderstands(@TempDir Path folder) throws Exception {
        StringBuilder rules = new StringBuilder("groups:\n  - name: panels\n    rules:\n");
        List<String> expressions = panels();
        for (int i = 0; i < expressions.size(); i++) {
            rules.append("      - {record: 'panel:number").append(i).append("', expr: '");
            rules.append(expressions.get(i).replace("'", "''")).append("'}\n");
        }
        Path file = Files.writeString(folder.resolve("panels.yaml"), rules);
        promtool("check", "rules", file.toString());
    }

    private static void promtool(String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of(words));
        command.addFirst(Program.of("promtool"));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), said);
    }
}
