package io.margay.gateway.balance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.margay.gateway.config.BalanceMethod;
import io.margay.gateway.config.PeerConfig;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// When a peer of mod_jk's balancing is in error, and how it comes back.
class ModJkErrorsTest {
    @Test
    void error_withoutOtherRequests_isGlobalAtOnce() {
        Rig rig = Rig.modJk(BalanceMethod.REQUESTS).with("a").with("b");
        rig.fail("a", Outcome.CONNECT_FAILED);
        assertEquals(PeerState.ERROR, rig.peerNamed("a").state());
        assertEquals("b b", rig.requests(2));
    }

    @Test
    void error_whileOthersAreAnswered_isLocal() {
        Rig rig = Rig.modJk(BalanceMethod.REQUESTS).with("a").with("b");
        rig.peerNamed("a").begin();
        rig.fail("a", Outcome.BROKEN);
        assertEquals(PeerState.OK, rig.peerNamed("a").state());
        assertEquals(
                "b", rig.request(Rig.tried(rig.peerNamed("a")), Outcome.OK, 0), "this request");
        assertEquals("a", rig.request(), "another request");
    }

    @Test
    void error_thatIsLocalForTheEscalationTime_becomesGlobal() {
        Rig rig = Rig.modJk(BalanceMethod.REQUESTS).with("a").with("b");
        rig.peerNamed("a").begin();
        rig.fail("a", Outcome.BROKEN);
        rig.seconds(29);
        rig.fail("a", Outcome.BROKEN);
        assertEquals(PeerState.OK, rig.peerNamed("a").state());
        rig.seconds(1);
        rig.fail("a", Outcome.BROKEN);
        assertEquals(PeerState.ERROR, rig.peerNamed("a").state());
    }

    @Test
    void error_thatIsLocalAtMaintenance_becomesGlobal() {
        Rig rig = Rig.modJk(BalanceMethod.REQUESTS).with("a").with("b");
        rig.peerNamed("a").begin();
        rig.fail("a", Outcome.BROKEN);
        rig.seconds(60);
        rig.upstream().maintain();
        assertEquals(PeerState.ERROR, rig.peerNamed("a").state());
    }

    @Test
    void error_thatIsLocal_isForgottenByAnAnswer() {
        Rig rig = Rig.modJk(BalanceMethod.REQUESTS).with("a").with("b");
        rig.peerNamed("a").begin();
        rig.fail("a", Outcome.BROKEN);
        rig.fail("a", Outcome.OK);
        rig.seconds(60);
        rig.upstream().maintain();
        assertNotEquals(PeerState.ERROR, rig.peerNamed("a").state());
    }

    @Test
    void escalationOfZero_makesEveryErrorGlobal() {
        Rig rig =
                Rig.modJk(BalanceMethod.REQUESTS)
                        .with("a")
                        .with("b")
                        .config(c -> c.withTolerance(0, Duration.ZERO, 0));
        rig.peerNamed("a").begin();
        rig.fail("a", Outcome.BROKEN);
        assertEquals(PeerState.ERROR, rig.peerNamed("a").state());
    }

    @Test
    void clientFailure_isNoErrorOfThePeer_CVE_2009_0033() {
        Rig rig = Rig.modJk(BalanceMethod.REQUESTS).with("a").with("b");
        rig.fail("a", Outcome.CLIENT_FAILED);
        assertEquals(PeerState.OK, rig.peerNamed("a").state());
        assertEquals(0, rig.peerNamed("a").errors());
        assertEquals(1, rig.peerNamed("a").clientErrors());
    }

    @Test
    void badStatus_isGlobalAtOnceAndSoftBadStatusIsNone() {
        Rig rig = Rig.modJk(BalanceMethod.REQUESTS).with("a").with("b");
        rig.peerNamed("a").begin();
        rig.peerNamed("b").begin();
        rig.fail("a", Outcome.BAD_STATUS);
        rig.fail("b", Outcome.SOFT_BAD_STATUS);
        assertEquals(PeerState.ERROR, rig.peerNamed("a").state());
        assertEquals(PeerState.OK, rig.peerNamed("b").state());
    }

    @Test
    void replyTimeouts_beyondTheMost_areAnError() {
        Rig rig =
                Rig.modJk(BalanceMethod.REQUESTS)
                        .with("a")
                        .with("b")
                        .config(c -> c.withTolerance(0, Duration.ofSeconds(30), 2));
        rig.fail("a", Outcome.REPLY_TIMEOUT);
        rig.fail("a", Outcome.REPLY_TIMEOUT);
        assertEquals(PeerState.OK, rig.peerNamed("a").state());
        rig.fail("a", Outcome.REPLY_TIMEOUT);
        assertEquals(PeerState.ERROR, rig.peerNamed("a").state());
    }

    @Test
    void replyTimeouts_areHalvedByMaintenance() {
        Rig rig =
                Rig.modJk(BalanceMethod.REQUESTS)
                        .with("a")
                        .with("b")
                        .config(c -> c.withTolerance(0, Duration.ofSeconds(30), 2));
        rig.fail("a", Outcome.REPLY_TIMEOUT);
        rig.fail("a", Outcome.REPLY_TIMEOUT);
        rig.seconds(60);
        rig.upstream().maintain();
        assertEquals(1, rig.peerNamed("a").replyTimeouts());
        rig.fail("a", Outcome.REPLY_TIMEOUT);
        assertEquals(PeerState.OK, rig.peerNamed("a").state());
    }

    @Test
    void ignoreErrors_keepsThePeer() {
        Rig rig =
                Rig.modJk(BalanceMethod.REQUESTS)
                        .with("a", s -> s.withRoles(false, false, true))
                        .with("b");
        rig.fail("a", Outcome.CONNECT_FAILED);
        assertEquals(PeerState.OK, rig.peerNamed("a").state());
        assertEquals(1, rig.peerNamed("a").errors());
    }

    // Recovery

    @Test
    void recovery_happensAtMaintenanceOnly() {
        Rig rig =
                Rig.modJk(BalanceMethod.REQUESTS)
                        .with(recovering("a", Duration.ofSeconds(10)))
                        .with("b");
        rig.upstream();
        rig.seconds(1);
        rig.fail("a", Outcome.CONNECT_FAILED);
        rig.seconds(58);
        assertEquals("b b", rig.requests(2));
        rig.seconds(1);
        rig.upstream().maintain();
        assertEquals(PeerState.RECOVERING, rig.peerNamed("a").state());
    }

    @Test
    void recovery_waitsForTheRecoverTime() {
        Rig rig = Rig.modJk(BalanceMethod.REQUESTS).with("a").with("b");
        rig.seconds(30);
        rig.fail("a", Outcome.CONNECT_FAILED);
        rig.seconds(30);
        rig.upstream().maintain();
        assertEquals(PeerState.ERROR, rig.peerNamed("a").state());
        rig.seconds(60);
        rig.upstream().maintain();
        assertEquals(PeerState.RECOVERING, rig.peerNamed("a").state());
    }

    @Test
    void recovery_isTriedByOneRealRequest() {
        Rig rig = Rig.modJk(BalanceMethod.REQUESTS).with("a").with("b");
        rig.fail("a", Outcome.CONNECT_FAILED);
        rig.requests(8);
        rig.seconds(61);
        rig.upstream().maintain();
        assertEquals(rig.peerNamed("b").load(), rig.peerNamed("a").load(), "no storm of its own");
        String first = rig.begun(Selection.FIRST);
        String second = rig.begun(Selection.FIRST);
        assertEquals(
                "a b", first.compareTo(second) < 0 ? first + " " + second : second + " " + first);
        assertEquals(PeerState.PROBING, rig.peerNamed("a").state());
        assertEquals("b", rig.begun(Selection.FIRST));
        assertEquals("b", rig.begun(Selection.FIRST));
        rig.peerNamed("a").end(Outcome.OK, 0, 0);
        assertEquals(PeerState.OK, rig.peerNamed("a").state());
        assertEquals("a", rig.begun(Selection.FIRST));
    }

    @Test
    void recovery_thatFails_isAnErrorAgain() {
        Rig rig = Rig.modJk(BalanceMethod.REQUESTS).with("a").with("b");
        rig.fail("a", Outcome.CONNECT_FAILED);
        rig.seconds(61);
        rig.upstream().maintain();
        while (!rig.begun(Selection.FIRST).equals("a")) {
            rig.peerNamed("b").end(Outcome.OK, 0, 0);
        }
        rig.peerNamed("a").end(Outcome.CONNECT_FAILED, 0, 0);
        assertEquals(PeerState.ERROR, rig.peerNamed("a").state());
    }

    @Test
    void recovery_isForcedWhenNoPeerIsLeft() {
        Rig rig = Rig.modJk(BalanceMethod.REQUESTS).with("a").with("b");
        rig.fail("a", Outcome.CONNECT_FAILED);
        rig.fail("b", Outcome.CONNECT_FAILED);
        assertEquals("a", rig.begun(Selection.FIRST));
        assertEquals(PeerState.FORCED, rig.peerNamed("b").state());
        rig.peerNamed("a").end(Outcome.CONNECT_FAILED, 0, 0);
        assertEquals("b", rig.request(Rig.tried(rig.peerNamed("a")), Outcome.CONNECT_FAILED, 0));
        assertEquals(
                "none",
                rig.request(Rig.tried(rig.peerNamed("a"), rig.peerNamed("b")), Outcome.OK, 0));
    }

    @Test
    void recovery_byHand_triesThePeer() {
        Rig rig = Rig.modJk(BalanceMethod.REQUESTS).with("a").with("b");
        rig.fail("a", Outcome.CONNECT_FAILED);
        rig.peerNamed("a").recover();
        assertEquals(PeerState.RECOVERING, rig.peerNamed("a").state());
    }

    @Test
    void peerThatIsBack_isGivenMoreOnlyAsItAnswers() {
        Rig rig = Rig.modJk(BalanceMethod.BUSYNESS).with("a").with("b");
        for (int i = 0; i < 20; i++) {
            rig.peerNamed("b").begin();
        }
        rig.fail("a", Outcome.CONNECT_FAILED);
        rig.peerNamed("a").recover();
        assertEquals("a", rig.begun(Selection.FIRST));
        assertEquals("b", rig.begun(Selection.FIRST));
        rig.peerNamed("a").end(Outcome.OK, 0, 0);
        assertEquals("a", rig.begun(Selection.FIRST));
        assertEquals("a", rig.begun(Selection.FIRST));
        assertEquals("b", rig.begun(Selection.FIRST));
    }

    private static PeerConfig recovering(String name, Duration recover) {
        return Rig.peer(name)
                .withFailures(
                        new PeerConfig.Failures(
                                1, Duration.ZERO, recover, 0, List.of(), List.of()));
    }
}
