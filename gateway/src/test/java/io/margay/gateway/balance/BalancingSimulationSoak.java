package io.margay.gateway.balance;

import io.margay.gateway.balance.BalancingSimulation.Advice;
import io.margay.gateway.balance.BalancingSimulation.Scenario;
import io.margay.gateway.balance.BalancingSimulation.Seen;
import io.margay.gateway.balance.BalancingSimulation.Size;
import io.margay.gateway.config.BalanceMethod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/// The tables of `docs/measurements/fronts.md`: `make balancing`.
final class BalancingSimulationSoak {
    private static final Size SIZE = new Size(200, 4, 15);
    private static final Size MANY = new Size(200, 100, 15);
    private static final int SUBSET = 20;

    private static final List<BalanceMethod> METHODS =
            List.of(
                    BalanceMethod.REQUESTS,
                    BalanceMethod.BUSYNESS,
                    BalanceMethod.TWO_CHOICES,
                    BalanceMethod.LEAST_TIME,
                    BalanceMethod.HASH);

    @Test
    void writesTheTables() throws IOException {
        Path file = Path.of("target", "balancing.md");
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.writeString(file, "");
        for (Scenario scenario : Scenario.values()) {
            write(file, table(scenario.says, scenario, SIZE));
        }
        for (Scenario scenario : List.of(Scenario.BROWN_OUTS, Scenario.UNEVEN)) {
            write(file, table("100 gateways: " + scenario.says, scenario, MANY));
        }
    }

    private static void write(Path file, String table) throws IOException {
        Files.writeString(file, table, StandardOpenOption.APPEND);
    }

    private static String table(String title, Scenario scenario, Size size) {
        Seen ideal = BalancingSimulation.run(scenario, Advice.IDEAL, size, 1);
        StringBuilder table = new StringBuilder("\n**" + title + "**\n\n");
        table.append("| method | goodput | p50 | p99 | p99.9 | p99 / ideal |\n");
        table.append("|---|---|---|---|---|---|\n");
        table.append(row("(ideal)", ideal, ideal));
        for (BalanceMethod method : METHODS) {
            Seen seen = BalancingSimulation.run(scenario, Advice.of(method), size, 1);
            table.append(row("`" + method.word() + "`", seen, ideal));
        }
        for (BalanceMethod method : List.of(BalanceMethod.REQUESTS, BalanceMethod.LEAST_TIME)) {
            for (boolean adaptive : new boolean[] {false, true}) {
                Advice advice = new Advice(method, adaptive, !adaptive, 0);
                Seen seen = BalancingSimulation.run(scenario, advice, size, 1);
                String more = adaptive ? "`, `adaptive-limit`" : "`, `hedge: p95`";
                table.append(row("`" + method.word() + more, seen, ideal));
            }
        }
        if (size.equals(MANY)) {
            Advice subset = new Advice(BalanceMethod.LEAST_TIME, false, false, SUBSET);
            Seen seen = BalancingSimulation.run(scenario, subset, size, 1);
            table.append(row("`least-time`, `subset: " + SUBSET + "`", seen, ideal));
        }
        return table.toString();
    }

    private static String row(String name, Seen seen, Seen ideal) {
        return String.format(
                Locale.ROOT,
                "| %s | %.2f %% | %.0f ms | %.0f ms | %.0f ms | %.2f |%n",
                name,
                100 * seen.goodput(),
                seen.p50(),
                seen.p99(),
                seen.p999(),
                seen.p99() / ideal.p99());
    }
}
