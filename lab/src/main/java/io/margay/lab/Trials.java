package io.margay.lab;

import io.margay.lab.result.CellResult;
import io.margay.lab.result.Comparison;
import io.margay.lab.result.RunResult;
import io.margay.lab.result.ScenarioResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// The test of the lab itself: runs on servers whose difference is known, many times over, each
/// with servers that are started anew. Confined to the lab's thread.
final class Trials {
    /// What a difference of a tenth may be measured as.
    private static final double TENTH_LEAST = 1.0;

    private static final double TENTH_MOST = 1.195;

    /// Of twenty trials nineteen must pass.
    private static final double PASSED_LEAST = 0.95;

    /// Runs one trial.
    interface Run {
        RunResult of(long seed, Path folder) throws IOException;
    }

    private Trials() {}

    /// Runs them all.
    ///
    /// @param isSame whether the server is the same twice, or costs a tenth more
    /// @return whether enough of them have said what is true
    static boolean run(boolean isSame, int trials, Path folder, Run run, Consumer<String> says)
            throws IOException {
        List<String> lines = new ArrayList<>();
        int passed = 0;
        for (int trial = 1; trial <= trials; trial++) {
            RunResult result = run.of(trial, folder.resolve(String.valueOf(trial)));
            Comparison comparison = comparison(result);
            boolean good = isRight(comparison, isSame);
            passed += good ? 1 : 0;
            String line = "%3d %-4s %s".formatted(trial, good ? "ok" : "MISS", comparison.words());
            says.accept(line);
            lines.add(line);
        }
        String sum = "%d of %d".formatted(passed, trials);
        says.accept(sum);
        lines.add(sum);
        Files.write(folder.resolve("verdicts.txt"), lines);
        return passed >= PASSED_LEAST * trials;
    }

    private static Comparison comparison(RunResult result) throws IOException {
        ScenarioResult scenario = result.scenarios().getFirst();
        CellResult reference =
                scenario.cell(scenario.reference())
                        .orElseThrow(() -> new IOException("the trial was not finished"));
        CellResult other =
                scenario.cells().stream()
                        .filter(cell -> !cell.server().equals(scenario.reference()))
                        .findFirst()
                        .orElseThrow(() -> new IOException("the trial was not finished"));
        return Comparison.of(other, reference, scenario.metric(), result.seed());
    }

    /// A verdict on too few rounds is none.
    private static boolean isRight(Comparison comparison, boolean isSame) {
        if (!comparison.refusal().isEmpty() || comparison.ratio().isRough()) {
            return false;
        }
        double ratio = comparison.ratio().estimate();
        return isSame
                ? !comparison.differs()
                : comparison.differs() && ratio > TENTH_LEAST && ratio < TENTH_MOST;
    }
}
