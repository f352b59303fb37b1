package io.margay.servlet.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.servlet.descriptor.WebAppDescriptor.SecurityConstraint;
import io.margay.servlet.descriptor.WebAppDescriptor.WebResourceCollection;
import io.margay.servlet.test.ScriptedExchange;
import io.margay.servlet.test.TestApp;
import jakarta.servlet.ServletRequestListener;
import jakarta.servlet.SessionTrackingMode;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Which requests are answered on the loop, and that the answer is the same as a worker's.
final class LoopFastPathTest {
    private static TestApp files() {
        return TestApp.at("/app")
                .welcome("index.html")
                .file("/index.html", "welcome")
                .file("/empty", "")
                .file("/a.txt", "0123456789")
                .file("/z.txt", "plain text")
                .file("/z.txt.gz", "gzipped")
                .file("/WEB-INF/web.xml", "secret")
                .file("/open/a.txt", "open");
    }

    /// Asks until what is to be in memory is there.
    private static void warm(TestApp app, String... targets) throws Exception {
        for (String target : targets) {
            app.get(target);
        }
    }

    private static ScriptedExchange ask(TestApp app, String method, String target, String... lines)
            throws Exception {
        return app.run(ScriptedExchange.of(method, target, new byte[0], lines));
    }

    private static Set<String> fields(ScriptedExchange exchange) {
        Set<String> all = new TreeSet<>();
        for (int i = 0; i < exchange.fields().size(); i++) {
            all.add(exchange.fields().name(i) + ": " + exchange.fields().value(i));
        }
        return all;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /app/a.txt",
                "HEAD /app/a.txt",
                "GET /app/a.txt?query",
                "GET /app/",
                "GET /app/empty",
                "HEAD /app/empty",
                "GET /app/z.txt",
                "GET /app/z.txt Accept-Encoding: gzip",
                "HEAD /app/z.txt Accept-Encoding: gzip",
                "GET /app/a.txt Range: bytes=2-4",
                "GET /app/a.txt Range: bytes=-3",
                "HEAD /app/a.txt Range: bytes=2-4",
                "GET /app/a.txt If-None-Match: *",
                "GET /app/a.txt If-None-Match: \"other\"",
                "GET /app/a.txt If-Modified-Since: Tue, 14 Nov 2023 22:13:20 GMT",
                "GET /app/a.txt If-Range: \"other\"",
            })
    void answer_fromMemory_isThatOfAWorker(String request) throws Exception {
        String[] parts = request.split(" ", 3);
        String[] lines = parts.length < 3 ? new String[0] : new String[] {parts[2]};
        TestApp app = files();
        ScriptedExchange slow = ask(app, parts[0], parts[1], lines);
        ScriptedExchange quick = ask(app, parts[0], parts[1], lines);
        assertEquals(1, slow.dispatches());
        assertEquals(0, quick.dispatches());
        assertEquals(slow.status(), quick.status());
        assertArrayEquals(slow.bytes(), quick.bytes());
        assertEquals(fields(slow), fields(quick));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST /app/a.txt",
                "OPTIONS /app/a.txt",
                "GET /app",
                "GET /app/none",
                "GET /app/open",
                "GET /app/open/",
                "GET /app/WEB-INF/web.xml",
                "GET /app/a.txt/",
                "GET /app/a.txt Range: bytes=0-1,5-6",
                "GET /app/a.txt Range: bytes=10-",
                "GET /app/a.txt If-Match: \"other\"",
                "GET /app/a.txt Cookie: a=b; JSESSIONID=0123456789ABCDEF0123456789ABCDEF",
                "GET /app/a.txt;jsessionid=0123456789ABCDEF0123456789ABCDEF",
            })
    void answer_thatTakesMore_isAWorkers(String request) throws Exception {
        String[] parts = request.split(" ", 3);
        String[] lines = parts.length < 3 ? new String[0] : new String[] {parts[2]};
        TestApp app =
                files().tracking(SessionTrackingMode.COOKIE).tracking(SessionTrackingMode.URL);
        warm(app, "/app/a.txt", "/app/open/a.txt", "/app/WEB-INF/web.xml", "/app/");
        assertEquals(1, ask(app, parts[0], parts[1], lines).dispatches());
    }

    @Test
    void filter_onTheWay_seesTheRequest_andItsAnswerCounts() throws Exception {
        TestApp app =
                files().filter(
                                "/a.txt",
                                (request, response, chain) -> {
                                    ((HttpServletResponse) response).setHeader("X-Filter", "was");
                                    chain.doFilter(request, response);
                                });
        warm(app, "/app/a.txt", "/app/open/a.txt");
        assertEquals("was", app.get("/app/a.txt").field("X-Filter"));
        assertEquals(0, app.get("/app/open/a.txt").dispatches());
    }

    @Test
    void constraint_isHeld() throws Exception {
        TestApp app =
                files().constraint(
                                new SecurityConstraint(
                                        List.of(
                                                new WebResourceCollection(
                                                        "c",
                                                        List.of("/a.txt"),
                                                        Set.of(),
                                                        Set.of())),
                                        Set.of(),
                                        "NONE"));
        for (int i = 0; i < 2; i++) {
            assertEquals(403, app.get("/app/a.txt").status());
        }
        warm(app, "/app/z.txt");
        assertEquals(0, app.get("/app/z.txt").dispatches());
    }

    @Test
    void session_thatLives_isKeptAlive() throws Exception {
        TestApp app =
                files().servlet(
                                "/new",
                                (request, response) ->
                                        response.getWriter().print(request.getSession().getId()));
        warm(app, "/app/a.txt");
        String cookie = "Cookie: JSESSIONID=" + app.get("/app/new").body();
        HttpSession session = app.start().liveSessions().iterator().next();
        long made = session.getCreationTime();
        long deadline = System.nanoTime() + 10_000_000_000L;
        int quick = 0;
        while (session.getLastAccessedTime() == made && System.nanoTime() < deadline) {
            quick += app.get("/app/a.txt", cookie).dispatches() == 0 ? 1 : 0;
        }
        assertTrue(session.getLastAccessedTime() > made);
        assertTrue(quick > 0);
        session.invalidate();
        assertEquals(1, app.get("/app/a.txt", cookie).dispatches());
    }

    /// A listener, whatever it does.
    public static final class Listener implements ServletRequestListener {}

    @Test
    void requestListener_isTold() throws Exception {
        TestApp app = files().listener(Listener.class);
        warm(app, "/app/a.txt");
        assertEquals(1, app.get("/app/a.txt").dispatches());
    }

    @Test
    void servletMappedOverTheFile_answers() throws Exception {
        TestApp app =
                files().servlet("*.txt", (request, response) -> response.getWriter().print("mine"));
        warm(app, "/app/a.txt");
        assertEquals("mine", app.get("/app/a.txt").body());
    }

    @Test
    void stoppedApplication_answers503() throws Exception {
        TestApp app = files();
        warm(app, "/app/a.txt");
        assertEquals(0, app.get("/app/a.txt").dispatches());
        app.start().stop();
        assertEquals(503, app.get("/app/a.txt").status());
        assertTrue(app.get("/app/a.txt").body().contains("503"));
    }
}
