package io.margay.gateway.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.simulation.ClusterPlan.Way;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Registration, leases and drain hold what they promise, over a thousand seeds here and a hundred
/// thousand by `make simulation` ([ClusterSimulationSoak]); and would not without what each of
/// their rules is for.
final class ClusterSimulationTest {
    static final long FAULTY_MILLIS = 120_000;
    private static final int SEEDS = 500;

    /// Gateways and containers for a seed: few, since faults that meet are what matters.
    static ClusterPlan plan(Way way, long seed) {
        return ClusterPlan.of(way, 1 + (int) (seed % 3), 1 + (int) (seed % 5));
    }

    @ParameterizedTest
    @EnumSource
    void cluster_withFaults_holdsWhatItPromises(Way way) {
        Traffic all = new Traffic();
        for (long seed = 0; seed < SEEDS; seed++) {
            ClusterSimulation cluster = new ClusterSimulation(plan(way, seed), seed);
            all.add(cluster.faulty(FAULTY_MILLIS));
            assertNull(cluster.violation(), way + ", seed " + seed);
        }
        assertTrue(all.stops > SEEDS / 2, all.stops + " stops");
        assertTrue(all.refused > 0, "nobody was killed");
    }

    @Test
    void run_withTheSameSeed_isTheSame() {
        ClusterPlan plan = ClusterPlan.of(Way.ENGINE, 3, 5);
        Traffic first = new ClusterSimulation(plan, 7).faulty(FAULTY_MILLIS);
        Traffic second = new ClusterSimulation(plan, 7).faulty(FAULTY_MILLIS);
        assertEquals(first.requests, second.requests);
        assertEquals(first.announcements, second.announcements);
        assertEquals(first.commands, second.commands);
        assertEquals(first.checks, second.checks);
    }

    /// A container that cannot tell that it drains is given requests until its lease is over.
    @ParameterizedTest
    @EnumSource
    void drainDelay_shorterThanTheLease_leadsRequestsToContainersThatHaveEnded(Way way) {
        String found = firstViolation(way, plan -> plan.withDrainDelay(plan.leaseMillis() / 2));
        assertNotNull(found);
        assertTrue(found.contains("had ended"), found);
    }

    /// An engine without data would take all containers from all gateways.
    @Test
    void engine_thatIsBelievedAtOnce_takesContainersFromGateways() {
        String found = firstViolation(Way.ENGINE, ClusterPlan::impatient);
        assertNotNull(found);
        assertTrue(found.contains("the engine took"), found);
    }

    private interface Change {
        ClusterPlan of(ClusterPlan plan);
    }

    private static @Nullable String firstViolation(Way way, Change change) {
        for (long seed = 0; seed < 2 * SEEDS; seed++) {
            ClusterSimulation cluster = new ClusterSimulation(change.of(plan(way, seed)), seed);
            Traffic _ = cluster.faulty(FAULTY_MILLIS);
            String found = cluster.violation();
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    /// As many announcements as there are pairs, directly; as many as there are containers, by an
    /// engine, which answers each gateway with all of them.
    @Test
    void traffic_withoutFaults_isThatOfTheDesign() {
        Traffic direct =
                new ClusterSimulation(ClusterPlan.of(Way.DIRECT, 4, 50).withoutRequests(), 1)
                        .quiet(50);
        assertEquals(4 * 50 * 15, direct.announcements, 4 * 50);
        Traffic engine =
                new ClusterSimulation(ClusterPlan.of(Way.ENGINE, 4, 50).withoutRequests(), 1)
                        .quiet(50);
        assertEquals(50 * 15, engine.announcements, 50);
        assertEquals(4 * 50 * 50, engine.keysRead, 4 * 50 * 2);
        assertEquals(0, engine.checks);
    }
}
