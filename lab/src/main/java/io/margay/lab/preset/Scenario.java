package io.margay.lab.preset;

import io.margay.lab.load.LoadJob;
import io.margay.lab.result.Metric;
import java.util.List;

/// One comparison of a preset: the same load to several servers. Immutable.
///
/// @param id short name, unique in the preset
/// @param servers as on the command line; those that cannot run here are left out
/// @param reference the server that ratios refer to, if it runs
/// @param quick whether it is part of a rough run
public record Scenario(
        String id,
        String title,
        LoadJob load,
        Page page,
        List<String> servers,
        String reference,
        Metric metric,
        boolean quick) {
    public Scenario {
        servers = List.copyOf(servers);
    }

    /// The same for other servers; the first is the reference unless the old one is among them.
    public Scenario with(List<String> others) {
        return new Scenario(
                id,
                title,
                load,
                page,
                others,
                others.contains(reference) ? reference : others.getFirst(),
                metric,
                quick);
    }

    /// The same under another name.
    Scenario named(String newId, String newTitle) {
        return new Scenario(newId, newTitle, load, page, servers, reference, metric, quick);
    }

    /// The same, in or out of rough runs.
    Scenario inQuickRuns(boolean whether) {
        return new Scenario(id, title, load, page, servers, reference, metric, whether);
    }
}
