package io.margay.servlet.engine;

import static jakarta.servlet.RequestDispatcher.FORWARD_CONTEXT_PATH;
import static jakarta.servlet.RequestDispatcher.FORWARD_MAPPING;
import static jakarta.servlet.RequestDispatcher.FORWARD_PATH_INFO;
import static jakarta.servlet.RequestDispatcher.FORWARD_QUERY_STRING;
import static jakarta.servlet.RequestDispatcher.FORWARD_REQUEST_URI;
import static jakarta.servlet.RequestDispatcher.FORWARD_SERVLET_PATH;
import static jakarta.servlet.RequestDispatcher.INCLUDE_PATH_INFO;
import static jakarta.servlet.RequestDispatcher.INCLUDE_QUERY_STRING;
import static jakarta.servlet.RequestDispatcher.INCLUDE_REQUEST_URI;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.servlet.test.ScriptedExchange;
import io.margay.servlet.test.TestApp;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletMapping;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// Forward, include and named dispatch (Servlet 6.1 §9).
final class DispatchTest {
    private static String paths(HttpServletRequest q) {
        return q.getRequestURI()
                + "|"
                + q.getServletPath()
                + "|"
                + q.getPathInfo()
                + "|"
                + q.getQueryString();
    }

    /// The attributes that a forward adds (Servlet 6.1 §9.4.2).
    private static String forwarded(HttpServletRequest q) {
        HttpServletMapping mapping = (HttpServletMapping) q.getAttribute(FORWARD_MAPPING);
        return ""
                + q.getAttribute(FORWARD_REQUEST_URI)
                + q.getAttribute(FORWARD_CONTEXT_PATH)
                + q.getAttribute(FORWARD_SERVLET_PATH)
                + q.getAttribute(FORWARD_PATH_INFO)
                + q.getAttribute(FORWARD_QUERY_STRING)
                + mapping.getPattern();
    }

    @Test
    void forward_toPath_changesPathAndShowsWhereItCameFrom() throws Exception {
        ScriptedExchange exchange =
                TestApp.at("/c")
                        .servlet(
                                "/a/*",
                                (q, r) -> {
                                    r.getWriter().print("dropped");
                                    q.getRequestDispatcher("/b/x?n=2").forward(q, r);
                                    r.getWriter().print("dropped too");
                                    q.setAttribute("after", paths(q));
                                })
                        .servlet(
                                "/b/*",
                                (q, r) ->
                                        r.getWriter()
                                                .print(
                                                        paths(q)
                                                                + " "
                                                                + forwarded(q)
                                                                + " "
                                                                + q.getDispatcherType()
                                                                + Arrays.toString(
                                                                        q.getParameterValues("n"))))
                        .get("/c/a/y?n=1");
        assertEquals("/c/b/x|/b|/x|n=2 /c/a/y/c/a/yn=1/a/* FORWARD[2, 1]", exchange.body());
    }

    @Test
    void forward_returns_requestIsAsBefore() throws Exception {
        AtomicReference<String> after = new AtomicReference<>();
        TestApp.root()
                .servlet(
                        "/a",
                        (q, r) -> {
                            q.getRequestDispatcher("/b?n=2").forward(q, r);
                            after.set(
                                    paths(q)
                                            + q.getParameterValues("n").length
                                            + q.getAttribute(FORWARD_REQUEST_URI)
                                            + q.getDispatcherType());
                        })
                .servlet("/b", (q, r) -> q.getParameter("n"))
                .get("/a?n=1");
        assertEquals("/a|/a|null|n=11nullREQUEST", after.get());
    }

    @Test
    void forward_afterCommit_throws() throws Exception {
        AtomicReference<Exception> thrown = new AtomicReference<>();
        TestApp.root()
                .servlet(
                        "/a",
                        (q, r) -> {
                            r.getWriter().print("x");
                            r.flushBuffer();
                            thrown.set(
                                    assertThrows(
                                            IllegalStateException.class,
                                            () -> q.getRequestDispatcher("/b").forward(q, r)));
                        })
                .servlet("/b", (q, r) -> {})
                .get("/a");
        assertEquals(IllegalStateException.class, thrown.get().getClass());
    }

    @Test
    void forward_withWrappers_targetSeesThem() throws Exception {
        ScriptedExchange exchange =
                TestApp.root()
                        .servlet(
                                "/a",
                                (q, r) ->
                                        q.getRequestDispatcher("/b")
                                                .forward(
                                                        new HttpServletRequestWrapper(q) {
                                                            @Override
                                                            public String getMethod() {
                                                                return "WRAPPED";
                                                            }
                                                        },
                                                        new HttpServletResponseWrapper(r)))
                        .servlet("/b", (q, r) -> r.getWriter().print(q.getMethod()))
                        .get("/a");
        assertEquals("WRAPPED", exchange.body());
    }

    @Test
    void include_ofPath_addsContentAndNothingElse() throws Exception {
        ScriptedExchange exchange =
                TestApp.at("/c")
                        .servlet(
                                "/a",
                                (q, r) -> {
                                    r.getWriter().print("<");
                                    q.getRequestDispatcher("b/i?n=2").include(q, r);
                                    r.getWriter().print(">" + q.getAttribute(INCLUDE_REQUEST_URI));
                                })
                        .servlet(
                                "/b/*",
                                (q, r) -> {
                                    r.setStatus(500);
                                    r.setHeader("X-Included", "yes");
                                    r.setContentType("text/xml");
                                    r.getWriter()
                                            .print(
                                                    paths(q)
                                                            + " "
                                                            + q.getAttribute(INCLUDE_REQUEST_URI)
                                                            + q.getAttribute(INCLUDE_PATH_INFO)
                                                            + q.getAttribute(INCLUDE_QUERY_STRING)
                                                            + q.getParameterValues("n").length);
                                })
                        .get("/c/a?n=1");
        assertEquals("</c/a|/a|null|n=1 /c/b/i/in=22>null", exchange.body());
        assertEquals(200, exchange.status());
        assertNull(exchange.field("X-Included"));
        assertNull(exchange.field("Content-Type"));
    }

    @Test
    void include_ofMissingFile_throwsFileNotFound() throws Exception {
        ScriptedExchange exchange =
                TestApp.root()
                        .servlet(
                                "/a",
                                (q, r) -> {
                                    try {
                                        q.getRequestDispatcher("/none.txt").include(q, r);
                                    } catch (java.io.FileNotFoundException e) {
                                        r.getWriter().print("missing");
                                    }
                                })
                        .get("/a");
        assertEquals("missing", exchange.body());
    }

    /// As in Tomcat, which redirects, and drops the redirect since it is included.
    @Test
    void include_ofFolder_includesNothing() throws Exception {
        for (String folder : List.of("/dir", "/dir/")) {
            ScriptedExchange exchange =
                    TestApp.root()
                            .file("/dir/part.txt", "text")
                            .servlet(
                                    "/a",
                                    (q, r) -> {
                                        r.getWriter().print("[");
                                        q.getRequestDispatcher(folder).include(q, r);
                                        r.getWriter().print("]");
                                    })
                            .get("/a");
            assertEquals(200, exchange.status(), folder);
            assertEquals("[]", exchange.body(), folder);
        }
    }

    @Test
    void include_ofStaticFile_worksBesideWriter() throws Exception {
        ScriptedExchange exchange =
                TestApp.root()
                        .file("/part.txt", "ä file")
                        .servlet(
                                "/a",
                                (q, r) -> {
                                    r.setCharacterEncoding("UTF-8");
                                    r.getWriter().print("[");
                                    q.getRequestDispatcher("/part.txt").include(q, r);
                                    r.getWriter().print("]");
                                })
                        .get("/a");
        assertEquals("[ä file]", exchange.body());
    }

    @Test
    void named_dispatch_leavesPathAlone() throws Exception {
        ScriptedExchange exchange =
                TestApp.root()
                        .servlet(
                                "/a",
                                (q, r) ->
                                        q.getServletContext()
                                                .getNamedDispatcher("/b")
                                                .forward(q, r))
                        .servlet(
                                "/b",
                                (q, r) ->
                                        r.getWriter()
                                                .print(
                                                        paths(q)
                                                                + q.getAttribute(
                                                                        FORWARD_REQUEST_URI)))
                        .get("/a");
        assertEquals("/a|/a|null|nullnull", exchange.body());
    }

    @Test
    void filters_byDispatcherType_runOnlyThere() throws Exception {
        ScriptedExchange exchange =
                TestApp.root()
                        .filter("/*", mark("R"), DispatcherType.REQUEST)
                        .filter("/b", mark("F"), DispatcherType.FORWARD)
                        .filter("*.inc", mark("I"), DispatcherType.INCLUDE)
                        .servlet("/a", (q, r) -> q.getRequestDispatcher("/b").forward(q, r))
                        .servlet("/b", (q, r) -> q.getRequestDispatcher("/c.inc").include(q, r))
                        .servlet("*.inc", (q, r) -> r.getWriter().print("c" + q.getAttribute("m")))
                        .get("/a");
        assertEquals("cnullRFI", exchange.body());
    }

    private static jakarta.servlet.Filter mark(String text) {
        return (q, r, chain) -> {
            q.setAttribute("m", q.getAttribute("m") + text);
            chain.doFilter(q, r);
        };
    }

    @Test
    void dispatch_ofForeignRequest_isRefused() throws Exception {
        AtomicReference<Exception> thrown = new AtomicReference<>();
        TestApp.root()
                .servlet(
                        "/a",
                        (q, r) -> {
                            var foreign =
                                    java.lang.reflect.Proxy.newProxyInstance(
                                            getClass().getClassLoader(),
                                            new Class<?>[] {HttpServletRequest.class},
                                            (p, m, a) -> null);
                            thrown.set(
                                    assertThrows(
                                            IllegalArgumentException.class,
                                            () ->
                                                    q.getRequestDispatcher("/a")
                                                            .include(
                                                                    (HttpServletRequest) foreign,
                                                                    r)));
                        })
                .get("/a");
        assertTrue(thrown.get() instanceof IllegalArgumentException);
    }

    @Test
    void dispatcher_aboveRootOrInWebInf_isNoneOrReachable() throws Exception {
        ScriptedExchange exchange =
                TestApp.root()
                        .file("/WEB-INF/page.html", "inside")
                        .servlet(
                                "/a",
                                (q, r) -> {
                                    assertNull(q.getRequestDispatcher("/../x"));
                                    assertNull(q.getRequestDispatcher("/%2e%2e/x"));
                                    q.getRequestDispatcher("/WEB-INF/page.html").forward(q, r);
                                })
                        .get("/a");
        assertEquals("inside", exchange.body());
    }

    @Test
    void crossContext_forward_runsInTheOtherApplication() throws Exception {
        TestApp other =
                TestApp.at("/other")
                        .servlet(
                                "/t",
                                (q, r) ->
                                        r.getWriter()
                                                .print(
                                                        q.getContextPath()
                                                                + q.getServletPath()
                                                                + q.getServletContext()
                                                                        .getContextPath()));
        other.start();
        ScriptedExchange exchange =
                TestApp.at("/one")
                        .settings(s ->
                                s.withContexts(path ->
                                        path.startsWith("/other") ? other.start().context() : null))
                        .servlet(
                                "/a",
                                (q, r) ->
                                        q.getServletContext()
                                                .getContext("/other")
                                                .getRequestDispatcher("/t")
                                                .forward(q, r))
                        .get("/one/a");
        assertEquals("/other/t/other", exchange.body());
    }

    @Test
    void crossContext_off_givesNull() throws Exception {
        ScriptedExchange exchange =
                TestApp.at("/one")
                        .servlet(
                                "/a",
                                (q, r) ->
                                        r.getWriter()
                                                .print(q.getServletContext().getContext("/other")))
                        .get("/one/a");
        assertEquals("null", exchange.body());
    }

    @Test
    void forward_wrapperThatBuffers_isClosedNotTheBase() throws Exception {
        ScriptedExchange exchange =
                TestApp.root()
                        .filter(
                                "/a",
                                (q, r, chain) -> {
                                    java.io.StringWriter text = new java.io.StringWriter();
                                    var wrapper =
                                            new HttpServletResponseWrapper(
                                                    (HttpServletResponse) r) {
                                                private final java.io.PrintWriter writer =
                                                        new java.io.PrintWriter(text);

                                                @Override
                                                public java.io.PrintWriter getWriter() {
                                                    return writer;
                                                }
                                            };
                                    chain.doFilter(q, wrapper);
                                    r.getWriter().print("filtered " + text);
                                })
                        .servlet("/a", (q, r) -> q.getRequestDispatcher("/b").forward(q, r))
                        .servlet("/b", (q, r) -> r.getWriter().print("target"))
                        .get("/a");
        assertEquals("filtered target", exchange.body());
        assertFalse(exchange.isAborted());
    }

    @Test
    void forward_throws_exceptionReachesTheCaller() throws IOException {
        ScriptedExchange exchange =
                TestApp.root()
                        .servlet(
                                "/a",
                                (q, r) -> {
                                    try {
                                        q.getRequestDispatcher("/b").forward(q, r);
                                    } catch (IOException e) {
                                        r.getWriter().print(e.getMessage() + q.getServletPath());
                                    }
                                })
                        .servlet(
                                "/b",
                                (q, r) -> {
                                    throw new IOException("target failed");
                                })
                        .get("/a");
        assertEquals("target failed/a", exchange.body());
    }

    @Test
    void forward_insideOfAnInclude_showsNothingOfTheInclude() throws Exception {
        ScriptedExchange exchange =
                TestApp.root()
                        .servlet(
                                "/a",
                                (q, r) -> {
                                    q.getRequestDispatcher("/in/ctl").include(q, r);
                                    r.getWriter().print(" " + q.getAttribute(INCLUDE_REQUEST_URI));
                                })
                        .servlet(
                                "/in/ctl",
                                (q, r) -> q.getRequestDispatcher("/to/page").forward(q, r))
                        .servlet(
                                "/to/page",
                                (q, r) -> {
                                    r.getWriter().print(q.getAttribute(INCLUDE_REQUEST_URI));
                                    q.getRequestDispatcher("rest").include(q, r);
                                })
                        .servlet("/to/rest", (q, r) -> r.getWriter().print(" rest"))
                        .get("/a");
        assertEquals("null rest", exchange.body());
    }

    @Test
    void namedDispatch_insideOfAnInclude_showsNothingOfTheInclude() throws Exception {
        TestApp app =
                TestApp.root()
                        .servlet(
                                "/a",
                                (q, r) ->
                                        q.getRequestDispatcher(q.getParameter("to")).include(q, r))
                        .servlet(
                                "/including",
                                (q, r) -> {
                                    q.getServletContext().getNamedDispatcher("/n").include(q, r);
                                    r.getWriter().print(q.getAttribute(INCLUDE_REQUEST_URI));
                                })
                        .servlet(
                                "/forwarding",
                                (q, r) ->
                                        q.getServletContext()
                                                .getNamedDispatcher("/n")
                                                .forward(q, r))
                        .servlet(
                                "/n",
                                (q, r) ->
                                        r.getWriter()
                                                .print(q.getAttribute(INCLUDE_REQUEST_URI) + " "));
        assertEquals("null /including", app.get("/a?to=/including").body());
        assertEquals("null ", app.get("/a?to=/forwarding").body());
    }
}
