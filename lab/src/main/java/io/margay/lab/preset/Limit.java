package io.margay.lab.preset;

import io.margay.lab.finding.Findings;
import io.margay.lab.load.LoadJob;
import io.margay.lab.result.Metric;
import io.margay.lab.result.RunResult;
import java.util.ArrayList;
import java.util.List;

/// How far a server is from the least that an answer can cost, a loop in C with a fixed page: with
/// one handler and no container, with a servlet, and as a front end, from one connection to ten
/// thousand.
record Limit() implements Preset {
    private static final String LOOP = "c-epoll";
    private static final String PLAIN = "margay-plain";
    private static final List<String> SERVERS =
            List.of(LOOP, "margay:native", "margay:nio", Servers.TOMCAT);
    private static final List<String> FRONTS =
            Servers.before(LOOP, List.of("nginx:proxy", "haproxy", "gateway:http"));

    private static final String AT = "at-";
    private static final String THROUGH = "through-";
    private static final List<Integer> CONNECTIONS = List.of(1, 10, 100, 1000, 5000, 10_000);

    /// Beyond it Tomcat accepts no more, as it comes.
    private static final int TOMCAT_CONNECTIONS_MAX = 8192;

    /// What a request may cost beside one of the loop in C.
    private static final double MOST = 1.6;

    @Override
    public String name() {
        return "limit";
    }

    @Override
    public String title() {
        return "a servlet, a handler and front ends beside a loop in C, at 1 to 10 000 connections";
    }

    @Override
    public List<Scenario> scenarios() {
        List<Scenario> all = new ArrayList<>();
        all.add(
                new Scenario(
                        "fixed",
                        "a fixed page of the heartbeat page's size",
                        LoadJob.closed(100, false, true),
                        Page.KNOWN,
                        List.of(LOOP, PLAIN),
                        LOOP,
                        Metric.CPU,
                        true));
        for (int connections : CONNECTIONS) {
            List<String> servers =
                    connections > TOMCAT_CONNECTIONS_MAX
                            ? SERVERS.subList(0, SERVERS.indexOf(Servers.TOMCAT))
                            : SERVERS;
            all.add(scenario(AT, "servlet, ", connections, Page.LEAST, servers, LOOP));
        }
        for (int connections : CONNECTIONS) {
            all.add(
                    scenario(
                            THROUGH,
                            "a front end before a loop in C, ",
                            connections,
                            Page.KNOWN,
                            FRONTS,
                            FRONTS.getFirst()));
        }
        return all;
    }

    private static Scenario scenario(
            String id,
            String title,
            int connections,
            Page page,
            List<String> servers,
            String reference) {
        return new Scenario(
                id + connections,
                title + connections + (connections == 1 ? " connection" : " connections"),
                LoadJob.closed(connections, false, true),
                page,
                servers,
                reference,
                Metric.CPU,
                false);
    }

    @Override
    public boolean isMain(String scenario) {
        return scenario.equals("fixed");
    }

    @Override
    public List<String> why(RunResult result) {
        Findings findings = new Findings(result).because("fixed", PLAIN, LOOP);
        for (int connections : CONNECTIONS) {
            String at = AT + connections;
            findings.target(at, SERVERS.get(1), LOOP, "CPU", Metric.CPU, MOST)
                    .target(at, SERVERS.get(2), LOOP, "CPU", Metric.CPU, MOST)
                    .because(at, SERVERS.get(1), LOOP);
        }
        for (int connections : CONNECTIONS) {
            findings.frontCost(THROUGH + connections);
        }
        return findings.sentences();
    }
}
