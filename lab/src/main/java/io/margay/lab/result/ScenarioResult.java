package io.margay.lab.result;

import io.margay.lab.load.LoadJob;
import io.margay.lab.machine.Profile;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// One comparison: the same load to several servers. Immutable.
///
/// @param id short name, unique in the preset
/// @param load for the first server; port and certificate differ for others
/// @param reference the server that ratios refer to
/// @param profiles of servers, by name; often none
public record ScenarioResult(
        String id,
        String title,
        LoadJob load,
        Metric metric,
        String reference,
        List<CellResult> cells,
        Map<String, Profile> profiles) {
    public ScenarioResult {
        cells = List.copyOf(cells);
        profiles = new LinkedHashMap<>(profiles);
    }

    /// Without profiles.
    public ScenarioResult(
            String id,
            String title,
            LoadJob load,
            Metric metric,
            String reference,
            List<CellResult> cells) {
        this(id, title, load, metric, reference, cells, Map.of());
    }

    public Optional<CellResult> cell(String server) {
        return cells.stream().filter(cell -> cell.server().equals(server)).findFirst();
    }
}
