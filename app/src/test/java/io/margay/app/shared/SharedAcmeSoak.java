package io.margay.app.shared;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.MargayProcess;
import io.margay.testkit.Eventually;
import io.margay.testkit.FreePort;
import io.margay.testkit.RedisProcess;
import io.margay.testkit.acme.PebbleProcess;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Two gateways behind a balancer have one certificate from a real Pebble, with a real
/// `redis-server` between them: the one that orders is killed before the order is finalised, and
/// the other goes on with it. `make acme`.
final class SharedAcmeSoak {
    private static final Duration PATIENCE = Duration.ofSeconds(180);

    @TempDir Path folder;
    private final List<AutoCloseable> open = new ArrayList<>();
    private int[] http;
    private int[] https;
    private RedisProcess redis;
    private PebbleProcess pebble;
    private Balancer files;
    private Balancer handshakes;

    /// Sends connections to one port after the other, and to the next where nobody listens.
    private static final class Balancer implements AutoCloseable {
        final ServerSocket socket;
        final AtomicIntegerArray passed;
        private final int[] to;
        private final AtomicInteger turn = new AtomicInteger();

        Balancer(int... to) throws IOException {
            this.to = to.clone();
            passed = new AtomicIntegerArray(to.length);
            socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
            Thread.startVirtualThread(this::accept);
        }

        int port() {
            return socket.getLocalPort();
        }

        private void accept() {
            try {
                while (true) {
                    Socket client = socket.accept();
                    Thread.startVirtualThread(() -> pass(client));
                }
            } catch (IOException e) {
                // Closed: the test is over.
            }
        }

        private void pass(Socket client) {
            try (client) {
                for (int tried = 0; tried < to.length; tried++) {
                    if (pass(client, turn.getAndIncrement() % to.length)) {
                        return;
                    }
                }
            } catch (IOException e) {
                // It has ended.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private boolean pass(Socket client, int chosen) throws IOException, InterruptedException {
            try (Socket server = new Socket(InetAddress.getLoopbackAddress(), to[chosen])) {
                passed.incrementAndGet(chosen);
                Thread back = Thread.startVirtualThread(() -> copy(server, client));
                copy(client, server);
                back.join();
                return true;
            } catch (ConnectException e) {
                return false;
            }
        }

        private static void copy(Socket from, Socket to) {
            try {
                from.getInputStream().transferTo(to.getOutputStream());
                to.shutdownOutput();
            } catch (IOException e) {
                // One of them has ended.
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    @BeforeEach
    void start() throws IOException {
        http = new int[] {FreePort.next(), FreePort.next()};
        https = new int[] {FreePort.next(), FreePort.next()};
        redis = RedisProcess.start();
        files = new Balancer(http);
        handshakes = new Balancer(https);
        pebble =
                PebbleProcess.start(
                        Path.of(System.getProperty("margay.pebble")),
                        folder,
                        files.port(),
                        handshakes.port(),
                        Map.of("PEBBLE_VA_SLEEPTIME", "20"));
        open.addAll(List.of(redis, files, handshakes, pebble));
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable one : open.reversed()) {
            one.close();
        }
    }

    private MargayProcess begin(int number, String challenge) throws IOException {
        Path own = Files.createDirectories(folder.resolve("gw-" + number));
        Files.createDirectories(own.resolve("site"));
        Files.writeString(
                own.resolve("margay.yaml"),
                """
                listeners:
                  - http: 127.0.0.1:%d
                  - https: 127.0.0.1:%d
                hosts:
                  - name: shop.test
                    routes: {/*: {files: site}}
                    acme: {challenges: [%s]}
                acme: {ca: "%s", ca-file: "%s", email: admin@shop.test}
                work: work
                shared:
                  url: redis://127.0.0.1:%d
                  key: what the gateways share and nobody else knows
                  node: gw-%d
                """
                        .formatted(
                                http[number],
                                https[number],
                                challenge,
                                pebble.directory(),
                                pebble.roots(),
                                redis.port(),
                                number));
        MargayProcess made = MargayProcess.start(own, "run", "margay.yaml");
        open.add(made);
        return made;
    }

    private Path state(int number) {
        return folder.resolve("gw-" + number)
                .resolve("work")
                .resolve("acme/certificates/shop.test/state.properties");
    }

    private boolean hasOrder(int number) {
        try {
            return Files.exists(state(number))
                    && Files.readString(state(number)).contains("\norder=");
        } catch (IOException e) {
            return false;
        }
    }

    private X509Certificate shown(int number) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new TrustsAll()}, null);
            try (SSLSocket socket =
                    (SSLSocket)
                            context.getSocketFactory()
                                    .createSocket(
                                            InetAddress.getLoopbackAddress(), https[number])) {
                SSLParameters parameters = socket.getSSLParameters();
                parameters.setServerNames(List.of(new SNIHostName("shop.test")));
                socket.setSSLParameters(parameters);
                socket.startHandshake();
                return (X509Certificate) socket.getSession().getPeerCertificates()[0];
            }
        } catch (IOException | GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private boolean isIssued(int number) {
        return shown(number).getIssuerX500Principal().getName().contains("Pebble");
    }

    /// Who orders.
    private String lease() throws IOException {
        return redis.command("GET \"margay:shared:{margay lease acme}\"");
    }

    private long orders() throws IOException {
        return Files.readAllLines(folder.resolve("pebble.log")).stream()
                .filter(line -> line.contains("POST /order-plz"))
                .count();
    }

    private static final class TrustsAll implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"http-01", "tls-alpn-01"})
    void orderOfAKilledGateway_isFinishedByTheOther_andBothShowTheCertificate(String challenge)
            throws Exception {
        MargayProcess[] servers = {begin(0, challenge), begin(1, challenge)};
        servers[0].awaitReady();
        servers[1].awaitReady();
        Eventually.holds("both know of an order", PATIENCE, () -> hasOrder(0) && hasOrder(1));
        int killed = lease().contains("gw-0") ? 0 : 1;
        int other = 1 - killed;
        assertFalse(isIssued(0) || isIssued(1));
        servers[killed].close();
        Eventually.holds("the other has it issued", PATIENCE, () -> isIssued(other));
        X509Certificate issued = shown(other);
        assertTrue(issued.getSubjectAlternativeNames().toString().contains("shop.test"));

        // The one that was killed comes back, and has it.
        MargayProcess back = begin(killed, challenge);
        back.awaitReady();
        Eventually.holds("it has it, too", PATIENCE, () -> shown(killed).equals(issued));
        System.out.printf(
                "%s: %d orders; looks at the gateways: %s, %s%n",
                challenge, orders(), files.passed, handshakes.passed);

        // The one that does not order is asked for another one: both show it, without a restart.
        long before = orders();
        MargayProcess asked =
                MargayProcess.start(
                        folder.resolve("gw-" + killed),
                        "acme",
                        "renew",
                        "shop.test",
                        "--work",
                        "work");
        open.add(asked);
        assertEquals(0, asked.awaitExit(), asked::toString);
        Eventually.holds("renewed", PATIENCE, () -> !shown(0).equals(issued) && isIssued(0));
        Eventually.holds("at both", PATIENCE, () -> shown(1).equals(shown(0)));
        assertNotEquals(issued, shown(1));
        assertEquals(before + 1, orders());

        // Without the engine a server starts with what it has.
        redis.stop();
        servers[other].close();
        begin(other, challenge).awaitReady();
        Eventually.holds("it has its own", PATIENCE, () -> shown(0).equals(shown(1)));
        assertTrue(back.isAlive());
    }
}
