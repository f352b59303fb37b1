package io.margay.app.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A minute of each attack on memory, at a pace that leaves the processors to others, and how
/// honest clients fare before and meanwhile. Not among the usual tests: `make memory-attacks`.
class MemoryAttackSoak {
    private static final double P99_RATIO_MAX = 2;

    /// Differences below it are those of the machine.
    private static final double P99_NOISE_MILLIS = 2;

    private static final long LEFT_BYTES_MAX = 16 * AttackedMargay.MIB;

    /// What was put off until a login is let go after two minutes, and looked at every ten seconds.
    private static final long RETURN_SECONDS_MAX = 150;

    private final long seconds = Long.getLong("margay.attacks.seconds", 60);

    @TempDir Path folder;

    @ParameterizedTest
    @EnumSource
    void attack_costsOthersLittle_andNothingStays(MemoryAttack attack) throws Exception {
        try (AttackedMargay server = new AttackedMargay(folder)) {
            double _ = server.honestP99(Math.min(seconds, 10)); // Warms up.
            double quiet = server.honestP99(Math.min(seconds, 30));
            long before = server.heapUsed();
            CompletableFuture<Void> attacking = server.attack(attack, seconds, true);
            double meanwhile = server.honestP99(seconds);
            attacking.get(60, TimeUnit.SECONDS);
            assertTrue(server.isAlive(), server.toString());
            long end = System.nanoTime();
            long after = server.heapUsed();
            while (after - before > LEFT_BYTES_MAX / 4
                    && System.nanoTime() - end < TimeUnit.SECONDS.toNanos(RETURN_SECONDS_MAX)) {
                LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
                after = server.heapUsed();
            }
            long back = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - end);
            report(
                    String.format(
                            Locale.ROOT,
                            "| %s | %.2f | %.2f | %d | %d | %d |%n",
                            attack.name().toLowerCase(Locale.ROOT),
                            quiet,
                            meanwhile,
                            before / AttackedMargay.MIB,
                            after / AttackedMargay.MIB,
                            back));
            assertEquals(200, server.honestStatus());
            assertTrue(after - before < LEFT_BYTES_MAX, "stays: " + (after - before));
            assertTrue(
                    meanwhile < P99_RATIO_MAX * quiet + P99_NOISE_MILLIS,
                    "p99 was " + quiet + " ms, and is " + meanwhile);
        }
    }

    private static void report(String line) throws Exception {
        Path file = Path.of("target", "memory-attacks.md");
        if (!Files.exists(file)) {
            Files.writeString(
                    file,
                    """
                    | attack | p99 before, ms | p99 meanwhile, ms | heap before, MiB | after | s |
                    |---|---|---|---|---|---|
                    """);
        }
        Files.writeString(file, line, StandardOpenOption.APPEND);
    }
}
