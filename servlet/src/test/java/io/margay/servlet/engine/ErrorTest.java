package io.margay.servlet.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.server.exchange.ExchangeRequest;
import io.margay.server.exchange.RequestFailures;
import io.margay.server.files.NoRoomException;
import io.margay.servlet.test.ScriptedExchange;
import io.margay.servlet.test.TestApp;
import io.margay.testkit.LoggedLines;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.UnavailableException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/// Errors and their pages (Servlet 6.1 §10.9).
final class ErrorTest {
    private static final TestApp.Service PAGE =
            (q, r) ->
                    r.getWriter()
                            .print(
                                    q.getDispatcherType()
                                            + " "
                                            + q.getMethod()
                                            + " "
                                            + q.getAttribute(RequestDispatcher.ERROR_STATUS_CODE)
                                            + " "
                                            + q.getAttribute(RequestDispatcher.ERROR_MESSAGE)
                                            + " "
                                            + q.getAttribute(RequestDispatcher.ERROR_EXCEPTION_TYPE)
                                            + " "
                                            + q.getAttribute(RequestDispatcher.ERROR_REQUEST_URI)
                                            + " "
                                            + q.getAttribute(RequestDispatcher.ERROR_SERVLET_NAME)
                                            + " "
                                            + q.getAttribute(RequestDispatcher.ERROR_METHOD)
                                            + " "
                                            + q.getAttribute(RequestDispatcher.ERROR_QUERY_STRING));

    @Test
    void diskWithoutRoom_isToldByItsStatus_andOneLine() throws Exception {
        try (LoggedLines log = LoggedLines.of("")) {
            ScriptedExchange exchange =
                    TestApp.root()
                            .servlet(
                                    "/a",
                                    (q, r) -> {
                                        NoRoomException full = new NoRoomException(507, "no room");
                                        throw new ServletException("wrapped", full);
                                    })
                            .get("/a");
            assertEquals(507, exchange.status());
            assertEquals("10", exchange.field("Retry-After"));
            assertEquals(1, log.count("no room"));
            assertEquals(0, log.traces());
        }
    }

    @Test
    void failure_forAClientThatTakesJson_isAProblem_withItsIdentifier() throws Exception {
        TestApp app =
                TestApp.root()
                        .servlet(
                                "/a",
                                (q, r) -> {
                                    throw new ServletException("secret");
                                })
                        .servlet("/b", (q, r) -> r.sendError(409, "taken \"twice\""));
        ScriptedExchange failed = app.get("/a", "Accept: application/json");
        assertEquals(500, failed.status());
        assertEquals("application/problem+json", failed.field("Content-Type"));
        assertEquals("Accept", failed.field("Vary"));
        assertEquals(
                "{\"type\":\"about:blank\",\"title\":\"Internal Server Error\",\"status\":500,"
                        + "\"requestId\":\""
                        + failed.requestId()
                        + "\"}\n",
                failed.body());
        ScriptedExchange sent = app.get("/b", "Accept: application/problem+json, */*");
        assertTrue(
                sent.body().contains("\"status\":409,\"detail\":\"taken \\\"twice\\\"\""),
                sent.body());
        ScriptedExchange browser = app.get("/a", "Accept: text/html,application/json");
        assertEquals("text/html;charset=utf-8", browser.field("Content-Type"));
    }

    @Test
    void exception_afterTheResponseWasClosed_leavesItAsItIs() throws Exception {
        ScriptedExchange exchange =
                TestApp.root()
                        .servlet(
                                "/a",
                                (q, r) -> {
                                    r.getWriter().print("all");
                                    r.getWriter().close();
                                    throw new IOException("too late");
                                })
                        .get("/a");
        assertEquals("all", exchange.body());
        assertFalse(exchange.isAborted());
    }

    @Test
    void exception_wrappedTwice_findsThePageOfTheMiddleOne() throws Exception {
        final class Middle extends ServletException {
            Middle(Throwable cause) {
                super(cause);
            }
        }
        ScriptedExchange exchange =
                TestApp.root()
                        .errorPage(null, Middle.class.getName(), "/page")
                        .servlet("/page", (q, r) -> r.getWriter().print("middle"))
                        .servlet(
                                "/a",
                                (q, r) -> {
                                    throw new ServletException(new Middle(new IOException()));
                                })
                        .get("/a");
        assertEquals("middle", exchange.body());
    }

    @Test
    void sendError_withPage_showsItAsGet() throws Exception {
        ScriptedExchange exchange =
                TestApp.root()
                        .errorPage(404, null, "/page")
                        .servlet("/page", PAGE)
                        .servlet(
                                "/a",
                                (q, r) -> {
                                    r.setHeader("X", "kept");
                                    r.getWriter().print("dropped");
                                    r.sendError(404, "gone");
                                    r.getWriter().print("dropped");
                                })
                        .run(ScriptedExchange.of("DELETE", "/a?q", new byte[0]));
        assertEquals(404, exchange.status());
        assertEquals("ERROR GET 404 gone null /a /a DELETE q", exchange.body());
        assertEquals("kept", exchange.field("X"));
    }

    @Test
    void exception_nearestSuperclass_wins() throws Exception {
        ScriptedExchange exchange =
                TestApp.root()
                        .errorPage(null, Exception.class.getName(), "/far")
                        .errorPage(null, IOException.class.getName(), "/page")
                        .errorPage(500, null, "/status")
                        .servlet("/page", PAGE)
                        .servlet(
                                "/a",
                                (q, r) -> {
                                    throw new FileNotFoundException("f");
                                })
                        .get("/a");
        assertEquals(500, exchange.status());
        assertEquals(
                "ERROR GET 500 f class java.io.FileNotFoundException /a /a GET null",
                exchange.body());
    }

    @Test
    void servletException_rootCause_findsItsPage() throws Exception {
        ScriptedExchange exchange =
                TestApp.root()
                        .errorPage(null, IllegalStateException.class.getName(), "/page")
                        .servlet("/page", PAGE)
                        .servlet(
                                "/a",
                                (q, r) -> {
                                    throw new ServletException(
                                            "outer", new IllegalStateException("inner"));
                                })
                        .get("/a");
        assertTrue(exchange.body().contains("500 inner class java.lang.IllegalStateException"));
    }

    @Test
    void defaultPage_coversEverything() throws Exception {
        TestApp app = TestApp.root().errorPage(null, null, "/page").servlet("/page", PAGE);
        assertTrue(app.get("/none").body().startsWith("ERROR GET 404"));
    }

    @Test
    void errorPage_thatFails_fallsBackToTheContainersOwn() throws Exception {
        ScriptedExchange exchange =
                TestApp.root()
                        .errorPage(500, null, "/page")
                        .servlet(
                                "/page",
                                (q, r) -> {
                                    throw new IllegalStateException("again");
                                })
                        .servlet(
                                "/a",
                                (q, r) -> {
                                    throw new IllegalStateException("<script>");
                                })
                        .get("/a");
        assertEquals(500, exchange.status());
        assertTrue(exchange.body().startsWith("<!doctype html>"), exchange.body());
        assertFalse(exchange.body().contains("script>"), exchange.body());
    }

    /// As where a filter guards the error page, too.
    @Test
    void errorPage_thatSendsTheSameError_hasNoPage() throws Exception {
        for (int again : List.of(401, 404)) {
            ScriptedExchange exchange =
                    TestApp.root()
                            .errorPage(401, null, "/page")
                            .servlet("/page", (q, r) -> r.sendError(again))
                            .servlet(
                                    "/a",
                                    (q, r) -> {
                                        r.setHeader("WWW-Authenticate", "Basic");
                                        r.sendError(401);
                                    })
                            .get("/a");
            assertEquals(401, exchange.status());
            assertEquals("Basic", exchange.fields().get("WWW-Authenticate"));
            assertEquals(again == 401, exchange.body().isEmpty(), exchange.body());
        }
    }

    @Test
    void defaultErrorPage_showsNoTraceUnlessAsked() throws Exception {
        TestApp.Service fails =
                (q, r) -> {
                    throw new IllegalStateException("secret<b>");
                };
        assertFalse(TestApp.root().servlet("/a", fails).get("/a").body().contains("secret"));
        String shown =
                TestApp.root()
                        .settings(s -> s.withErrorDetails(true))
                        .servlet("/a", fails)
                        .get("/a")
                        .body();
        assertTrue(shown.contains("secret&lt;b&gt;"), shown);
    }

    @Test
    void exception_afterCommit_breaksTheConnection() throws Exception {
        ScriptedExchange exchange =
                TestApp.root()
                        .servlet(
                                "/a",
                                (q, r) -> {
                                    r.getWriter().print("partly");
                                    r.flushBuffer();
                                    throw new IllegalStateException("late");
                                })
                        .get("/a");
        assertTrue(exchange.isAborted());
    }

    @Test
    void unavailable_forAWhile_answers503AndStaysSo() throws Exception {
        int[] calls = {0};
        TestApp app =
                TestApp.root()
                        .servlet(
                                "/a",
                                (q, r) -> {
                                    calls[0]++;
                                    throw new UnavailableException("busy", 60);
                                });
        ScriptedExchange first = app.get("/a");
        assertEquals(503, first.status());
        assertEquals("60", first.field("Retry-After"));
        assertEquals(503, app.get("/a").status());
        assertEquals(1, calls[0]);
    }

    @Test
    void unavailable_forEver_answers404() throws Exception {
        TestApp app =
                TestApp.root()
                        .servlet(
                                "/a",
                                (q, r) -> {
                                    throw new UnavailableException("never");
                                });
        assertEquals(404, app.get("/a").status());
        assertEquals(404, app.get("/a").status());
    }

    @Test
    void errorFilter_runsForErrorDispatchOnly() throws Exception {
        ScriptedExchange exchange =
                TestApp.root()
                        .errorPage(404, null, "/page")
                        .filter(
                                "/page",
                                (q, r, chain) -> {
                                    r.getWriter().print("filtered ");
                                    chain.doFilter(q, r);
                                },
                                DispatcherType.ERROR)
                        .servlet("/page", (q, r) -> r.getWriter().print("page"))
                        .get("/none");
        assertEquals("filtered page", exchange.body());
    }

    @Test
    void errorPage_static_isServedForAnyMethod() throws Exception {
        ScriptedExchange exchange =
                TestApp.root()
                        .errorPage(405, null, "/WEB-INF/e.html")
                        .file("/WEB-INF/e.html", "<p>no</p>")
                        .file("/f.txt", "f")
                        .run(ScriptedExchange.of("DELETE", "/f.txt", new byte[0]));
        assertEquals(405, exchange.status());
        assertEquals("<p>no</p>", exchange.body());
    }

    @Test
    void stackOverflow_inServlet_answers500() throws Exception {
        ScriptedExchange exchange =
                TestApp.root()
                        .servlet("/a", (q, r) -> q.getRequestDispatcher("/a").forward(q, r))
                        .get("/a");
        assertEquals(500, exchange.status());
    }

    @Test
    void error_ofALibrary_isShownLikeAnException() throws Exception {
        ScriptedExchange exchange =
                TestApp.root()
                        .errorPage(null, Error.class.getName(), "/page")
                        .servlet("/page", PAGE)
                        .servlet(
                                "/a",
                                (q, r) -> {
                                    throw new ServiceConfigurationError("no provider");
                                })
                        .get("/a");
        assertFalse(exchange.isAborted());
        assertEquals(500, exchange.status());
        assertTrue(exchange.body().startsWith("ERROR GET 500 no provider"), exchange.body());
    }

    @Test
    void servlet_thatFailsAgain_hasALineForEachRequest() throws Exception {
        try (LoggedLines log = LoggedLines.of("margay.app.failing")) {
            TestApp app =
                    TestApp.at("/failing")
                            .servlet(
                                    "/a",
                                    (q, r) -> {
                                        throw new ServletException(
                                                new IllegalStateException(
                                                        "order " + q.getParameter("n")));
                                    });
            for (int i = 0; i < 10; i++) {
                app.get("/failing/a?n=" + i);
            }
            assertEquals(10, log.count("SEVERE servlet /a failed: GET /failing/a from "));
            for (int i = 0; i < 10; i++) {
                assertEquals(1, log.count("java.lang.IllegalStateException: order " + i));
            }
        }
    }

    @Test
    void failures_ofOnePlace_haveOneStackTraceInTenSeconds() {
        AtomicLong nanos = new AtomicLong();
        ExchangeRequest request = ScriptedExchange.get("/a");
        IOException here = new IOException("disk");
        IllegalStateException there = new IllegalStateException("x".repeat(5_000), here);
        try (LoggedLines log = LoggedLines.of("margay.test.failures")) {
            RequestFailures failures =
                    new RequestFailures(System.getLogger("margay.test.failures"), nanos::get);
            for (int i = 0; i < 100; i++) {
                failures.log("servlet a failed", request, here);
                failures.log("servlet b failed", request, there);
            }
            String line = "failed: GET /a from 127.0.0.1, request ";
            assertEquals(200, log.count(line), log.toString());
            assertEquals(200, log.count(": java.io.IOException: disk"), log.toString());
            assertEquals(1, log.traces(), "both are of one place");
            assertEquals(199, log.count(" (stack trace: request "));
            failures.log("servlet b failed", request, new IllegalStateException("y".repeat(5_000)));
            assertEquals(2, log.traces());
            assertEquals(1, log.count("y".repeat(900)));
            assertEquals(0, log.count("y".repeat(1_001)));
            nanos.addAndGet(10_000_000_000L);
            failures.log("servlet a failed", request, here);
            assertEquals(3, log.traces());
            failures.log(Level.DEBUG, "a client left", request, here);
            assertEquals(1, log.count("FINE a client left: GET /a"));
        }
    }

    @Test
    void failures_ofMorePlacesThanAreKept_areLogged() {
        ExchangeRequest request = ScriptedExchange.get("/a");
        try (LoggedLines log = LoggedLines.of("margay.test.failures")) {
            RequestFailures failures =
                    new RequestFailures(System.getLogger("margay.test.failures"), () -> 0);
            for (int i = 0; i < 1_000; i++) {
                IOException one = new IOException("disk " + i);
                one.setStackTrace(
                        new StackTraceElement[] {new StackTraceElement("A", "a", "A.java", i)});
                failures.log("servlet a failed", request, one);
            }
            assertEquals(1_000, log.count("SEVERE servlet a failed"));
            assertEquals(1_000, log.traces());
        }
    }
}
