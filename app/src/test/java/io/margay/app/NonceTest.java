package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.config.TransportChoice;
import io.margay.app.sample.NonceServlet;
import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// No answer carries what is another request's: clients with nonces, of which one request in ten
/// ends with the client gone, mixed with asynchronous ones, errors, forwards, sessions, pipelines.
///
/// A few thousand requests with the other tests; as many or as long as asked by `make soak`.
@Tag("slow")
final class NonceTest {
    private static final System.Logger LOG = System.getLogger(NonceTest.class.getName());

    /// Silent: the errors of the application are meant. Held, for the JDK forgets the level else.
    private static final Logger ERRORS = Logger.getLogger("margay.app");

    private static final long REQUESTS = Long.getLong("margay.soak.requests", 2_000);
    private static final long SECONDS = Long.getLong("margay.soak.seconds", 0);
    private static final int CLIENTS = 16;

    /// Of a thousand rounds, how many end with the client gone: of requests it is one in ten, for
    /// other rounds may have several.
    private static final int ABORTS = 155;

    private static final List<String> KINDS =
            List.of(
                    "plain",
                    "plain",
                    "stream",
                    "echo",
                    "echo",
                    "forward",
                    "include",
                    "complete",
                    "dispatch",
                    "timeout",
                    "nonblocking",
                    "fail",
                    "teapot",
                    "session",
                    "cut");

    private static final String WEB_XML =
            """
            <web-app version="6.1">
              <servlet>
                <servlet-name>nonce</servlet-name>
                <servlet-class>io.margay.app.sample.NonceServlet</servlet-class>
                <async-supported>true</async-supported>
              </servlet>
              <servlet-mapping>
                <servlet-name>nonce</servlet-name><url-pattern>/n/*</url-pattern>
              </servlet-mapping>
              <error-page><error-code>500</error-code>
                <location>/n/failed/x</location></error-page>
              <error-page><error-code>418</error-code>
                <location>/n/failed/x</location></error-page>
            </web-app>
            """;

    private final AtomicLong begun = new AtomicLong();
    private final AtomicLong verified = new AtomicLong();
    private final AtomicLong aborted = new AtomicLong();
    private final long seed = Long.getLong("margay.seed", System.nanoTime());
    private final long endNanos = System.nanoTime() + Duration.ofSeconds(SECONDS).toNanos();

    @BeforeAll
    static void silence() {
        ERRORS.setLevel(java.util.logging.Level.OFF);
    }

    @AfterAll
    static void speak() {
        ERRORS.setLevel(null);
    }

    private Path app(Path folder) throws IOException {
        return Wars.with("index.html", "x")
                .servlet(NonceServlet.class, "/x")
                .type("io.margay.app.sample.NonceEcho")
                .and("WEB-INF/web.xml", WEB_XML)
                .war(folder.resolve("nonce.war"));
    }

    @ParameterizedTest
    @EnumSource(
            value = TransportChoice.class,
            names = {"BLOCKING", "NIO", "NATIVE"})
    void answers_carryTheNonceOfTheirRequest(TransportChoice transport, @TempDir Path folder)
            throws Exception {
        long start = System.nanoTime();
        try (MargayServer server =
                        Margay.builder()
                                .http(0)
                                .transport(transport)
                                .work(folder.resolve("work"))
                                .drain(Duration.ofSeconds(5))
                                .app("/", app(folder))
                                .start();
                ExecutorService threads = Executors.newFixedThreadPool(CLIENTS)) {
            InetSocketAddress address =
                    new InetSocketAddress(
                            InetAddress.getLoopbackAddress(), server.ports().getFirst());
            List<Future<?>> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                SplittableRandom random = new SplittableRandom(seed + i);
                int number = i;
                clients.add(
                        threads.submit(() -> {
                            new Client(address, number, random).run();
                            return null;
                        }));
            }
            for (Future<?> client : clients) {
                client.get();
            }
        }
        assertTrue(verified.get() > REQUESTS / 2, "too few were answered: " + verified);
        LOG.log(
                SECONDS > 0 || REQUESTS > 100_000 ? Level.INFO : Level.DEBUG,
                "{0}: {1} answers verified, {2} requests ended by the client, in {3} s, seed {4}",
                transport,
                String.valueOf(verified),
                String.valueOf(aborted),
                String.valueOf((System.nanoTime() - start) / 1_000_000_000),
                String.valueOf(seed));
    }

    private boolean goesOn() {
        return SECONDS > 0 ? System.nanoTime() - endNanos < 0 : begun.getAndIncrement() < REQUESTS;
    }

    /// One request, and what its answer must be.
    private record Sent(String kind, String nonce, String bytes, int times) {
        int status() {
            return switch (kind) {
                case "fail", "timeout" -> 500;
                case "teapot" -> 418;
                default -> 200;
            };
        }

        String body() {
            return switch (kind) {
                case "fail", "timeout", "teapot" -> nonce;
                default -> nonce.repeat(times);
            };
        }
    }

    /// A client with a session of its own. Confined to its thread.
    private final class Client {
        private final InetSocketAddress address;
        private final String name;
        private final SplittableRandom random;
        private RawHttpClient connection;
        private String session = "";
        private String inSession = "null";
        private long count;

        Client(InetSocketAddress address, int number, SplittableRandom random) {
            this.address = address;
            this.name = "c" + number;
            this.random = random;
        }

        void run() throws IOException {
            connection = RawHttpClient.connect(address);
            try {
                while (goesOn()) {
                    if (random.nextInt(1000) < ABORTS) {
                        abort(next());
                    } else if (random.nextInt(4) == 0) {
                        pipeline();
                    } else {
                        ask(next());
                    }
                }
            } finally {
                connection.close();
            }
        }

        private void reconnect() throws IOException {
            connection.close();
            connection = RawHttpClient.connect(address);
        }

        private Sent next() {
            String kind = KINDS.get(random.nextInt(KINDS.size()));
            String nonce = name + "-" + count++ + "-" + Long.toHexString(random.nextLong());
            int times = random.nextInt(10) == 0 ? random.nextInt(3000) : 1 + random.nextInt(30);
            boolean content = kind.equals("echo") || kind.equals("nonblocking");
            String body = content ? nonce.repeat(times) : "";
            boolean chunked = content && random.nextBoolean();
            String head =
                    (content ? "POST" : "GET")
                            + " /n/"
                            + kind
                            + "/"
                            + nonce
                            + "?n="
                            + nonce
                            + "&times="
                            + times
                            + " HTTP/1.1\r\nHost: a\r\nX-Nonce: "
                            + nonce
                            + "\r\nCookie: n="
                            + nonce
                            + session
                            + "\r\n"
                            + (chunked
                                    ? "Transfer-Encoding: chunked\r\n"
                                    : content ? "Content-Length: " + body.length() + "\r\n" : "")
                            + "\r\n";
            return new Sent(kind, nonce, head + (chunked ? chunks(body) : body), times);
        }

        private String chunks(String body) {
            StringBuilder out = new StringBuilder();
            int at = 0;
            while (at < body.length()) {
                int size = Math.min(body.length() - at, 1 + random.nextInt(4000));
                out.append(Integer.toHexString(size)).append("\r\n");
                out.append(body, at, at + size).append("\r\n");
                at += size;
            }
            return out.append("0\r\n\r\n").toString();
        }

        private void ask(Sent sent) throws IOException {
            connection.send(sent.bytes());
            if (sent.kind().equals("cut")) {
                cut(sent);
            } else {
                check(sent, connection.response());
            }
        }

        /// The servlet failed after its answer had begun: less may come than was to, but nothing
        /// else.
        private void cut(Sent sent) throws IOException {
            try {
                check(sent, connection.response());
            } catch (IOException _) {
                verified.incrementAndGet();
            }
            reconnect();
        }

        private void pipeline() throws IOException {
            List<Sent> all = new ArrayList<>();
            StringBuilder bytes = new StringBuilder();
            for (int i = 2 + random.nextInt(4); i > 0; i--) {
                Sent sent = next();
                if (!sent.kind().equals("cut") && !sent.kind().equals("session")) {
                    all.add(sent);
                    bytes.append(sent.bytes());
                }
            }
            connection.send(bytes.toString());
            for (Sent sent : all) {
                check(sent, connection.response());
            }
        }

        private void check(Sent sent, RawHttpClient.Response answer) throws IOException {
            String told = "seed " + seed + " " + sent.kind() + " " + answer.statusLine();
            assertEquals(sent.status(), answer.status(), told + ": " + answer.text());
            assertEquals(sent.nonce(), answer.field("X-Nonce"), told);
            assertEquals(sent.body(), answer.text(), told);
            if (sent.kind().equals("session")) {
                assertEquals(inSession, answer.field("X-Before"), told);
                inSession = sent.nonce();
                String cookie = answer.field("Set-Cookie");
                if (cookie != null) {
                    session = "; " + cookie.substring(0, cookie.indexOf(';'));
                }
            }
            verified.incrementAndGet();
            if (answer.closes()) {
                reconnect();
            }
        }

        /// Leaves before, while or after the request is sent, or within the answer.
        private void abort(Sent sent) throws IOException {
            if (!sent.kind().equals("session")) {
                byte[] bytes = sent.bytes().getBytes(java.nio.charset.StandardCharsets.US_ASCII);
                switch (random.nextInt(4)) {
                    case 0 -> connection.send(bytes, 0, random.nextInt(bytes.length));
                    case 1 -> connection.send(bytes);
                    case 2 -> {
                        connection.send(bytes);
                        connection.read();
                    }
                    default -> {
                        connection.send(bytes);
                        byte[] some = new byte[200];
                        int _ = connection.read(some, 0, some.length);
                    }
                }
                if (random.nextBoolean()) {
                    connection.reset();
                }
                aborted.incrementAndGet();
            }
            reconnect();
        }
    }
}
