package io.margay.valkey.sessions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.servlet.session.engine.EngineSettings;
import io.margay.servlet.session.engine.SessionChange;
import io.margay.servlet.session.engine.SessionEngine;
import io.margay.servlet.session.engine.SessionEngine.Lookup;
import io.margay.servlet.session.engine.SessionEngine.Saved;
import io.margay.servlet.session.engine.SessionKey;
import io.margay.testkit.Eventually;
import io.margay.testkit.RedisProcess;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Copies that a server uses without asking, with a real `redis-server` between two servers.
@Tag("slow")
final class NearSessionsTest {
    private static final SessionKey KEY = new SessionKey("localhost/shop", "A".repeat(32) + ".one");
    private static final byte[] BYTES = {1, 2, 3};

    private static RedisProcess redis;

    private final SessionEngine one = open();
    private final SessionEngine other = open();

    @BeforeAll
    static void start() throws IOException {
        redis = RedisProcess.start();
    }

    @AfterAll
    static void stop() {
        redis.close();
    }

    @AfterEach
    void close() throws IOException {
        one.close();
        other.close();
        redis.command("FLUSHALL");
    }

    private static SessionEngine open() {
        return new ValkeyProvider().open(EngineSettings.at("redis://127.0.0.1:" + redis.port()));
    }

    private static long save(SessionEngine engine, boolean whole) throws IOException {
        SessionChange change =
                new SessionChange(
                        whole, 60_000, whole ? BYTES : null, Map.of("a", BYTES), Set.of());
        return assertInstanceOf(Saved.As.class, engine.save(KEY, change)).version();
    }

    private void awaitNear(long version) {
        Eventually.holds(
                "the copy is near",
                () -> {
                    try {
                        boolean near = one.isNear(KEY, version);
                        if (!near) {
                            one.useNear(KEY, version);
                        }
                        return near;
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                });
    }

    @Test
    void copy_isNearUntilAnotherServerHasWritten_andNeverAfter() throws IOException {
        long version = save(one, true);
        for (int i = 0; i < 20; i++) {
            awaitNear(version);
            long begin = System.nanoTime();
            version = save(other, false);
            long took = System.nanoTime() - begin;
            assertTrue(took > NearSessions.TRUST.toNanos(), () -> "waited " + took + " ns");
            assertFalse(one.isNear(KEY, version - 1));
            assertFalse(one.isNear(KEY, version));
            assertInstanceOf(Lookup.Found.class, one.useNear(KEY, version - 1));
        }
    }

    @Test
    void ownChanges_leaveTheCopyNear_andMakeNobodyWait() throws IOException {
        long version = save(one, true);
        awaitNear(version);
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 50; i++) {
            long begin = System.nanoTime();
            long next = save(one, false);
            least = Math.min(least, System.nanoTime() - begin);
            assertEquals(version + 1, next);
            version = next;
        }
        // A save that waits takes longer, each time.
        assertTrue(least < NearSessions.TRUST.toNanos(), "took " + least + " ns at least");
        assertFalse(one.isNear(KEY, version - 1));
        awaitNear(version);
    }

    @Test
    void copy_ofASessionThatAnotherServerUsesOrEnds_isNotNear() throws IOException {
        long version = save(one, true);
        awaitNear(version);
        assertInstanceOf(Lookup.Found.class, other.use(KEY, 0));
        assertFalse(one.isNear(KEY, version));
        awaitNear(version);
        assertTrue(other.remove(KEY));
        assertFalse(one.isNear(KEY, version));
    }

    /// What was published while nobody listened is not known.
    @Test
    void copy_isNotNear_onceTheConnectionHasEnded() throws IOException {
        long version = save(one, true);
        for (int i = 0; i < 3; i++) {
            awaitNear(version);
            redis.command("CLIENT KILL TYPE pubsub");
            version = save(other, false);
            assertFalse(one.isNear(KEY, version - 1));
            assertFalse(one.isNear(KEY, version));
        }
    }

    @Test
    void copy_isNotNear_whileTheEngineStandsStill() throws IOException {
        long version = save(one, true);
        awaitNear(version);
        redis.freeze();
        try {
            Eventually.holds("it is not trusted", () -> !one.isNear(KEY, version));
        } finally {
            redis.thaw();
        }
        awaitNear(version);
    }
}
