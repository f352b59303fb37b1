package io.margay.app.shared;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.server.shared.SharedDataException;
import io.margay.server.shared.SharedGroup;
import io.margay.server.shared.SharedLimits;
import io.margay.server.shared.SharedStoreProvider;
import io.margay.testkit.RedisProcess;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// How the secrets of tickets come, go and are replaced, by clocks of the test.
final class SharedTicketsTest {
    private static final String KEY = "what the servers share and nobody else knows";

    private final List<SharedGroup> groups = new ArrayList<>();
    private Duration time = Duration.ZERO;
    private RedisProcess redis;

    @BeforeEach
    void start() throws IOException {
        redis = RedisProcess.start();
    }

    @AfterEach
    void stop() {
        groups.forEach(SharedGroup::close);
        redis.close();
    }

    private SharedGroup group() {
        SharedLimits limits = SharedLimits.defaults();
        SharedGroup made =
                new SharedGroup(
                        ServiceLoader.load(SharedStoreProvider.class)
                                .findFirst()
                                .orElseThrow()
                                .open("redis://127.0.0.1:" + redis.port(), "shop", limits),
                        KEY,
                        "shop",
                        "node",
                        limits,
                        new SecureRandom(),
                        System::nanoTime);
        groups.add(made);
        return made;
    }

    /// @param ahead by how much its wall clock is wrong
    private SharedTickets tickets(Duration ahead) {
        return new SharedTickets(
                group(),
                () -> Instant.EPOCH.plus(Duration.ofDays(20_000)).plus(time).plus(ahead),
                () -> time.toNanos(),
                new SecureRandom());
    }

    private void passes(Duration more) {
        time = time.plus(more);
    }

    private static void assertSame(SharedTickets left, SharedTickets right) {
        assertEquals(left.secrets().size(), right.secrets().size());
        for (int i = 0; i < left.secrets().size(); i++) {
            assertArrayEquals(left.secrets().get(i), right.secrets().get(i));
        }
    }

    @Test
    void firstServer_makesThem_andTheOthersTakeThem() throws IOException {
        SharedTickets left = tickets(Duration.ZERO);
        SharedTickets right = tickets(Duration.ZERO);
        assertEquals(List.of(), left.secrets());
        left.run();
        assertEquals(2, left.secrets().size());
        right.run();
        assertSame(left, right);
        List<byte[]> before = left.secrets();
        left.run();
        assertTrue(before == left.secrets(), "the same list while nothing changes");
    }

    @Test
    void nextOne_isKnownToAll_beforeItIsUsed() throws IOException {
        SharedTickets left = tickets(Duration.ZERO);
        SharedTickets right = tickets(Duration.ZERO);
        left.run();
        right.run();
        List<byte[]> first = left.secrets();
        passes(SharedTickets.ROTATION);
        left.run();
        List<byte[]> second = left.secrets();
        assertEquals(3, second.size());
        assertArrayEquals(first.get(1), second.get(0));
        assertArrayEquals(first.get(0), second.get(2));
        assertArrayEquals(second.get(0), right.secrets().get(1)); // it has not looked yet
        right.run();
        assertSame(left, right);
        passes(SharedTickets.ROTATION);
        right.run();
        left.run();
        assertSame(left, right);
        assertArrayEquals(second.get(0), left.secrets().get(2));
    }

    @Test
    void clockThatIsWrong_replacesThemOnceAnHourAtTheMost() throws IOException {
        SharedTickets left = tickets(Duration.ZERO);
        SharedTickets wrong = tickets(Duration.ofDays(400));
        left.run();
        wrong.run();
        List<byte[]> ofWrong = wrong.secrets();
        left.run();
        wrong.run();
        left.run();
        assertSame(left, wrong);
        assertArrayEquals(ofWrong.getFirst(), left.secrets().getFirst());
        passes(Duration.ofHours(1));
        left.run(); // the time since when they are in use is far ahead
        assertFalse(ofWrong.equals(left.secrets()));
    }

    @Test
    void withoutTheEngine_theyAreUsedForOneRotation_andThenNoMore() throws IOException {
        SharedTickets left = tickets(Duration.ZERO);
        left.run();
        redis.stop();
        assertThrows(IOException.class, left::run);
        passes(SharedTickets.ROTATION);
        assertEquals(2, left.secrets().size());
        passes(Duration.ofSeconds(1));
        assertEquals(List.of(), left.secrets());
        redis.run();
        left.run();
        assertEquals(3, left.secrets().size());
    }

    @Test
    void memberThatWritesNonsense_doesNotHaveItUsed() throws IOException {
        SharedTickets left = tickets(Duration.ZERO);
        left.run();
        List<byte[]> before = left.secrets();
        String day = Long.toString(Duration.ofDays(20_000).toMillis());
        for (String text : List.of("", "!", "AAAA", "A".repeat(100_000))) {
            group().table("tickets")
                    .update(_ -> Map.of("current", text, "next", text, "since", day));
            assertThrows(SharedDataException.class, left::run);
            assertEquals(before, left.secrets());
        }
        group().table("tickets").update(_ -> Map.of("since", "yesterday"));
        passes(SharedTickets.ROTATION.minusHours(1));
        left.run();
        assertEquals(2, left.secrets().size());
    }
}
