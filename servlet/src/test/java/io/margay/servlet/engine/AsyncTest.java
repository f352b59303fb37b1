package io.margay.servlet.engine;

import static jakarta.servlet.RequestDispatcher.ERROR_MESSAGE;
import static jakarta.servlet.RequestDispatcher.ERROR_STATUS_CODE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.servlet.test.ScriptedExchange;
import io.margay.servlet.test.TestApp;
import io.margay.servlet.test.Until;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Asynchronous processing (Servlet 6.1 §2.3.3.3).
@Timeout(30)
final class AsyncTest {
    /// Notes what it is told.
    private static class Recorder implements AsyncListener {
        final List<String> events = new CopyOnWriteArrayList<>();

        @Override
        public void onComplete(AsyncEvent event) throws IOException {
            events.add("complete");
        }

        @Override
        public void onTimeout(AsyncEvent event) throws IOException {
            events.add("timeout");
        }

        @Override
        public void onError(AsyncEvent event) throws IOException {
            events.add("error " + event.getThrowable().getMessage());
        }

        @Override
        public void onStartAsync(AsyncEvent event) throws IOException {
            events.add("start");
        }
    }

    @Test
    void start_runnable_completesLater() throws Exception {
        ScriptedExchange exchange =
                TestApp.root()
                        .servlet(
                                "/a",
                                (q, r) -> {
                                    AsyncContext context = q.startAsync();
                                    assertTrue(q.isAsyncStarted());
                                    context.start(() -> {
                                        try {
                                            context.getResponse().getWriter().print("later");
                                        } catch (IOException e) {
                                            throw new IllegalStateException(e);
                                        }
                                        context.complete();
                                    });
                                })
                        .get("/a");
        assertEquals("later", exchange.body());
    }

    @Test
    void dispatch_afterForward_keepsParametersOfTheForward() throws Exception {
        ScriptedExchange exchange =
                TestApp.root()
                        .servlet(
                                "/target",
                                (q, r) -> {
                                    if (q.getDispatcherType() == DispatcherType.ASYNC) {
                                        r.getWriter().print(q.getParameter("step"));
                                    } else {
                                        q.startAsync(q, r).dispatch();
                                    }
                                })
                        .servlet(
                                "/first",
                                (q, r) -> q.getRequestDispatcher("/target?step=2").forward(q, r))
                        .get("/first?step=1");
        assertEquals("2", exchange.body());
    }

    /// As filters of Spring do, once the servlet behind them has started and dispatched.
    @Test
    void listener_addedAfterDispatch_butBeforeTheReturn_isTold() throws Exception {
        for (String call : List.of("dispatch", "complete")) {
            Recorder recorder = new Recorder();
            ScriptedExchange exchange =
                    TestApp.root()
                            .servlet(
                                    "/a",
                                    (q, r) -> {
                                        AsyncContext context = q.startAsync();
                                        if (call.equals("dispatch")) {
                                            context.dispatch("/b");
                                        } else {
                                            context.complete();
                                        }
                                        assertTrue(q.isAsyncStarted());
                                        q.getAsyncContext().setTimeout(1000);
                                        q.getAsyncContext().addListener(recorder);
                                    })
                            .servlet("/b", (q, r) -> r.getWriter().print("b"))
                            .get("/a");
            assertEquals(call.equals("dispatch") ? "b" : "", exchange.body());
            Until.isTrue(() -> recorder.events.equals(List.of("complete")));
        }
    }

    @Test
    void dispatch_withinService_runsAfterItReturned() throws Exception {
        StringBuffer order = new StringBuffer();
        ScriptedExchange exchange =
                TestApp.root()
                        .servlet(
                                "/a",
                                (q, r) -> {
                                    q.startAsync().dispatch("/b?x=1");
                                    assertTrue(q.isAsyncStarted());
                                    order.append("service ends;");
                                })
                        .servlet(
                                "/b",
                                (q, r) -> {
                                    order.append("target");
                                    assertFalse(q.isAsyncStarted());
                                    r.getWriter()
                                            .print(
                                                    q.getDispatcherType()
                                                            + q.getServletPath()
                                                            + q.getAttribute(
                                                                    AsyncContext.ASYNC_REQUEST_URI)
                                                            + q.getAttribute(
                                                                    AsyncContext.ASYNC_QUERY_STRING)
                                                            + q.getParameter("x")
                                                            + q.getParameter("y"));
                                })
                        .get("/a?y=2");
        assertEquals("service ends;target", order.toString());
        assertEquals("ASYNC/b/ay=212", exchange.body());
    }

    @Test
    void dispatch_withoutPath_goesWhereTheClientWentOrWhereItWasForwarded() throws Exception {
        AtomicInteger rounds = new AtomicInteger();
        TestApp app =
                TestApp.root()
                        .servlet("/plain", (q, r) -> q.getRequestDispatcher("/start").forward(q, r))
                        .servlet(
                                "/start",
                                (q, r) -> {
                                    if (q.getDispatcherType() == DispatcherType.ASYNC) {
                                        r.getWriter().print("start again");
                                    } else if (q.getParameter("with") != null) {
                                        q.startAsync(q, r).dispatch();
                                    } else {
                                        q.startAsync().dispatch();
                                    }
                                })
                        .filter(
                                "/plain",
                                (q, r, chain) -> {
                                    rounds.incrementAndGet();
                                    if (q.getDispatcherType() == DispatcherType.ASYNC) {
                                        r.getWriter().print("plain again");
                                    } else {
                                        chain.doFilter(q, r);
                                    }
                                },
                                DispatcherType.REQUEST,
                                DispatcherType.ASYNC);
        assertEquals("plain again", app.get("/plain").body());
        assertEquals("start again", app.get("/plain?with=1").body());
        assertEquals(3, rounds.get());
    }

    @Test
    void complete_tellsListenersOnce() throws Exception {
        Recorder recorder = new Recorder();
        TestApp.root()
                .servlet(
                        "/a",
                        (q, r) -> {
                            AsyncContext context = q.startAsync();
                            context.addListener(recorder);
                            context.complete();
                            assertThrows(IllegalStateException.class, context::complete);
                            assertThrows(IllegalStateException.class, context::dispatch);
                        })
                .get("/a");
        assertEquals(List.of("complete"), recorder.events);
    }

    @Test
    void startAgain_inDispatch_tellsOldListenersAndForgetsThem() throws Exception {
        Recorder recorder = new Recorder();
        TestApp.root()
                .servlet(
                        "/a",
                        (q, r) -> {
                            if (q.getDispatcherType() == DispatcherType.REQUEST) {
                                AsyncContext context = q.startAsync();
                                context.addListener(recorder);
                                context.dispatch();
                            } else {
                                q.startAsync().complete();
                            }
                        })
                .get("/a");
        assertEquals(List.of("start"), recorder.events);
    }

    @Test
    void timeout_nobodyActs_answers500ThroughErrorPage() throws Exception {
        Recorder recorder = new Recorder();
        ScriptedExchange exchange =
                TestApp.root()
                        .errorPage(500, null, "/error")
                        .servlet(
                                "/a",
                                (q, r) -> {
                                    AsyncContext context = q.startAsync();
                                    context.setTimeout(20);
                                    context.addListener(recorder);
                                })
                        .servlet(
                                "/error",
                                (q, r) ->
                                        r.getWriter()
                                                .print("page " + q.getAttribute(ERROR_STATUS_CODE)))
                        .get("/a");
        assertEquals(500, exchange.status());
        assertEquals("page 500", exchange.body());
        assertEquals(List.of("timeout", "complete"), recorder.events);
    }

    @Test
    void timeout_listenerCompletes_noError() throws Exception {
        ScriptedExchange exchange =
                TestApp.root()
                        .servlet(
                                "/a",
                                (q, r) -> {
                                    AsyncContext context = q.startAsync();
                                    context.setTimeout(20);
                                    context.addListener(
                                            new Recorder() {
                                                @Override
                                                public void onTimeout(AsyncEvent event)
                                                        throws IOException {
                                                    r.getWriter().print("timed out");
                                                    event.getAsyncContext().complete();
                                                }
                                            });
                                })
                        .get("/a");
        assertEquals(200, exchange.status());
        assertEquals("timed out", exchange.body());
    }

    @Test
    void timeout_listenerDispatches_targetAnswers() throws Exception {
        ScriptedExchange exchange =
                TestApp.root()
                        .servlet(
                                "/a",
                                (q, r) -> {
                                    AsyncContext context = q.startAsync();
                                    context.setTimeout(20);
                                    context.addListener(
                                            new Recorder() {
                                                @Override
                                                public void onTimeout(AsyncEvent event) {
                                                    event.getAsyncContext().dispatch("/b");
                                                }
                                            });
                                })
                        .servlet("/b", (q, r) -> r.getWriter().print("b"))
                        .get("/a");
        assertEquals("b", exchange.body());
    }

    @Test
    void error_inDispatch_tellsListenersThenShowsPage() throws Exception {
        Recorder recorder = new Recorder();
        ScriptedExchange exchange =
                TestApp.root()
                        .errorPage(null, IllegalArgumentException.class.getName(), "/error")
                        .servlet(
                                "/a",
                                (q, r) -> {
                                    AsyncContext context = q.startAsync();
                                    context.addListener(recorder);
                                    context.dispatch("/b");
                                })
                        .servlet(
                                "/b",
                                (q, r) -> {
                                    throw new IllegalArgumentException("boom");
                                })
                        .servlet("/error", (q, r) -> r.getWriter().print("shown"))
                        .get("/a");
        assertEquals(500, exchange.status());
        assertEquals("shown", exchange.body());
        assertEquals(List.of("error boom", "complete"), recorder.events);
    }

    @Test
    void error_afterStartInService_isShown() throws Exception {
        Recorder recorder = new Recorder();
        ScriptedExchange exchange =
                TestApp.root()
                        .servlet(
                                "/a",
                                (q, r) -> {
                                    q.startAsync().addListener(recorder);
                                    throw new IllegalStateException("no");
                                })
                        .get("/a");
        assertEquals(500, exchange.status());
        assertEquals(List.of("error no", "complete"), recorder.events);
    }

    @Test
    void sendError_whileAsync_isShownAtCompletion() throws Exception {
        ScriptedExchange exchange =
                TestApp.root()
                        .errorPage(418, null, "/tea")
                        .servlet(
                                "/a",
                                (q, r) -> {
                                    AsyncContext context = q.startAsync();
                                    context.start(() -> {
                                        try {
                                            r.sendError(418, "short and stout");
                                        } catch (IOException e) {
                                            throw new IllegalStateException(e);
                                        }
                                        context.complete();
                                    });
                                })
                        .servlet(
                                "/tea",
                                (q, r) -> r.getWriter().print(q.getAttribute(ERROR_MESSAGE)))
                        .get("/a");
        assertEquals(418, exchange.status());
        assertEquals("short and stout", exchange.body());
    }

    @Test
    void clientLeaves_whileWaiting_listenersHearOfIt() throws Exception {
        Recorder recorder = new Recorder();
        CountDownLatch started = new CountDownLatch(1);
        ScriptedExchange exchange = ScriptedExchange.get("/a");
        TestApp.root()
                .servlet(
                        "/a",
                        (q, r) -> {
                            q.startAsync().addListener(recorder);
                            started.countDown();
                        })
                .handler()
                .handle(exchange);
        assertTrue(started.await(30, TimeUnit.SECONDS));
        exchange.abort();
        io.margay.servlet.test.Until.isTrue(() -> recorder.events.contains("complete"));
        assertEquals(List.of("error aborted", "complete"), recorder.events);
    }

    @Test
    void completeAndDispatch_race_exactlyOneWins() throws Exception {
        for (int round = 0; round < 200; round++) {
            AtomicInteger refused = new AtomicInteger();
            CountDownLatch go = new CountDownLatch(1);
            CountDownLatch done = new CountDownLatch(2);
            AtomicReference<AsyncContext> kept = new AtomicReference<>();
            CountDownLatch started = new CountDownLatch(1);
            ScriptedExchange exchange = ScriptedExchange.get("/a");
            TestApp.root()
                    .servlet(
                            "/a",
                            (q, r) -> {
                                kept.set(q.startAsync());
                                started.countDown();
                            })
                    .servlet("/b", (q, r) -> r.getWriter().print("b"))
                    .handler()
                    .handle(exchange);
            assertTrue(started.await(30, TimeUnit.SECONDS));
            for (Runnable call :
                    List.<Runnable>of(
                            () -> kept.get().complete(), () -> kept.get().dispatch("/b"))) {
                Thread.ofVirtual()
                        .start(() -> {
                            try {
                                go.await();
                                call.run();
                            } catch (IllegalStateException e) {
                                refused.incrementAndGet();
                            } catch (InterruptedException e) {
                                throw new AssertionError(e);
                            } finally {
                                done.countDown();
                            }
                        });
            }
            go.countDown();
            assertTrue(done.await(30, TimeUnit.SECONDS));
            exchange.await();
            assertEquals(1, refused.get());
        }
    }

    @Test
    void complete_afterTheEndOfTheExchange_endsTheRequestOnce() throws Exception {
        Recorder recorder = new Recorder();
        AtomicReference<AsyncContext> context = new AtomicReference<>();
        CountDownLatch started = new CountDownLatch(1);
        ScriptedExchange exchange = ScriptedExchange.get("/a");
        TestApp.root()
                .servlet(
                        "/a",
                        (q, r) -> {
                            context.set(q.startAsync());
                            context.get().addListener(recorder);
                            started.countDown();
                        })
                .handler()
                .handle(exchange);
        assertTrue(started.await(20, TimeUnit.SECONDS));
        exchange.abort();
        Until.isTrue(() -> recorder.events.contains("complete"));
        try {
            context.get().complete();
        } catch (IllegalStateException e) {
            // It has ended by itself.
        }
        assertEquals(1, recorder.events.stream().filter("complete"::equals).count());
    }

    @Test
    void start_runnableThrowsAnyError_isAnswered() throws Exception {
        Recorder recorder = new Recorder();
        ScriptedExchange exchange =
                TestApp.root()
                        .servlet(
                                "/a",
                                (q, r) -> {
                                    AsyncContext context = q.startAsync();
                                    context.setTimeout(0);
                                    context.addListener(recorder);
                                    context.start(() -> {
                                        throw new ServiceConfigurationError("no provider");
                                    });
                                })
                        .get("/a");
        assertEquals(500, exchange.status());
        assertEquals(List.of("error no provider", "complete"), recorder.events);
    }

    @Test
    void attributes_setByBothThreadsOfAnAsyncRequest_areAllThere() throws Exception {
        int each = 200_000;
        CountDownLatch begun = new CountDownLatch(2);
        AtomicInteger found = new AtomicInteger();
        TestApp.root()
                .servlet(
                        "/a",
                        (q, r) -> {
                            AsyncContext context = q.startAsync();
                            Thread other = new Thread(() -> setMany(q, "other", each, begun));
                            other.start();
                            setMany(q, "own", each, begun);
                            try {
                                other.join();
                            } catch (InterruptedException e) {
                                throw new IOException(e);
                            }
                            for (int i = 0; i < each; i++) {
                                found.addAndGet(q.getAttribute("own" + i) == null ? 0 : 1);
                                found.addAndGet(q.getAttribute("other" + i) == null ? 0 : 1);
                            }
                            context.complete();
                        })
                .get("/a");
        assertEquals(2 * each, found.get());
    }

    private static void setMany(
            HttpServletRequest request, String prefix, int count, CountDownLatch begun) {
        begun.countDown();
        try {
            begun.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        for (int i = 0; i < count; i++) {
            request.setAttribute(prefix + i, i);
        }
    }
}
