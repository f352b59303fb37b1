package io.margay.gateway.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.server.handover.TravellingState;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// The process that follows goes on with what zones have counted.
final class LimitZonesTest {
    private static final long SECOND = 1_000_000_000L;

    private final LimitZones old = new LimitZones(() -> new Random(1), LimiterLimits.defaults());
    private final LimitZones fresh = new LimitZones(() -> new Random(2), LimiterLimits.defaults());

    private static byte[] written(TravellingState state) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        state.write(new DataOutputStream(out));
        return out.toByteArray();
    }

    private static void read(TravellingState state, byte[] bytes) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        state.read(in, Duration.ofSeconds(1));
        assertEquals(0, in.available());
    }

    private static TravellingState rates(LimitZones zones, long nanos) {
        return zones.states(() -> nanos).getFirst();
    }

    private static TravellingState inFlight(LimitZones zones) {
        return zones.states(() -> 0).getLast();
    }

    @Test
    void rates_areGoneOnWith() throws IOException {
        BucketTable before = old.rate("one", 60 * SECOND);
        assertEquals(0, before.take(old.key("joe"), 0, 0));
        long _ = old.rate("gone", SECOND).take(old.key("joe"), 0, 0);
        BucketTable after = fresh.rate("one", 60 * SECOND);
        read(rates(fresh, 500 * SECOND), written(rates(old, 10 * SECOND)));
        assertEquals(49 * SECOND, after.take(fresh.key("joe"), 500 * SECOND, 0));
        assertEquals(0, after.take(fresh.key("ann"), 500 * SECOND, 0));
    }

    /// It could not tell whose they are.
    @Test
    void processThatHasCountedItself_keepsItsOwn() throws IOException {
        long key = fresh.key("joe");
        long _ = old.rate("one", 60 * SECOND).take(old.key("joe"), 0, 0);
        BucketTable after = fresh.rate("one", 60 * SECOND);
        read(rates(fresh, 0), written(rates(old, 0)));
        assertEquals(key, fresh.key("joe"));
        assertNotEquals(key, old.key("joe"));
        assertEquals(0, after.take(key, 0, 0));
    }

    @Test
    void requestsInFlight_areCountedUntilTheProcessBeforeEnds() throws IOException {
        LimitZones.Places before = old.atOnce("one");
        assertTrue(before.enter(old.key("joe"), 2));
        LimitZones.Places after = fresh.atOnce("one");
        TravellingState state = inFlight(fresh);
        assertTrue(state.isLive());
        read(state, written(inFlight(old)));
        long joe = fresh.key("joe");
        assertTrue(after.enter(joe, 2));
        assertFalse(after.enter(joe, 2));
        assertTrue(after.enter(fresh.key("ann"), 1));
        before.leave(old.key("joe"));
        read(state, written(inFlight(old)));
        assertTrue(after.enter(joe, 2));
        assertTrue(before.enter(old.key("joe"), 2));
        read(state, written(inFlight(old)));
        assertFalse(after.enter(joe, 3));
        state.ended();
        assertTrue(after.enter(joe, 3));
    }
}
