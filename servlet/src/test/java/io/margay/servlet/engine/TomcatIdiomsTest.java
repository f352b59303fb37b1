package io.margay.servlet.engine;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.servlet.descriptor.WebAppDescriptor.SecurityConstraint;
import io.margay.servlet.descriptor.WebAppDescriptor.WebResourceCollection;
import io.margay.servlet.test.ScriptedExchange;
import io.margay.servlet.test.TestApp;
import io.margay.servlet.test.Until;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletRequestEvent;
import jakarta.servlet.ServletRequestListener;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.MalformedURLException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Where the specification leaves room, or is read in two ways: as Tomcat 11 answers, which
/// applications were written for.
@Timeout(30)
final class TomcatIdiomsTest {
    private static final TestApp.Service TELL =
            (q, r) ->
                    r.getWriter()
                            .print(
                                    q.getMethod()
                                            + " "
                                            + q.getRequestURI()
                                            + " ["
                                            + q.getServletPath()
                                            + "] "
                                            + q.getPathInfo()
                                            + " "
                                            + q.getParameter("a"));

    // The context path itself

    @Test
    void contextPath_withAServletForEverything_isAnswered() throws Exception {
        TestApp app = TestApp.at("/app").servlet("/*", TELL);
        assertEquals("POST /app [] null 1", app.run(ScriptedExchange.form("/app", "a=1")).body());
        assertEquals("GET /app [] null 2", app.get("/app?a=2").body());
        assertEquals("GET /app/ [] / null", app.get("/app/").body());
    }

    @Test
    void contextPath_withoutAServletForEverything_isRedirected() throws Exception {
        TestApp app = TestApp.at("/app").servlet("", TELL).servlet("/", TELL);
        ScriptedExchange exchange = app.get("/app?a=2");
        assertEquals(302, exchange.status());
        assertEquals("/app/?a=2", exchange.field("Location"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "/*"})
    void contextPath_isHeldToTheConstraintsOfTheRoot(String pattern) throws Exception {
        SecurityConstraint closed =
                new SecurityConstraint(
                        List.of(
                                new WebResourceCollection(
                                        "c", List.of(pattern), Set.of(), Set.of())),
                        Set.of("role"),
                        "NONE");
        TestApp app = TestApp.at("/app").servlet("/*", TELL).constraint(closed);
        assertEquals(403, app.get("/app").status());
        assertEquals(403, app.get("/app/").status());
    }

    // Filters

    @Test
    void filter_forASlash_isForThatPathAlone() throws Exception {
        TestApp app =
                TestApp.at("/app")
                        .servlet("/*", TELL)
                        .filter(
                                "/",
                                (q, r, chain) -> {
                                    ((HttpServletResponse) r).setHeader("Filtered", "yes");
                                    chain.doFilter(q, r);
                                });
        assertEquals("yes", app.get("/app/").field("Filtered"));
        assertNull(app.get("/app/x").field("Filtered"));
        assertNull(app.get("/app/x/").field("Filtered"));
    }

    // Resources

    @Test
    void resources_areFoundWithoutASlashBeforeThem() throws Exception {
        TestApp.root()
                .file("/res/x", "found")
                .servlet(
                        "/a",
                        (q, r) -> {
                            var context = q.getServletContext();
                            assertEquals(
                                    context.getResource("/res/x"), context.getResource("res/x"));
                            assertArrayEquals(
                                    "found".getBytes(StandardCharsets.UTF_8),
                                    context.getResourceAsStream("res/x").readAllBytes());
                            assertThrows(
                                    MalformedURLException.class,
                                    () -> context.getResource("res/y"));
                            assertNull(context.getResourceAsStream("../x"));
                        })
                .get("/a");
    }

    // Requests

    @Test
    void field_withoutAName_isNone() throws Exception {
        TestApp.root()
                .servlet(
                        "/a",
                        (q, r) -> {
                            assertNull(q.getHeader(null));
                            assertFalse(q.getHeaders(null).hasMoreElements());
                        })
                .get("/a");
    }

    @Test
    void cookie_beyondAscii_isUtf8BothWays() throws Exception {
        TestApp app =
                TestApp.root()
                        .servlet("/set", (q, r) -> r.addCookie(new Cookie("c", "Grüße-日")))
                        .servlet("/get", (q, r) -> assertEquals("Grüße-日", value(q)))
                        .servlet("/old", (q, r) -> assertEquals("Grü", value(q)));
        String sent = app.get("/set").field("Set-Cookie");
        String octets = new String("c=Grüße-日".getBytes(StandardCharsets.UTF_8), ISO_8859_1);
        assertEquals(octets, sent);
        assertEquals(200, app.get("/get", "Cookie: " + sent).status());
        assertEquals(200, app.get("/old", "Cookie: c=Grü").status());
    }

    private static String value(HttpServletRequest request) {
        return request.getCookies()[0].getValue();
    }

    @Test
    void cookie_forWhatIsNoHost_isRefused() throws Exception {
        TestApp.root()
                .servlet(
                        "/a",
                        (q, r) -> {
                            for (String domain :
                                    List.of("a b", "exa_mple", "-a.example", "a..b", "a.", "a;b")) {
                                Cookie cookie = cookie(domain);
                                assertThrows(
                                        IllegalArgumentException.class, () -> r.addCookie(cookie));
                            }
                            r.addCookie(cookie(""));
                            r.addCookie(cookie(".Shop-1.example"));
                            assertEquals(
                                    List.of("c=v", "c=v; Domain=.shop-1.example"),
                                    List.copyOf(r.getHeaders("Set-Cookie")));
                        })
                .get("/a");
    }

    private static Cookie cookie(String domain) {
        Cookie cookie = new Cookie("c", "v");
        cookie.setDomain(domain);
        return cookie;
    }

    // Responses

    @Test
    void content_afterClose_isAnError() throws Exception {
        ScriptedExchange exchange =
                TestApp.root()
                        .servlet(
                                "/a",
                                (q, r) -> {
                                    var out = r.getOutputStream();
                                    out.print("whole");
                                    out.close();
                                    out.flush();
                                    out.close();
                                    assertThrows(IOException.class, () -> out.write('x'));
                                    assertThrows(IOException.class, () -> out.write(new byte[9]));
                                })
                        .get("/a");
        assertEquals("whole", exchange.body());
    }

    @Test
    void characters_afterClose_areAnErrorThatTheWriterTells() throws Exception {
        TestApp.root()
                .servlet(
                        "/a",
                        (q, r) -> {
                            r.getWriter().close();
                            r.getWriter().print("x");
                            assertTrue(r.getWriter().checkError());
                        })
                .get("/a");
    }

    // Asynchronous requests

    @ParameterizedTest
    @ValueSource(strings = {"dispatch", "complete"})
    void failure_afterTheServletAskedForMore_isShown(String asked) throws Exception {
        ScriptedExchange exchange =
                TestApp.root()
                        .servlet(
                                "/a",
                                (q, r) -> {
                                    AsyncContext async = q.startAsync();
                                    if (asked.equals("dispatch")) {
                                        async.dispatch("/b");
                                    } else {
                                        async.complete();
                                    }
                                    throw new IllegalStateException("too late");
                                })
                        .servlet("/b", (q, r) -> r.getWriter().print("b"))
                        .get("/a");
        assertEquals(500, exchange.status());
        assertTrue(exchange.body().contains("Internal Server Error"), exchange.body());
    }

    @Test
    void timeout_afterSendError_showsThatError() throws Exception {
        ScriptedExchange exchange =
                TestApp.root()
                        .servlet(
                                "/a",
                                (q, r) -> {
                                    AsyncContext async = q.startAsync();
                                    async.setTimeout(20);
                                    r.sendError(403, "not you");
                                })
                        .get("/a");
        assertEquals(403, exchange.status());
        assertTrue(exchange.body().contains("not you"), exchange.body());
    }

    @Test
    void asyncContext_afterTheEnd_isClosed() throws Exception {
        AtomicReference<AsyncContext> kept = new AtomicReference<>();
        AtomicReference<HttpServletRequest> request = new AtomicReference<>();
        TestApp.root()
                .servlet(
                        "/a",
                        (q, r) -> {
                            kept.set(q.startAsync());
                            request.set(q);
                            kept.get().complete();
                        })
                .get("/a");
        Until.isTrue(() -> isOver(request.get()));
        AsyncContext async = kept.get();
        assertThrows(IllegalStateException.class, () -> async.setTimeout(1));
        assertThrows(IllegalStateException.class, () -> async.addListener(new Nothing()));
    }

    private static boolean isOver(HttpServletRequest request) {
        try {
            return request.getMethod() == null;
        } catch (IllegalStateException e) {
            return true;
        }
    }

    private static final class Nothing implements AsyncListener {
        @Override
        public void onComplete(AsyncEvent event) throws IOException {}

        @Override
        public void onTimeout(AsyncEvent event) throws IOException {}

        @Override
        public void onError(AsyncEvent event) throws IOException {}

        @Override
        public void onStartAsync(AsyncEvent event) throws IOException {}
    }

    @ParameterizedTest
    @ValueSource(strings = {"/fine", "/fails"})
    void requestDestroyed_seesWhatTheClientAskedFor(String target) throws Exception {
        List<String> seen = new CopyOnWriteArrayList<>();
        TestApp.root()
                .setup(context ->
                        context.addListener(
                                new ServletRequestListener() {
                                    @Override
                                    public void requestDestroyed(ServletRequestEvent event) {
                                        var q = (HttpServletRequest) event.getServletRequest();
                                        seen.add(q.getRequestURI() + " " + q.getDispatcherType());
                                    }
                                }))
                .servlet("/a", (q, r) -> q.startAsync().dispatch(target))
                .servlet("/fine", (q, r) -> r.getWriter().print("b"))
                .servlet("/fails", (q, r) -> r.sendError(500))
                .errorPage(500, null, "/page")
                .servlet("/page", (q, r) -> r.getWriter().print("page"))
                .get("/a");
        Until.isTrue(() -> !seen.isEmpty());
        assertEquals(List.of("/a REQUEST"), seen);
    }
}
