package io.margay.servlet.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.servlet.test.ScriptedExchange;
import io.margay.servlet.test.TestApp;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The context path as the request had it, which is what Tomcat 11 answers, too; and that the
/// container itself goes by the configured one.
final class ContextPathTest {
    @ParameterizedTest
    @CsvSource({
        "/probe/p/x, /probe, /p/x",
        "/probe/./p/x, /probe, /./p/x",
        "/%70robe/p/x, /%70robe, /p/x",
        "/probe;v=1/p/x, /probe;v=1, /p/x",
        "/./probe/p/x, /./probe, /p/x",
        "/x/../probe/p/x, /x/../probe, /p/x",
        "/probe/../probe/p/x, /probe, /../probe/p/x",
        "/%70robe;a/./p/x, /%70robe;a, /./p/x"
    })
    void contextPath_isThePartOfTheUri(String uri, String contextPath, String rest)
            throws Exception {
        ScriptedExchange exchange =
                TestApp.at("/probe")
                        .servlet(
                                "/p/*",
                                (q, r) -> {
                                    String path = q.getContextPath();
                                    r.getWriter().print(path + " ");
                                    r.getWriter().print(q.getRequestURI().substring(path.length()));
                                })
                        .get(uri);
        assertEquals(contextPath + " " + rest, exchange.body());
    }

    @Test
    void severalSlashes_areOne_soThatARedirectDoesNotLeaveTheHost() throws Exception {
        TestApp app =
                TestApp.at("/probe")
                        .servlet("/p/*", (q, r) -> r.sendRedirect(q.getContextPath() + "/login"));
        assertEquals("/probe/login", app.get("//probe/p/x").field("location"));
        assertEquals(
                "/evil.example/../probe/login",
                app.get("//evil.example/../probe/p/x").field("location"));
    }

    @Test
    void contextPath_ofTwoSegmentsAndOfTheRoot() throws Exception {
        TestApp.Service tell = (q, r) -> r.getWriter().print("[" + q.getContextPath() + "]");
        assertEquals("[/a;x/%62]", TestApp.at("/a/b").servlet("/p", tell).get("/a;x/%62/p").body());
        assertEquals("[]", TestApp.root().servlet("/p", tell).get("/x/../%70").body());
    }

    @Test
    void dispatches_goByTheConfiguredPath() throws Exception {
        TestApp app =
                TestApp.at("/probe")
                        .servlet("/p/*", (q, r) -> q.getRequestDispatcher("/target").forward(q, r))
                        .servlet("/async", (q, r) -> q.startAsync().dispatch("/target"))
                        .servlet("/target", (q, r) -> r.getWriter().print(told(q)));
        assertEquals(
                "/probe /probe/target /%70robe /%70robe/p/x null", app.get("/%70robe/p/x").body());
        assertEquals(
                "/probe /probe/target null null /probe;v=1", app.get("/probe;v=1/async").body());
    }

    private static String told(HttpServletRequest q) {
        return q.getContextPath()
                + " "
                + q.getRequestURI()
                + " "
                + q.getAttribute(RequestDispatcher.FORWARD_CONTEXT_PATH)
                + " "
                + q.getAttribute(RequestDispatcher.FORWARD_REQUEST_URI)
                + " "
                + q.getAttribute(AsyncContext.ASYNC_CONTEXT_PATH);
    }

    @Test
    void cookiesAndRedirectsOfTheContainer_goByTheConfiguredPath() throws Exception {
        TestApp app = TestApp.at("/probe").servlet("/p", (q, r) -> q.getSession());
        String cookie = app.get("/%70robe/p").field("set-cookie");
        assertTrue(cookie.contains("Path=/probe;"), cookie);
        assertEquals("/probe/", app.get("/x/../probe").field("location"));
    }
}
