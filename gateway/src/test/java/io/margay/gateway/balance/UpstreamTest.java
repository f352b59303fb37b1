package io.margay.gateway.balance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.config.Activation;
import io.margay.gateway.config.BalanceDialect;
import io.margay.gateway.config.BalanceMethod;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class UpstreamTest {
    @ParameterizedTest
    @EnumSource(BalanceDialect.class)
    void choices_byManyThreads_areSharedAndCountedWhole(BalanceDialect dialect) throws Exception {
        Rig rig = new Rig(dialect, BalanceMethod.REQUESTS).with("a").with("b").with("c");
        Upstream upstream = rig.upstream();
        int perThread = 3000;
        try (var threads = Executors.newFixedThreadPool(4)) {
            List<Future<?>> running = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                running.add(
                        threads.submit(() -> {
                            for (int i = 0; i < perThread; i++) {
                                Selection.Choice choice = upstream.choose(Selection.FIRST);
                                choice.peer().begin();
                                choice.peer().end(Outcome.OK, 1, 2);
                            }
                        }));
            }
            for (Future<?> each : running) {
                each.get();
            }
        }
        assertEquals(0, upstream.busy());
        for (Peer peer : upstream.peers()) {
            assertEquals(4000, peer.used());
            assertEquals(8000, peer.bytesIn());
            assertEquals(0, peer.busy());
        }
        assertTrue(upstream.busyMost() >= 1 && upstream.busyMost() <= 4);
    }

    /// For a lone peer no request takes the lock. With a limit, which is never reached here, each
    /// does.
    @ParameterizedTest
    @CsvSource({
        "MOD_PROXY, REQUESTS",
        "MOD_PROXY, TRAFFIC",
        "MOD_PROXY, BUSYNESS",
        "MOD_JK, REQUESTS",
        "MOD_JK, SESSIONS",
        "MOD_JK, NEXT",
        "MOD_JK, TRAFFIC",
        "MOD_JK, BUSYNESS",
        "MARGAY, REQUESTS",
        "MARGAY, TWO_CHOICES",
        "MARGAY, LEAST_TIME",
        "MARGAY, HASH"
    })
    void lonePeer_isChosenAndCountedAsWithTheLock(BalanceDialect dialect, BalanceMethod method) {
        for (int seed = 0; seed < 60; seed++) {
            Random random = new Random(seed);
            Rig alone = new Rig(dialect, method).with("a", s -> s.withWeight(2));
            Rig locked =
                    new Rig(dialect, method).with("a", s -> s.withWeight(2).withBusyMax(1_000_000));
            for (int step = 0; step < 60; step++) {
                int seconds = random.nextInt(8) == 0 ? random.nextInt(90) : 0;
                Activation now = any(random, Activation.values());
                boolean changes = random.nextInt(10) == 0;
                Outcome outcome =
                        random.nextInt(6) == 0 ? any(random, Outcome.values()) : Outcome.OK;
                int kind = random.nextInt(6);
                List<String> seen = new ArrayList<>();
                for (Rig rig : List.of(locked, alone)) {
                    rig.seconds(seconds);
                    if (changes) {
                        rig.peerNamed("a").activation(now);
                    }
                    String chosen = rig.begun(selection(kind, rig)) + shown(rig);
                    if (!chosen.startsWith("none")) {
                        rig.peerNamed("a").end(outcome, 0, step);
                    }
                    seen.add(chosen + shown(rig));
                }
                assertEquals(seen.getFirst(), seen.getLast(), "seed " + seed + ", step " + step);
            }
        }
    }

    private static <T> T any(Random random, T[] of) {
        return of[random.nextInt(of.length)];
    }

    private static Selection selection(int kind, Rig rig) {
        return switch (kind) {
            case 0 -> Rig.session("1F.a");
            case 1 -> Rig.session("1F.other");
            case 2 -> Rig.session("1F");
            case 3 -> Rig.stateless();
            case 4 -> Rig.tried(rig.peerNamed("a"));
            default -> Selection.FIRST;
        };
    }

    private static String shown(Rig rig) {
        Peer a = rig.peerNamed("a");
        return ": %s sessions %d load %d errors %d used %d busy %d"
                .formatted(a.state(), a.sessions(), a.load(), a.errors(), a.used(), a.busy());
    }

    @ParameterizedTest
    @EnumSource(BalanceDialect.class)
    void peers_thatJoinALoneOne_getTheirShare_andAloneAgainItGetsAll(BalanceDialect dialect) {
        Rig rig = new Rig(dialect, BalanceMethod.REQUESTS).with("a");
        assertEquals("a a a", rig.requests(3).replace("*", ""));
        rig.upstream().replaceDiscovered(List.of(Rig.peer("b")));
        rig.peerNamed("b").healthy(true, "");
        assertEquals("a b a b", rig.requests(4));
        rig.upstream().replaceDiscovered(List.of());
        assertEquals("a a", rig.requests(2).replace("*", ""));
    }

    @Test
    void reset_clearsCountersAndStates() {
        Rig rig = new Rig(BalanceDialect.MOD_JK, BalanceMethod.REQUESTS).with("a").with("b");
        rig.requests(4);
        rig.fail("a", Outcome.CONNECT_FAILED);
        rig.upstream().reset();
        assertEquals(0, rig.peerNamed("a").used());
        assertEquals(0, rig.peerNamed("a").errors());
        assertEquals(PeerState.IDLE, rig.peerNamed("a").state());
    }

    @Test
    void method_thatChanges_holdsFromTheNextChoiceOn() {
        Rig rig = new Rig(BalanceDialect.MOD_JK, BalanceMethod.REQUESTS).with("a").with("b");
        rig.requests(3);
        rig.upstream().configure(rig.upstream().config().withMethod(BalanceMethod.BUSYNESS));
        String first = rig.begun(Selection.FIRST);
        assertEquals(first.equals("a") ? "b" : "a", rig.begun(Selection.FIRST));
    }

    @Test
    void name_thatChanges_isRefused() {
        Rig rig = new Rig(BalanceDialect.MOD_JK, BalanceMethod.REQUESTS).with("a");
        assertThrows(
                IllegalArgumentException.class, () -> rig.peerNamed("a").configure(Rig.peer("b")));
    }
}
