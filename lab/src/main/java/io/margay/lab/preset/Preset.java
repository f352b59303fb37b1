package io.margay.lab.preset;

import io.margay.lab.result.RunResult;
import java.util.List;
import java.util.Optional;

/// A named set of comparisons: what was published, what to measure, and what explains the
/// difference. Immutable.
public interface Preset {
    /// How it is called on the command line.
    String name();

    /// One line.
    String title();

    /// What was published then, if anything: a table with its head, and the conditions under it.
    default Then then() {
        return Then.NONE;
    }

    List<Scenario> scenarios();

    /// One of its scenarios with servers that were named in place of its own. Where the preset has
    /// scenarios for servers of several kinds (bare, behind a front end, several behind one), each
    /// takes its own kind alone.
    ///
    /// @return nothing when none of them is for this scenario
    default Optional<Scenario> with(Scenario scenario, List<String> named) {
        boolean parted = scenarios().stream().map(Scenario::kinds).distinct().count() > 1;
        List<String> own =
                named.stream()
                        .filter(name -> !parted || scenario.kinds().contains(Scenario.kind(name)))
                        .toList();
        return own.isEmpty() ? Optional.empty() : Optional.of(scenario.with(own));
    }

    /// Sentences that explain today's figures, each by figures of that run.
    default List<String> why(RunResult result) {
        return List.of();
    }

    /// What those sentences are.
    default String whyTitle() {
        return "Why";
    }

    /// Whether the key of the run's certificate is of the curve P-256; otherwise RSA.
    default boolean hasEcKey() {
        return false;
    }

    /// Whether a scenario belongs to what a reader wants to see first; others explain.
    default boolean isMain(String scenario) {
        return true;
    }

    /// The options of servers written in Java, where they are not the lab's usual ones.
    default Optional<List<String>> javaOptions() {
        return Optional.empty();
    }

    /// Whether it sets two builds of Margay beside each other, the earlier one as the reference of
    /// each scenario.
    default boolean comparesBuilds() {
        return false;
    }

    /// Whether another build of Margay must be named.
    default boolean needsBefore() {
        return comparesBuilds();
    }

    /// Published figures. Immutable.
    ///
    /// @param conditions on what they were measured
    record Then(List<String> head, List<List<String>> rows, String conditions) {
        /// There are none.
        static final Then NONE = new Then(List.of(), List.of(), "");

        public Then {
            head = List.copyOf(head);
            rows = List.copyOf(rows);
        }
    }
}
