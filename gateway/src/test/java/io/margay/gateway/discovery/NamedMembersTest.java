package io.margay.gateway.discovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.margay.gateway.config.MemberSource;
import io.margay.gateway.config.MemberSource.Family;
import io.margay.gateway.config.PeerAddress;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerScheme;
import io.margay.gateway.discovery.NameAnswer.Entry;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Members from what a scripted name service says.
final class NamedMembersTest {
    private static final Duration TTL = Duration.ofSeconds(20);

    private final Map<String, NameAnswer> says = new HashMap<>();

    private final NameService names =
            new NameService() {
                @Override
                public NameAnswer addresses(String name, boolean ipv6) {
                    return says.getOrDefault(
                            name + (ipv6 ? " AAAA" : " A"), new NameAnswer.Absent("no " + name));
                }

                @Override
                public NameAnswer services(String name) {
                    return says.getOrDefault(name, new NameAnswer.Absent("no " + name));
                }
            };

    private static NameAnswer addresses(Duration ttl, String... hosts) {
        return new NameAnswer.Entries(
                Stream.of(hosts).map(host -> new Entry(host, 0, 0, 0)).toList(), ttl);
    }

    private Finding find(MemberSource.Place place, PeerScheme scheme, Duration every) {
        PeerConfig pattern = PeerConfig.of("-", PeerAddress.of(scheme, "localhost", 80));
        PeerConfig plain = pattern.withShare(PeerConfig.Share.defaults("").withWeight(2));
        return new NamedMembers(
                        new MemberSource(place, plain, every, Duration.ZERO, Duration.ZERO),
                        names,
                        DiscoveryLimits.defaults())
                .find();
    }

    private Finding find(Family family) {
        return find(
                new MemberSource.Addresses("app.internal", 8080, family, List.of()),
                PeerScheme.HTTP,
                Duration.ZERO);
    }

    private Finding services(PeerScheme scheme) {
        return find(
                new MemberSource.Services("_http._tcp.app", Family.ANY, List.of()),
                scheme,
                Duration.ZERO);
    }

    private static List<PeerConfig> members(Finding finding) {
        return assertInstanceOf(Finding.Members.class, finding).members();
    }

    private static List<String> urls(Finding finding) {
        return members(finding).stream().map(PeerConfig::name).toList();
    }

    @Test
    void addresses_ofBothFamilies_areMembersOfOnePort() {
        says.put("app.internal A", addresses(TTL, "10.0.0.6", "10.0.0.5"));
        says.put("app.internal AAAA", addresses(Duration.ofSeconds(10), "2001:db8:0:0:0:0:0:7"));
        Finding found = find(Family.ANY);
        assertEquals(
                List.of(
                        "http://10.0.0.5:8080",
                        "http://10.0.0.6:8080",
                        "http://[2001:db8:0:0:0:0:0:7]:8080"),
                urls(found));
        assertEquals(Duration.ofSeconds(10), found.again());
        assertEquals(2, urls(find(Family.IPV4)).size());
        assertEquals(1, urls(find(Family.IPV6)).size());
        assertEquals(2, members(found).getFirst().share().weight());
    }

    @Test
    void routes_withoutHostNames_areDigestsThatDiffer() {
        says.put("app.internal A", addresses(TTL, "10.0.0.5", "10.0.0.6"));
        List<PeerConfig> members = members(find(Family.ANY));
        String route = members.getFirst().share().route();
        assertEquals("d0e4f9e95c94".length(), route.length());
        assertNotEquals(route, members.getLast().share().route());
        assertEquals(route, members(find(Family.ANY)).getFirst().share().route());
    }

    @Test
    void lookingAgain_isByTheTimeToLive_withinBounds() {
        says.put("app.internal A", addresses(Duration.ZERO, "10.0.0.5"));
        assertEquals(Duration.ofSeconds(1), find(Family.ANY).again());
        says.put("app.internal A", addresses(Duration.ofDays(9), "10.0.0.5"));
        assertEquals(Duration.ofHours(1), find(Family.ANY).again());
        Finding found =
                find(
                        new MemberSource.Addresses("app.internal", 80, Family.ANY, List.of()),
                        PeerScheme.HTTP,
                        Duration.ofSeconds(3));
        assertEquals(Duration.ofSeconds(3), found.again());
    }

    @Test
    void familyThatIsRefused_hasNoAddresses_whereTheOtherIsTold() {
        NameAnswer refused = new NameAnswer.Failed("REFUSED", true);
        says.put("app.internal A", addresses(TTL, "10.0.0.1"));
        says.put("app.internal AAAA", refused);
        assertEquals(1, urls(find(Family.ANY)).size());
        says.put("app.internal AAAA", addresses(TTL, "fd00::1"));
        says.put("app.internal A", refused);
        assertEquals(1, urls(find(Family.ANY)).size());
        for (NameAnswer other : List.of(refused, new NameAnswer.Absent("none"))) {
            says.put("app.internal AAAA", other);
            assertEquals("REFUSED", assertInstanceOf(Finding.Failed.class, find(Family.ANY)).why());
        }
    }

    @Test
    void failureOfOneFamily_isAFailure_andAbsenceOfBothIsNone() {
        says.put("app.internal A", addresses(TTL, "10.0.0.5"));
        says.put("app.internal AAAA", new NameAnswer.Failed("timed out"));
        assertEquals("timed out", assertInstanceOf(Finding.Failed.class, find(Family.ANY)).why());
        assertEquals(1, urls(find(Family.IPV4)).size());
        says.clear();
        assertEquals(
                "no app.internal", assertInstanceOf(Finding.None.class, find(Family.ANY)).why());
    }

    @Test
    void services_havePortsWeightsAndDistances_andRoutesOfTheirHosts() {
        says.put(
                "_http._tcp.app",
                new NameAnswer.Entries(
                        List.of(
                                new Entry("Pod-0.app.internal.", 8081, 10, 3),
                                new Entry("pod-1.app.internal.", 8082, 10, 0),
                                new Entry("spare.app.internal.", 8083, 20, 5),
                                new Entry("gone.app.internal.", 8084, 10, 1)),
                        TTL));
        says.put("Pod-0.app.internal. A", addresses(TTL, "10.0.0.5"));
        says.put("pod-1.app.internal. A", addresses(Duration.ofSeconds(4), "10.0.0.6"));
        says.put("spare.app.internal. A", addresses(TTL, "10.0.0.7", "10.0.0.8"));
        Finding found = services(PeerScheme.HTTPS);
        assertEquals(
                List.of(
                        "https://10.0.0.5:8081",
                        "https://10.0.0.6:8082",
                        "https://10.0.0.7:8083",
                        "https://10.0.0.8:8083"),
                urls(found));
        List<PeerConfig> members = members(found);
        assertEquals("pod-0", members.getFirst().share().route());
        assertEquals(6, members.getFirst().share().weight()); // That of the source times 3.
        assertEquals("Pod-0.app.internal", members.getFirst().tls().serverName());
        assertEquals(2, members.get(1).share().weight());
        assertEquals(0, members.get(1).share().distance());
        assertEquals(10, members.get(2).share().distance());
        assertNotEquals("spare", members.get(2).share().route());
        assertEquals(Duration.ofSeconds(4), found.again());
    }

    @Test
    void services_withATargetThatIsNotKnown_areAFailure() {
        says.put(
                "_http._tcp.app",
                new NameAnswer.Entries(
                        List.of(new Entry("a.", 80, 0, 0), new Entry("b.", 80, 0, 0)), TTL));
        says.put("a. A", addresses(TTL, "10.0.0.5"));
        says.put("b. A", new NameAnswer.Failed("timed out"));
        assertEquals(
                "timed out",
                assertInstanceOf(Finding.Failed.class, services(PeerScheme.HTTP)).why());
    }

    @Test
    void service_thatIsSaidNotToBe_hasNoMembers() {
        says.put("_http._tcp.app", new NameAnswer.Entries(List.of(new Entry(".", 0, 0, 0)), TTL));
        assertEquals(
                "it says that there is no such service",
                assertInstanceOf(Finding.None.class, services(PeerScheme.HTTP)).why());
    }

    @Test
    void services_withVeryManyTargets_areNotAllAskedFor() {
        says.put(
                "_http._tcp.app",
                new NameAnswer.Entries(
                        IntStream.range(0, 2_000)
                                .mapToObj(i -> new Entry("a.", 1 + i, 0, 0))
                                .toList(),
                        TTL));
        says.put("a. A", addresses(TTL, "10.0.0.5"));
        assertInstanceOf(Finding.Failed.class, services(PeerScheme.HTTP));
    }
}
