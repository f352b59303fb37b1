package io.margay.lab.preset;

import io.margay.lab.finding.Findings;
import io.margay.lab.load.LoadJob;
import io.margay.lab.result.Metric;
import io.margay.lab.result.RunResult;
import java.util.ArrayList;
import java.util.List;

/// How far a server is from the least that an answer can cost, a loop in C with a fixed page: with
/// one handler and no container, with a servlet, over TLS, and as a front end, from one connection
/// to ten thousand; and how late answers come where both are asked at an equal rate.
record Limit() implements Preset {
    private static final String LOOP = "c-epoll";
    private static final String PLAIN = "margay-plain";
    private static final List<String> SERVERS =
            List.of(LOOP, "margay:native", "margay:nio", Servers.TOMCAT);
    private static final List<String> FRONTS =
            Servers.before(LOOP, List.of("nginx:proxy", "haproxy", "gateway:http"));

    private static final String LOOP_TLS = "c-epoll-tls";
    private static final List<String> SERVERS_TLS =
            List.of(LOOP_TLS, "margay:native", "margay:nio");

    private static final String AT = "at-";
    private static final String TLS = "tls-";
    private static final String RATE = "rate-";
    private static final String THROUGH = "through-";
    private static final List<Integer> CONNECTIONS = List.of(1, 10, 100, 1000, 5000, 10_000);

    /// Beyond it Tomcat accepts no more, as it comes.
    private static final int TOMCAT_CONNECTIONS_MAX = 8192;

    /// Well below what the load generator can ask for on one processor: its own delays are not what
    /// is measured.
    private static final int PER_SECOND = 25_000;

    private static final List<Integer> RATE_CONNECTIONS = List.of(100, 1000);

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
                Scenario.of(
                                "fixed",
                                LoadJob.closed(100, false, true),
                                Page.KNOWN,
                                List.of(LOOP, PLAIN),
                                LOOP)
                        .withTitle("a fixed page of the heartbeat page's size"));
        for (int connections : CONNECTIONS) {
            List<String> servers =
                    connections > TOMCAT_CONNECTIONS_MAX
                            ? SERVERS.subList(0, SERVERS.indexOf(Servers.TOMCAT))
                            : SERVERS;
            all.add(closed(AT, "servlet", connections, Page.LEAST, servers));
        }
        for (int connections : CONNECTIONS) {
            all.add(closed(TLS, "servlet over TLS", connections, Page.LEAST, SERVERS_TLS));
        }
        for (int connections : CONNECTIONS) {
            String title = "a front end before a loop in C";
            all.add(closed(THROUGH, title, connections, Page.KNOWN, FRONTS));
        }
        for (int connections : RATE_CONNECTIONS) {
            LoadJob load = LoadJob.rate(PER_SECOND, connections, false, true).overAllInTurn();
            String title = "servlet, %d requests/s, ".formatted(PER_SECOND);
            all.add(scenario(RATE, title, load, Page.LEAST, SERVERS.subList(0, 3)));
        }
        return all;
    }

    private static Scenario closed(
            String id, String title, int connections, Page page, List<String> servers) {
        LoadJob load = LoadJob.closed(connections, id.equals(TLS), true);
        return scenario(id, title + ", ", load, page, servers);
    }

    /// @param servers the first is the reference
    private static Scenario scenario(
            String id, String title, LoadJob load, Page page, List<String> servers) {
        int connections = load.connections();
        return Scenario.of(id + connections, load, page, servers, servers.getFirst())
                .withTitle(
                        title + connections + (connections == 1 ? " connection" : " connections"))
                .withQuick(false);
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
            targets(findings, at, SERVERS);
            findings.because(at, SERVERS.get(1), LOOP);
        }
        for (int connections : CONNECTIONS) {
            targets(findings, TLS + connections, SERVERS_TLS);
        }
        for (int connections : CONNECTIONS) {
            findings.frontCost(THROUGH + connections);
        }
        for (int connections : RATE_CONNECTIONS) {
            findings.latency(RATE + connections);
        }
        return findings.sentences();
    }

    /// @param servers the loop in C, and Margay on two transports
    private static void targets(Findings findings, String scenario, List<String> servers) {
        for (String margay : servers.subList(1, 3)) {
            findings.target(scenario, margay, servers.getFirst(), "CPU", Metric.CPU, MOST);
        }
    }
}
