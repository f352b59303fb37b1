package io.margay.servlet.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.servlet.session.SessionStore;
import io.margay.servlet.session.SessionStores;
import io.margay.servlet.settings.ServletLimits;
import io.margay.servlet.test.ScriptedExchange;
import io.margay.servlet.test.TestApp;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.SessionTrackingMode;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpSessionAttributeListener;
import jakarta.servlet.http.HttpSessionBindingEvent;
import jakarta.servlet.http.HttpSessionBindingListener;
import jakarta.servlet.http.HttpSessionEvent;
import jakarta.servlet.http.HttpSessionIdListener;
import jakarta.servlet.http.HttpSessionListener;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Sessions as requests see them (Servlet 6.1 §7).
final class SessionTest {
    private static final TestApp.Service COUNT =
            (q, r) -> {
                HttpSession session = q.getSession();
                Integer count = (Integer) session.getAttribute("count");
                session.setAttribute("count", count == null ? 1 : count + 1);
                r.getWriter().print(session.getAttribute("count") + " " + session.isNew());
            };

    private static String id(ScriptedExchange exchange) {
        String cookie = exchange.field("Set-Cookie");
        return cookie.substring("JSESSIONID=".length(), cookie.indexOf(';'));
    }

    @Test
    void session_created_isFoundAgainByItsCookie() throws Exception {
        TestApp app = TestApp.at("/c").servlet("/a", COUNT);
        ScriptedExchange first = app.get("/c/a");
        assertEquals("1 true", first.body());
        String cookie = first.field("Set-Cookie");
        assertTrue(cookie.matches("JSESSIONID=[0-9A-F]{32}; .*"), cookie);
        for (String part : List.of("HttpOnly", "SameSite=Lax", "Path=/c")) {
            assertTrue(cookie.contains("; " + part), cookie);
        }
        assertFalse(cookie.contains("Secure"), cookie);
        ScriptedExchange second = app.get("/c/a", "Cookie: JSESSIONID=" + id(first));
        assertEquals("2 false", second.body());
        assertNull(second.field("Set-Cookie"));
        assertEquals(1, app.start().sessions());
    }

    @Test
    void cookie_onHttps_isSecure() throws Exception {
        ScriptedExchange exchange =
                TestApp.root().servlet("/a", COUNT).run(ScriptedExchange.secure("/a", null));
        assertTrue(exchange.field("Set-Cookie").contains("; Secure"));
    }

    @Test
    void cve2025_55668_clientsId_isNeverAdopted() throws Exception {
        TestApp app = TestApp.root().servlet("/a", COUNT);
        String forged = "0123456789ABCDEF0123456789ABCDEF";
        assertNotEquals(forged, id(app.get("/a", "Cookie: JSESSIONID=" + forged)));
        ScriptedExchange byUrl = app.get("/a;jsessionid=" + forged);
        assertNotEquals(forged, id(byUrl));
    }

    @Test
    void cve2020_9484_strangeIds_findNothing() throws Exception {
        TestApp app = TestApp.root().servlet("/a", COUNT);
        for (String id : List.of("../../etc/passwd", "%2e%2e", "x".repeat(4000), "abc")) {
            assertEquals("1 true", app.get("/a", "Cookie: JSESSIONID=" + id).body());
        }
    }

    @Test
    void changeId_keepsTheSessionUnderANewId() throws Exception {
        TestApp app =
                TestApp.root()
                        .servlet("/a", COUNT)
                        .servlet("/change", (q, r) -> r.getWriter().print(q.changeSessionId()));
        String before = id(app.get("/a"));
        ScriptedExchange changed = app.get("/change", "Cookie: JSESSIONID=" + before);
        assertNotEquals(before, changed.body());
        assertEquals(changed.body(), id(changed));
        assertEquals("1 true", app.get("/a", "Cookie: JSESSIONID=" + before).body());
        assertEquals("2 false", app.get("/a", "Cookie: JSESSIONID=" + changed.body()).body());
    }

    @Test
    void urlTracking_off_ignoresAndWritesNone() throws Exception {
        TestApp app =
                TestApp.root()
                        .servlet(
                                "/a",
                                (q, r) -> {
                                    q.getSession();
                                    r.getWriter()
                                            .print(
                                                    r.encodeURL("/x")
                                                            + q.isRequestedSessionIdFromURL());
                                });
        String id = id(app.get("/a"));
        assertEquals("/xfalse", app.get("/a;jsessionid=" + id).body());
    }

    @Test
    void urlTracking_on_rewritesOwnLinksOnly() throws Exception {
        TestApp app =
                TestApp.root()
                        .tracking(SessionTrackingMode.URL)
                        .servlet(
                                "/a",
                                (q, r) -> {
                                    String id = q.getSession().getId();
                                    r.getWriter()
                                            .print(
                                                    (r.encodeURL("/x?y#z")
                                                                    + " "
                                                                    + r.encodeURL("http://else/")
                                                                    + " "
                                                                    + r.encodeRedirectURL("b"))
                                                            .replace(id, "ID"));
                                    r.setHeader("Id", id);
                                });
        ScriptedExchange first = app.get("/a");
        assertEquals("/x;jsessionid=ID?y#z http://else/ b;jsessionid=ID", first.body());
        assertNull(first.field("Set-Cookie"));
        assertEquals(first.field("Id"), app.get("/a;jsessionid=" + first.field("Id")).field("Id"));
    }

    /// Notes every event.
    private static final class Notes
            implements HttpSessionListener, HttpSessionAttributeListener, HttpSessionIdListener {
        final List<String> events = new ArrayList<>();

        @Override
        public void sessionCreated(HttpSessionEvent event) {
            events.add("created");
        }

        @Override
        public void sessionDestroyed(HttpSessionEvent event) {
            events.add("destroyed with " + event.getSession().getAttribute("n"));
        }

        @Override
        public void attributeAdded(HttpSessionBindingEvent event) {
            events.add("added " + event.getName() + event.getValue());
        }

        @Override
        public void attributeRemoved(HttpSessionBindingEvent event) {
            events.add("removed " + event.getName() + event.getValue());
        }

        @Override
        public void attributeReplaced(HttpSessionBindingEvent event) {
            events.add("replaced " + event.getName() + event.getValue());
        }

        @Override
        public void sessionIdChanged(HttpSessionEvent event, String oldId) {
            events.add("id " + oldId.equals(event.getSession().getId()));
        }
    }

    @Test
    void listeners_hearEverythingInOrder() throws Exception {
        Notes notes = new Notes();
        TestApp.root()
                .setup(context -> context.addListener(notes))
                .servlet(
                        "/a",
                        (q, r) -> {
                            HttpSession session = q.getSession();
                            session.setAttribute("n", 1);
                            session.setAttribute("n", 2);
                            session.setAttribute("m", 3);
                            session.removeAttribute("m");
                            q.changeSessionId();
                            session.invalidate();
                            assertThrows(IllegalStateException.class, session::invalidate);
                            assertThrows(
                                    IllegalStateException.class, () -> session.getAttribute("n"));
                            assertNull(q.getSession(false));
                        })
                .get("/a");
        assertEquals(
                List.of(
                        "created",
                        "added n1",
                        "replaced n1",
                        "added m3",
                        "removed m3",
                        "id false",
                        "destroyed with 2",
                        "removed n2"),
                notes.events);
    }

    @Test
    void bindingListeners_areToldByTheirSession() throws Exception {
        List<String> events = new ArrayList<>();
        HttpSessionBindingListener value =
                new HttpSessionBindingListener() {
                    @Override
                    public void valueBound(HttpSessionBindingEvent event) {
                        events.add("bound " + event.getName());
                    }

                    @Override
                    public void valueUnbound(HttpSessionBindingEvent event) {
                        events.add("unbound " + event.getName());
                    }
                };
        TestApp.root()
                .servlet(
                        "/a",
                        (q, r) -> {
                            q.getSession().setAttribute("v", value);
                            q.getSession().setAttribute("v", "other");
                            q.getSession().setAttribute("w", value);
                            q.getSession().invalidate();
                        })
                .get("/a");
        assertEquals(List.of("bound v", "unbound v", "bound w", "unbound w"), events);
    }

    @Test
    void getSession_afterCommit_throws() throws Exception {
        TestApp.root()
                .servlet(
                        "/a",
                        (q, r) -> {
                            r.flushBuffer();
                            assertThrows(IllegalStateException.class, () -> q.getSession(true));
                        })
                .get("/a");
    }

    @Test
    void sessions_atTheLimit_areRefused() throws Exception {
        ServletLimits d = ServletLimits.defaults();
        TestApp app =
                TestApp.root()
                        .settings(s ->
                                s.withLimits(
                                        new ServletLimits(10, 100, 5, 512, 2, d.asyncTimeout(), 8)))
                        .servlet("/a", COUNT);
        assertEquals(200, app.get("/a").status());
        assertEquals(200, app.get("/a").status());
        assertEquals(500, app.get("/a").status());
    }

    // Over a restart

    /// A class of an application's own.
    private record Basket(List<String> items) implements java.io.Serializable {}

    private static TestApp restartable(Path file) {
        return TestApp.root()
                .settings(s -> s.withSessionFile(file))
                .servlet(
                        "/set",
                        (q, r) -> {
                            Map<String, Object> map = new HashMap<>(Map.of("k", 1L));
                            q.getSession()
                                    .setAttribute(
                                            "basket",
                                            new Basket(new ArrayList<>(List.of("a", "b"))));
                            q.getSession().setAttribute("map", map);
                            q.getSession().setAttribute("array", new int[] {1, 2});
                            q.getSession().setAttribute("lost", new Object());
                            q.getSession().setMaxInactiveInterval(777);
                        })
                .servlet(
                        "/get",
                        (q, r) -> {
                            HttpSession session = q.getSession(false);
                            r.getWriter()
                                    .print(
                                            session == null
                                                    ? "none"
                                                    : session.getAttribute("basket")
                                                            + ""
                                                            + session.getAttribute("map")
                                                            + ((int[])
                                                                            session.getAttribute(
                                                                                    "array"))
                                                                    [1]
                                                            + session.getAttribute("lost")
                                                            + session.getMaxInactiveInterval());
                        });
    }

    @Test
    void sessionFile_restart_keepsSerializableAttributes(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("sessions");
        TestApp first = restartable(file);
        String id = id(first.get("/set"));
        first.start().stop();
        assertEquals("rw-------", permissions(file));
        assertEquals("rw-------", permissions(folder.resolve("sessions.key")));
        TestApp second = restartable(file);
        assertEquals(
                "Basket[items=[a, b]]{k=1}2null777",
                second.get("/get", "Cookie: JSESSIONID=" + id).body());
        assertFalse(Files.exists(file));
    }

    private static String permissions(Path file) throws Exception {
        return java.nio.file.attribute.PosixFilePermissions.toString(
                Files.getPosixFilePermissions(file));
    }

    @Test
    void cve2020_9484_sessionFileOfAnother_isNotDeserialised(@TempDir Path folder)
            throws Exception {
        Path file = folder.resolve("sessions");
        TestApp first = restartable(file);
        String id = id(first.get("/set"));
        first.start().stop();
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 1;
        Files.write(file, bytes);
        assertEquals("none", restartable(file).get("/get", "Cookie: JSESSIONID=" + id).body());
    }

    @Test
    void cve2020_9484_keyReadableByOthers_isNotTrusted(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("sessions");
        TestApp first = restartable(file);
        String id = id(first.get("/set"));
        first.start().stop();
        Files.setPosixFilePermissions(
                folder.resolve("sessions.key"),
                java.nio.file.attribute.PosixFilePermissions.fromString("rw-r--r--"));
        assertEquals("none", restartable(file).get("/get", "Cookie: JSESSIONID=" + id).body());
    }

    /// Needs a class that is no longer there when it is written.
    private static final class Unwritable implements java.io.Serializable {
        private static final long serialVersionUID = 1L;

        private void writeObject(java.io.ObjectOutputStream out) {
            throw new NoClassDefFoundError("gone");
        }
    }

    /// Needs a class that is no longer there when it is read.
    private static final class Unreadable implements java.io.Serializable {
        private static final long serialVersionUID = 1L;

        private void readObject(java.io.ObjectInputStream in) {
            throw new NoClassDefFoundError("gone");
        }
    }

    private static TestApp restartableWith(Path file, List<String> log) {
        return TestApp.root()
                .settings(s -> s.withSessionFile(file))
                .setup(context ->
                        context.addListener(
                                new ServletContextListener() {
                                    @Override
                                    public void contextDestroyed(ServletContextEvent event) {
                                        log.add("destroyed");
                                    }
                                }))
                .servlet(
                        "/set",
                        (q, r) -> {
                            q.getSession().setAttribute("unwritable", new Unwritable());
                            q.getSession().setAttribute("unreadable", new Unreadable());
                            q.getSession().setAttribute("good", "kept");
                        })
                .servlet(
                        "/get", (q, r) -> r.getWriter().print(q.getSession().getAttribute("good")));
    }

    @Test
    void sessionFile_attributeWhoseClassIsGone_losesThatAttributeOnly(@TempDir Path folder)
            throws Exception {
        List<String> log = new ArrayList<>();
        Path file = folder.resolve("sessions");
        TestApp first = restartableWith(file, log);
        String id = id(first.get("/set"));
        first.start().stop();
        assertEquals(List.of("destroyed"), log);
        TestApp second = restartableWith(file, log);
        assertEquals("kept", second.get("/get", "Cookie: JSESSIONID=" + id).body());
    }

    @Test
    void urlTracking_addressInTheQuery_isStillAnOwnLink() throws Exception {
        TestApp app =
                TestApp.at("/app")
                        .tracking(SessionTrackingMode.URL)
                        .servlet(
                                "/a",
                                (q, r) -> {
                                    String id = q.getSession().getId();
                                    String text =
                                            r.encodeURL("/app/x?to=http://else/")
                                                    + " "
                                                    + r.encodeURL("y#://")
                                                    + " "
                                                    + r.encodeURL("/apple/z");
                                    r.getWriter().print(text.replace(id, "ID"));
                                });
        assertEquals(
                "/app/x;jsessionid=ID?to=http://else/ y;jsessionid=ID#:// /apple/z",
                app.get("/app/a").body());
    }

    @Test
    void store_ofAnother_isOpenedForThisApplicationAndUsed() throws Exception {
        List<SessionStores.Purpose> opened = new ArrayList<>();
        List<SessionStore> stores = new ArrayList<>();
        SessionStores own =
                purpose -> {
                    opened.add(purpose);
                    stores.add(SessionStores.MEMORY.open(purpose));
                    return stores.getLast();
                };
        TestApp app =
                TestApp.root()
                        .settings(s -> s.withSessions(s.sessions().withStores(own)))
                        .servlet("/a", (q, r) -> r.getWriter().print(q.getSession().getId()));
        String id = app.get("/a").body();
        assertEquals(1, opened.size());
        assertTrue(stores.getFirst().knows(id));
    }
}
