package io.margay.gateway.discovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.balance.Upstream;
import io.margay.gateway.config.MemberSource;
import io.margay.gateway.config.PeerAddress;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerScheme;
import io.margay.gateway.config.UpstreamConfig;
import io.margay.gateway.discovery.Registrar.Answer;
import io.margay.server.handover.StateLimits;
import io.margay.server.handover.StateSection;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Who registers as a member of an upstream, by a clock that is set by hand.
final class RegistrarTest {
    private static final InetAddress SENDER = InetAddress.ofLiteral("10.0.0.5");

    @TempDir Path folder;
    private long nanos = 1_000_000_000_000L;
    private Upstream upstream;
    private Discovery discovery;
    private Registrar registrar;

    @BeforeEach
    void open() throws IOException {
        Files.writeString(folder.resolve("token"), "a-token-of-registrars\n");
        open(List.of("10.0.0.0/8", "fd00::/8"));
    }

    private void open(List<String> networks) {
        MemberSource.Registered place =
                new MemberSource.Registered(folder.resolve("token"), networks, Duration.ZERO);
        MemberSource source =
                new MemberSource(
                        place,
                        PeerConfig.of("-", PeerAddress.of(PeerScheme.HTTP, "localhost", 80)),
                        Duration.ofSeconds(1),
                        Duration.ZERO,
                        Duration.ofSeconds(30));
        UpstreamConfig any = UpstreamConfig.of("shop", List.of(source.pattern()));
        upstream =
                new Upstream(
                        any.withSources(List.of(source))
                                .withPeers(List.of())
                                .withHealth(null)
                                .withRounds(1)
                                .withPatience(Duration.ZERO),
                        () -> nanos);
        DiscoveryLimits limits = DiscoveryLimits.defaults();
        Registrations registrations = new Registrations(() -> nanos, limits);
        discovery = new Discovery(upstream, _ -> registrations.finder(source), () -> nanos, limits);
        registrar =
                new Registrar(
                        "shop",
                        source,
                        place,
                        registrations,
                        () -> discovery.refresh(source),
                        limits);
    }

    private void pass(Duration time) {
        nanos += time.toNanos();
        discovery.refresh(upstream.configured().sources().getFirst());
    }

    private Answer put(String name, String url, String... more) {
        Map<String, String> options = new HashMap<>(Map.of("url", url, "lease", "10"));
        for (int i = 0; i < more.length; i += 2) {
            options.put(more[i], more[i + 1]);
        }
        return registrar.put(name, options, SENDER).answer();
    }

    private String names() {
        return String.join(
                " ", upstream.peers().stream().map(peer -> peer.config().name()).sorted().toList());
    }

    @Test
    void member_isThereAtOnce_untilItsLeaseEnds() {
        assertEquals(Answer.DONE, put("a", "http://10.0.0.5:8080", "weight", "2"));
        assertEquals("a", names());
        PeerConfig member = upstream.peers().getFirst().config();
        assertEquals("http://10.0.0.5:8080", member.address().toString());
        assertEquals("a", member.share().route());
        assertEquals(2, member.share().weight());
        pass(Duration.ofSeconds(9));
        assertEquals(Answer.DONE, put("b", "ajp://[fd00::7]:8009", "route", "r7"));
        assertEquals("a b", names());
        pass(Duration.ofMillis(1_001));
        assertEquals("b", names());
    }

    @Test
    void lease_thatIsRenewed_goesOn() {
        assertEquals(Answer.DONE, put("a", "http://10.0.0.5:8080"));
        assertEquals(Answer.DONE, put("b", "http://10.0.0.6:8080"));
        for (int i = 0; i < 5; i++) {
            pass(Duration.ofSeconds(8));
            assertEquals(Answer.DONE, put("a", "http://10.0.0.5:8080"));
        }
        assertEquals("a", names());
    }

    private byte[] written() throws IOException {
        return StateSection.of(registrar.state(), StateLimits.defaults());
    }

    @Test
    void nextProcess_knowsWhoIsRegistered_forAThirdOfTheLeaseAtLeast() throws Exception {
        assertEquals(Answer.DONE, put("a", "http://10.0.0.5:8080", "weight", "2"));
        pass(Duration.ofSeconds(8));
        assertEquals(Answer.DONE, put("b", "http://10.0.0.6:8080"));
        byte[] section = written();
        open(List.of("10.0.0.0/8"));
        assertTrue(StateSection.restore(registrar.state(), section, Duration.ofSeconds(4)));
        assertEquals("a b", names(), "a is a little late, as whoever could not renew its lease");
        assertEquals(2, upstream.peers().getFirst().config().share().weight());
        pass(Duration.ofMillis(5_300));
        assertEquals("a b", names());
        pass(Duration.ofMillis(100));
        assertEquals("b", names());
        pass(Duration.ofSeconds(30));
        open(List.of("10.0.0.0/8"));
        assertTrue(StateSection.restore(registrar.state(), section, Duration.ofSeconds(14)));
        assertEquals("", names());
    }

    @Test
    void nextProcess_leavesOutWhatItsConfigurationDoesNotAdmit() throws Exception {
        assertEquals(Answer.DONE, put("a", "http://10.0.0.5:8080"));
        byte[] section = written();
        open(List.of("10.9.0.0/16"));
        assertTrue(StateSection.restore(registrar.state(), section, Duration.ZERO));
        assertEquals("", names());
    }

    @Test
    void member_thatDrains_getsItsSessionsOnly_andLeavesAtOnce() {
        assertEquals(Answer.DONE, put("a", "http://10.0.0.5:8080"));
        assertEquals(Answer.DONE, put("b", "http://10.0.0.6:8080"));
        assertEquals(Answer.DONE, put("a", "http://10.0.0.5:8080", "activation", "disabled"));
        assertEquals("DISABLED", upstream.peers().getFirst().activation().toString());
        assertTrue(registrar.remove("a"));
        assertEquals("b", names());
        assertFalse(registrar.remove("a"));
        assertTrue(registrar.remove("b"));
        assertEquals("", names());
    }

    @Test
    void allLeasesThatEndAtOnce_areNotBelieved_forAWhile() {
        assertEquals(Answer.DONE, put("a", "http://10.0.0.5:8080"));
        assertEquals(Answer.DONE, put("b", "http://10.0.0.6:8080"));
        pass(Duration.ofSeconds(10));
        assertEquals("a b", names());
        assertEquals("no member is registered", discovery.read().getFirst().failure());
        pass(Duration.ofSeconds(29));
        assertEquals("a b", names());
        pass(Duration.ofSeconds(1));
        assertEquals("", names());
        assertEquals(Answer.DONE, put("a", "http://10.0.0.5:8080"));
        assertEquals("a", names());
    }

    @Test
    void nameOfAnother_isTaken_untilItsLeaseEnds() {
        assertEquals(Answer.DONE, put("a", "http://10.0.0.5:8080"));
        assertEquals(Answer.TAKEN, put("a", "http://10.0.0.6:8080"));
        pass(Duration.ofSeconds(10));
        assertEquals(Answer.DONE, put("a", "http://10.0.0.6:8080"));
    }

    @Test
    void hundredThousandMembers_areBounded() {
        int taken = 0;
        for (int i = 0; i < 100_000; i++) {
            String url = "http://10." + (i >> 16) + "." + ((i >> 8) & 255) + "." + (i & 255);
            taken += put("m" + i, url) == Answer.DONE ? 1 : 0;
        }
        int most = DiscoveryLimits.defaults().membersMax();
        assertEquals(most, taken);
        assertEquals(most, upstream.peers().size());
        assertEquals(Answer.DONE, put("m0", "http://10.0.0.0"));
        nanos += Duration.ofSeconds(10).toNanos();
        assertEquals(Answer.DONE, put("late", "http://10.0.0.5"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://192.168.0.1",
                "http://[::1]:80",
                "http://localhost:80",
                "http://10.0.0.5.attacker.example",
                "http+unix:/run/other.sock",
                "http://[::ffff:192.168.0.1]"
            })
    void address_thatIsNotAllowed_isRefused(String url) {
        assertEquals(Answer.FORBIDDEN, put("a", url));
        assertEquals("", names());
    }

    @Test
    void withoutNetworks_onlyTheSendersAddressIsTaken() {
        open(List.of());
        assertEquals(Answer.FORBIDDEN, put("a", "http://10.0.0.6:8080"));
        assertEquals(Answer.DONE, put("a", "http://10.0.0.5:8080"));
        Map<String, String> options = Map.of("url", "http://10.0.0.5", "lease", "10");
        assertEquals(Answer.FORBIDDEN, registrar.put("b", options, null).answer());
    }

    @Test
    void registration_thatMakesNoSense_isInvalid() {
        String url = "http://10.0.0.5";
        assertEquals(Answer.INVALID, put("", url));
        assertEquals(Answer.INVALID, put(".", url));
        assertEquals(Answer.INVALID, put("a b", url));
        assertEquals(Answer.INVALID, put("a".repeat(65), url));
        assertEquals(Answer.INVALID, put("a", "gopher://10.0.0.5"));
        assertEquals(Answer.INVALID, put("a", url, "lease", "0"));
        assertEquals(Answer.INVALID, put("a", url, "lease", "+5"));
        assertEquals(Answer.INVALID, put("a", url, "lease", "3601"));
        assertEquals(Answer.INVALID, put("a", url, "route", "a;b"));
        assertEquals(Answer.INVALID, put("a", url, "name", "b"));
        assertEquals(Answer.INVALID, put("a", url, "weight", "-1"));
        assertEquals(Answer.INVALID, put("a", url, "redirect", "a\r\nb"));
        assertEquals(Answer.INVALID, put("a", url, "domain", "d".repeat(1_000)));
        assertEquals(Answer.INVALID, put("a", url, "verify", "false"));
        Map<String, String> none = Map.of("lease", "10");
        assertEquals(Answer.INVALID, registrar.put("a", none, SENDER).answer());
        assertEquals("", names());
    }

    @Test
    void token_isReadAgain_andNothingOpensWithoutOne() throws IOException {
        assertTrue(registrar.knows("a-token-of-registrars"));
        assertFalse(registrar.knows("a-token-of-registrar"));
        Files.writeString(folder.resolve("token"), "another-token-of-registrars");
        assertFalse(registrar.knows("a-token-of-registrars"));
        assertTrue(registrar.knows("another-token-of-registrars"));
        Files.writeString(folder.resolve("token"), "short");
        assertFalse(registrar.knows("short"));
        Files.delete(folder.resolve("token"));
        assertFalse(registrar.knows(""));
    }
}
