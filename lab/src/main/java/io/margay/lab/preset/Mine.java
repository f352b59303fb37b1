package io.margay.lab.preset;

import io.margay.lab.finding.Recommendation;
import io.margay.lab.load.LoadJob;
import io.margay.lab.result.RunResult;
import java.util.List;

/// Somebody's own application on several servers, with a recommendation.
record Mine(Page page) implements Preset {
    static final String NAME = "mine";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String title() {
        return "your own application: --app FILE --path /PATH";
    }

    @Override
    public List<Scenario> scenarios() {
        return List.of(
                Scenario.of(
                        "mine",
                        LoadJob.closed(100, false, true),
                        page,
                        Servers.all(
                                Servers.MARGAY,
                                List.of("margay:native-pool", "margay:native-virtual"),
                                List.of(Servers.TOMCAT),
                                Servers.before(
                                        Servers.MARGAY.getFirst(),
                                        List.of("nginx:proxy", "gateway:http"))),
                        Servers.TOMCAT));
    }

    @Override
    public String whyTitle() {
        return "Recommendation";
    }

    @Override
    public List<String> why(RunResult result) {
        return result.scenarios().stream()
                .flatMap(it -> new Recommendation(it, result.seed()).words().stream())
                .toList();
    }
}
