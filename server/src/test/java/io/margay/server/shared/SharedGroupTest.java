package io.margay.server.shared;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.Eventually;
import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// The thread of a group.
final class SharedGroupTest {
    private final MemoryStore store = new MemoryStore();

    @Test
    void taskThatFails_keepsNoOtherFromItsTurn() {
        AtomicInteger runs = new AtomicInteger();
        try (SharedGroup group =
                new SharedGroup(
                        store,
                        "what all servers of the group know, and nobody else",
                        "shop",
                        "left",
                        SharedLimits.defaults(),
                        new SecureRandom(),
                        System::nanoTime)) {
            group.every(SharedGroupTest::fail);
            group.every(runs::incrementAndGet);
            group.start();
            Eventually.holds("run twice", () -> runs.get() >= 2);
            assertTrue(group.read().failure().contains("as wanted"));
        }
    }

    private static void fail() {
        throw new AssertionError("as wanted");
    }
}
