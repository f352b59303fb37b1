package io.margay.lab.preset;

import io.margay.lab.load.LoadJob;
import io.margay.lab.result.Metric;
import java.util.List;

/// Where servlets run, on the loop, in a pool or on virtual threads, with servlets that are quick,
/// sleep or compute, and with mixtures of them. `--cores 2` gives the servers both.
record Dispatch() implements Preset {
    private static final int CONNECTIONS = 100;
    private static final int BUSY_CONNECTIONS = 20;
    private static final int BESIDE_CONNECTIONS = 30;

    private static final List<String> SERVERS =
            List.of("margay:native", "margay:native-pool", "margay:native-virtual");

    @Override
    public String name() {
        return "dispatch";
    }

    @Override
    public String title() {
        return "servlets on the loop, in a pool and on virtual threads: quick, slow and mixed";
    }

    @Override
    public List<Scenario> scenarios() {
        return List.of(
                scenario("fast", "quick", CONNECTIONS, Page.SERVLET),
                scenario("sleep", "each sleeps for 50 ms", CONNECTIONS, Page.SLEEP),
                scenario("cpu", "each computes for about 1 ms", BUSY_CONNECTIONS, Page.CPU),
                scenario("onepath", "one in a hundred sleeps for 50 ms", CONNECTIONS, Page.MIXED),
                scenario("mixed", "quick, beside 30 that sleep", CONNECTIONS, Page.SERVLET)
                        .beside(LoadJob.closed(BESIDE_CONNECTIONS, false, true), Page.SLEEP),
                scenario("hog", "quick, beside one that computes", CONNECTIONS, Page.SERVLET)
                        .beside(LoadJob.closed(1, false, true), Page.HOG));
    }

    private static Scenario scenario(String id, String title, int connections, Page page) {
        return Scenario.of(
                        id,
                        LoadJob.closed(connections, false, true),
                        page,
                        SERVERS,
                        SERVERS.getFirst())
                .withTitle(title)
                .withMetric(Metric.THROUGHPUT)
                .withQuick(id.equals("fast") || id.equals("mixed"));
    }
}
