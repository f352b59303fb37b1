package io.margay.lab.preset;

import io.margay.lab.finding.Findings;
import io.margay.lab.load.LoadJob;
import io.margay.lab.result.Metric;
import io.margay.lab.result.RunResult;
import java.util.List;

/// Ever more requests until it breaks: mod_jk beside mod_proxy_ajp (published 2012).
record FrontendsMax() implements Preset {
    private static final double FIRST_PER_SECOND = 500;
    private static final int CONNECTIONS = 400;

    @Override
    public String name() {
        return "frontends-max";
    }

    @Override
    public String title() {
        return "ever more requests/s through a front end, until it breaks";
    }

    @Override
    public Then then() {
        return new Then(
                List.of("front end", "requests/s", "errors"),
                List.of(
                        List.of("mod_jk", "1400", "none named"),
                        List.of(
                                "mod_proxy_ajp",
                                "about 900",
                                "refused connections, no buffer space, out of threads")),
                "Windows, Apache 2.2.21 and 2.2.22, 2012; JMeter with a growing number of users.");
    }

    @Override
    public List<Scenario> scenarios() {
        return List.of(
                scenario("keep-alive", true),
                scenario("close", false),
                scenario("keep-alive", true)
                        .withId(ConnectionModes.ID)
                        .withTitle("Ramp to the knee, ways of keeping connections")
                        .with(ConnectionModes.ofLimit())
                        .withQuick(false));
    }

    private static Scenario scenario(String id, boolean keepAlive) {
        return Scenario.of(
                        id,
                        LoadJob.rate(FIRST_PER_SECOND, CONNECTIONS, false, keepAlive),
                        Page.HEARTBEAT,
                        Servers.all(
                                List.of(Servers.JK, Servers.AJP, "httpd:proxy_http/tomcat:nio"),
                                Servers.before(Servers.TOMCAT, Servers.OTHER_FRONTS)),
                        Servers.JK)
                .withTitle(
                        "Ramp to the knee, clients "
                                + (keepAlive ? "that keep" : "that close")
                                + " their connections")
                .withMetric(Metric.KNEE)
                .withQuick(keepAlive);
    }

    @Override
    public boolean isMain(String scenario) {
        return !scenario.equals(ConnectionModes.ID);
    }

    @Override
    public List<String> why(RunResult result) {
        Findings findings =
                new Findings(result)
                        .verdict(
                                "keep-alive",
                                Servers.AJP,
                                Servers.JK,
                                Metric.KNEE,
                                "Published: 0.64 ×, with errors.")
                        .verdict(
                                "close",
                                Servers.AJP,
                                Servers.JK,
                                Metric.KNEE,
                                "Published: 0.64 ×, with errors.")
                        .frontCost("keep-alive")
                        .because("keep-alive", Servers.AJP, Servers.JK)
                        .because("close", Servers.AJP, Servers.JK)
                        .because("keep-alive", Servers.GATEWAY_AJP, Servers.JK);
        ConnectionModes.why(findings, result, Metric.KNEE);
        return findings.sentences();
    }
}
