package io.margay.lab;

import io.margay.lab.load.LoadJob;
import io.margay.lab.result.CellResult;
import io.margay.lab.result.CellResultBuilder;
import io.margay.lab.result.RampStep;
import io.margay.lab.result.RoundResult;
import io.margay.lab.servers.RunningServer;
import io.margay.lab.servers.ServerSpec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// One server under one load while it is being measured. Confined to the lab's thread.
final class Cell {
    final ServerSpec spec;
    final List<Double> warmUp = new ArrayList<>();
    final List<RoundResult> rounds = new ArrayList<>();
    final List<RampStep> ramp = new ArrayList<>();
    final Map<String, Map<String, Double>> calls = new LinkedHashMap<>();
    List<String> checks = List.of();
    String path = "";
    String failure = "";
    @Nullable RunningServer server;
    @Nullable LoadJob job;

    Cell(ServerSpec spec) {
        this.spec = spec;
    }

    boolean isWell() {
        return failure.isEmpty();
    }

    /// Whether the last two rounds of this start differ by no more than that.
    boolean lastTwoAgree(double tolerance) {
        List<RoundResult> good = rounds.stream().filter(RoundResult::counts).toList();
        if (good.size() < 2) {
            return false;
        }
        double a = good.getLast().cpuPer10k();
        double b = good.get(good.size() - 2).cpuPer10k();
        return Math.max(a, b) <= Math.min(a, b) * (1 + tolerance);
    }

    CellResult result() {
        return CellResultBuilder.builder()
                .server(spec.name())
                .title(spec.title())
                .path(path)
                .checks(checks)
                .warmUp(warmUp)
                .rounds(rounds)
                .ramp(ramp)
                .calls(calls)
                .failure(failure)
                .build();
    }

    /// Whose turn it is to be measured: A B C, C B A, …, so that what slows the machine for a while
    /// meets all alike. Confined to the lab's thread.
    static final class Turns {
        /// What is done with a server when it has its turn.
        interface Turn {
            void take(Cell cell) throws IOException;
        }

        private final List<Cell> order;

        Turns(List<Cell> cells) {
            order = new ArrayList<>(cells);
        }

        /// One round: a turn for each server that is well.
        ///
        /// @param over asked before each turn: whether there are no more
        /// @return whether all had their turn
        boolean round(BooleanSupplier over, Turn turn) throws IOException {
            for (Cell cell : order) {
                if (over.getAsBoolean()) {
                    return false;
                }
                if (cell.isWell()) {
                    turn.take(cell);
                }
            }
            Collections.reverse(order);
            return true;
        }
    }
}
