package io.margay.servlet.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.margay.servlet.session.engine.SharedSessionLimits;
import io.margay.servlet.test.ScriptedExchange;
import io.margay.servlet.test.TestApp;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Sessions of another application that a request is dispatched to, kept in an engine that two
/// servers share.
final class CrossContextSessionTest {
    private static final String KEY = "a key that nobody else has, of 32 characters and more";

    private final MapEngine engine = new MapEngine(SessionClock.SYSTEM);
    private final SharedSessions left = sessions();
    private final SharedSessions right = sessions();

    /// Each call asks the engine: it never counts as away.
    private SharedSessions sessions() {
        SharedSessionLimits whole = SharedSessionLimits.defaults();
        SharedSessionLimits limits =
                new SharedSessionLimits(
                        whole.localIdle(),
                        whole.attributeBytesMax(),
                        whole.expiredMax(),
                        whole.expiredRounds(),
                        whole.formerIdsMax(),
                        whole.removalsMax(),
                        whole.lazyDelay(),
                        1_000,
                        whole.awayFirst(),
                        whole.awayMax(),
                        whole.firstWait(),
                        Duration.ofMillis(1),
                        whole.lookupWaitersMax(),
                        Duration.ofHours(1),
                        whole.stopWait());
        return new SharedSessions("map", engine, KEY, SessionWrite.BEFORE, false, limits);
    }

    @AfterEach
    void close() {
        left.close();
        right.close();
    }

    private static TestApp shop(SharedSessions sessions) {
        return TestApp.at("/shop")
                .settings(s -> s.withSessions(s.sessions().withStores(sessions)))
                .servlet("/new", (q, r) -> q.getSession().setAttribute("cart", "three"))
                .servlet(
                        "/cart", (q, r) -> r.getWriter().print(q.getSession().getAttribute("cart")))
                .servlet("/any", (q, r) -> r.getWriter().print(q.getSession(false) != null))
                .servlet("/valid", (q, r) -> r.getWriter().print(q.isRequestedSessionIdValid()));
    }

    private static TestApp door(TestApp shop) {
        return TestApp.at("/door")
                .settings(s -> s.withContexts(_ -> shop.start().context()))
                .servlet(
                        "/*",
                        (q, r) ->
                                q.getServletContext()
                                        .getContext("/shop")
                                        .getRequestDispatcher(q.getPathInfo())
                                        .forward(q, r));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/cart", "/any", "/valid"})
    void sessionThatCannotBeToldNow_isNotTakenForNone(String path) throws Exception {
        String set = shop(left).get("/shop/new").field("Set-Cookie");
        String cookie = "Cookie: " + set.substring(0, set.indexOf(';'));
        TestApp door = door(shop(right));
        engine.away = true;
        ScriptedExchange unknown = door.get("/door" + path, cookie);
        assertEquals(503, unknown.status());
        assertEquals("1", unknown.field("Retry-After"));
        assertNull(unknown.field("Set-Cookie"));
        engine.away = false;
        ScriptedExchange known = door.get("/door" + path, cookie);
        assertEquals(path.equals("/cart") ? "three" : "true", known.body());
        assertNull(known.field("Set-Cookie"));
    }

    @Test
    void sessionThatIsNone_isMade() throws Exception {
        TestApp door = door(shop(right));
        assertEquals("false", door.get("/door/any").body());
        assertEquals("null", door.get("/door/cart").body());
    }
}
