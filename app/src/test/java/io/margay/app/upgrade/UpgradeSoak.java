package io.margay.app.upgrade;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.Http;
import io.margay.app.MargayProcess;
import io.margay.app.Wars;
import io.margay.app.process.ControlSocket;
import io.margay.app.sample.CountServlet;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Many upgrades under many new connections: `make upgrades`. How often, and how many connections a
/// second, and on which transport, say the properties `margay.soak.upgrades`, `margay.soak.rate`
/// and `margay.soak.transport`.
final class UpgradeSoak {
    private static final int UPGRADES = Integer.getInteger("margay.soak.upgrades", 20);
    private static final int RATE = Integer.getInteger("margay.soak.rate", 5_000);
    private static final String TRANSPORT = System.getProperty("margay.soak.transport", "native");
    private static final int CLIENTS = 32;

    @TempDir Path folder;

    @Test
    void upgrades_underNewConnections_loseNone() throws Exception {
        Path war =
                Wars.with("index.html", "x")
                        .servlet(CountServlet.class, "/count")
                        .war(folder.resolve("shop.war"));
        long begin = System.nanoTime();
        List<String> report = new ArrayList<>();
        long last = 0;
        try (MargayProcess process =
                MargayProcess.start(
                        folder, "run", war.toString(), "--http", "0", "--transport", TRANSPORT)) {
            int port = process.awaitReady();
            String cookie =
                    new Http(port)
                            .response("/count")
                            .headers()
                            .firstValue("Set-Cookie")
                            .orElseThrow()
                            .split(";")[0];
            try (UpgradeLoad load =
                    new UpgradeLoad(port, CLIENTS, CLIENTS * 1_000_000_000L / RATE)) {
                for (int i = 1; i <= UPGRADES; i++) {
                    ControlSocket.Answer answer =
                            ControlSocket.ask(folder.resolve("work/0"), "upgrade");
                    assertTrue(answer.done(), answer.toString());
                    if (!answer.lines().isEmpty()) {
                        last = ProcessUpgradeIT.successor(answer.lines().getFirst());
                    }
                    assertEquals(
                            "count " + (i + 1), new Http(port).withCookie("/count", cookie).body());
                }
                List<String> failures = load.end();
                long seconds = (System.nanoTime() - begin) / 1_000_000_000L;
                report.add(
                        TRANSPORT
                                + ": "
                                + UPGRADES
                                + " upgrades in "
                                + seconds
                                + " s under "
                                + load.answered()
                                + " connections ("
                                + load.answered() / Math.max(1, seconds)
                                + "/s): "
                                + (failures.isEmpty() ? "none lost" : "lost " + load.kinds())
                                + ", the longest request took "
                                + load.longestMillis()
                                + " ms");
                Files.write(Path.of("target/upgrades.txt"), report);
                assertEquals(List.of(), failures, load.kinds());
            }
        } finally {
            ProcessHandle.of(last)
                    .ifPresent(process -> {
                        process.destroy();
                        process.onExit().orTimeout(60, TimeUnit.SECONDS).join();
                    });
        }
    }
}
