package io.margay.gateway.balance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.gateway.config.Activation;
import io.margay.gateway.config.BalanceMethod;
import io.margay.gateway.config.PeerAddress;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerScheme;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// What mod_jk's `lb` worker does, definition by definition. `a*` is a choice by session.
class ModJkBalancingTest {
    // Methods

    @Test
    void requests_ofEqualWeights_goRound() {
        Rig rig = Rig.modJk(BalanceMethod.REQUESTS).with("a").with("b").with("c");
        assertEquals("a b c a b c", rig.requests(6));
    }

    @Test
    void requests_ofWeightsTwoAndOne_areSharedTwoToOne() {
        Rig rig = Rig.modJk(BalanceMethod.REQUESTS).with("a", s -> s.withWeight(2)).with("b");
        String order = rig.requests(30);
        assertEquals(20, count(order, 'a'));
        assertEquals(1, rig.peerNamed("a").multiplier());
        assertEquals(2, rig.peerNamed("b").multiplier());
    }

    @Test
    void multiplier_isTheLeastCommonMultipleByTheWeight() {
        Rig rig =
                Rig.modJk(BalanceMethod.REQUESTS)
                        .with("a", s -> s.withWeight(4))
                        .with("b", s -> s.withWeight(6))
                        .with("c", s -> s.withWeight(1));
        assertEquals(3, rig.peerNamed("a").multiplier());
        assertEquals(2, rig.peerNamed("b").multiplier());
        assertEquals(12, rig.peerNamed("c").multiplier());
    }

    @Test
    void weights_withFractions_keepTheirRatio() {
        Rig rig =
                Rig.modJk(BalanceMethod.REQUESTS)
                        .with("a", s -> s.withWeight(1.5))
                        .with("b", s -> s.withWeight(0.5));
        assertEquals(30, count(rig.requests(40), 'a'));
    }

    @Test
    void requests_countThoseOfSessionsToo() {
        Rig rig = Rig.modJk(BalanceMethod.REQUESTS).with("a").with("b");
        for (int i = 0; i < 3; i++) {
            assertEquals("a*", rig.request(Rig.session("x.a"), Outcome.OK, 0));
        }
        assertEquals("b b b", rig.requests(3));
    }

    @Test
    void sessions_countOnlyRequestsWithoutOne() {
        Rig rig = Rig.modJk(BalanceMethod.SESSIONS).with("a").with("b");
        for (int i = 0; i < 5; i++) {
            rig.request(Rig.session("x.a"), Outcome.OK, 0);
        }
        assertEquals(0, rig.peerNamed("a").load());
        assertEquals("a b a", rig.requests(3));
        assertEquals(2, rig.peerNamed("a").sessions());
    }

    @Test
    void sessions_ofAStatelessRule_countNothing() {
        Rig rig = Rig.modJk(BalanceMethod.SESSIONS).with("a").with("b");
        for (int i = 0; i < 4; i++) {
            rig.request(Rig.stateless(), Outcome.OK, 0);
        }
        assertEquals(0, rig.peerNamed("a").load() + rig.peerNamed("b").load());
        assertEquals(2, rig.peerNamed("a").used());
        assertEquals(2, rig.peerNamed("b").used());
    }

    @Test
    void traffic_goesWhereTheFewestBytesWent() {
        Rig rig = Rig.modJk(BalanceMethod.TRAFFIC).with("a").with("b");
        assertEquals("a", rig.request(Selection.FIRST, Outcome.OK, 1000));
        assertEquals("b", rig.request(Selection.FIRST, Outcome.OK, 10));
        assertEquals("b", rig.request(Selection.FIRST, Outcome.OK, 10));
        assertEquals("b", rig.request(Selection.FIRST, Outcome.OK, 990));
        assertEquals("a", rig.request(Selection.FIRST, Outcome.OK, 1));
    }

    @Test
    void traffic_isWeighed() {
        Rig rig = Rig.modJk(BalanceMethod.TRAFFIC).with("a", s -> s.withWeight(4)).with("b");
        String order = "";
        for (int i = 0; i < 50; i++) {
            order += rig.request(Selection.FIRST, Outcome.OK, 100);
        }
        assertEquals(40, count(order, 'a'));
    }

    @Test
    void busyness_goesWhereTheFewestRequestsAreForTheWeight() {
        Rig rig = Rig.modJk(BalanceMethod.BUSYNESS).with("a", s -> s.withWeight(2)).with("b");
        assertEquals("a", rig.begun(Selection.FIRST));
        assertEquals("b", rig.begun(Selection.FIRST));
        assertEquals("a", rig.begun(Selection.FIRST));
        rig.peerNamed("b").end(Outcome.OK, 0, 0);
        assertEquals("b", rig.begun(Selection.FIRST));
    }

    @Test
    void next_countsNewSessionsAndMaintenanceTakesTheLeastFromEach() {
        Rig rig = Rig.modJk(BalanceMethod.NEXT).with("a").with("b");
        rig.requests(7);
        assertEquals(4, rig.peerNamed("a").load());
        rig.seconds(60);
        rig.upstream().maintain();
        assertEquals(1, rig.peerNamed("a").load());
        assertEquals(0, rig.peerNamed("b").load());
    }

    @Test
    void maintenance_halvesTheLoadPerInterval() {
        Rig rig = Rig.modJk(BalanceMethod.REQUESTS).with("a").with("b");
        rig.requests(32);
        rig.seconds(59);
        rig.upstream().maintain();
        assertEquals(16, rig.peerNamed("a").load());
        rig.seconds(1);
        rig.upstream().maintain();
        assertEquals(8, rig.peerNamed("a").load());
        rig.seconds(120);
        rig.upstream().maintain();
        assertEquals(2, rig.peerNamed("a").load());
    }

    // Sessions

    @Test
    void session_withARoute_goesToItsPeer() {
        Rig rig = Rig.modJk(BalanceMethod.REQUESTS).with("a").with("b");
        assertEquals("b*", rig.request(Rig.session("1F.b"), Outcome.OK, 0));
    }

    @Test
    void route_isEverythingBehindTheFirstDot() {
        Rig rig = Rig.modJk(BalanceMethod.REQUESTS).with("a").with("d.b");
        assertEquals("d.b*", rig.request(Rig.session("1F.d.b"), Outcome.OK, 0));
    }

    @Test
    void session_amongSeveral_isTheFirstThatLeadsSomewhere() {
        Rig rig = Rig.modJk(BalanceMethod.REQUESTS).with("a").with("b");
        assertEquals("b*", rig.request(Rig.session("1F", "2F.zz", "3F.b"), Outcome.OK, 0));
    }

    @Test
    void session_withAnUnknownRoute_isBalanced() {
        Rig rig = Rig.modJk(BalanceMethod.REQUESTS).with("a").with("b");
        assertEquals("a", rig.request(Rig.session("1F.zz"), Outcome.OK, 0));
    }

    @Test
    void session_withAnUnknownRouteAndForce_isRefused() {
        Rig rig =
                Rig.modJk(BalanceMethod.REQUESTS)
                        .with("a")
                        .with("b")
                        .config(c -> c.withSticky(c.sticky().with(true, true)));
        assertEquals("none", rig.request(Rig.session("1F.zz"), Outcome.OK, 0));
        assertEquals("a", rig.request());
    }

    @Test
    void session_whenStickySessionIsOff_doesNotCount() {
        Rig rig =
                Rig.modJk(BalanceMethod.REQUESTS)
                        .with("a")
                        .with("b")
                        .config(c -> c.withSticky(c.sticky().with(false, false)));
        assertEquals("a", rig.request(Rig.session("1F.b"), Outcome.OK, 0));
    }

    @Test
    void session_underStickyIgnore_doesNotCount() {
        Rig rig = Rig.modJk(BalanceMethod.REQUESTS).with("a").with("b");
        Selection ignoring =
                new Selection(List.of("1F.b"), List.of(), false, true, null, Map.of(), 0);
        assertEquals("a", rig.request(ignoring, Outcome.OK, 0));
    }

    @Test
    void forcedRoute_goesBeforeTheSession() {
        Rig rig = Rig.modJk(BalanceMethod.REQUESTS).with("a").with("b");
        Selection forced =
                new Selection(List.of("1F.a"), List.of(), false, false, "b", Map.of(), 0);
        assertEquals("b*", rig.request(forced, Outcome.OK, 0));
    }

    @Test
    void session_ofAPeerInErrorWithForce_isRefused() {
        Rig rig =
                Rig.modJk(BalanceMethod.REQUESTS)
                        .with("a")
                        .with("b")
                        .config(c -> c.withSticky(c.sticky().with(true, true)));
        rig.fail("b", Outcome.BAD_STATUS);
        assertEquals(PeerState.ERROR, rig.peerNamed("b").state());
        Selection tried =
                new Selection(
                        List.of("1F.b"),
                        List.of(rig.peerNamed("b")),
                        false,
                        false,
                        null,
                        Map.of(),
                        0);
        assertEquals("none", rig.request(tried, Outcome.OK, 0));
    }

    @Test
    void redirect_takesTheSessionsOfAPeerInError() {
        Rig rig =
                Rig.modJk(BalanceMethod.REQUESTS)
                        .with("a", s -> s.withRoutes("a", "", "c"))
                        .with("b")
                        .with("c");
        rig.fail("a", Outcome.BAD_STATUS);
        assertEquals("c", rig.request(Rig.session("1F.a"), Outcome.OK, 0));
    }

    @Test
    void redirect_toADisabledPeer_isHotStandby() {
        Rig rig =
                Rig.modJk(BalanceMethod.REQUESTS)
                        .with("a", s -> s.withRoutes("a", "", "c"))
                        .with("c", s -> s.withActivation(Activation.DISABLED));
        assertEquals("a a", rig.requests(2));
        rig.fail("a", Outcome.BAD_STATUS);
        assertEquals("c", rig.request());
        assertEquals("c", rig.request(Rig.session("1F.a"), Outcome.OK, 0));
    }

    @Test
    void domain_namesWhoElseKnowsTheSessions() {
        Rig rig =
                Rig.modJk(BalanceMethod.REQUESTS)
                        .with("a", s -> s.withRoutes("a", "d1", ""))
                        .with("b", s -> s.withRoutes("b", "d2", ""))
                        .with("c", s -> s.withRoutes("c", "d1", ""));
        rig.fail("a", Outcome.BAD_STATUS);
        for (int i = 0; i < 3; i++) {
            assertEquals("c", rig.request(Rig.session("1F.a"), Outcome.OK, 0));
        }
    }

    @Test
    void domain_isARouteToo() {
        Rig rig =
                Rig.modJk(BalanceMethod.REQUESTS)
                        .with("a")
                        .with("b", s -> s.withRoutes("b", "d2", ""))
                        .with("c", s -> s.withRoutes("c", "d2", ""));
        assertEquals("b", rig.request(Rig.session("1F.d2"), Outcome.OK, 0));
        assertEquals("c", rig.request(Rig.session("1F.d2.gone"), Outcome.OK, 0));
    }

    @Test
    void domain_isTheRouteBeforeItsFirstDot() {
        Rig rig = Rig.modJk(BalanceMethod.REQUESTS).with("a").with("d.b").with("d.c");
        assertEquals("d", rig.peerNamed("d.b").domain());
        rig.fail("d.b", Outcome.BAD_STATUS);
        assertEquals("d.c", rig.request(Rig.session("1F.d.b"), Outcome.OK, 0));
    }

    @Test
    void distance_smallestIsUsedFirst() {
        Rig rig =
                Rig.modJk(BalanceMethod.REQUESTS)
                        .with("far", s -> s.withDistance(1))
                        .with("near")
                        .with("near2");
        assertEquals("near near2 near near2", rig.requests(4));
        rig.fail("near", Outcome.BAD_STATUS);
        rig.fail("near2", Outcome.BAD_STATUS);
        assertEquals("far far", rig.requests(2));
    }

    @Test
    void standby_isUsedWhereNoOtherIsLeft() {
        Rig rig =
                Rig.modJk(BalanceMethod.REQUESTS)
                        .with("spare", s -> s.withRoles(true, false, false))
                        .with("far", s -> s.withDistance(7))
                        .with("near");
        assertEquals("near near", rig.requests(2));
        rig.fail("near", Outcome.BAD_STATUS);
        assertEquals("far", rig.requests(1));
        rig.fail("far", Outcome.BAD_STATUS);
        assertEquals("spare spare", rig.requests(2));
    }

    // Activation

    @Test
    void disabled_takesItsSessionsOnly() {
        Rig rig = Rig.modJk(BalanceMethod.REQUESTS).with("a").with("b");
        rig.peerNamed("a").activation(Activation.DISABLED);
        assertEquals("b b", rig.requests(2));
        assertEquals("a*", rig.request(Rig.session("1F.a"), Outcome.OK, 0));
    }

    @Test
    void stopped_takesNothing() {
        Rig rig = Rig.modJk(BalanceMethod.REQUESTS).with("a").with("b");
        rig.peerNamed("a").activation(Activation.STOPPED);
        assertEquals("b b", rig.requests(2));
        assertEquals("b", rig.request(Rig.session("1F.a"), Outcome.OK, 0));
    }

    @Test
    void onlyPeer_disabled_takesItsSessionsOnly() {
        Rig rig = Rig.modJk(BalanceMethod.REQUESTS).with("a");
        assertEquals("a*", rig.request());
        rig.peerNamed("a").activation(Activation.DISABLED);
        assertEquals("none", rig.request());
        assertEquals("a*", rig.request(Rig.session("1F.a"), Outcome.OK, 0));
        rig.peerNamed("a").activation(Activation.STOPPED);
        assertEquals("none", rig.request(Rig.session("1F.a"), Outcome.OK, 0));
    }

    @Test
    void activation_ofARule_goesBeforeThePeers() {
        Rig rig = Rig.modJk(BalanceMethod.REQUESTS).with("a").with("b");
        Selection ruled = Rig.ruled(Map.of("a", Activation.STOPPED));
        assertEquals("b", rig.request(ruled, Outcome.OK, 0));
        assertEquals("b", rig.request(ruled, Outcome.OK, 0));
        assertEquals(Activation.STOPPED, ruled.activation(rig.peerNamed("a")));
        assertEquals(Activation.ACTIVE, Selection.FIRST.activation(rig.peerNamed("a")));
    }

    @Test
    void activation_thatChanges_beginsLoadAnew() {
        Rig rig = Rig.modJk(BalanceMethod.REQUESTS).with("a").with("b");
        rig.peerNamed("b").activation(Activation.STOPPED);
        rig.requests(10);
        rig.peerNamed("b").activation(Activation.ACTIVE);
        assertEquals(5, count(rig.requests(10), 'a'));
    }

    @Test
    void weight_thatChanges_countsFromNowOn() {
        Rig rig = Rig.modJk(BalanceMethod.REQUESTS).with("a").with("b");
        rig.requests(4);
        Peer a = rig.peerNamed("a");
        a.configure(a.config().withShare(a.config().share().withWeight(3)));
        assertEquals(2, a.load());
        String order = rig.requests(40);
        assertEquals(30, count(order, 'a'), 1.0, order);
    }

    @Test
    void port0_startsStopped() {
        PeerAddress nowhere = PeerAddress.of(PeerScheme.AJP, "127.0.0.1", 0);
        Rig rig = Rig.modJk(BalanceMethod.REQUESTS).with("a").with(PeerConfig.of("b", nowhere));
        assertEquals(Activation.STOPPED, rig.peerNamed("b").activation());
        assertEquals("a a", rig.requests(2));
    }

    // Busy

    @Test
    void busyLimit_makesThePeerBusyUntilARequestEnds() {
        Rig rig = Rig.modJk(BalanceMethod.REQUESTS).with("a", s -> s.withBusyMax(1)).with("b");
        assertEquals("a", rig.begun(Selection.FIRST));
        assertEquals("b b b", rig.requests(3));
        assertEquals(PeerState.BUSY, rig.peerNamed("a").state());
        rig.peerNamed("a").end(Outcome.OK, 0, 0);
        assertEquals("a", rig.request());
    }

    @Test
    void busyLimit_ofAllPeers_refuses() {
        Rig rig = Rig.modJk(BalanceMethod.REQUESTS).with("a", s -> s.withBusyMax(1));
        assertEquals("a*", rig.begun(Selection.FIRST));
        assertEquals("none", rig.begun(Selection.FIRST));
    }

    @Test
    void states_idleWithoutRequestsBetweenMaintenances() {
        Rig rig = Rig.modJk(BalanceMethod.REQUESTS).with("a").with("b");
        assertEquals("OK/IDLE", rig.peerNamed("a").state().code());
        rig.requests(2);
        assertEquals("OK", rig.peerNamed("a").state().code());
        rig.seconds(60);
        rig.upstream().maintain();
        rig.seconds(60);
        rig.upstream().maintain();
        assertEquals("OK/IDLE", rig.peerNamed("a").state().code());
    }

    @Test
    void unhealthy_takesNothingUntilItsChecksPass() {
        Rig rig = Rig.modJk(BalanceMethod.REQUESTS).with("a").with("b");
        rig.peerNamed("a").healthy(false, "test");
        assertEquals("b b", rig.requests(2));
        assertEquals("b", rig.request(Rig.session("1F.a"), Outcome.OK, 0));
        rig.peerNamed("a").healthy(true, "");
        assertEquals("a", rig.request());
    }

    private static long count(String order, char name) {
        return order.chars().filter(c -> c == name).count();
    }
}
