package io.margay.lab.preset;

import io.margay.lab.load.LoadJob;
import io.margay.lab.result.Metric;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// One comparison of a preset: the same load to several servers. Immutable.
///
/// @param id short name, unique in the preset
/// @param servers as on the command line; those that cannot run here are left out
/// @param reference the server that ratios refer to, if it runs
/// @param quick whether it is part of a rough run
/// @param beside other load to each server while it is measured
/// @param rest before memory is taken, where each round starts a server anew: for what a start or a
///   load leaves to do, such as compiling
/// @param lead if not zero, each round starts a server anew, and is measured when the server has
///   been under the same load for so long; otherwise servers are warmed up and go on from round to
///   round
@RecordBuilder
public record Scenario(
        String id,
        String title,
        LoadJob load,
        Page page,
        List<String> servers,
        String reference,
        Metric metric,
        boolean quick,
        Optional<Beside> beside,
        Duration rest,
        Duration lead)
        implements ScenarioBuilder.With {
    private static final Duration REST = Duration.ofSeconds(1);

    /// Load that is not measured. Immutable.
    public record Beside(LoadJob load, Page page) {}

    public Scenario {
        servers = List.copyOf(servers);
    }

    /// One of CPU per request, called as its page, in rough runs, too.
    public static Scenario of(
            String id, LoadJob load, Page page, List<String> servers, String reference) {
        return ScenarioBuilder.builder()
                .id(id)
                .title(page.title())
                .load(load)
                .page(page)
                .servers(servers)
                .reference(reference)
                .metric(Metric.CPU)
                .quick(true)
                .beside(Optional.empty())
                .rest(REST)
                .lead(Duration.ZERO)
                .build();
    }

    /// The kinds of its servers.
    Set<String> kinds() {
        return servers.stream().map(Scenario::kind).collect(Collectors.toSet());
    }

    /// Whether a server stands behind a front end, and whether it is several.
    static String kind(String server) {
        return (server.contains("/") ? "behind a front end" : "bare")
                + (server.contains("*") ? ", several" : "");
    }

    /// Whether each round starts its servers anew.
    public boolean startsAnew() {
        return metric.isOfStarts() || !lead.isZero();
    }

    /// The same with other load beside it.
    Scenario beside(LoadJob otherLoad, Page otherPage) {
        return ScenarioBuilder.builder(this)
                .beside(Optional.of(new Beside(otherLoad, otherPage)))
                .build();
    }

    /// The same for other servers; the first is the reference unless the old one is among them.
    public Scenario with(List<String> others) {
        return ScenarioBuilder.builder(this)
                .servers(others)
                .reference(others.contains(reference) ? reference : others.getFirst())
                .build();
    }
}
