package io.margay.gateway.balance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.gateway.config.Activation;
import io.margay.gateway.config.BalanceDialect;
import io.margay.gateway.config.BalanceMethod;
import io.margay.gateway.config.PeerAddress;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerScheme;
import io.margay.gateway.config.UpstreamConfig;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What mod_proxy_balancer does, definition by definition. `a*` is a choice by session.
class ModProxyBalancingTest {
    private static Rig rig(BalanceMethod method) {
        return new Rig(BalanceDialect.MOD_PROXY, method);
    }

    private static Rig forced(Rig rig, boolean recovery, int replyTimeoutsMax) {
        return rig.config(
                c -> c.withReplyTimeoutsMax(replyTimeoutsMax).withForceRecovery(recovery));
    }

    // byrequests

    @Test
    void byrequests_ofEqualWeights_goRound() {
        Rig rig = rig(BalanceMethod.REQUESTS).with("a").with("b").with("c").with("d");
        assertEquals("a b c d a b c d", rig.requests(8));
    }

    @Test
    void byrequests_withOneDisabled_goRoundTheOthers() {
        Rig rig = rig(BalanceMethod.REQUESTS).with("a").with("b").with("c").with("d");
        rig.peerNamed("b").activation(Activation.STOPPED);
        assertEquals("a c d a c d", rig.requests(6));
    }

    @Test
    void byrequests_weighed_spreadsTheShares() {
        Rig rig =
                rig(BalanceMethod.REQUESTS)
                        .with("a")
                        .with("b")
                        .with("c")
                        .with("d", s -> s.withWeight(2));
        assertEquals("d a b c d d a b c d", rig.requests(10));
    }

    @Test
    void byrequests_urgencies_sumToNothing() {
        Rig rig = rig(BalanceMethod.REQUESTS).with("a").with("b", s -> s.withWeight(2.5));
        rig.requests(9);
        assertEquals(0, rig.peerNamed("a").load() + rig.peerNamed("b").load());
    }

    @Test
    void byrequests_countThoseOfSessions() {
        Rig rig = rig(BalanceMethod.REQUESTS).with("a").with("b");
        assertEquals("a*", rig.request(Rig.session("1F.a"), Outcome.OK, 0));
        assertEquals("b a", rig.requests(2));
    }

    // bytraffic, bybusyness

    @Test
    void bytraffic_fewestBytesPerWeight() {
        Rig rig = rig(BalanceMethod.TRAFFIC).with("a").with("c", s -> s.withWeight(3));
        assertEquals("a", rig.request(Selection.FIRST, Outcome.OK, 10_000));
        for (int i = 0; i < 3; i++) {
            assertEquals("c", rig.request(Selection.FIRST, Outcome.OK, 10_000));
        }
        assertEquals("a", rig.request(Selection.FIRST, Outcome.OK, 1));
    }

    @Test
    void bybusyness_fewestInFlightThenMostUrgent() {
        Rig rig = rig(BalanceMethod.BUSYNESS).with("a").with("b");
        assertEquals("a b a b", rig.requests(4));
        assertEquals("a", rig.begun(Selection.FIRST));
        assertEquals("b b", rig.requests(2));
    }

    // Sets, standbys, spares

    @Test
    void lbset_lowestFirst() {
        Rig rig = rig(BalanceMethod.REQUESTS).with("a", s -> s.withDistance(1)).with("b");
        assertEquals("b b", rig.requests(2));
        rig.fail("b", Outcome.CONNECT_FAILED);
        assertEquals("a a", rig.requests(2));
    }

    @Test
    void hotStandby_whenAllOthersOfItsSetAreUnusable() {
        Rig rig =
                rig(BalanceMethod.REQUESTS)
                        .with("a")
                        .with("b")
                        .with("h", s -> s.withRoles(true, false, false));
        rig.fail("a", Outcome.CONNECT_FAILED);
        assertEquals("b b", rig.requests(2));
        rig.fail("b", Outcome.CONNECT_FAILED);
        assertEquals("h h", rig.requests(2));
    }

    @Test
    void hotSpare_forEachUnusablePeer() {
        Rig rig =
                rig(BalanceMethod.REQUESTS)
                        .with("a")
                        .with("b")
                        .with("r", s -> s.withRoles(false, true, false))
                        .with("q", s -> s.withRoles(false, true, false));
        assertEquals("a b", rig.requests(2));
        rig.fail("a", Outcome.CONNECT_FAILED);
        assertEquals("b r b r", rig.requests(4));
    }

    @Test
    void draining_isReplacedByASpareAndKeepsItsSessions() {
        Rig rig =
                rig(BalanceMethod.REQUESTS)
                        .with("a")
                        .with("r", s -> s.withRoles(false, true, false));
        rig.peerNamed("a").activation(Activation.DISABLED);
        assertEquals("r r", rig.requests(2));
        assertEquals("a*", rig.request(Rig.session("1F.a"), Outcome.OK, 0));
    }

    // Sessions

    @Test
    void session_firstIdOnly() {
        Rig rig = rig(BalanceMethod.REQUESTS).with("a").with("b");
        assertEquals("a", rig.request(Rig.session("1F.zz", "2F.b"), Outcome.OK, 0));
    }

    @Test
    void session_withAnotherSeparator() {
        Rig rig =
                rig(BalanceMethod.REQUESTS)
                        .with("a")
                        .with("b")
                        .config(c ->
                                c.withSticky(
                                        new UpstreamConfig.Sticky(
                                                true, "SID", "sid", "!", true, false, null, null)));
        assertEquals("b*", rig.request(Rig.session("1.a!b"), Outcome.OK, 0));
    }

    @Test
    void redirect_isFollowedAndChangesTheRoute() {
        Rig rig =
                rig(BalanceMethod.REQUESTS)
                        .with("a", s -> s.withRoutes("a", "", "c"))
                        .with("b")
                        .with("c");
        rig.fail("a", Outcome.CONNECT_FAILED);
        assertEquals("c", rig.request(Rig.session("1F.a"), Outcome.OK, 0));
    }

    @Test
    void redirect_inACircle_ends() {
        Rig rig =
                rig(BalanceMethod.REQUESTS)
                        .with("a", s -> s.withRoutes("a", "", "b"))
                        .with("b", s -> s.withRoutes("b", "", "a"))
                        .with("c");
        rig.fail("a", Outcome.CONNECT_FAILED);
        rig.fail("b", Outcome.CONNECT_FAILED);
        assertEquals("c", rig.request(Rig.session("1F.a"), Outcome.OK, 0));
    }

    @Test
    void nofailover_refusesAKnownRouteOnly() {
        Rig rig =
                rig(BalanceMethod.REQUESTS)
                        .with("a")
                        .with("b")
                        .config(c -> c.withSticky(c.sticky().with(true, true)));
        rig.fail("a", Outcome.CONNECT_FAILED);
        assertEquals("none", rig.request(Rig.session("1F.a"), Outcome.OK, 0));
        assertEquals("b", rig.request(Rig.session("1F.zz"), Outcome.OK, 0));
    }

    @Test
    void route_ofAStandby_findsIt() {
        Rig rig =
                rig(BalanceMethod.REQUESTS)
                        .with("a")
                        .with("h", s -> s.withRoles(true, false, false));
        assertEquals("h*", rig.request(Rig.session("1F.h"), Outcome.OK, 0));
    }

    // Errors and recovery

    @Test
    void retry_endsTheErrorWhenThePeerIsConsidered() {
        Rig rig = rig(BalanceMethod.REQUESTS).with("a").with("b");
        rig.fail("a", Outcome.CONNECT_FAILED);
        rig.seconds(59);
        assertEquals("b b b", rig.requests(3));
        rig.seconds(1);
        assertEquals("a", rig.request());
        assertEquals(1, rig.peerNamed("a").retries());
    }

    @Test
    void retryOfZero_endsTheErrorAtOnce() {
        PeerConfig eager =
                Rig.peer("a")
                        .withFailures(
                                new PeerConfig.Failures(
                                        1, Duration.ZERO, Duration.ZERO, 0, List.of(), List.of()));
        Rig rig = rig(BalanceMethod.REQUESTS).with(eager).with("b");
        rig.fail("a", Outcome.CONNECT_FAILED);
        assertEquals("a", rig.request());
    }

    @Test
    void stopped_inError_isNotRetried() {
        Rig rig = rig(BalanceMethod.REQUESTS).with("a").with("b");
        rig.fail("a", Outcome.CONNECT_FAILED);
        rig.peerNamed("a").activation(Activation.STOPPED);
        rig.seconds(3600);
        assertEquals("b b", rig.requests(2));
        assertEquals(PeerState.ERROR, rig.peerNamed("a").state());
    }

    @Test
    void forcerecovery_forgivesAllWhenAllAreInError() {
        Rig rig = rig(BalanceMethod.REQUESTS).with("a").with("b");
        rig.fail("a", Outcome.CONNECT_FAILED);
        rig.fail("b", Outcome.CONNECT_FAILED);
        assertEquals("a", rig.begun(Selection.FIRST));
        assertEquals(PeerState.OK, rig.peerNamed("b").state());
    }

    @Test
    void forcerecoveryOff_refusesWhenAllAreInError() {
        Rig rig = forced(rig(BalanceMethod.REQUESTS).with("a").with("b"), false, 0);
        rig.fail("a", Outcome.CONNECT_FAILED);
        rig.fail("b", Outcome.CONNECT_FAILED);
        assertEquals("none", rig.request());
    }

    @Test
    void failontimeout_decidesWhetherALateAnswerIsAnError() {
        Rig off = forced(rig(BalanceMethod.REQUESTS).with("a").with("b"), true, -1);
        off.fail("a", Outcome.REPLY_TIMEOUT);
        assertEquals(PeerState.IDLE, off.peerNamed("a").state());
        Rig on = forced(rig(BalanceMethod.REQUESTS).with("a").with("b"), true, 0);
        on.fail("a", Outcome.REPLY_TIMEOUT);
        assertEquals(PeerState.ERROR, on.peerNamed("a").state());
    }

    @Test
    void failonstatus_isAnError() {
        Rig rig = rig(BalanceMethod.REQUESTS).with("a").with("b");
        rig.fail("a", Outcome.BAD_STATUS);
        assertEquals("b b", rig.requests(2));
    }

    @Test
    void brokenAnswer_isAnErrorOverAjpOnly() {
        Rig rig =
                rig(BalanceMethod.REQUESTS)
                        .with("a")
                        .with(PeerConfig.of("h", PeerAddress.of(PeerScheme.HTTP, "127.0.0.1", 80)))
                        .with("c");
        rig.fail("a", Outcome.BROKEN);
        rig.fail("h", Outcome.BROKEN);
        assertEquals(PeerState.ERROR, rig.peerNamed("a").state());
        assertEquals(PeerState.IDLE, rig.peerNamed("h").state());
    }

    @Test
    void clientFailure_isNoErrorOfThePeer_CVE_2009_0033() {
        Rig rig = rig(BalanceMethod.REQUESTS).with("a").with("b");
        rig.fail("a", Outcome.CLIENT_FAILED);
        assertEquals("a b", rig.requests(2));
    }

    @Test
    void ignoreErrors_keepsThePeer() {
        Rig rig =
                rig(BalanceMethod.REQUESTS)
                        .with("a", s -> s.withRoles(false, false, true))
                        .with("b");
        rig.fail("a", Outcome.CONNECT_FAILED);
        assertEquals("a b", rig.requests(2));
    }

    @Test
    void failedPeer_isNotOfferedTheSameRequestAgain() {
        Rig rig = rig(BalanceMethod.REQUESTS).with("a", s -> s.withRoles(false, false, true));
        assertEquals("none", rig.request(Rig.tried(rig.peerNamed("a")), Outcome.OK, 0));
    }
}
