package io.margay.gateway.status;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.balance.Outcome;
import io.margay.gateway.balance.Peer;
import io.margay.gateway.balance.Selection;
import io.margay.gateway.balance.Upstream;
import io.margay.gateway.balance.UpstreamState;
import io.margay.gateway.config.OutlierConfig;
import io.margay.gateway.config.PeerAddress;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerScheme;
import io.margay.gateway.config.UpstreamConfig;
import io.margay.server.shared.SharedGroup;
import io.margay.server.shared.SharedLimits;
import io.margay.server.shared.SharedStore;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Members that gateways with a store in common leave out, in virtual time.
final class SharedEjectionsTest {
    private static final long SECOND = 1_000_000_000L;

    private long nanos = 100 * SECOND;
    private final Engine engine = new Engine();

    /// What Valkey does.
    private static final class Engine implements SharedStore {
        private final Map<String, Document> all = new HashMap<>();
        private int writes;

        @Override
        public Document read(String name, long known) {
            return all.getOrDefault(name, new Document(0, new byte[0]));
        }

        @Override
        public boolean write(String name, long known, long version, byte[] content) {
            if (read(name, 0).version() != known) {
                return false;
            }
            writes++;
            all.put(name, new Document(version, content));
            return true;
        }

        @Override
        public boolean lease(String name, String holder, Duration time) {
            return true;
        }

        @Override
        public List<String> present(String server, Duration time, int most) {
            return List.of(server);
        }

        @Override
        public void absent(String server) {}

        @Override
        public long[] take(String table, long intervalNanos, List<Count> taken) {
            return new long[taken.size()];
        }

        @Override
        public long[] use(String table, String server, Duration time, List<Count> used) {
            return new long[used.size()];
        }

        @Override
        public void close() {}
    }

    /// One gateway, whose thread of the group the test is.
    private final class Gateway {
        private final Upstream upstream;
        private final SharedEjections task;

        Gateway(String node, boolean judges) {
            UpstreamConfig config =
                    UpstreamConfig.of("shop", List.of(peer("a"), peer("b"), peer("c")))
                            .withOutliers(judges ? OutlierConfig.defaults() : null);
            upstream = new Upstream(config, () -> nanos);
            SharedGroup group =
                    new SharedGroup(
                            engine,
                            "a key of the group",
                            "group",
                            node,
                            SharedLimits.defaults(),
                            new SecureRandom(),
                            () -> nanos);
            task = new SharedEjections(group, () -> Instant.ofEpochMilli(nanos / 1_000_000));
            task.follow(List.of(upstream));
        }

        Peer peerNamed(String name) {
            return upstream.peers().stream()
                    .filter(each -> each.config().name().equals(name))
                    .findFirst()
                    .orElseThrow();
        }

        boolean leavesOut(String name) {
            return peerNamed(name).ejection().isOut();
        }

        void answers(String name, int count, int status) {
            Peer peer = peerNamed(name);
            for (int i = 0; i < count; i++) {
                peer.begin();
                upstream.answers().responded(peer, status, 1_000_000, -1);
                peer.end(Outcome.OK, 0, 0);
            }
        }

        /// Member `a` fails all.
        void judge() {
            answers("b", 100, 200);
            answers("c", 100, 200);
            answers("a", 100, 500);
            nanos += 11 * SECOND;
            answers("b", 1, 200);
        }
    }

    private static PeerConfig peer(String name) {
        int port = 8000 + name.charAt(0);
        return PeerConfig.of(name, PeerAddress.of(PeerScheme.HTTP, "127.0.0.1", port));
    }

    @Test
    void gatewayThatHasSeenLittle_doesAsAnother_andNotLonger() throws IOException {
        Gateway busy = new Gateway("busy", true);
        Gateway idle = new Gateway("idle", true);
        busy.judge();
        assertTrue(busy.leavesOut("a"));
        assertFalse(idle.leavesOut("a"));
        busy.task.run();
        idle.task.run();
        assertTrue(idle.leavesOut("a"));
        assertTrue(idle.peerNamed("a").ejection().ofOthers());
        int writes = engine.writes;
        for (int i = 0; i < 10; i++) {
            nanos += SECOND / 10;
            busy.task.run();
            idle.task.run();
        }
        assertEquals(writes, engine.writes, "nothing is written where nothing changes");
        nanos += 31 * SECOND;
        assertTrue(idle.upstream.choose(Selection.FIRST) != null);
        busy.upstream.choose(Selection.FIRST);
        idle.task.run();
        busy.task.run();
        idle.task.run();
        assertFalse(idle.leavesOut("a"));
        assertFalse(busy.leavesOut("a"));
    }

    /// What a gateway sees itself is what it does.
    @Test
    void gatewayThatHasSeenEnough_judgesByItself() throws IOException {
        Gateway busy = new Gateway("busy", true);
        Gateway other = new Gateway("other", true);
        busy.judge();
        other.answers("a", 100, 200);
        busy.task.run();
        other.task.run();
        assertFalse(other.leavesOut("a"));
    }

    @Test
    void gatewayWithoutTheKey_andOneWithOneMemberLeft_leaveNobodyOut() throws IOException {
        Gateway busy = new Gateway("busy", true);
        Gateway plain = new Gateway("plain", false);
        Gateway last = new Gateway("last", true);
        last.peerNamed("b").healthy(false, "it fails");
        last.peerNamed("c").healthy(false, "it fails");
        busy.judge();
        busy.task.run();
        plain.task.run();
        last.task.run();
        assertFalse(plain.leavesOut("a"));
        assertFalse(last.leavesOut("a"));
    }

    @Test
    void processThatFollows_leavesThemOut_forTheTimeThatIsLeft() throws IOException {
        Gateway before = new Gateway("before", true);
        before.judge();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new UpstreamState.LeftOut(before.upstream).write(new DataOutputStream(bytes));
        Gateway next = new Gateway("next", true);
        UpstreamState.LeftOut state = new UpstreamState.LeftOut(next.upstream);
        long revision = state.revision();
        state.read(
                new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())),
                Duration.ofSeconds(10));
        assertTrue(next.leavesOut("a"));
        assertEquals(19, next.peerNamed("a").ejection().secondsLeft(), 1);
        assertTrue(state.revision() > revision, "it is written before the process ends");
        assertFalse(next.peerNamed("a").ejection().ofOthers());
    }
}
