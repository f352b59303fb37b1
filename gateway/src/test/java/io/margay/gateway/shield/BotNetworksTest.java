package io.margay.gateway.shield;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.testkit.Eventually;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/// Lists of networks, which are fetched, refreshed and kept when that fails.
final class BotNetworksTest {
    private static final URI LIST = URI.create("https://bot.example/bots.json");
    private static final long HOUR_NANOS = 3_600_000_000_000L;

    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger asked = new AtomicInteger();
    private volatile List<String> networks = List.of("192.0.2.0/24", "2001:db8::/32");

    private final BotNetworks lists =
            new BotNetworks(
                    new KeyDirectory() {
                        @Override
                        public List<Key> fetch(URI directory) throws IOException {
                            throw new IOException("there are no keys");
                        }

                        @Override
                        public List<String> networks(URI list) throws IOException {
                            int _ = asked.incrementAndGet();
                            if (networks.isEmpty()) {
                                throw new IOException("away");
                            }
                            return networks;
                        }
                    },
                    nanos::get);

    private BotVerifier.Verdict of(String address) {
        return lists.of(new InetSocketAddress(InetAddress.ofLiteral(address), 1), LIST);
    }

    private void awaits(String address, BotVerifier.Verdict verdict) {
        Eventually.holds(address + " is " + verdict, () -> of(address) == verdict);
    }

    @Test
    void client_isVerifiedByTheList() {
        assertEquals(BotVerifier.Verdict.PENDING, of("192.0.2.1"));
        awaits("192.0.2.1", BotVerifier.Verdict.VERIFIED);
        assertEquals(BotVerifier.Verdict.VERIFIED, of("2001:db8::1"));
        assertEquals(BotVerifier.Verdict.IMPOSTOR, of("198.51.100.1"));
        assertEquals(1, asked.get());
    }

    @Test
    void list_isRefreshedOnceADay_andKeptForAWeekWhenThatFails() {
        BotVerifier.Verdict _ = of("192.0.2.1");
        awaits("192.0.2.1", BotVerifier.Verdict.VERIFIED);
        networks = List.of("198.51.100.0/24");
        nanos.addAndGet(25 * HOUR_NANOS);
        awaits("192.0.2.1", BotVerifier.Verdict.IMPOSTOR);
        assertEquals(BotVerifier.Verdict.VERIFIED, of("198.51.100.1"));
        networks = List.of();
        nanos.addAndGet(25 * HOUR_NANOS);
        BotVerifier.Verdict _ = of("198.51.100.1");
        Eventually.holds("it was asked for again", () -> asked.get() == 3);
        assertEquals(BotVerifier.Verdict.VERIFIED, of("198.51.100.1"));
        nanos.addAndGet(7 * 24 * HOUR_NANOS);
        awaits("198.51.100.1", BotVerifier.Verdict.UNKNOWN);
    }
}
