package io.margay.lab.preset;

import io.margay.lab.load.LoadJob;
import io.margay.lab.result.Metric;
import io.margay.lab.result.RunResult;
import java.util.List;

/// 100 users ask for a page that prints the date: HTTP proxying beside AJP (published 2010), and
/// servers without a front end beside each other.
record Heartbeat() implements Preset {
    private static final int USERS = 100;

    @Override
    public String name() {
        return "heartbeat";
    }

    @Override
    public String title() {
        return "a page that prints the date: servers alone, and behind HTTP and AJP front ends";
    }

    @Override
    public Then then() {
        return new Then(
                List.of("compared", "throughput", "mean response time"),
                List.of(
                        List.of(
                                "mod_proxy_ajp over mod_jk",
                                "+10 % (later +47 %)",
                                "15 % (45 %) less"),
                        List.of("mod_jk over HTTP proxying", "+33 %", "36 % less")),
                "Apache 2.2.8, Tomcat 5.5.25, GCJ 1.0.77, Ubuntu 8.04, 2010; JMeter, 100 users,"
                        + " 1000 requests each, a JSP that prints date and time.");
    }

    @Override
    public List<Scenario> scenarios() {
        return List.of(
                new Scenario(
                        "direct",
                        "Without a front end, HTTP keep-alive",
                        LoadJob.closed(USERS, false, true),
                        Page.HEARTBEAT,
                        List.of("tomcat:nio", "margay:native", "margay:nio", "margay:blocking"),
                        "tomcat:nio",
                        Metric.CPU,
                        true));
    }

    @Override
    public List<String> why(RunResult result) {
        return List.of();
    }
}
