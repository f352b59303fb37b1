package io.margay.gateway.balance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.config.BalanceMethod;
import io.margay.server.handover.StateLimits;
import io.margay.server.handover.StateSection;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// How peers do, as the next process takes it over.
final class UpstreamStateTest {
    private static Rig rig() {
        return Rig.modJk(BalanceMethod.REQUESTS).with("a").with("b").with("c");
    }

    private static void handOver(Rig from, Rig to, Duration since) throws IOException {
        byte[] section =
                StateSection.of(new UpstreamState(from.upstream()), StateLimits.defaults());
        assertTrue(StateSection.restore(new UpstreamState(to.upstream()), section, since));
    }

    @Test
    void peersInError_unwellOrOnTheWayBack_areSoInTheNextProcess() throws IOException {
        Rig before = rig();
        before.fail("a", Outcome.CONNECT_FAILED);
        before.peerNamed("b").healthy(false, "a test");
        before.seconds(20);
        Rig next = rig();
        handOver(before, next, Duration.ofSeconds(5));
        assertEquals(PeerState.ERROR, next.peerNamed("a").state());
        assertEquals(25, next.peerNamed("a").sinceErrorSeconds());
        assertEquals(1, next.peerNamed("a").errors());
        assertFalse(next.peerNamed("b").healthy());
        assertEquals("c c c", next.requests(3));
        assertEquals(PeerState.OK, next.peerNamed("c").state());
    }

    @Test
    void peerThatHasHadRequests_knowsBetter() throws IOException {
        Rig before = rig();
        before.fail("a", Outcome.CONNECT_FAILED);
        Rig next = rig();
        next.fail("a", Outcome.OK);
        handOver(before, next, Duration.ZERO);
        assertTrue(next.peerNamed("a").state().usable());
    }

    @Test
    void requestsOfTheProcessBefore_areOnTheirPeers_untilTheyHaveEnded() throws IOException {
        Rig before = Rig.modJk(BalanceMethod.BUSYNESS).with("a").with("b");
        before.peerNamed("a").begin();
        before.peerNamed("a").begin();
        Rig next = Rig.modJk(BalanceMethod.BUSYNESS).with("a").with("b");
        tellRequests(before, next);
        assertEquals(2, next.peerNamed("a").busy());
        assertEquals("b b b", next.requests(3));
        before.peerNamed("a").end(Outcome.OK, 0, 0);
        tellRequests(before, next);
        assertEquals(1, next.peerNamed("a").busy());
        new UpstreamState.Busy(next.upstream()).ended();
        assertEquals(0, next.peerNamed("a").busy());
    }

    private static void tellRequests(Rig from, Rig to) throws IOException {
        byte[] section =
                StateSection.of(new UpstreamState.Busy(from.upstream()), StateLimits.defaults());
        assertTrue(
                StateSection.restore(
                        new UpstreamState.Busy(to.upstream()), section, Duration.ZERO));
    }

    @Test
    void peersThatAreNotThere_orElsewhere_areReadOver() throws IOException {
        Rig before = rig().with("gone");
        before.fail("gone", Outcome.CONNECT_FAILED);
        before.fail("c", Outcome.CONNECT_FAILED);
        Rig next = Rig.modJk(BalanceMethod.REQUESTS).with("c");
        handOver(before, next, Duration.ZERO);
        assertEquals(PeerState.ERROR, next.peerNamed("c").state());
    }
}
