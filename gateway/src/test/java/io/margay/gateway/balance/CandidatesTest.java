package io.margay.gateway.balance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.config.BalanceDialect;
import io.margay.gateway.config.BalanceMethod;
import io.margay.gateway.config.HashKey;
import io.margay.gateway.config.UpstreamConfig.Spread;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Members of the gateway's own zone, and a part of many members.
final class CandidatesTest {
    private static final int REQUESTS = 10_000;

    private static Rig rig(BalanceDialect dialect, String zone, int subset) {
        return rig(dialect, BalanceMethod.REQUESTS, zone, subset);
    }

    private static Rig rig(BalanceDialect dialect, BalanceMethod method, String zone, int subset) {
        return new Rig(dialect, method)
                .config(c -> c.withSpread(new Spread(HashKey.client(), zone, subset)));
    }

    private static Rig zones(BalanceDialect dialect) {
        return rig(dialect, "a", 0)
                .with("a1", share -> share.withZone("a"))
                .with("a2", share -> share.withZone("a"))
                .with("b1", share -> share.withZone("b"))
                .with("none", share -> share);
    }

    private static Map<String, Integer> requests(Rig rig) {
        Map<String, Integer> by = new TreeMap<>();
        for (int i = 0; i < REQUESTS; i++) {
            by.merge(rig.request(), 1, Integer::sum);
        }
        return by;
    }

    @ParameterizedTest
    @EnumSource
    void membersOfTheOwnZone_getAll_whileTheyAreWell(BalanceDialect dialect) {
        Map<String, Integer> by = requests(zones(dialect));
        assertEquals(Set.of("a1", "a2"), by.keySet());
        assertEquals(REQUESTS / 2, by.get("a1"), 1);
    }

    /// The one that is left gets its own share and two fifths more, and not twice as much.
    @ParameterizedTest
    @EnumSource
    void zoneThatIsShort_givesSomeAway(BalanceDialect dialect) {
        Rig rig = zones(dialect);
        rig.peerNamed("a2").healthy(false, "it fails");
        Map<String, Integer> by = requests(rig);
        assertEquals(Set.of("a1", "b1", "none"), by.keySet());
        assertEquals(0.7, (double) by.get("a1") / REQUESTS, 0.03);
        assertEquals(0.15, (double) by.get("b1") / REQUESTS, 0.02);
    }

    @ParameterizedTest
    @EnumSource
    void zoneWithoutMembers_givesAllAway_andASessionStays(BalanceDialect dialect) {
        Rig rig = zones(dialect);
        rig.peerNamed("a1").healthy(false, "it fails");
        rig.peerNamed("a2").healthy(false, "it fails");
        assertEquals(Set.of("b1", "none"), requests(rig).keySet());
        rig.peerNamed("a1").healthy(true, "");
        assertEquals("b1*", rig.request(Rig.session("1.b1"), Outcome.OK, 0));
    }

    @ParameterizedTest
    @EnumSource
    void partOfManyMembers_isUsed_andAnotherTakesThePlaceOfOneThatFails(BalanceDialect dialect) {
        Rig rig = rig(dialect, "", 5);
        for (int i = 0; i < 20; i++) {
            rig.with("m" + i);
        }
        Set<String> used = requests(rig).keySet();
        assertEquals(5, used.size());
        String lost = used.iterator().next();
        rig.peerNamed(lost).healthy(false, "it fails");
        Set<String> then = requests(rig).keySet();
        assertEquals(5, then.size());
        used.remove(lost);
        assertTrue(then.containsAll(used), then + " of " + used);
    }

    /// A gateway with few requests would hear of each too seldom to know how fast it is.
    @ParameterizedTest
    @EnumSource
    void partOfManyMembers_isUsedByTheirTimes_untilRequestsAreMany(BalanceDialect dialect) {
        Rig few = rig(dialect, BalanceMethod.LEAST_TIME, "", 0);
        Rig all = rig(dialect, BalanceMethod.LEAST_TIME, "", 1_000);
        for (int i = 0; i < 60; i++) {
            few.with("m" + i);
            all.with("m" + i);
        }
        assertEquals(20, requests(few).size());
        assertEquals(60, requests(all).size());
        for (int i = 0; i < 10; i++) {
            String _ = few.begun(Selection.FIRST);
        }
        assertEquals(40, requests(few).size());
        for (int i = 0; i < 20; i++) {
            String _ = few.begun(Selection.FIRST);
        }
        assertEquals(60, requests(few).size());
    }
}
