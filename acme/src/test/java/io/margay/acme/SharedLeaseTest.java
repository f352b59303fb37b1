package io.margay.acme;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.server.acme.AcmeChallenges;
import io.margay.server.acme.AcmeLimits;
import io.margay.server.shared.SharedDataException;
import io.margay.server.shared.SharedGroup;
import io.margay.server.shared.SharedLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Which server of a group has the lease of certificates, step by step.
final class SharedLeaseTest {
    private static final String SECRET = "what all servers of the group know, and nobody else";

    @TempDir Path folder;
    private final MemoryEngine engine = new MemoryEngine();

    private SharedGroup group(String name, String secret) {
        return new SharedGroup(
                engine,
                secret,
                "shop",
                name,
                SharedLimits.defaults(),
                new SecureRandom(),
                System::nanoTime);
    }

    private SharedStorage server(String name, String secret) {
        return new SharedStorage(
                group(name, secret),
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
}
