package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.config.SessionSettings;
import io.margay.app.sample.CountServlet;
import io.margay.app.sample.SessionServlet;
import io.margay.servlet.session.SessionWrite;
import io.margay.testkit.Eventually;
import io.margay.testkit.FreePort;
import io.margay.testkit.RawHttpClient;
import io.margay.testkit.RedisProcess;
import io.margay.testkit.fault.FaultyLink;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Two servers that share their sessions in a real `redis-server`, asked in turn.
@Tag("slow")
final class SharedSessionsTest {
    private static final String KEY = "what the servers share and nobody else knows";
    private static final String TOKEN = "a-token-of-some-thirty-two-characters";

    private static final String LOGIN =
            """
              <security-constraint>
                <web-resource-collection>
                  <web-resource-name>counter</web-resource-name>
                  <url-pattern>/secret</url-pattern>
                </web-resource-collection>
                <auth-constraint><role-name>shopper</role-name></auth-constraint>
              </security-constraint>
              <login-config>
                <auth-method>FORM</auth-method>
                <form-login-config>
                  <form-login-page>/in.txt</form-login-page>
                  <form-error-page>/in.txt</form-error-page>
                </form-login-config>
              </login-config>
              <security-role><role-name>shopper</role-name></security-role>
            </web-app>
            """;

    @TempDir Path folder;
    private RedisProcess redis;
    private MargayServer left;
    private MargayServer right;
    private Http toLeft;
    private Http toRight;

    @BeforeEach
    void start() throws IOException {
        redis = RedisProcess.start();
        Wars.with("in.txt", "who?")
                .servlet(CountServlet.class, "/count")
                .servlet(SessionServlet.class, "/session")
                .servlet(SecretServlet.class, "/secret")
                .servlet(PageServlet.class, "/page")
                .withinWebXml(LOGIN)
                .war(folder.resolve("webapps/shop.war"));
        Files.writeString(
                folder.resolve("users.xml"),
                "<tomcat-users><user username='ada' password='p' roles='shopper'/></tomcat-users>");
        left = server("left");
        right = server("right");
        toLeft = new Http(left.ports().getFirst());
        toRight = new Http(right.ports().getFirst());
    }

    /// A servlet that only those see who have logged in.
    public static final class SecretServlet extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response)
                throws IOException {
            response.getWriter().print("for " + request.getUserPrincipal().getName());
        }
    }

    /// A servlet that sets an attribute, and answers with more than a buffer, or redirects.
    public static final class PageServlet extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response)
                throws IOException {
            request.getSession().setAttribute("set", request.getParameter("set"));
            if (request.getParameter("to") != null) {
                response.sendRedirect(request.getParameter("to"));
                return;
            }
            for (int i = 0; i < 1000; i++) {
                try {
                    response.getWriter().print("a line of the page that says that it is set\n");
                } catch (RuntimeException e) {
                    if (request.getParameter("stubborn") == null) {
                        throw e;
                    }
                }
            }
        }
    }

    private MargayServer server(String name) throws IOException {
        return server(name, false);
    }

    private MargayServer server(String name, boolean sticky) throws IOException {
        return server(name, sticky, redis.port());
    }

    private MargayServer server(String name, boolean sticky, int port) throws IOException {
        SessionSettings.Shared shared =
                new SessionSettings.Shared(
                        "valkey",
                        "redis://127.0.0.1:" + port,
                        null,
                        KEY,
                        SessionWrite.BEFORE,
                        Duration.ofMillis(300),
                        Duration.ofMillis(300),
                        16,
                        sticky);
        return Margay.builder()
                .http(0)
                .admin("127.0.0.1:0", TOKEN)
                .work(folder.resolve(name))
                .users(folder.resolve("users.xml"))
                .drain(Duration.ofSeconds(5))
                .sessions(
                        SessionSettings.defaults().withRoute(sticky ? name : "").withShared(shared))
                .webapps(folder.resolve("webapps"))
                .start();
    }

    @AfterEach
    void stop() {
        left.close();
        right.close();
        redis.close();
    }

    private static String cookie(HttpResponse<String> response) {
        return response.headers().firstValue("Set-Cookie").orElseThrow().split(";")[0];
    }

    private String begun() throws Exception {
        HttpResponse<String> first = toLeft.response("/shop/count");
        assertEquals("count 1", first.body());
        return cookie(first);
    }

    private static String count(Http server, String cookie) throws Exception {
        return server.withCookie("/shop/count", cookie).body();
    }

    private static HttpResponse<String> asked(Http server, String what, String cookie)
            throws Exception {
        return server.withCookie("/shop/session?" + what, cookie);
    }

    @Test
    void requests_inTurn_seeEachOthersChanges() throws Exception {
        String cookie = begun();
        for (int i = 1; i <= 100; i++) {
            Http next = i % 2 == 0 ? toLeft : toRight;
            assertEquals("count " + (i + 1), count(next, cookie));
            assertEquals("grown to " + i, asked(next, "grow", cookie).body());
        }
    }

    @Test
    void redirect_toTheOtherServer_findsWhatWasSet() throws Exception {
        String cookie = begun();
        for (int i = 0; i < 20; i++) {
            Http one = i % 2 == 0 ? toLeft : toRight;
            Http other = i % 2 == 0 ? toRight : toLeft;
            String fresh = cookie(one.response("/shop/count"));
            assertEquals(302, asked(one, "redirect", fresh).statusCode());
            assertEquals("sent on", asked(other, "sent", fresh).body());
        }
        assertEquals("count 2", count(toRight, cookie));
    }

    @Test
    void server_thatEnds_leavesItsSessionsToTheOther() throws Exception {
        String cookie = begun();
        left.close();
        assertEquals("count 2", count(toRight, cookie));
    }

    @Test
    void sessionThatEnds_endsEverywhereAndIsToldOnce() throws Exception {
        String cookie = begun();
        assertEquals("count 2", count(toRight, cookie));
        asked(toLeft, "end", cookie);
        assertEquals("count 1", count(toRight, cookie));
        assertEquals("ended 1", toLeft.get("/shop/session?ended"));
        assertEquals("ended 0", toRight.get("/shop/session?ended"));
    }

    @Test
    void renamedSession_isKnownByItsNewNameAlone() throws Exception {
        String cookie = begun();
        assertEquals("count 2", count(toRight, cookie));
        String fresh = cookie(asked(toLeft, "rename", cookie));
        assertNotEquals(cookie, fresh);
        assertEquals("count 3", count(toRight, fresh));
        assertEquals("count 1", count(toRight, cookie));
    }

    @Test
    void login_onOneServer_holdsOnTheOther() throws Exception {
        String form = "j_username=ada&j_password=p";
        String cookie;
        try (RawHttpClient http =
                RawHttpClient.connect(
                        new InetSocketAddress("127.0.0.1", left.ports().getFirst()))) {
            RawHttpClient.Response response =
                    http.send(
                                    "POST /shop/j_security_check HTTP/1.1\r\nHost: localhost\r\n"
                                            + "Content-Type: application/x-www-form-urlencoded\r\n"
                                            + "Content-Length: "
                                            + form.length()
                                            + "\r\n\r\n"
                                            + form)
                            .response();
            assertEquals(303, response.status());
            cookie = response.field("Set-Cookie").split(";")[0];
        }
        assertEquals("for ada", toRight.withCookie("/shop/secret", cookie).body());
        assertEquals("for ada", toLeft.withCookie("/shop/secret", cookie).body());
        assertEquals("who?", toRight.get("/shop/secret"));
    }

    // Clients that come back to their server

    private long scripts() throws IOException {
        Matcher calls =
                Pattern.compile("cmdstat_evalsha:calls=(\\d+)")
                        .matcher(redis.command("INFO commandstats"));
        return calls.find() ? Long.parseLong(calls.group(1)) : 0;
    }

    @Test
    void requests_ofClientsThatComeBack_doNotAskTheEngine() throws Exception {
        try (MargayServer here = server("here", true);
                MargayServer there = server("there", true)) {
            Http toHere = new Http(here.ports().getFirst());
            Http toThere = new Http(there.ports().getFirst());
            String cookie = cookie(toHere.response("/shop/count"));
            assertTrue(cookie.endsWith(".here"), cookie);
            assertEquals("sent null", asked(toHere, "sent", cookie).body());
            Eventually.holds(
                    "the copy is used",
                    () -> {
                        try {
                            long before = scripts();
                            assertEquals("sent null", asked(toHere, "sent", cookie).body());
                            return scripts() == before;
                        } catch (Exception e) {
                            throw new AssertionError(e);
                        }
                    });
            long before = scripts();
            for (int i = 0; i < 200; i++) {
                assertEquals("sent null", asked(toHere, "sent", cookie).body());
            }
            long asked = scripts() - before;
            assertTrue(asked < 100, () -> "200 requests asked " + asked + " times");
            // Where they need not come back, each request asks.
            String anywhere = begun();
            before = scripts();
            for (int i = 0; i < 20; i++) {
                asked(toLeft, "sent", anywhere);
            }
            assertTrue(scripts() - before >= 20);
            // A request that strays sees everything, and is seen.
            for (int i = 2; i < 12; i++) {
                Http next = i % 2 == 0 ? toThere : toHere;
                assertEquals("count " + i, count(next, cookie));
            }
            asked(toThere, "end", cookie);
            assertEquals("count 1", count(toHere, cookie));
        }
    }

    // Without the engine

    @Test
    void engineThatIsGone_stopsNoSession_andHasThemAllWhenItIsBack() throws Exception {
        String cookie = begun();
        redis.stop();
        List<String> fresh = new ArrayList<>();
        long begin = System.nanoTime();
        for (int i = 2; i <= 50; i++) {
            assertEquals("count " + i, count(toLeft, cookie));
            fresh.add(cookie(toLeft.response("/shop/count")));
        }
        long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
        assertTrue(took < 30_000, () -> "98 requests took " + took + " ms");
        Http admin = new Http(left.adminPort());
        assertEquals(200, admin.status("/health"));
        assertEquals(503, admin.status("/health/full"));
        assertTrue(admin.get("/health").contains("\"sessionStoreAway\":true"));
        assertTrue(admin.get("/metrics").contains("margay_session_store_up{store=\"valkey\"} 0"));
        redis.run();
        Eventually.holds(
                "up",
                () -> {
                    try {
                        return admin.status("/health/full") == 200
                                && admin.get("/metrics")
                                        .contains(
                                                "margay_session_store_pending_sessions"
                                                        + "{store=\"valkey\"} 0");
                    } catch (IOException | InterruptedException e) {
                        throw new AssertionError(e);
                    }
                });
        assertEquals("count 51", count(toRight, cookie));
        for (String one : fresh) {
            assertEquals("count 2", count(toRight, one));
        }
    }

    @Test
    void engineThatIsFull_isReadStill_andNoResponsePromisesWhatIsNotSaved() throws Exception {
        String cookie = begun();
        redis.command("CONFIG SET maxmemory 1");
        for (String path :
                List.of(
                        "/shop/count",
                        "/shop/page?set=1",
                        "/shop/page?set=1&stubborn=1",
                        "/shop/page?set=1&to=count")) {
            HttpResponse<String> unsaved = toLeft.withCookie(path, cookie);
            assertEquals(503, unsaved.statusCode(), path);
            assertEquals("The session cannot be saved now.\n", unsaved.body(), path);
            assertEquals("1", unsaved.headers().firstValue("Retry-After").orElseThrow());
            assertTrue(unsaved.headers().firstValue("Location").isEmpty());
        }
        assertEquals(503, toRight.response("/shop/count").statusCode(), "a new session");
        assertEquals(200, toRight.withCookie("/shop/session?sent", cookie).statusCode(), "read");
        Http admin = new Http(left.adminPort());
        assertTrue(admin.get("/health").contains("\"sessionStoreFull\":true"));
        assertTrue(admin.get("/health").contains("\"sessionStoreAway\":false"));
        assertTrue(admin.get("/metrics").contains("margay_session_store_full{store=\"valkey\"} 1"));
        redis.command("CONFIG SET maxmemory 0");
        Eventually.holds(
                "room",
                () -> {
                    try {
                        return admin.status("/health/full") == 200
                                && toLeft.withCookie("/shop/page?set=1", cookie).statusCode()
                                        == 200;
                    } catch (IOException | InterruptedException e) {
                        throw new AssertionError(e);
                    }
                });
    }

    @Test
    void sessionThatCannotBeLookedUp_isNotTakenForLost() throws Exception {
        String cookie = begun();
        try (FaultyLink link = new FaultyLink(redis.port());
                MargayServer late = server("late", false, link.port())) {
            Http toLate = new Http(late.ports().getFirst());
            link.set(FaultyLink.Fault.STALL);
            HttpResponse<String> unknown = toLate.withCookie("/shop/count", cookie);
            assertEquals(503, unknown.statusCode());
            assertEquals("1", unknown.headers().firstValue("Retry-After").orElseThrow());
            assertTrue(unknown.headers().firstValue("Margay-Session").isPresent());
            assertTrue(unknown.headers().firstValue("Set-Cookie").isEmpty());
            assertEquals("count 1", toLate.get("/shop/count"));
            link.set(FaultyLink.Fault.NONE);
            Eventually.holds(
                    "it answers",
                    () -> {
                        try {
                            return new Http(late.adminPort()).status("/health/full") == 200;
                        } catch (IOException | InterruptedException e) {
                            throw new AssertionError(e);
                        }
                    });
            assertEquals("count 2", count(toLate, cookie));
        }
    }

    @Test
    void start_withoutTheEngine_knowsBeforeTheFirstRequest() throws Exception {
        int gone = FreePort.next();
        try (MargayServer alone = server("alone", false, gone)) {
            String health = new Http(alone.adminPort()).get("/health");
            assertTrue(health.contains("\"sessionStoreAway\":true"), health);
        }
    }

    @Test
    void engineThatStartsEmpty_getsTheSessionsThatAreUsed() throws Exception {
        String cookie = begun();
        redis.stop();
        redis.run();
        assertEquals("count 2", count(toLeft, cookie));
        assertEquals("count 3", count(toRight, cookie));
    }

    @Test
    void engineThatStandsStill_holdsNobodyForLong() throws Exception {
        String cookie = begun();
        redis.freeze();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            long begin = System.nanoTime();
            List<Callable<String>> all = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                all.add(() -> asked(toLeft, "sent", cookie).body());
            }
            for (var done : threads.invokeAll(all)) {
                assertEquals("sent null", done.get());
            }
            long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
            assertTrue(took < 30_000, () -> "took " + took + " ms");
        } finally {
            redis.thaw();
        }
    }
}
