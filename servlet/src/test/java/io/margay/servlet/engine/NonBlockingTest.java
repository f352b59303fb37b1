package io.margay.servlet.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.servlet.test.ScriptedExchange;
import io.margay.servlet.test.TestApp;
import io.margay.servlet.test.Until;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpUpgradeHandler;
import jakarta.servlet.http.WebConnection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Reading, writing and taking over connections without waiting (Servlet 6.1 §3.7, §5.7, §2.3.3.5).
@Timeout(30)
final class NonBlockingTest {
    private static TestApp echo(List<String> events) {
        return TestApp.root()
                .servlet(
                        "/a",
                        (q, r) -> {
                            AsyncContext context = q.startAsync();
                            ServletInputStream in = q.getInputStream();
                            StringBuffer seen = new StringBuffer();
                            in.setReadListener(
                                    new ReadListener() {
                                        @Override
                                        public void onDataAvailable() throws IOException {
                                            byte[] chunk = new byte[4];
                                            while (in.isReady()) {
                                                int count = in.read(chunk);
                                                if (count < 0) {
                                                    break;
                                                }
                                                seen.append(
                                                        new String(
                                                                chunk,
                                                                0,
                                                                count,
                                                                StandardCharsets.UTF_8));
                                            }
                                            events.add("data");
                                        }

                                        @Override
                                        public void onAllDataRead() throws IOException {
                                            events.add("all");
                                            r.getWriter().print(seen);
                                            context.complete();
                                        }

                                        @Override
                                        public void onError(Throwable cause) {
                                            events.add("error");
                                        }
                                    });
                            events.add("returned");
                        });
    }

    @Test
    void readListener_pieces_areReadAsTheyCome() throws Exception {
        List<String> events = new CopyOnWriteArrayList<>();
        ScriptedExchange exchange =
                ScriptedExchange.of("POST", "/a", new byte[0], "Transfer-Encoding: chunked")
                        .openEnded();
        echo(events).handler().handle(exchange);
        exchange.arrive("first piece, ");
        Until.isTrue(() -> events.contains("data"));
        exchange.arrive("second");
        exchange.arriveEnd();
        assertEquals("first piece, second", exchange.await().body());
        assertEquals("returned", events.getFirst());
        assertEquals("all", events.getLast());
        assertEquals(1, events.stream().filter("all"::equals).count());
    }

    @Test
    void readListener_everythingThereAtOnce_endsOnce() throws Exception {
        List<String> events = new CopyOnWriteArrayList<>();
        ScriptedExchange exchange =
                ScriptedExchange.of("POST", "/a", "whole".getBytes(StandardCharsets.UTF_8));
        assertEquals("whole", echo(events).run(exchange).body());
        assertEquals(List.of("returned", "data", "all"), events);
    }

    @Test
    void readListener_withoutContent_isToldTheEndOnly() throws Exception {
        List<String> events = new CopyOnWriteArrayList<>();
        assertEquals("", echo(events).get("/a").body());
        assertEquals(List.of("returned", "all"), events);
    }

    @Test
    void readListener_brokenOff_isToldTheError() throws Exception {
        List<String> events = new CopyOnWriteArrayList<>();
        ScriptedExchange exchange =
                ScriptedExchange.of("POST", "/a", new byte[0], "Transfer-Encoding: chunked")
                        .openEnded();
        echo(events).handler().handle(exchange);
        exchange.arrive("some");
        Until.isTrue(() -> events.contains("data"));
        exchange.breakOff();
        exchange.await();
        assertTrue(events.contains("error"));
        assertFalse(events.contains("all"));
    }

    @Test
    void read_whenNotReady_throws() throws Exception {
        ScriptedExchange exchange =
                ScriptedExchange.of("POST", "/a", new byte[0], "Transfer-Encoding: chunked")
                        .openEnded();
        TestApp.root()
                .servlet(
                        "/a",
                        (q, r) -> {
                            AsyncContext context = q.startAsync();
                            q.getInputStream()
                                    .setReadListener(
                                            new ReadListener() {
                                                @Override
                                                public void onDataAvailable() {}

                                                @Override
                                                public void onAllDataRead() {}

                                                @Override
                                                public void onError(Throwable cause) {}
                                            });
                            assertFalse(q.getInputStream().isReady());
                            assertThrows(
                                    IllegalStateException.class, () -> q.getInputStream().read());
                            context.complete();
                        })
                .run(exchange);
    }

    @Test
    void setListener_withoutAsync_throws() throws Exception {
        TestApp.root()
                .servlet(
                        "/a",
                        (q, r) ->
                                assertThrows(
                                        IllegalStateException.class,
                                        () ->
                                                r.getOutputStream()
                                                        .setWriteListener(
                                                                new WriteListener() {
                                                                    @Override
                                                                    public void onWritePossible() {}

                                                                    @Override
                                                                    public void onError(
                                                                            Throwable cause) {}
                                                                })))
                .get("/a");
    }

    @Test
    void writeListener_peerStalls_goesOnWhenItCan() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        byte[] block = "x".repeat(10_000).getBytes(StandardCharsets.US_ASCII);
        ScriptedExchange exchange = ScriptedExchange.get("/a").stall();
        TestApp.root()
                .servlet(
                        "/a",
                        (q, r) -> {
                            AsyncContext context = q.startAsync();
                            ServletOutputStream out = r.getOutputStream();
                            AtomicInteger blocks = new AtomicInteger();
                            out.setWriteListener(
                                    new WriteListener() {
                                        @Override
                                        public void onWritePossible() throws IOException {
                                            calls.incrementAndGet();
                                            while (out.isReady()) {
                                                if (blocks.getAndIncrement() == 5) {
                                                    context.complete();
                                                    return;
                                                }
                                                out.write(block);
                                            }
                                            assertThrows(
                                                    IllegalStateException.class,
                                                    () -> out.write(1));
                                        }

                                        @Override
                                        public void onError(Throwable cause) {
                                            throw new AssertionError(cause);
                                        }
                                    });
                        })
                .handler()
                .handle(exchange);
        Until.isTrue(() -> calls.get() == 1);
        exchange.resume();
        assertEquals(50_000, exchange.await().bytes().length);
        assertEquals(2, calls.get());
    }

    /// Answers each piece with the same in capitals, until "bye".
    public static final class Shout implements HttpUpgradeHandler {
        static final List<String> EVENTS = new CopyOnWriteArrayList<>();

        @Override
        public void init(WebConnection connection) {
            EVENTS.add("init");
            try {
                ServletInputStream in = connection.getInputStream();
                ServletOutputStream out = connection.getOutputStream();
                in.setReadListener(
                        new ReadListener() {
                            @Override
                            public void onDataAvailable() throws IOException {
                                byte[] chunk = new byte[100];
                                while (in.isReady()) {
                                    int count = in.read(chunk);
                                    if (count < 0) {
                                        return;
                                    }
                                    String text =
                                            new String(chunk, 0, count, StandardCharsets.UTF_8);
                                    out.write(
                                            text.toUpperCase(java.util.Locale.ROOT)
                                                    .getBytes(StandardCharsets.UTF_8));
                                    if (text.equals("bye")) {
                                        close(connection);
                                        return;
                                    }
                                }
                            }

                            @Override
                            public void onAllDataRead() {
                                close(connection);
                            }

                            @Override
                            public void onError(Throwable cause) {
                                EVENTS.add("error");
                            }
                        });
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        private static void close(WebConnection connection) {
            try {
                connection.close();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void destroy() {
            EVENTS.add("destroy");
        }
    }

    @Test
    void upgrade_handler_takesTheConnectionOver() throws Exception {
        Shout.EVENTS.clear();
        ScriptedExchange exchange = ScriptedExchange.get("/a", "Upgrade: shout");
        TestApp.root()
                .servlet(
                        "/a",
                        (q, r) -> {
                            r.setHeader("Upgrade", "shout");
                            q.upgrade(Shout.class);
                        })
                .handler()
                .handle(exchange);
        Until.isTrue(exchange::isUpgraded);
        exchange.arrive("hello");
        Until.isTrue(() -> exchange.body().equals("HELLO"));
        exchange.arrive("bye");
        exchange.await();
        assertEquals(101, exchange.status());
        assertEquals("HELLOBYE", exchange.body());
        Until.isTrue(() -> Shout.EVENTS.equals(List.of("init", "destroy")));
    }
}
