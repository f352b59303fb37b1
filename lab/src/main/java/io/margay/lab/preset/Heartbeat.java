package io.margay.lab.preset;

import io.margay.lab.finding.Findings;
import io.margay.lab.load.LoadJob;
import io.margay.lab.result.Metric;
import io.margay.lab.result.RunResult;
import java.util.List;

/// 100 users ask for a page that prints the date: HTTP proxying beside AJP (published 2010), over
/// HTTPS, and with two back ends; and servers without a front end beside each other.
record Heartbeat() implements Preset {
    private static final int USERS = 100;
    private static final String HTTP = "httpd:proxy_http/tomcat:nio";

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
                        List.of("mod_proxy_ajp over mod_jk", "+10 %", "15 % less"),
                        List.of("the same, its second test", "+47 %", "45 % less"),
                        List.of("mod_jk over HTTP proxying", "+33 %", "36 % less")),
                "Apache 2.2.8, Tomcat 5.5.25, GCJ 1.0.77, Ubuntu 8.04, 2010; JMeter, 100 users,"
                        + " 1000 requests each, a JSP that prints date and time.");
    }

    @Override
    public List<Scenario> scenarios() {
        return List.of(
                scenario(
                        "direct",
                        "Without a front end",
                        false,
                        Servers.all(List.of(Servers.TOMCAT), Servers.MARGAY),
                        Servers.TOMCAT,
                        true),
                scenario(
                        "fronts",
                        "Behind a front end, one Tomcat",
                        false,
                        Servers.all(
                                Servers.before(Servers.TOMCAT, Servers.HTTPD),
                                Servers.before(Servers.TOMCAT, Servers.OTHER_FRONTS)),
                        HTTP,
                        true),
                scenario(
                        "fronts-https",
                        "Behind a front end with HTTPS, one Tomcat",
                        true,
                        Servers.all(
                                Servers.before(Servers.TOMCAT, Servers.HTTPD),
                                Servers.before(Servers.TOMCAT, Servers.OTHER_FRONTS)),
                        HTTP,
                        false),
                scenario(
                        "balanced",
                        "Behind a front end, two Tomcats",
                        false,
                        Servers.all(
                                Servers.before(Servers.TOMCAT + "*2", Servers.HTTPD),
                                Servers.before(Servers.TOMCAT + "*2", Servers.OTHER_FRONTS)),
                        HTTP + "*2",
                        false));
    }

    private static Scenario scenario(
            String id,
            String title,
            boolean tls,
            List<String> servers,
            String reference,
            boolean quick) {
        return Scenario.of(id, LoadJob.closed(USERS, tls, true), Page.HEARTBEAT, servers, reference)
                .withTitle(title + ", keep-alive")
                .withQuick(quick);
    }

    @Override
    public boolean isMain(String scenario) {
        return !scenario.equals("balanced");
    }

    @Override
    public List<String> why(RunResult result) {
        return new Findings(result)
                .verdict(
                        "fronts",
                        Servers.AJP,
                        Servers.JK,
                        Metric.THROUGHPUT,
                        "Published: +10 %, in a later test +47 %.")
                .verdict("fronts", Servers.JK, HTTP, Metric.THROUGHPUT, "Published: +33 %.")
                .because("fronts", Servers.AJP, Servers.JK)
                .because("fronts", Servers.JK, HTTP)
                .frontCost("fronts")
                .connectionsBehind("fronts")
                .because("fronts", Servers.GATEWAY_AJP, Servers.JK)
                .because("direct", Servers.MARGAY.getFirst(), Servers.TOMCAT)
                .because("direct", "margay:blocking", Servers.MARGAY.getFirst())
                .kernelShare("direct")
                .sentences();
    }
}
