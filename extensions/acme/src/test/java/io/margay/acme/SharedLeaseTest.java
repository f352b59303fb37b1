package io.margay.acme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.server.acme.AcmeChallenges;
import io.margay.server.acme.AcmeLimits;
import io.margay.server.shared.SharedDataException;
import io.margay.server.shared.SharedGroup;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Which server of a group has the lease of certificates, step by step.
final class SharedLeaseTest {
    private static final String SECRET = "what all servers of the group know, and nobody else";

    private static final String CERTIFICATE = "certificates/shop.example";

    @TempDir Path folder;
    private final MemoryEngine engine = new MemoryEngine();

    private SharedStorage server(String name, String secret) {
        return new SharedStorage(
                engine.group(name, secret),
                folder.resolve(name),
                new AcmeChallenges(AcmeLimits.defaults()),
                Instant::now,
                new Random(1),
                Duration.ofHours(1),
                () -> {});
    }

    @Test
    void serverThatCannotOrder_leavesTheLeaseToOthers() throws IOException {
        SharedStorage left = server("left", SECRET);
        left.run();
        assertFalse(left.leads());
        SharedStorage right = server("right", SECRET);
        right.mayOrder(true);
        right.run();
        assertTrue(right.leads());
        right.mayOrder(false);
        right.run();
        assertFalse(right.leads());
    }

    @Test
    void serverWithAnotherKey_doesNotTakeTheLease() throws IOException {
        SharedStorage left = server("left", SECRET);
        left.mayOrder(true);
        left.addFile("token", "token.key");
        left.removeFile("token");
        SharedStorage stranger = server("stranger", SECRET + "!");
        stranger.mayOrder(true);
        assertThrows(SharedDataException.class, stranger::run);
        assertFalse(stranger.leads());
        left.run();
        assertTrue(left.leads());
    }

    @Test
    void serverThatHasLostTheLease_undoesNothingOfTheOther() throws IOException {
        SharedStorage left = server("left", SECRET);
        SharedStorage right = server("right", SECRET);
        left.mayOrder(true);
        right.mayOrder(true);
        left.run();
        assertTrue(left.leads());
        engine.endLeases();
        right.run();
        assertTrue(right.leads());
        right.addFile("token", "token.key");
        save(right, "right", "issued");
        left.run();
        assertFalse(left.leads());

        left.clearChallenges();
        save(left, "left", "failed");
        SharedGroup reader = engine.group("reader", SECRET);
        assertEquals(
                Map.of("http-01 token", "token.key"), reader.table("acme challenges").refresh());
        String name = HexFormat.of().formatHex(reader.derive("acme " + CERTIFICATE), 0, 16);
        assertEquals(Map.of("state.properties", "issued"), reader.table("acme " + name).refresh());
        // The other one goes on.
        right.clearChallenges();
        assertEquals(Map.of(), reader.table("acme challenges").refresh());
    }

    private void save(SharedStorage by, String name, String text) throws IOException {
        Path storage = folder.resolve(name);
        new Storage(storage, by)
                .save(storage.resolve(CERTIFICATE).resolve("state.properties"), text);
    }
}
