package io.margay.app.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.Eventually;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// One second of each attack on memory, as fast as it goes, all on one server: it stays, serves
/// others meanwhile, and has its memory back afterwards. `make memory-attacks` takes a minute for
/// each.
@Tag("slow")
@Timeout(180)
class MemoryAttackTest {
    private static final int SECONDS = 1;
    private static final long LEFT_BYTES_MAX = 24 * AttackedMargay.MIB;

    @TempDir private static Path folder;
    private static AttackedMargay server;
    private static long before;

    @BeforeAll
    static void start() throws Exception {
        server = new AttackedMargay(folder);
        assertEquals(200, server.honestStatus());
        before = server.heapUsed();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @EnumSource
    void attack_endsWithTheAttacker(MemoryAttack attack) throws Exception {
        assertTrue(server.isAlive(), "an attack before has ended it");
        CompletableFuture<Void> attacking = server.attack(attack, SECONDS, false);
        double _ = server.honestP99(SECONDS);
        attacking.get(60, TimeUnit.SECONDS);
        assertTrue(server.isAlive(), server::toString);
        assertEquals(200, server.honestStatus());
        Eventually.holds(
                "the memory is there again", () -> server.isHeapBelow(before + LEFT_BYTES_MAX));
    }
}
