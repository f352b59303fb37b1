package io.margay.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.server.config.HttpLimits;
import io.margay.server.dispatch.InlineDispatcher;
import io.margay.server.dispatch.WorkerLimits;
import io.margay.server.dispatch.WorkerPool;
import io.margay.server.exchange.Exchange;
import io.margay.testkit.Eventually;
import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// Tasks that run on the loop, and what becomes of the loop when they are slow.
@ParameterizedClass
@MethodSource("wires")
@Timeout(60)
class InlineDispatchTest {
    /// More than there are loops, so that each loop has some.
    private static final int BURST = 64;

    private static final int CONNECTIONS = 4 * Runtime.getRuntime().availableProcessors();

    private final Wire wire;
    private final CountDownLatch released = new CountDownLatch(1);
    private volatile boolean gaveUp;
    private final List<RawHttpClient> clients = new ArrayList<>();
    private TestServer server;

    InlineDispatchTest(Wire wire) {
        this.wire = wire;
    }

    static List<Wire> wires() {
        return Wire.inlines();
    }

    @BeforeEach
    void open() throws IOException {
        server = new TestServer(wire, TestHandlers.dispatched(this::answer));
    }

    @AfterEach
    void close() throws IOException {
        released.countDown();
        for (RawHttpClient client : clients) {
            client.close();
        }
        server.close();
    }

    private void answer(Exchange exchange) throws IOException {
        switch (exchange.path().path()) {
            case "/block" -> await();
            case "/hog" -> {
                while (released.getCount() > 0) {
                    Thread.onSpinWait();
                }
            }
            case "/read" -> {
                String text = TestHandlers.readAll(exchange);
                assertEquals("late", text);
            }
            default -> {}
        }
        TestHandlers.end(exchange, Thread.currentThread().getName());
    }

    private void await() {
        try {
            if (!released.await(30, TimeUnit.SECONDS)) {
                gaveUp = true;
                throw new AssertionError("not released");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private RawHttpClient client() throws IOException {
        RawHttpClient client = server.client();
        clients.add(client);
        return client;
    }

    private static String get(String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n";
    }

    /// Asks on old and new connections, so that each loop is asked.
    private void assertAllAreAnswered(List<RawHttpClient> others) throws IOException {
        for (RawHttpClient other : others) {
            assertEquals(200, other.get("/quick").status());
        }
        for (int i = 0; i < CONNECTIONS; i++) {
            assertEquals(200, client().get("/quick").status());
        }
    }

    private List<RawHttpClient> connected() throws IOException {
        List<RawHttpClient> others = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            RawHttpClient other = client();
            assertEquals(200, other.get("/first").status());
            others.add(other);
        }
        return others;
    }

    @Test
    void quickTask_runsOnTheLoop() throws IOException {
        String name = client().get("/quick").text();
        assertTrue(name.matches("margay-" + wire.transport() + "-[0-9]+"), name);
    }

    @Test
    void path_comesToTheLoop_onceItHasBeenQuickInThePool_andRequestsComeOften() throws IOException {
        try (TestServer careful =
                new TestServer(
                        new Wire(wire.transport(), wire.tls(), false),
                        TestHandlers.dispatched(this::answer),
                        HttpLimits.defaults(),
                        new InlineDispatcher(new WorkerPool(WorkerLimits.defaults())))) {
            RawHttpClient one = careful.client();
            clients.add(one);
            String first = one.get("/quick/1").text();
            assertTrue(first.startsWith("margay-worker"), first);
            Eventually.holds(
                    "it has come to the loop",
                    () -> lastOf(BURST, one, "/quick/2").matches("margay-[a-z]+-[0-9]+"));
        }
    }

    /// The answer to the last of so many requests that are sent at once.
    private static String lastOf(int burst, RawHttpClient client, String path) {
        try {
            client.send(get(path).repeat(burst));
            for (int i = 1; i < burst; i++) {
                client.response();
            }
            return client.response().text();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void blockedTasks_ofEachLoop_doNotHoldUpOthers() throws IOException {
        List<RawHttpClient> others = connected();
        List<RawHttpClient> blocked = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            blocked.add(client().send(get("/block")));
        }
        assertAllAreAnswered(others);
        released.countDown();
        for (RawHttpClient each : blocked) {
            assertEquals(200, each.response().status());
            // What the slow task had is the new driver's now.
            assertEquals(200, each.get("/quick").status());
        }
    }

    @Test
    void hoggingTask_doesNotHoldUpOthers() throws IOException {
        List<RawHttpClient> others = connected();
        RawHttpClient hog = client().send(get("/hog"));
        assertAllAreAnswered(others);
        released.countDown();
        assertEquals(200, hog.response().status());
    }

    @Test
    void pathThatHeldUpALoop_goesToThePool() throws IOException {
        RawHttpClient slow = client().send(get("/block"));
        Eventually.holds(
                "the path is known to be slow", () -> !server.dispatcher.runsOnLoop("/block"));
        RawHttpClient next = client().send(get("/block"));
        assertTrue(server.dispatcher.runsOnLoop("/quick"));
        released.countDown();
        slow.response();
        String name = next.response().text();
        assertTrue(name.startsWith("margay-worker"), name);
    }

    @Test
    void taskThatWaitsForContent_doesNotHoldUpOthers() throws IOException {
        List<RawHttpClient> others = connected();
        List<RawHttpClient> posts = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            posts.add(
                    client().send(
                                    "POST /read HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n"
                                            + "\r\nla"));
        }
        assertAllAreAnswered(others);
        for (RawHttpClient post : posts) {
            assertEquals(200, post.send("te").response().status());
        }
    }

    @Test
    void renew_endsTheThreadsOfTheLoops() throws IOException {
        RawHttpClient one = client();
        assertEquals(200, one.get("/quick").status());
        Thread before = loopThread();
        server.transport.renew();
        Eventually.holds("the thread has ended", () -> !before.isAlive());
        assertEquals(200, one.get("/quick").status());
        assertNotEquals(before, loopThread());
    }

    /// One that has run a task: others have nothing to let go.
    private static Thread loopThread() {
        AtomicReference<Thread> found = new AtomicReference<>();
        Eventually.holds(
                "one has a follower",
                () -> {
                    findLoopThread().ifPresent(found::set);
                    return found.get() != null;
                });
        return found.get();
    }

    private static Optional<Thread> findLoopThread() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().endsWith("-follower"))
                .map(follower -> follower.getName().replace("-follower", ""))
                .flatMap(name ->
                        Thread.getAllStackTraces().keySet().stream()
                                .filter(thread -> thread.getName().equals(name)))
                .findFirst();
    }

    @Test
    void close_whileATaskBlocks_ends() throws Exception {
        RawHttpClient slow = client().send(get("/block"));
        Eventually.holds("it runs", () -> !server.dispatcher.runsOnLoop("/block"));
        server.close();
        assertFalse(gaveUp, "it has not been waited for");
        assertEquals(-1, slow.read());
    }
}
