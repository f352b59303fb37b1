package io.margay.lab.preset;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.lab.load.Course;
import io.margay.lab.load.LoadJob;
import io.margay.lab.load.LoadResult;
import io.margay.lab.machine.ProcessSample;
import io.margay.lab.result.CellResult;
import io.margay.lab.result.Metric;
import io.margay.lab.result.RoundResult;
import io.margay.lab.result.RunResult;
import io.margay.lab.result.Samples;
import io.margay.lab.result.ScenarioResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Why two published comparisons contradict each other: what is said follows from the figures.
final class ConnectionModesTest {
    private static final long REQUESTS = 8000;

    /// A front end and Tomcat at 400 requests a second.
    private static CellResult cell(String server, double front, double tomcat, double opened) {
        List<RoundResult> rounds = new ArrayList<>();
        for (int i = 1; i <= 6; i++) {
            double noise = 1 + i * 0.001;
            Map<String, ProcessSample> tiers = new LinkedHashMap<>();
            tiers.put("tomcat", new ProcessSample(tomcat * noise, 0, 0, 1, 1, 1, 1));
            tiers.put("httpd", new ProcessSample(0, front * noise, 0, 1, 1, 1, 1));
            long connections = Math.round(opened * REQUESTS);
            rounds.add(
                    new RoundResult(
                            1,
                            i,
                            new LoadResult(
                                    REQUESTS,
                                    20_000_000_000L,
                                    Map.of(),
                                    1,
                                    1,
                                    0,
                                    0,
                                    Course.NONE,
                                    "",
                                    1,
                                    0.1,
                                    0.1),
                            tiers,
                            0,
                            connections,
                            connections,
                            ""));
        }
        return new CellResult(
                server, server, "/", List.of(), List.of(), rounds, List.of(), Map.of(), "");
    }

    private static String why(CellResult... cells) {
        ScenarioResult scenario =
                new ScenarioResult(
                        ConnectionModes.ID,
                        "ConnectionModes",
                        LoadJob.rate(400, 50, false, true),
                        Metric.CPU,
                        Servers.JK,
                        List.of(cells));
        RunResult run = Samples.run(cells[0]).with(List.of(scenario));
        return String.join("\n", new FrontendsCpu().why(run));
    }

    @Test
    void mappingThatOpensConnections_explainsTheContradiction_andTheErrors() {
        String why =
                why(
                        cell(Servers.JK, 0.10, 0.05, 0),
                        cell(Servers.AJP, 0.10, 0.05, 0),
                        cell("httpd:proxy_ajp-match/tomcat:nio", 0.15, 0.15, 1));
        assertTrue(why.contains("opens 1.000 connections per request to Tomcat"), why);
        assertTrue(why.contains("with ProxyPass 0.000"), why);
        assertTrue(why.contains("-match/tomcat:nio uses 2.00 × the CPU of"), why);
        assertTrue(why.contains("Tomcat alone spends 3.000 ×"), why);
        assertTrue(why.contains("need not contradict each other"), why);
        assertTrue(why.contains("opened 400 connections a second"), why);
        assertTrue(why.contains("8000 more held after a round"), why);
    }

    @Test
    void keptConnections_underBothMappings_explainNothing() {
        String why =
                why(
                        cell(Servers.JK, 0.10, 0.05, 0),
                        cell(Servers.AJP, 0.10, 0.05, 0),
                        cell("httpd:proxy_ajp-match/tomcat:nio", 0.10, 0.05, 0));
        assertTrue(why.contains("mapping alone no longer makes the difference"), why);
        assertFalse(why.contains("contradict"), why);
        assertFalse(why.contains("10055"), why);
    }

    @Test
    void connectionPerRequestThatCostsNothing_isNotBlamed() {
        String why =
                why(
                        cell(Servers.JK, 0.10, 0.05, 0),
                        cell(Servers.AJP, 0.10, 0.05, 0),
                        cell("httpd:proxy_ajp-once/tomcat:nio", 0.10, 0.05, 1));
        assertFalse(why.contains("need not contradict"), why);
    }
}
