package io.margay.lab.preset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.lab.load.LoadJob;
import io.margay.lab.result.CellResult;
import io.margay.lab.result.Metric;
import io.margay.lab.result.RunResult;
import io.margay.lab.result.Samples;
import io.margay.lab.result.ScenarioResult;
import io.margay.lab.servers.Feature;
import io.margay.lab.servers.kinds.Catalog;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The front end is what is compared: what the server behind takes is the same for all.
final class FrontsTest {
    @Test
    void targets_areOfTheFrontEndAlone() {
        CellResult nginx = Samples.fronted("nginx:proxy/tomcat:nio", 0.10, 0.2);
        CellResult jk = Samples.fronted(Servers.JK_DEBIAN, 0.50, 0.2);
        CellResult http = Samples.fronted("gateway:http/tomcat:nio", 0.07, 0.3);
        CellResult ajp = Samples.fronted("gateway:ajp/tomcat:nio", 0.10, 0.1);
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
                "http: CPU of gateway:ajp/tomcat:nio 0.20 of httpd:mod_jk-debian/tomcat:nio's"
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
