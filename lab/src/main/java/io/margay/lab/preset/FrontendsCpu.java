package io.margay.lab.preset;

import io.margay.lab.finding.Findings;
import io.margay.lab.load.LoadJob;
import io.margay.lab.result.Metric;
import io.margay.lab.result.RunResult;
import java.util.List;

/// CPU of front end and Tomcat at 400 requests a second: mod_jk beside mod_proxy_ajp (published
/// 2012).
record FrontendsCpu() implements Preset {
    private static final double PER_SECOND = 400;
    private static final int CONNECTIONS = 50;

    /// At so few requests a second a round must be long to use enough of the clock's ticks.
    private static final long ROUND_MILLIS = 20_000;

    @Override
    public String name() {
        return "frontends-cpu";
    }

    @Override
    public String title() {
        return "CPU of front end and Tomcat at a fixed 400 requests/s";
    }

    @Override
    public Then then() {
        return new Then(
                List.of("average CPU", "front end", "Tomcat", "total"),
                List.of(
                        List.of("mod_jk", "12.96 %", "8.18 %", "21.14 %"),
                        List.of("mod_proxy_ajp", "18.49 %", "25.94 %", "44.43 %")),
                "Windows 2008 R2 in VMware, Apache 2.2.22, 2012; 400 requests/s for two minutes;"
                        + " only the mapping lines were changed between tests.");
    }

    @Override
    public List<Scenario> scenarios() {
        return List.of(
                scenario("keep-alive", true),
                scenario("close", false),
                scenario("keep-alive", true)
                        .withId(ConnectionModes.ID)
                        .withTitle("400 requests/s, ways of keeping connections")
                        .with(ConnectionModes.ofCpu())
                        .withQuick(false));
    }

    private static Scenario scenario(String id, boolean keepAlive) {
        return Scenario.of(
                        id,
                        LoadJob.rate(PER_SECOND, CONNECTIONS, false, keepAlive)
                                .lasting(0, ROUND_MILLIS, 0),
                        Page.HEARTBEAT,
                        Servers.all(
                                List.of(Servers.JK, Servers.AJP, "httpd:proxy_http/tomcat:nio"),
                                Servers.before(Servers.TOMCAT, Servers.OTHER_FRONTS),
                                List.of(Servers.TOMCAT)),
                        Servers.JK)
                .withTitle(
                        "400 requests/s, clients "
                                + (keepAlive ? "that keep" : "that close")
                                + " their connections")
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
                                Metric.CPU,
                                "Published: 2.1 ×.")
                        .verdict("close", Servers.AJP, Servers.JK, Metric.CPU, "Published: 2.1 ×.")
                        .frontCost("keep-alive")
                        .because("keep-alive", Servers.AJP, Servers.JK)
                        .because("close", Servers.AJP, Servers.JK)
                        .because("keep-alive", Servers.GATEWAY_AJP, Servers.JK);
        ConnectionModes.why(findings, result, Metric.CPU);
        return findings.sentences();
    }
}
