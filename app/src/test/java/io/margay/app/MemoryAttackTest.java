package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.Eventually;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A few seconds of each attack on memory, as fast as it goes: the server stays, serves others
/// meanwhile, and has its memory back afterwards. `make memory-attacks` takes a minute for each.
@Timeout(180)
class MemoryAttackTest {
    private static final int SECONDS = 3;
    private static final long LEFT_BYTES_MAX = 24 * AttackedMargay.MIB;

    @TempDir Path folder;

    @ParameterizedTest
    @EnumSource
    void attack_endsWithTheAttacker(MemoryAttack attack) throws Exception {
        try (AttackedMargay server = new AttackedMargay(folder)) {
            assertEquals(200, server.honestStatus());
            long before = server.heapUsed();
            CompletableFuture<Void> attacking = server.attack(attack, SECONDS, false);
            double _ = server.honestP99(SECONDS);
            attacking.get(60, TimeUnit.SECONDS);
            assertTrue(server.isAlive(), server.toString());
            assertEquals(200, server.honestStatus());
            Eventually.holds(
                    "the memory is there again", () -> server.isHeapBelow(before + LEFT_BYTES_MAX));
        }
    }
}
