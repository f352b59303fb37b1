package io.margay.servlet.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.servlet.test.ScriptedExchange;
import io.margay.servlet.test.TestApp;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.http.HttpServletRequest;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// What an application may not do with asynchronous requests, and what it gets if it does (Servlet
/// 6.1 §2.3.3.3).
final class AsyncMisuseTest {
    @Test
    void start_whereNotSupported_throws() throws Exception {
        AtomicReference<Boolean> supported = new AtomicReference<>();
        ScriptedExchange exchange =
                TestApp.root()
                        .setup(context -> {
                            ServletRegistration.Dynamic added =
                                    context.addServlet(
                                            "sync",
                                            TestApp.servlet((q, r) -> {
                                                supported.set(q.isAsyncSupported());
                                                q.startAsync();
                                            }));
                            added.addMapping("/a");
                        })
                        .get("/a");
        assertEquals(500, exchange.status());
        assertEquals(false, supported.get());
    }

    @Test
    void startTwice_inOneDispatch_throws() throws Exception {
        ScriptedExchange exchange =
                TestApp.root()
                        .servlet(
                                "/a",
                                (q, r) -> {
                                    AsyncContext context = q.startAsync();
                                    assertThrows(IllegalStateException.class, q::startAsync);
                                    r.getWriter().print("one");
                                    context.complete();
                                })
                        .get("/a");
        assertEquals("one", exchange.body());
    }

    @Test
    void setTimeout_afterServiceReturned_throws() throws Exception {
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
                .handler()
                .handle(exchange);
        assertTrue(started.await(30, TimeUnit.SECONDS));
        io.margay.servlet.test.Until.isTrue(() -> refusesTimeout(kept.get()));
        kept.get().complete();
        exchange.await();
    }

    private static boolean refusesTimeout(AsyncContext context) {
        try {
            context.setTimeout(10_000);
            return false;
        } catch (IllegalStateException e) {
            return true;
        }
    }

    @Test
    void requestObjects_afterTheEnd_areOfNoUse() throws Exception {
        AtomicReference<HttpServletRequest> kept = new AtomicReference<>();
        TestApp app =
                TestApp.root()
                        .servlet(
                                "/a",
                                (q, r) -> {
                                    kept.set(q);
                                    r.getWriter().print("x");
                                });
        app.get("/a");
        io.margay.servlet.test.Until.isTrue(() -> {
            try {
                kept.get().getHeader("host");
                return false;
            } catch (IllegalStateException e) {
                return true;
            }
        });
        assertThrows(IllegalStateException.class, () -> kept.get().getParameter("x"));
        assertThrows(IllegalStateException.class, () -> kept.get().getAttribute("x"));
        assertThrows(IllegalStateException.class, () -> kept.get().getSession(true));
    }
}
