package io.margay.gateway.balance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.config.Activation;
import io.margay.gateway.config.BalanceDialect;
import io.margay.gateway.config.BalanceMethod;
import io.margay.gateway.config.HealthConfig;
import io.margay.gateway.config.PeerAddress;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerScheme;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Peers that sources of members have named: they come and go while requests run.
final class DiscoveredPeersTest {
    private final Rig rig = Rig.modJk(BalanceMethod.REQUESTS).with("fixed");
    private final Upstream upstream = rig.upstream();

    private static List<PeerConfig> named(String... names) {
        return Stream.of(names).map(Rig::peer).toList();
    }

    private List<String> names() {
        return upstream.peers().stream().map(peer -> peer.config().name()).toList();
    }

    private void found(String... names) {
        assertNotNull(upstream.replaceDiscovered(named(names)));
    }

    @Test
    void set_thatIsReplaced_keepsThoseThatAreStillNamed() {
        found("a", "b");
        Peer b = rig.peerNamed("b");
        b.begin();
        Members.Change change = upstream.replaceDiscovered(named("b", "c"));
        assertEquals(List.of("fixed", "b", "c"), names());
        assertSame(b, rig.peerNamed("b"));
        assertEquals(1, b.busy());
        assertEquals("a", change.left().getFirst().config().name());
        assertEquals("c", change.joined().getFirst().config().name());
        assertEquals(Members.Origin.DISCOVERED, b.origin());
    }

    @Test
    void peer_thatHasLeft_isChosenByNobodyAndFinishesItsRequests() {
        found("a");
        Peer a = rig.peerNamed("a");
        a.begin();
        found();
        assertTrue(a.departed());
        assertEquals("fixed* fixed*", rig.requests(2));
        assertEquals("fixed*", rig.begun(Rig.session("id.a")));
        a.end(Outcome.OK, 1, 2);
        assertEquals(0, a.busy());
        assertEquals(1, upstream.busy());
    }

    @Test
    void name_ofAnotherPeer_isLeftOut() {
        found("fixed", "a");
        assertEquals(List.of("fixed", "a"), names());
        assertEquals(Members.Origin.CONFIGURED, rig.peerNamed("fixed").origin());
        Peer _ = upstream.add(Rig.peer("by-hand"));
        found("by-hand");
        assertEquals(List.of("fixed", "by-hand"), names());
        assertEquals(Members.Origin.ADDED, rig.peerNamed("by-hand").origin());
        assertEquals(1, upstream.added().size());
    }

    @Test
    void peer_atAnotherAddressUnderItsName_isAnotherPeer() {
        found("a");
        Peer before = rig.peerNamed("a");
        PeerConfig moved = PeerConfig.of("a", PeerAddress.of(PeerScheme.AJP, "127.0.0.2", 8009));
        Members.Change change = upstream.replaceDiscovered(List.of(moved));
        assertNotSame(before, rig.peerNamed("a"));
        assertEquals(List.of(before), change.left());
    }

    @Test
    void weightAndActivation_thatTheSourceChanges_holdUnlessChangedByHand() {
        found("a", "b");
        rig.peerNamed("b").activation(Activation.STOPPED);
        Members.Change _ =
                upstream.replaceDiscovered(
                        named("a", "b").stream()
                                .map(peer ->
                                        peer.withShare(
                                                peer.share()
                                                        .withWeight(3)
                                                        .withActivation(Activation.DISABLED)))
                                .toList());
        assertEquals(3, rig.peerNamed("a").config().share().weight());
        assertEquals(Activation.DISABLED, rig.peerNamed("a").activation());
        assertEquals(3, rig.peerNamed("b").config().share().weight());
        assertEquals(Activation.STOPPED, rig.peerNamed("b").activation());
    }

    @Test
    void set_thatIsTheSame_changesNothing() {
        Rig other = new Rig(BalanceDialect.MOD_PROXY, BalanceMethod.REQUESTS).with("fixed");
        Members.Change _ = other.upstream().replaceDiscovered(named("a"));
        Peer a = other.peerNamed("a");
        PeerConfig.Share share = a.config().share();
        a.configure(a.config().withShare(share.withBusyMax(7).withRoutes("r", "d", "")));
        String _ = other.requests(1);
        long load = a.load();
        assertNotEquals(0, load);
        Members.Change change = other.upstream().replaceDiscovered(named("a"));
        assertEquals(new Members.Change(List.of(), List.of()), change);
        assertEquals(load, a.load());
        assertEquals("r", a.config().share().route());
        change =
                other.upstream()
                        .replaceDiscovered(
                                List.of(
                                        Rig.peer("a")
                                                .withShare(Rig.peer("a").share().withWeight(2))));
        assertEquals(7, a.config().share().busyMax());
        assertEquals(2, a.config().share().weight());
    }

    @Test
    void peer_thatJoinsOthers_isNotFloodedToCatchUp() {
        String _ = rig.requests(100);
        found("a");
        List<String> got = List.of(rig.requests(10).split(" "));
        assertEquals(5, got.stream().filter("a"::equals).count(), got::toString);
    }

    @Test
    void peer_thatJoinsOthers_beginsWithOneRequest() {
        found("a");
        int onA = 0;
        for (int i = 0; i < 10; i++) {
            onA += rig.begun(Selection.FIRST).equals("a") ? 1 : 0;
        }
        assertEquals(1, onA);
    }

    @Test
    void peer_thatJoinsOthersWithChecks_takesNothingUntilItHasPassedOne() {
        upstream.configure(
                upstream.config().withHealth(HealthConfig.of(HealthConfig.Kind.TCP, "/")));
        found("a");
        Peer a = rig.peerNamed("a");
        assertFalse(a.healthy());
        assertEquals("fixed fixed fixed", rig.requests(3));
        a.healthy(true, "");
        assertTrue(rig.requests(3).contains("a"));
    }

    @ParameterizedTest
    @EnumSource(BalanceDialect.class)
    void choices_whileTheSetIsReplaced_alwaysFindAPeer(BalanceDialect dialect) throws Exception {
        Rig two = new Rig(dialect, BalanceMethod.REQUESTS).with("fixed");
        Upstream changing = two.upstream();
        AtomicBoolean over = new AtomicBoolean();
        Set<Peer> seen = new HashSet<>();
        try (var threads = Executors.newFixedThreadPool(2)) {
            List<Future<Integer>> running = new ArrayList<>();
            for (int t = 0; t < 2; t++) {
                running.add(threads.submit(() -> choose(changing, over)));
            }
            for (int i = 0; i < 2_000; i++) {
                Members.Change _ = changing.replaceDiscovered(named("a" + i % 7, "b" + i % 3));
                seen.addAll(changing.peers());
            }
            over.set(true);
            for (Future<Integer> each : running) {
                assertTrue(got(each) > 0);
            }
        }
        assertEquals(0, changing.busy());
        for (Peer each : seen) {
            assertEquals(0, each.busy());
        }
    }

    private static int got(Future<Integer> running) throws Exception {
        try {
            return running.get(20, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new AssertionError(e);
        }
    }

    private static int choose(Upstream upstream, AtomicBoolean over) {
        int chosen = 0;
        do {
            Selection.Choice choice = upstream.choose(Selection.FIRST);
            assertNotNull(choice);
            choice.peer().begin();
            choice.peer().end(Outcome.OK, 1, 1);
            chosen++;
        } while (!over.get());
        return chosen;
    }
}
