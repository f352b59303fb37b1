package io.margay.lab.preset;

import io.margay.lab.finding.Recommendation;
import io.margay.lab.load.Course;
import io.margay.lab.load.LoadJob;
import io.margay.lab.result.CellResult;
import io.margay.lab.result.RoundResult;
import io.margay.lab.result.RunResult;
import io.margay.lab.servers.OtherApp;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Somebody's own application on several servers, with a recommendation; or two builds of it on
/// one, by one page or by a trace.
public record Mine(Own own) implements Preset {
    public static final String NAME = "mine";

    /// For the list of presets.
    static final Mine EXAMPLE = new Mine(new Own(Page.own("/", ""), Optional.empty(), false));

    private static final int CONNECTIONS = 100;

    /// More are open at a time where requests come when they come.
    private static final int TRACE_CONNECTIONS = 500;

    /// What is asked for, and how. Immutable.
    ///
    /// @param page a page, or a trace
    /// @param speed of a trace: how many times as fast as it was written down, 0 for as fast as it
    ///   is answered; nothing for a page
    /// @param against whether another build of the application stands beside it
    public record Own(Page page, Optional<Double> speed, boolean against) {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String title() {
        return "your own application: --app FILE --path /PATH, or --trace FILE";
    }

    @Override
    public List<Scenario> scenarios() {
        double speed = own.speed.orElse(0.0);
        LoadJob load =
                speed > 0
                        ? LoadJob.trace(speed, TRACE_CONNECTIONS)
                        : LoadJob.closed(CONNECTIONS, false, true);
        List<String> servers =
                own.against
                        ? pair(Servers.MARGAY.getFirst())
                        : Servers.all(
                                Servers.MARGAY,
                                List.of("margay:native-pool", "margay:native-virtual"),
                                List.of(Servers.TOMCAT),
                                Servers.before(
                                        Servers.MARGAY.getFirst(),
                                        List.of("nginx:proxy", "gateway:http")));
        return List.of(
                Scenario.of(
                        NAME,
                        load,
                        own.page,
                        servers,
                        own.against ? servers.getFirst() : Servers.TOMCAT));
    }

    private static List<String> pair(String server) {
        return List.of(server, server + OtherApp.MARK);
    }

    @Override
    public Optional<Scenario> with(Scenario scenario, List<String> named) {
        return Optional.of(scenario.with(own.against ? pair(named.getFirst()) : named));
    }

    @Override
    public boolean comparesBuilds() {
        return own.against;
    }

    @Override
    public boolean needsBefore() {
        return false;
    }

    @Override
    public String whyTitle() {
        return own.against ? "Statuses" : "Recommendation";
    }

    @Override
    public List<String> why(RunResult result) {
        List<String> words = new ArrayList<>();
        result.scenarios()
                .forEach(it -> {
                    if (!own.against) {
                        words.addAll(new Recommendation(it, result.seed()).words());
                    }
                    it.cells().forEach(cell -> words.addAll(others(cell)));
                });
        return words;
    }

    /// Answers with another status than was written down.
    private static List<String> others(CellResult cell) {
        Map<String, Long> all = new TreeMap<>();
        for (RoundResult round : cell.good()) {
            Course course = round.load().course();
            course.others().forEach((how, count) -> all.merge(how, count, Long::sum));
        }
        List<String> words = new ArrayList<>();
        all.forEach((how, count) ->
                words.add("%s: %,d answers had status %s".formatted(cell.server(), count, how)));
        return words;
    }
}
