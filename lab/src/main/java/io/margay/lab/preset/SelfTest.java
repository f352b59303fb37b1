package io.margay.lab.preset;

import io.margay.lab.load.LoadJob;
import io.margay.lab.result.Metric;
import io.margay.lab.result.RunResult;
import java.util.List;

/// A test of the lab itself: servers whose difference is known. Run by hand, many times over (`make
/// lab-aa`, `make lab-ten`).
record SelfTest(String name, String title, String server) implements Preset {
    static List<Preset> all() {
        return List.of(
                new SelfTest("aa", "a test of the lab: the same server twice", "known:b"),
                new SelfTest(
                        "ten", "a test of the lab: 10 % more CPU per request", "known:plus10"));
    }

    @Override
    public Then then() {
        return Then.NONE;
    }

    @Override
    public List<Scenario> scenarios() {
        return List.of(
                new Scenario(
                        name,
                        title,
                        LoadJob.closed(100, false, true),
                        Page.KNOWN,
                        List.of("known:a", server),
                        "known:a",
                        Metric.CPU,
                        true));
    }

    @Override
    public List<String> why(RunResult result) {
        return List.of();
    }
}
