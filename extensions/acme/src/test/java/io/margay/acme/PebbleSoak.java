package io.margay.acme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.server.HttpServer;
import io.margay.server.acme.AcmeAuthority;
import io.margay.server.acme.AcmeCertificate;
import io.margay.server.acme.AcmeCertificate.DnsCommands;
import io.margay.server.acme.AcmeCertificate.KeyKind;
import io.margay.server.acme.AcmeChallengeKind;
import io.margay.server.acme.AcmeChallenges;
import io.margay.server.acme.AcmeConfig;
import io.margay.server.acme.AcmeLimits;
import io.margay.server.acme.AcmeReading;
import io.margay.server.config.HttpServerConfig;
import io.margay.server.dispatch.Dispatcher;
import io.margay.server.dispatch.VirtualDispatcher;
import io.margay.server.exchange.Exchange;
import io.margay.server.host.StatusResponse;
import io.margay.testkit.Eventually;
import io.margay.testkit.FreePort;
import io.margay.testkit.SelfSigned;
import io.margay.testkit.acme.PebbleProcess;
import io.margay.transport.ListenerConfig;
import io.margay.transport.TlsConfig;
import io.margay.transport.Transport;
import io.margay.transport.TransportConfig;
import io.margay.transport.factory.Transports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Two hundred names at a Pebble that refuses nonces and takes authorizations up again, with
/// listeners that refuse its looks, a client that is killed over and over, and a clock that leaps.
/// `make acme`.
final class PebbleSoak {
    private static final long SEED = Long.getLong("margay.acme.seed", 1);
    private static final int NAMES = Integer.getInteger("margay.acme.names", 200);
    private static final int ORDERS = Integer.getInteger("margay.acme.orders", AcmeConfig.ORDERS);
    private static final int NAMES_EACH = 5;
    private static final double REFUSED = 0.1;
    private static final AcmeLimits LIMITS =
            new AcmeLimits(
                    100,
                    100,
                    1 << 20,
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(60),
                    Duration.ofSeconds(10),
                    Duration.ofMillis(50),
                    Duration.ofSeconds(2),
                    Duration.ofHours(1),
                    Duration.ofMillis(200),
                    Duration.ofHours(1),
                    Duration.ofHours(24));

    @TempDir Path folder;
    private final Random random = new Random(SEED);
    private final AcmeChallenges challenges = new AcmeChallenges(LIMITS);
    private final AtomicInteger looks = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private volatile double refusing = REFUSED;
    private volatile Duration ahead = Duration.ZERO;

    @Test
    void allNames_areIssuedAndRenewed() throws Exception {
        int http = FreePort.next();
        int tls = FreePort.next();
        Path programs = Path.of(System.getProperty("margay.pebble"));
        try (Transport transport = Transports.open("nio", TransportConfig.defaults());
                Dispatcher dispatcher = new VirtualDispatcher(100);
                HttpServer server =
                        new HttpServer(
                                this::handle, dispatcher, HttpServerConfig.defaults(), null);
                PebbleProcess pebble =
                        PebbleProcess.start(
                                programs,
                                folder,
                                http,
                                tls,
                                Map.of(
                                        "PEBBLE_VA_NOSLEEP",
                                        "1",
                                        "PEBBLE_WFE_NONCEREJECT",
                                        "20",
                                        "PEBBLE_AUTHZREUSE",
                                        "50"))) {
            listen(server, transport, http, tls);
            AcmeConfig config = new AcmeConfig(folder.resolve("storage"), wanted(pebble));
            long began = System.nanoTime();
            int runs = untilIssued(config, Set.of(), 48);
            long seconds = (System.nanoTime() - began) / 1_000_000_000L;
            Set<X509Certificate> first = shown(config);
            assertEquals(config.certificates().size(), first.size());
            ahead = Duration.ofDays(80);
            int renewals = untilIssued(config, first, 0);
            Files.writeString(
                    Path.of(System.getProperty("margay.acme.report", "target/acme.txt")),
                    """
                    seed %d: %d names in %d certificates issued in %d s, %d clients killed, \
                    %d more while they were renewed; %d of %d looks refused
                    """
                            .formatted(
                                    SEED,
                                    NAMES,
                                    first.size(),
                                    seconds,
                                    runs - 1,
                                    renewals - 1,
                                    refused.get(),
                                    looks.get()),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        }
    }

    /// A certificate for each name, at a Pebble that is reliable and takes up to three seconds for
    /// each look, as authorities do that look from several places.
    @Test
    void oneCertificateForEachName_isIssued_manyAtTheSameTime() throws Exception {
        int http = FreePort.next();
        int tls = FreePort.next();
        refusing = 0;
        try (Transport transport = Transports.open("nio", TransportConfig.defaults());
                Dispatcher dispatcher = new VirtualDispatcher(100);
                HttpServer server =
                        new HttpServer(
                                this::handle, dispatcher, HttpServerConfig.defaults(), null);
                PebbleProcess pebble =
                        PebbleProcess.start(
                                Path.of(System.getProperty("margay.pebble")),
                                folder,
                                http,
                                tls,
                                Map.of(
                                        "PEBBLE_VA_SLEEPTIME",
                                        "3",
                                        "PEBBLE_WFE_NONCEREJECT",
                                        "0"))) {
            listen(server, transport, http, tls);
            AcmeAuthority authority =
                    new AcmeAuthority(pebble.directory(), pebble.roots(), "admin@shop.test", null);
            List<AcmeCertificate> all = new ArrayList<>();
            for (int i = 0; i < NAMES; i++) {
                all.add(
                        new AcmeCertificate(
                                List.of("one" + i + ".shop.test"),
                                authority,
                                List.of(AcmeChallengeKind.HTTP_01),
                                null,
                                KeyKind.EC256,
                                null,
                                null));
            }
            AcmeConfig config = new AcmeConfig(folder.resolve("storage"), all, ORDERS);
            long began = System.nanoTime();
            try (CertificateOrders orders =
                    new CertificateOrders(
                            AcmeLimits.defaults(),
                            challenges,
                            () -> {},
                            Instant::now,
                            new Random(SEED))) {
                orders.prepare(config);
                orders.follow(config);
                Eventually.holds(
                        "all are issued",
                        Duration.ofMinutes(15),
                        () -> orders.read().stream().filter(AcmeReading::issued).count() == NAMES);
                assertTrue(orders.read().stream().allMatch(one -> one.failures() == 0));
            }
            double seconds = (System.nanoTime() - began) / 1e9;
            Files.writeString(
                    Path.of(System.getProperty("margay.acme.report", "target/acme.txt")),
                    ("%d certificates of one name issued in %.0f s, %d at the same time;"
                                    + " 5000 in %.0f min%n")
                            .formatted(NAMES, seconds, ORDERS, seconds / NAMES * 5000 / 60),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        }
    }

    private void handle(Exchange exchange) throws IOException {
        looks.incrementAndGet();
        boolean refuses;
        synchronized (random) {
            refuses = random.nextDouble() < refusing;
        }
        if (refuses) {
            refused.incrementAndGet();
        }
        if (refuses || !challenges.answers(exchange)) {
            StatusResponse.plain(exchange, 404);
        }
    }

    private void listen(HttpServer server, Transport transport, int http, int tls)
            throws IOException {
        SelfSigned own = SelfSigned.make(folder, "own", "EC", List.of("DNS:localhost"));
        InetAddress here = InetAddress.getLoopbackAddress();
        server.listen(transport, ListenerConfig.of(new InetSocketAddress(here, http)));
        server.listen(
                transport,
                ListenerConfig.of(new InetSocketAddress(here, tls))
                        .withTls(TlsConfig.of(own.cert(), own.key()).withChallenges(challenges)));
    }

    /// A third of the certificates by each challenge to begin with.
    private List<AcmeCertificate> wanted(PebbleProcess pebble) {
        AcmeAuthority authority =
                new AcmeAuthority(pebble.directory(), pebble.roots(), "admin@shop.test", null);
        String url = "http://127.0.0.1:" + pebble.names();
        DnsCommands commands =
                new DnsCommands(
                        List.of(
                                "sh",
                                "-c",
                                curl(url + "/set-txt", ", \"value\": \"'$MARGAY_VALUE'\"")),
                        List.of("sh", "-c", curl(url + "/clear-txt", "")));
        List<AcmeCertificate> all = new ArrayList<>();
        for (int i = 0; i < NAMES / NAMES_EACH; i++) {
            List<String> names = new ArrayList<>();
            boolean byRecord = i % 3 == 2;
            for (int j = 0; j < NAMES_EACH; j++) {
                names.add((byRecord && j == 0 ? "*." : "") + "n" + j + ".c" + i + ".shop.test");
            }
            List<AcmeChallengeKind> kinds =
                    byRecord
                            ? List.of(AcmeChallengeKind.DNS_01)
                            : i % 3 == 0
                                    ? List.of(
                                            AcmeChallengeKind.HTTP_01,
                                            AcmeChallengeKind.TLS_ALPN_01)
                                    : List.of(
                                            AcmeChallengeKind.TLS_ALPN_01,
                                            AcmeChallengeKind.HTTP_01);
            all.add(
                    new AcmeCertificate(
                            names,
                            authority,
                            kinds,
                            byRecord ? commands : null,
                            KeyKind.EC256,
                            null,
                            null));
        }
        return all;
    }

    private static String curl(String url, String more) {
        return "curl -sf -d '{\"host\": \"'$MARGAY_RECORD'.\"" + more + "}' " + url;
    }

    /// Runs clients, each for a time that chance says, until the last one has got all.
    ///
    /// @param others certificates that do not count
    /// @param leapHours the wall clock leaps within so many hours with each client
    /// @return how many there were
    private int untilIssued(AcmeConfig config, Set<X509Certificate> others, int leapHours)
            throws Exception {
        long until = System.nanoTime() + Duration.ofMinutes(15).toNanos();
        Duration began = ahead;
        for (int runs = 1; ; runs++) {
            assertTrue(System.nanoTime() < until, "not all were issued");
            try (CertificateOrders orders =
                    new CertificateOrders(
                            LIMITS,
                            challenges,
                            () -> {},
                            () -> Instant.now().plus(ahead),
                            new Random(SEED + runs))) {
                orders.prepare(config);
                orders.follow(config);
                int millis;
                synchronized (random) {
                    millis = 100 + random.nextInt(8_000);
                    ahead =
                            began.plus(
                                    Duration.ofHours(
                                            random.nextInt(leapHours + 1) - leapHours / 2));
                }
                long end = System.nanoTime() + millis * 1_000_000L;
                while (System.nanoTime() < end) {
                    LockSupport.parkNanos(20_000_000L);
                    if (isDone(config, orders, others)) {
                        return runs;
                    }
                }
            }
            assertFalse(challenges.isPending());
        }
    }

    private static boolean isDone(
            AcmeConfig config, CertificateOrders orders, Set<X509Certificate> others)
            throws IOException {
        Set<X509Certificate> now = shown(config);
        now.removeAll(others);
        List<AcmeReading> all = orders.read();
        return now.size() == config.certificates().size()
                && all.size() == now.size()
                && all.stream().allMatch(AcmeReading::issued);
    }

    private static Set<X509Certificate> shown(AcmeConfig config) throws IOException {
        Set<X509Certificate> all = new HashSet<>();
        for (AcmeCertificate one : config.certificates()) {
            X509Certificate found = Keys.certificate(Storage.read(one.file(config.storage())));
            if (found != null && !OwnSigned.isPlaceholder(found)) {
                all.add(found);
            }
        }
        return all;
    }
}
