package io.margay.lab.result;

import io.margay.lab.load.LoadJob;
import java.util.List;
import java.util.Optional;

/// One comparison: the same load to several servers. Immutable.
///
/// @param id short name, unique in the preset
/// @param load for the first server; port and certificate differ for others
/// @param reference the server that ratios refer to
public record ScenarioResult(
        String id,
        String title,
        LoadJob load,
        Metric metric,
        String reference,
        List<CellResult> cells) {
    public ScenarioResult {
        cells = List.copyOf(cells);
    }

    public Optional<CellResult> cell(String server) {
        return cells.stream().filter(cell -> cell.server().equals(server)).findFirst();
    }
}
