package io.margay.lab.preset;

import io.margay.lab.load.LoadJob;
import io.margay.lab.result.Metric;
import io.margay.lab.result.RunResult;
import java.util.List;

/// How far a server is from the least that an answer can cost: a loop in C, and Margay's server
/// with one handler and no container, both with a fixed page.
record Limit() implements Preset {
    private static final String LOOP = "c-epoll";

    @Override
    public String name() {
        return "limit";
    }

    @Override
    public String title() {
        return "a fixed page from a loop in C and from Margay's server without a container";
    }

    @Override
    public List<Scenario> scenarios() {
        return List.of(
                new Scenario(
                        "fixed",
                        "a fixed page of the heartbeat page's size",
                        LoadJob.closed(100, false, true),
                        Page.KNOWN,
                        List.of(LOOP, "margay-plain"),
                        LOOP,
                        Metric.CPU,
                        true));
    }

    @Override
    public List<String> why(RunResult result) {
        return new Findings(result).because("fixed", "margay-plain", LOOP).sentences();
    }
}
