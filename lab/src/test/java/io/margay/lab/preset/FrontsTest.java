package io.margay.lab.preset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.lab.load.LoadJob;
import io.margay.lab.load.LoadResult;
import io.margay.lab.machine.ProcessSample;
import io.margay.lab.result.CellResult;
import io.margay.lab.result.Metric;
import io.margay.lab.result.RoundResult;
import io.margay.lab.result.RunResult;
import io.margay.lab.result.Samples;
import io.margay.lab.result.ScenarioResult;
import io.margay.lab.servers.Feature;
import io.margay.lab.servers.kinds.Catalog;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// The front end is what is compared: what the server behind takes is the same for all.
final class FrontsTest {
    private static CellResult cell(String server, double front, double back) {
        List<RoundResult> rounds = new ArrayList<>();
        for (int i = 1; i <= 6; i++) {
            Map<String, ProcessSample> tiers = new LinkedHashMap<>();
            tiers.put("tomcat", new ProcessSample(back, 0, 0, 1, 1, 1, 1));
            tiers.put("front", new ProcessSample(front, 0, 0, 1, 1, 1, 1));
            rounds.add(
                    new RoundResult(
                            1,
                            i,
                            new LoadResult(
                                    10_000,
                                    1_000_000_000L,
                                    Map.of(),
                                    1,
                                    1,
                                    0,
                                    0,
                                    0,
                                    "",
                                    1,
                                    0.1,
                                    0.1),
                            tiers,
                            0,
                            0,
                            0,
                            ""));
        }
        return new CellResult(
                server, server, "/", List.of(), List.of(), rounds, List.of(), Map.of(), "");
    }

    @Test
    void targets_areOfTheFrontEndAlone() {
        CellResult nginx = cell("nginx:proxy/tomcat:nio", 0.10, 0.2);
        CellResult jk = cell(Servers.JK, 0.50, 0.2);
        CellResult http = cell("gateway:http/tomcat:nio", 0.07, 0.3);
        CellResult ajp = cell("gateway:ajp/tomcat:nio", 0.10, 0.1);
        RunResult run =
                Samples.run(nginx)
                        .with(
                                List.of(
                                        new ScenarioResult(
                                                "http",
                                                "http",
                                                LoadJob.closed(100, false, true),
                                                Metric.FRONT,
                                                nginx.server(),
                                                List.of(nginx, jk, http, ajp))));
        List<String> why = new Fronts().why(run);
        assertEquals(
                "http: CPU of gateway:http/tomcat:nio 0.70 of nginx:proxy/tomcat:nio's"
                        + " (0.70 to 0.70, n = 6); target 0.8: met.",
                why.getFirst());
        assertEquals(
                "http: CPU of gateway:ajp/tomcat:nio 0.20 of httpd:mod_jk/tomcat:nio's"
                        + " (0.20 to 0.20, n = 6); target 0.18: missed.",
                why.get(1));
    }

    @Test
    void everyServer_isKnown_andEachFrontSpeaksWhatItsScenarioAsks() {
        for (Scenario scenario : new Fronts().scenarios()) {
            for (String server : scenario.servers()) {
                var front = Catalog.all().spec(server).front();
                assertTrue(front.isFront(), server);
                if (scenario.load().streams() > 0) {
                    assertTrue(front.features().contains(Feature.HTTP2), server);
                }
            }
        }
    }
}
