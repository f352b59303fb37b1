package io.margay.gateway.discovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.balance.Peer;
import io.margay.gateway.balance.Upstream;
import io.margay.gateway.config.Activation;
import io.margay.gateway.config.MemberSource;
import io.margay.gateway.config.PeerAddress;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerScheme;
import io.margay.gateway.config.UpstreamConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What becomes of what sources of members say, by a clock that is set by hand.
final class DiscoveryTest {
    private static final Duration AGAIN = Duration.ofSeconds(30);

    private long nanos = 1_000_000_000_000L;
    private Finding next = new Finding.Same(AGAIN);

    private static PeerConfig peer(String name) {
        return PeerConfig.of(name, PeerAddress.of(PeerScheme.HTTP, name, 8080));
    }

    private static MemberSource source(Duration drain, Duration hold) {
        return new MemberSource(
                new MemberSource.MemberFile(Path.of("members"), true),
                peer("-"),
                AGAIN,
                drain,
                hold);
    }

    private static Finding members(String... names) {
        return new Finding.Members(Stream.of(names).map(DiscoveryTest::peer).toList(), AGAIN);
    }

    /// An upstream whose only source says what the test has it say.
    private final class Scripted {
        private final Upstream upstream;
        private final Discovery discovery;
        private final SourceState state;
        private final List<String> changes = new ArrayList<>();

        Scripted(MemberSource source) {
            UpstreamConfig config =
                    UpstreamConfig.of("shop", List.of(peer("unused"))).withSources(List.of(source));
            upstream =
                    new Upstream(
                            config.withPeers(List.of())
                                    .withHealth(null)
                                    .withRounds(1)
                                    .withPatience(Duration.ZERO),
                            () -> nanos);
            discovery =
                    new Discovery(
                            upstream, _ -> () -> next, () -> nanos, DiscoveryLimits.defaults());
            state = discovery.states().getFirst();
            discovery.onChange(change -> {
                change.joined().forEach(each -> changes.add("+" + each.config().name()));
                change.left().forEach(each -> changes.add("-" + each.config().name()));
            });
        }

        Duration look(Finding says) throws InterruptedException {
            next = says;
            return discovery.look(state, () -> next);
        }

        String names() {
            return String.join(
                    " ", upstream.peers().stream().map(peer -> peer.config().name()).toList());
        }

        DiscoveryReading reading() {
            return discovery.read().getFirst();
        }
    }

    @Test
    void failure_keepsTheMembers_andIsTold() throws Exception {
        Scripted scripted = new Scripted(source(Duration.ZERO, Duration.ZERO));
        assertEquals(AGAIN, scripted.look(members("a", "b")));
        nanos += 3_600_000_000_000L;
        Duration _ = scripted.look(new Finding.Failed("no answer", Duration.ofSeconds(5)));
        assertEquals("a b", scripted.names());
        assertEquals("no answer", scripted.reading().failure());
        assertEquals(3_600, scripted.reading().sinceSuccessSeconds());
        assertEquals(1, scripted.reading().failures());
        Duration _ = scripted.look(members("b"));
        assertNull(scripted.reading().failure());
        assertEquals(List.of("+a", "+b", "-a"), scripted.changes);
    }

    @Test
    void sourceWithoutMembers_forLong_hasNone() throws Exception {
        Scripted scripted = new Scripted(source(Duration.ZERO, Duration.ofSeconds(30)));
        Duration _ = scripted.look(members("a"));
        Finding none = new Finding.None("no such name", AGAIN);
        assertEquals(Duration.ofSeconds(30), scripted.look(none));
        nanos += 29_000_000_000L;
        assertEquals(Duration.ofSeconds(1), scripted.look(none));
        assertEquals("a", scripted.names());
        nanos += 1_000_000_000L;
        assertEquals(AGAIN, scripted.look(none));
        assertEquals("", scripted.names());
    }

    @Test
    void denial_thatAFailureFollows_beginsAnew() throws Exception {
        Scripted scripted = new Scripted(source(Duration.ZERO, Duration.ofSeconds(30)));
        Duration _ = scripted.look(members("a"));
        Finding none = new Finding.None("no such name", AGAIN);
        Duration _ = scripted.look(none);
        nanos += 60_000_000_000L;
        assertEquals(AGAIN, scripted.look(new Finding.Failed("no answer", AGAIN)));
        Duration _ = scripted.look(none);
        assertEquals("a", scripted.names());
    }

    @Test
    void member_thatIsNotNamedAnyMore_getsItsSessionsUntilItIsDrained() throws Exception {
        Scripted scripted = new Scripted(source(Duration.ofSeconds(10), Duration.ZERO));
        Duration _ = scripted.look(members("a", "b"));
        Peer a = scripted.upstream.peers().getFirst();
        assertEquals(Duration.ofSeconds(10), scripted.look(members("b")));
        assertEquals(Activation.DISABLED, a.activation());
        Duration _ = scripted.look(members("a", "b"));
        assertEquals(Activation.ACTIVE, a.activation());
        Duration _ = scripted.look(members("b"));
        nanos += 10_000_000_000L;
        Duration _ = scripted.look(new Finding.Same(AGAIN));
        assertEquals("b", scripted.names());
        assertTrue(a.departed());
    }

    @Test
    void source_thatNamesTooMany_isNotBelieved() throws Exception {
        Scripted scripted = new Scripted(source(Duration.ZERO, Duration.ZERO));
        Duration _ = scripted.look(members("a"));
        String[] many =
                IntStream.rangeClosed(0, DiscoveryLimits.defaults().membersMax())
                        .mapToObj(i -> "m" + i)
                        .toArray(String[]::new);
        Duration _ = scripted.look(members(many));
        assertEquals("a", scripted.names());
        assertEquals("it names more than 1024 members", scripted.reading().failure());
    }

    @Test
    void sources_areLookedAtByThreads_thatEndWithThem() throws Exception {
        LinkedBlockingQueue<String> looks = new LinkedBlockingQueue<>();
        Upstream upstream =
                new Upstream(
                        UpstreamConfig.of("shop", List.of(peer("fixed")))
                                .withSources(List.of(source(Duration.ZERO, Duration.ZERO))));
        Discovery discovery =
                new Discovery(
                        upstream,
                        _ ->
                                () -> {
                                    looks.add("look");
                                    return new Finding.Members(List.of(peer("a")), Duration.ZERO);
                                },
                        System::nanoTime,
                        DiscoveryLimits.defaults());
        discovery.start();
        discovery.awaitFirst(System.nanoTime() + 10_000_000_000L);
        assertEquals(2, upstream.peers().size());
        assertEquals("look", looks.take());
        assertEquals("look", looks.take()); // After a pause of its own, whatever the source says.
        discovery.close();
        discovery.awaitEnd();
        assertEquals(2, upstream.peers().size());
    }
}
