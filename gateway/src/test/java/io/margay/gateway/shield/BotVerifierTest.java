package io.margay.gateway.shield;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.discovery.NameAnswer;
import io.margay.gateway.discovery.NameService;
import io.margay.gateway.shield.BotVerifier.Verdict;
import io.margay.testkit.Eventually;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Whether clients are the bots that they claim to be.
final class BotVerifierTest {
    private static final KnownBot BOT = KnownBot.SEARCH_ENGINES.getFirst();
    private static final InetAddress ADDRESS = InetAddress.ofLiteral("192.0.2.7");

    private final AtomicLong now = new AtomicLong();
    private final Map<String, NameAnswer> zone = new ConcurrentHashMap<>();
    private final AtomicInteger asked = new AtomicInteger();
    private volatile CountDownLatch open = new CountDownLatch(1);

    private final class Zone implements NameService {
        @Override
        public NameAnswer names(InetAddress address) {
            asked.incrementAndGet();
            try {
                open.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return of(address.getHostAddress());
        }

        @Override
        public NameAnswer addresses(String name, boolean ipv6) {
            return of(name);
        }

        @Override
        public NameAnswer services(String name) {
            return of(name);
        }

        private NameAnswer of(String name) {
            return zone.getOrDefault(name, new NameAnswer.Absent(name));
        }
    }

    private static NameAnswer entries(String... hosts) {
        return new NameAnswer.Entries(
                List.of(hosts).stream().map(host -> new NameAnswer.Entry(host, 0, 0, 0)).toList(),
                Duration.ofMinutes(1));
    }

    private final BotVerifier verifier =
            new BotVerifier(ShieldLimits.defaults(), Zone::new, now::get);

    private Verdict verdict() {
        assertEquals(Verdict.PENDING, verifier.of(ADDRESS, BOT), "nobody waits for it");
        open.countDown();
        Eventually.holds("it is known", () -> verifier.of(ADDRESS, BOT) != Verdict.PENDING);
        return verifier.of(ADDRESS, BOT);
    }

    @ParameterizedTest
    @CsvSource({
        "crawl-7.googlebot.com., crawl-7.googlebot.com., 192.0.2.7, VERIFIED",
        "CRAWL-7.GoogleBot.com, CRAWL-7.GoogleBot.com, 192.0.2.7, VERIFIED",
        "crawl-7.googlebot.com., crawl-7.googlebot.com., 192.0.2.8, IMPOSTOR",
        "crawl-7.googlebot.com., other., 192.0.2.7, IMPOSTOR",
        "a.googlebot.com.evil.example., a.googlebot.com.evil.example., 192.0.2.7, IMPOSTOR",
        "evilgooglebot.com., evilgooglebot.com., 192.0.2.7, IMPOSTOR",
        "googlebot.com., googlebot.com., 192.0.2.7, IMPOSTOR",
    })
    void address_isTheBots_whenItsNameIs_andHasIt(
            String name, String forward, String address, Verdict verdict) {
        zone.put("192.0.2.7", entries("x.example.", name));
        zone.put(forward, entries("192.0.2.99", address));
        zone.put("x.example.", entries("192.0.2.7"));
        assertEquals(verdict, verdict());
    }

    @Test
    void address_withoutAName_isAnImpostors() {
        assertEquals(Verdict.IMPOSTOR, verdict());
    }

    @Test
    void nameService_thatFails_makesNobodyAnImpostor_andIsAskedAgain() {
        zone.put("192.0.2.7", new NameAnswer.Failed("timeout"));
        assertEquals(Verdict.UNKNOWN, verdict());
        zone.put("192.0.2.7", entries("a.googlebot.com."));
        zone.put("a.googlebot.com.", new NameAnswer.Failed("timeout"));
        now.addAndGet(Duration.ofMinutes(2).toNanos());
        assertEquals(Verdict.UNKNOWN, verdict());
        zone.put("a.googlebot.com.", entries("192.0.2.7"));
        assertEquals(Verdict.UNKNOWN, verifier.of(ADDRESS, BOT), "not at once");
        now.addAndGet(Duration.ofMinutes(2).toNanos());
        assertEquals(Verdict.VERIFIED, verdict());
        assertEquals(3, verifier.lookups());
    }

    @Test
    void millionAddresses_thatClaimToBeABot_areFewLookups_andForgetNoVerifiedOne() {
        zone.put("192.0.2.7", entries("a.googlebot.com."));
        zone.put("a.googlebot.com.", entries("192.0.2.7"));
        assertEquals(Verdict.VERIFIED, verdict());
        CountDownLatch slow = new CountDownLatch(1);
        open = slow;
        int pending = 0;
        for (int i = 0; i < 1_000_000; i++) {
            byte[] address = {10, (byte) (i >> 16), (byte) (i >> 8), (byte) i};
            Verdict of = verifier.of(address(address), BOT);
            assertFalse(of == Verdict.VERIFIED);
            pending += of == Verdict.PENDING ? 1 : 0;
        }
        slow.countDown();
        ShieldLimits limits = ShieldLimits.defaults();
        assertTrue(pending <= limits.lookupsMax() + limits.lookersMax());
        assertEquals(Verdict.VERIFIED, verifier.of(ADDRESS, BOT));
    }

    private static InetAddress address(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (java.net.UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void nameService_thatIsSlow_holdsAFewThreads_andABoundedQueue() {
        ShieldLimits limits = ShieldLimits.defaults();
        int pending = 0;
        for (int i = 0; i < 10_000; i++) {
            byte[] address = {10, 0, (byte) (i >> 8), (byte) i};
            pending += verifier.of(address(address), BOT) == Verdict.PENDING ? 1 : 0;
        }
        assertTrue(pending <= limits.lookupsMax() + limits.lookersMax());
        Eventually.holds("they ask", () -> asked.get() == limits.lookersMax());
        open.countDown();
    }
}
