package io.margay.gateway.balance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.gateway.config.BalanceDialect;
import io.margay.gateway.config.BalanceMethod;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class ByLeastTimeTest {
    private static Rig rig(BalanceDialect dialect) {
        return new Rig(dialect, BalanceMethod.LEAST_TIME).with("a").with("b");
    }

    private static void answers(Rig rig, String name, int status, long millis) {
        Peer peer = rig.peerNamed(name);
        peer.begin();
        rig.upstream().answers().responded(peer, status, TimeUnit.MILLISECONDS.toNanos(millis), -1);
        peer.end(Outcome.OK, 0, 0);
    }

    private static long chosen(Rig rig, String name) {
        return rig.requests(100).chars().filter(c -> c == name.charAt(0)).count();
    }

    @ParameterizedTest
    @EnumSource
    void slowPeer_isLeftAlone_andTriedAgain(BalanceDialect dialect) {
        Rig rig = rig(dialect);
        answers(rig, "a", 200, 10);
        answers(rig, "b", 200, 200);
        assertEquals(100, chosen(rig, "a"));
        for (int i = 0; i < 60; i++) {
            rig.seconds(1);
            answers(rig, "a", 200, 10);
        }
        assertEquals(100, chosen(rig, "b"), "it is not known to be slow any more");
    }

    @ParameterizedTest
    @EnumSource
    void requestsInFlight_countAsWell(BalanceDialect dialect) {
        Rig rig = rig(dialect);
        answers(rig, "a", 200, 10);
        answers(rig, "b", 200, 35);
        StringBuilder order = new StringBuilder();
        for (int i = 0; i < 5; i++) {
            order.append(rig.begun(Selection.FIRST));
        }
        assertEquals("aaaba", order.toString(), "3 × 10 ms are less than 35 ms, and 4 are not");
    }

    /// A peer that fails at once is not the fastest.
    @ParameterizedTest
    @EnumSource
    void failures_areSlow(BalanceDialect dialect) {
        Rig rig = rig(dialect);
        answers(rig, "a", 200, 100);
        answers(rig, "b", 500, 1);
        assertEquals(100, chosen(rig, "a"));
        Rig broken = rig(dialect);
        answers(broken, "a", 200, 100);
        answers(broken, "b", 200, 1);
        assertEquals(100, chosen(broken, "b"));
        answers(broken, "b", 500, 1);
        assertEquals(100, chosen(broken, "b"), "one failure says little");
        for (int i = 0; i < 8; i++) {
            answers(broken, "b", 500, 1);
        }
        assertEquals(100, chosen(broken, "a"));
    }

    /// Of a peer that has never answered, one answer is awaited.
    @ParameterizedTest
    @EnumSource
    void unknownPeer_getsOneRequest(BalanceDialect dialect) {
        Rig rig = rig(dialect);
        answers(rig, "a", 200, 10);
        assertEquals("b", rig.begun(Selection.FIRST));
        assertEquals("a", rig.begun(Selection.FIRST));
        assertEquals("a", rig.begun(Selection.FIRST));
    }
}
