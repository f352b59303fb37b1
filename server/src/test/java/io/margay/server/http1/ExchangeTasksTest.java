package io.margay.server.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.server.config.HttpServerConfig;
import io.margay.server.config.ServerStats;
import io.margay.server.connection.ConnectionContext;
import io.margay.server.connection.ScriptedConnection;
import io.margay.server.dispatch.Dispatcher;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.Handler;
import io.margay.server.serial.SerialConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// The order in which the tasks of one exchange run, and that none is lost once work has begun.
class ExchangeTasksTest {
    private final ScriptedConnection io = new ScriptedConnection();
    private final ArrayDeque<Runnable> submitted = new ArrayDeque<>();
    private final List<String> events = new ArrayList<>();
    private final List<Exchange> exchanges = new ArrayList<>();
    private boolean full;

    private final class Kept implements Dispatcher {
        @Override
        public boolean submit(Runnable task) {
            return !full && submitted.add(task);
        }

        @Override
        public int active() {
            return 0;
        }

        @Override
        public int queued() {
            return submitted.size();
        }

        @Override
        public void close() {}
    }

    /// Has a request come to the handler.
    private Exchange handledBy(Handler handler) {
        ConnectionContext context =
                new ConnectionContext(
                        exchange -> {
                            exchanges.add(exchange);
                            handler.handle(exchange);
                        },
                        new Kept(),
                        HttpServerConfig.defaults(),
                        new ServerStats(),
                        null,
                        InstantSource.system(),
                        System::nanoTime);
        SerialConnection connection = Http1Protocol.open(io, context);
        io.receive("GET /x HTTP/1.1\r\nHost: a\r\n\r\n");
        connection.onReadable();
        return exchanges.getLast();
    }

    /// Runs what was submitted, as a worker.
    private void work() {
        io.loop = false;
        submitted.remove().run();
        io.loop = true;
    }

    private Runnable event(String name) {
        return () -> events.add(name);
    }

    private static void end(Exchange exchange) {
        try {
            exchange.end();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void taskOfTheHandler_beginsWhenTheHandlerHasReturned() {
        Exchange exchange =
                handledBy(with -> {
                    with.dispatch(event("task"));
                    events.add("submitted " + submitted.size());
                });
        assertEquals(List.of("submitted 0"), events);
        work();
        assertEquals(List.of("submitted 0", "task"), events);
        exchange.abort();
    }

    @Test
    void tasks_runInTheirOrder_andNeverWithinEachOther() {
        handledBy(with -> {
            with.dispatch(() -> {
                with.dispatch(event("third"));
                events.add("first");
            });
            with.dispatch(() -> {
                events.add("second");
                with.dispatch(event("fourth"));
            });
        });
        work();
        assertEquals(List.of("first", "second", "third", "fourth"), events);
        assertTrue(submitted.isEmpty(), "one thread runs all that wait");
    }

    @Test
    void task_afterTheEnd_runsAllTheSame() throws Exception {
        Exchange exchange = handledBy(with -> with.dispatch(() -> end(with)));
        work();
        CompletableFuture<Thread> ran = new CompletableFuture<>();
        exchange.dispatch(() -> ran.complete(Thread.currentThread()));
        assertNotEquals(Thread.currentThread(), ran.get(20, TimeUnit.SECONDS));
        assertTrue(submitted.isEmpty(), "no worker is needed for it");
    }

    @Test
    void taskDispatchedLast_beforeTheEnd_runsAfterIt() {
        handledBy(with -> {
            with.onEnd(() -> with.dispatch(event("after the end")));
            with.dispatch(() -> {
                end(with);
                events.add("ended");
            });
        });
        work();
        assertEquals(List.of("ended", "after the end"), events);
    }

    @Test
    void firstTask_withoutAWorker_isDropped_andTheClientTold() {
        full = true;
        handledBy(with -> with.dispatch(event("task")));
        assertTrue(io.written.toString().startsWith("HTTP/1.1 503 "), io.written.toString());
        assertEquals(List.of(), events);
    }

    @Test
    void laterTask_withoutAWorker_runsAllTheSame_andTheClientIsTold() throws Exception {
        Exchange exchange = handledBy(with -> with.dispatch(event("first")));
        work();
        full = true;
        CompletableFuture<Boolean> ran = new CompletableFuture<>();
        exchange.dispatch(() -> ran.complete(true));
        assertTrue(ran.get(20, TimeUnit.SECONDS));
        assertTrue(io.written.toString().startsWith("HTTP/1.1 503 "), io.written.toString());
    }
}
