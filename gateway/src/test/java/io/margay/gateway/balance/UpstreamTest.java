package io.margay.gateway.balance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.config.BalanceDialect;
import io.margay.gateway.config.BalanceMethod;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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
                                Upstream.Choice choice = upstream.choose(Selection.FIRST);
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
