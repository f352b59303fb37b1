package io.margay.servlet.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.servlet.session.engine.EngineReading;
import io.margay.servlet.session.engine.SessionKey;
import io.margay.servlet.session.engine.SharedSessionLimits;
import io.margay.testkit.Eventually;
import jakarta.servlet.ServletContext;
import java.io.Serializable;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Two servers, `left` and `right`, that share their sessions by an engine.
@Tag("slow")
final class SharedSessionStoreTest {
    private static final String KEY = "a key that nobody else has, of 32 characters and more";
    private static final int INTERVAL = 600;
    private static final Duration LONG = Duration.ofMinutes(1);

    private volatile long nanos;
    private volatile long millis = 1_000_000;
    private final List<String> events = Collections.synchronizedList(new ArrayList<>());

    private final SessionClock clock =
            new SessionClock() {
                @Override
                public long millis() {
                    return millis;
                }

                @Override
                public long nanos() {
                    return nanos;
                }
            };

    private final MapEngine engine = new MapEngine(clock);
    private final List<SharedSessions> open = new ArrayList<>();
    private SharedSessions leftSessions = sessions(SessionWrite.BEFORE);
    private final SessionStore left = store(leftSessions, "left", 1000);
    private final SessionStore right = store(sessions(SessionWrite.BEFORE), "right", 1000);

    private SharedSessions sessions(SessionWrite write) {
        return sessions(KEY, write);
    }

    private SharedSessions sessions(String key, SessionWrite write) {
        return sessions(key, write, Duration.ZERO, Duration.ZERO);
    }

    private SharedSessions sessions(
            String key, SessionWrite write, Duration lookupWait, Duration refused) {
        return sessions(key, write, lookupWait, refused, Duration.ofMillis(1));
    }

    /// @param lookupWait how long a look for a session that is not known here waits
    /// @param refused for how long an engine is away that may know a session still
    /// @param probe how long an engine that is away is not asked
    private SharedSessions sessions(
            String key, SessionWrite write, Duration lookupWait, Duration refused, Duration probe) {
        SharedSessionLimits whole = SharedSessionLimits.defaults();
        SharedSessionLimits limits =
                new SharedSessionLimits(
                        whole.localIdle(),
                        64 << 10,
                        whole.expiredMax(),
                        whole.expiredRounds(),
                        whole.formerIdsMax(),
                        whole.removalsMax(),
                        Duration.ofMillis(1),
                        whole.failuresMax(),
                        probe,
                        probe,
                        whole.firstWait(),
                        lookupWait,
                        1,
                        refused,
                        whole.stopWait());
        SharedSessions made = new SharedSessions("map", engine, key, write, true, limits);
        open.add(made);
        return made;
    }

    private SessionStore store(SharedSessions sessions, String name, int sessionsMax) {
        return store(sessions, name, sessionsMax, "");
    }

    private SessionStore store(
            SharedSessions sessions, String name, int sessionsMax, String route) {
        return sessions.open(
                new SessionStores.Purpose(
                        "localhost/shop",
                        new SessionIds(route),
                        new Notes(name),
                        clock,
                        sessionsMax,
                        null,
                        SharedSessionStoreTest.class.getClassLoader(),
                        Duration.ZERO));
    }

    @AfterEach
    void close() {
        open.forEach(SharedSessions::close);
    }

    /// Writes down what happens to the sessions of one server.
    private final class Notes implements SessionEvents {
        private final String name;

        Notes(String name) {
            this.name = name;
        }

        @Override
        public ServletContext context() {
            return null;
        }

        @Override
        public void created(WebSession session) {
            events.add(name + " created");
        }

        @Override
        public void destroyed(WebSession session) {
            events.add(name + " destroyed with " + Collections.list(session.getAttributeNames()));
        }

        @Override
        public void idChanged(WebSession session, String oldId) {
            events.add(name + " id");
        }

        @Override
        public void attributeChanged(
                WebSession session, String attribute, Object before, Object after) {}

        @Override
        public void failed(String what, Throwable cause) {
            events.add(name + ": " + what);
        }
    }

    /// A request that begins and ends, and does something with its session in between.
    private static void request(
            SessionStore store, String id, java.util.function.Consumer<WebSession> use) {
        WebSession session = begin(store, id);
        use.accept(session);
        end(session);
    }

    private static WebSession begin(SessionStore store, String id) {
        WebSession session = store.find(id);
        assertNotNull(session, "no session");
        session.access();
        return session;
    }

    private static void end(WebSession session) {
        session.save(SessionWrite.BEFORE);
        session.save(SessionWrite.AFTER);
        session.release();
    }

    private String made(SessionStore store, String name, Object value) {
        WebSession session = store.create(INTERVAL);
        session.join();
        session.setAttribute(name, value);
        end(session);
        return session.getId();
    }

    private void pass(int seconds) {
        nanos += TimeUnit.SECONDS.toNanos(seconds);
        millis += TimeUnit.SECONDS.toMillis(seconds);
    }

    private static Object seen(SessionStore store, String id, String name) {
        WebSession session = begin(store, id);
        Object value = session.getAttribute(name);
        end(session);
        return value;
    }

    @Test
    void attribute_setOnOneServer_isSeenOnTheOther() {
        String id = made(left, "cart", "one");
        assertEquals("one", seen(right, id, "cart"));
        request(right, id, session -> session.setAttribute("cart", "two"));
        request(left, id, session -> session.setAttribute("other", 3));
        assertEquals("two", seen(left, id, "cart"));
        assertEquals(3, seen(right, id, "other"));
        request(right, id, session -> session.removeAttribute("cart"));
        assertNull(seen(left, id, "cart"));
        assertEquals(List.of("left created"), events);
    }

    @Test
    void changesAtOnce_ofDifferentAttributes_areBothKept() {
        String id = made(left, "a", 1);
        WebSession here = begin(left, id);
        WebSession there = begin(right, id);
        here.setAttribute("b", 2);
        there.setAttribute("c", 3);
        there.setAttribute("a", 10);
        end(here);
        end(there);
        for (SessionStore store : List.of(left, right)) {
            assertEquals(10, seen(store, id, "a"));
            assertEquals(2, seen(store, id, "b"));
            assertEquals(3, seen(store, id, "c"));
        }
    }

    @Test
    @SuppressWarnings("unchecked")
    void value_changedInPlace_isWrittenThoughNobodySetIt() {
        String id = made(left, "cart", new ArrayList<>(List.of("one")));
        request(right, id, session -> ((List<String>) session.getAttribute("cart")).add("two"));
        assertEquals(List.of("one", "two"), seen(left, id, "cart"));
    }

    @Test
    void value_thatIsOnlyRead_isNotWrittenAndStaysTheSameObject() {
        String id = made(left, "cart", new ArrayList<>(List.of("one")));
        Object before = seen(left, id, "cart");
        int saves = engine.saves.get();
        assertSame(before, seen(left, id, "cart"));
        assertEquals(saves, engine.saves.get());
    }

    @Test
    void request_thatChangesNothing_isOneCall() {
        String id = made(left, "cart", "one");
        int calls = engine.calls.get();
        seen(left, id, "cart");
        assertEquals(calls + 1, engine.calls.get());
    }

    @Test
    void copy_thatIsNear_isUsedWithoutACall_forAWhile() {
        SessionStore near = store(leftSessions, "near", 10, "near");
        String id = made(near, "cart", "one");
        seen(near, id, "cart");
        int calls = engine.calls.get();
        for (int i = 0; i < 10; i++) {
            assertEquals("one", seen(near, id, "cart"));
        }
        assertEquals(calls, engine.calls.get());
        request(right, id, session -> session.setAttribute("cart", "two"));
        assertEquals("two", seen(near, id, "cart"));
        calls = engine.calls.get();
        pass(59);
        assertEquals("two", seen(near, id, "cart"));
        assertEquals(calls, engine.calls.get());
        pass(1);
        assertEquals("two", seen(near, id, "cart"));
        assertEquals(calls + 1, engine.calls.get());
        String foreign = made(right, "cart", "one");
        calls = engine.calls.get();
        seen(near, foreign, "cart");
        seen(near, foreign, "cart");
        assertEquals(calls + 2, engine.calls.get());
    }

    @Test
    void value_thatCannotBeWritten_staysHereAndIsToldOnce() {
        String id = made(left, "lock", new Object());
        request(left, id, session -> session.setAttribute("lock", new Object()));
        assertNotNull(seen(left, id, "lock"));
        assertNull(seen(right, id, "lock"));
        request(left, id, session -> session.setAttribute("large", new byte[65 << 10]));
        assertNull(seen(right, id, "large"));
        assertEquals(
                List.of(
                        "left created",
                        "left: session attribute lock cannot be written and stays here",
                        "left: session attribute large cannot be written and stays here"),
                events);
    }

    @Test
    void sessionOfMoreThanAGigabyte_isSharedInPart() {
        SharedSessions roomy =
                new SharedSessions(
                        "map",
                        engine,
                        KEY,
                        SessionWrite.BEFORE,
                        true,
                        SharedSessionLimits.defaults());
        open.add(roomy);
        SessionStore server = store(roomy, "roomy", 1000);
        String id = made(server, "count", 1);
        request(server, id, session -> session.setAttribute("one", new Puffed(1024)));
        // By several requests, as by one.
        for (int i = 0; i < 300; i++) {
            String name = "n" + i;
            request(server, id, session -> session.setAttribute(name, new Puffed(4)));
        }
        assertEquals(1, seen(right, id, "count"));
        var stored = engine.records.get(new SessionKey("localhost/shop", id)).attributes;
        long bytes = stored.values().stream().mapToLong(value -> value.length).sum();
        assertTrue(bytes <= AttributeBytes.SESSION_BYTES_MAX, () -> bytes + " bytes");
        assertTrue(bytes > AttributeBytes.SESSION_BYTES_MAX - (5 << 20), () -> bytes + " bytes");
        assertEquals(302, Collections.list(begin(server, id).getAttributeNames()).size());
    }

    @Test
    void name_thatIsTooLongForTheEngine_staysHereAndHidesNothingElse() {
        String name = "ä".repeat(128);
        String id = made(left, name, "one");
        request(left, id, session -> session.setAttribute("cart", "two"));
        assertEquals("one", seen(left, id, name));
        assertEquals("two", seen(right, id, "cart"));
        assertNull(seen(right, id, name));
        request(left, id, session -> session.removeAttribute(name));
        assertEquals(0, leftSessions.reading().failures());
        assertEquals(
                List.of(
                        "left created",
                        "left: session attribute " + name + " cannot be written and stays here"),
                events);
    }

    // Who may write

    @Test
    void attribute_ofAnotherSessionOrName_isNotRead() {
        String victim = made(left, "user", "nobody");
        String own = made(left, "user", "root");
        var from = engine.records.get(new SessionKey("localhost/shop", own));
        var to = engine.records.get(new SessionKey("localhost/shop", victim));
        to.attributes.put("user", from.attributes.get("user"));
        to.attributes.put("admin", to.attributes.get("user"));
        to.version++;
        request(
                right,
                victim,
                session -> {
                    assertNull(session.getAttribute("user"));
                    assertNull(session.getAttribute("admin"));
                });
    }

    @Test
    void head_ofAnotherSession_isNotRead() {
        String one = made(left, "user", "nobody");
        String other = made(left, "user", "root");
        var from = engine.records.get(new SessionKey("localhost/shop", other));
        var to = engine.records.get(new SessionKey("localhost/shop", one));
        to.head = from.head;
        assertNull(right.find(one));
    }

    @Test
    void session_signedWithAnotherKey_isNotRead() {
        String id = made(left, "user", "nobody");
        SessionStore foreign =
                store(sessions(KEY.replace('a', 'b'), SessionWrite.BEFORE), "foreign", 10);
        assertNull(foreign.find(id));
        assertEquals("foreign: a session cannot be read and is not used", events.getLast());
    }

    @Test
    void key_thatIsShort_isRefused() {
        assertThrows(
                IllegalArgumentException.class, () -> sessions("too short", SessionWrite.BEFORE));
    }

    // The end of a session

    @Test
    void invalidation_onOneServer_endsItOnTheOtherAndIsToldOnce() {
        String id = made(left, "cart", "one");
        seen(right, id, "cart");
        WebSession there = begin(right, id);
        begin(left, id).invalidate();
        assertNull(right.find(id));
        assertFalse(there.isLive());
        assertThrows(IllegalStateException.class, () -> there.getAttribute("cart"));
        assertEquals(List.of("left created", "left destroyed with [cart]"), events);
        assertEquals(0, left.size() + right.size());
    }

    @Test
    void changes_ofASessionThatEndedElsewhere_doNotBringItBack() {
        String id = made(left, "cart", "one");
        WebSession there = begin(right, id);
        begin(left, id).invalidate();
        there.setAttribute("cart", "two");
        end(there);
        assertNull(right.find(id));
        assertNull(left.find(id));
    }

    @Test
    void timeout_isToldOnceInAllServers_withTheAttributes() {
        String id = made(left, "cart", "one");
        seen(right, id, "cart");
        pass(INTERVAL - 1);
        left.expire();
        right.expire();
        assertEquals(List.of("left created"), events);
        seen(right, id, "cart");
        pass(INTERVAL - 1);
        left.expire();
        assertEquals(1, events.size());
        pass(1);
        left.expire();
        right.expire();
        assertEquals(List.of("left created", "left destroyed with [cart]"), events);
        assertNull(right.find(id));
        assertEquals(1, left.totals().expired());
    }

    @Test
    void longRequest_keepsItsSession() {
        String id = made(left, "cart", "one");
        WebSession session = begin(left, id);
        for (int i = 0; i < 10; i++) {
            pass(INTERVAL / 2);
            left.expire();
            right.expire();
        }
        assertTrue(session.isLive());
        assertEquals("one", seen(right, id, "cart"));
    }

    @Test
    void copy_thatNobodyAsksFor_isLetGoAndReadAnew() {
        String id = made(left, "cart", "one");
        pass(301);
        left.expire();
        assertEquals(0, left.size());
        assertEquals("one", seen(left, id, "cart"));
    }

    @Test
    void sessionsMax_boundsCopiesHere() {
        SessionStore small = store(leftSessions, "small", 2);
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            ids.add(made(small, "n", i));
        }
        assertTrue(small.size() <= 2);
        for (int i = 0; i < 10; i++) {
            assertEquals(i, seen(small, ids.get(i), "n"));
        }
        WebSession one = small.create(INTERVAL);
        one.join();
        WebSession two = small.create(INTERVAL);
        two.join();
        assertThrows(IllegalStateException.class, () -> small.create(INTERVAL));
    }

    // Identifier and user

    @Test
    void changedId_isTheOnlyOneEverywhere() {
        String id = made(left, "cart", "one");
        seen(right, id, "cart");
        WebSession session = begin(left, id);
        String fresh = left.changeId(session);
        assertNotEquals(id, fresh);
        assertNull(right.find(id));
        assertEquals("one", seen(right, fresh, "cart"));
        session.setAttribute("cart", "two");
        end(session);
        assertEquals("two", seen(right, fresh, "cart"));
        assertNull(left.find(id));
    }

    @Test
    void login_isKnownOnTheOtherServer_andSoIsLogout() {
        String id = made(left, "cart", "one");
        seen(right, id, "cart");
        SavedLogin login = new SavedLogin("alice", Set.of("buyer"), "FORM");
        request(left, id, session -> session.login(login));
        assertEquals(login, begin(right, id).login());
        request(left, id, session -> session.login(null));
        assertNull(begin(right, id).login());
    }

    // The engine is gone

    @Test
    void engineAway_sessionsGoOnAndNewOnesAreWrittenLater() {
        String id = made(left, "cart", "one");
        engine.away = true;
        request(left, id, session -> session.setAttribute("cart", "two"));
        String fresh = made(left, "cart", "new");
        assertEquals("two", seen(left, id, "cart"));
        assertEquals("new", seen(left, fresh, "cart"));
        assertThrows(SessionStore.UnknownException.class, () -> right.find(fresh));
        assertNull(right.find(fresh), "the engine counts as away, here for long at once");
        for (int i = 0; i < 10; i++) {
            seen(left, id, "cart");
        }
        assertFalse(leftSessions.reading().reachable());
        assertEquals("away", leftSessions.reading().failure());
        assertEquals(2, leftSessions.reading().pending());
        engine.away = false;
        Eventually.holds("written", () -> leftSessions.reading().pending() == 0);
        Eventually.holds("right is back", () -> right.find(fresh) != null);
        assertTrue(leftSessions.reading().reachable());
        assertEquals(1, leftSessions.reading().aways());
        assertEquals("two", seen(right, id, "cart"));
        assertEquals("new", seen(right, fresh, "cart"));
    }

    @Test
    void engineFull_isReadAndWrittenLater_andNewSessionsOfOthersAreUnknown() {
        SessionStore other = store(sessions(KEY, SessionWrite.BEFORE, Duration.ZERO, LONG), "x", 9);
        String id = made(left, "cart", "one");
        engine.full = true;
        String fresh = made(left, "cart", "new");
        Eventually.holds("full here", () -> !leftSessions.reading().reachable());
        assertEquals("full", leftSessions.reading().failure());
        assertEquals("one", seen(right, id, "cart"), "what it has is read");
        assertEquals("one", seen(other, id, "cart"));
        request(other, id, session -> session.setAttribute("cart", "two"));
        assertThrows(SessionStore.UnknownException.class, () -> other.find(fresh));
        engine.full = false;
        Eventually.holds("written", () -> leftSessions.reading().pending() == 0);
        assertEquals(1, leftSessions.reading().aways(), "it never came back while it was full");
        Eventually.holds("known", () -> right.find(fresh) != null);
    }

    @Test
    void sessionThatIsRefused_staysHere_andHoldsUpNoOther() {
        String large = made(left, "cart", "one");
        engine.refused = large;
        for (int i = 0; i < 10; i++) {
            int number = i;
            request(left, large, session -> session.setAttribute("cart", number));
        }
        Eventually.holds("given up", () -> leftSessions.reading().pending() == 0);
        assertEquals(0, leftSessions.reading().aways());
        String other = made(left, "cart", "other");
        assertEquals("other", seen(right, other, "cart"));
        assertEquals("9", String.valueOf(left.find(large).getAttribute("cart")));
        engine.refused = "";
        request(left, large, session -> session.setAttribute("cart", "small"));
        assertEquals("small", seen(right, large, "cart"));
    }

    @Test
    void engineAway_isNotAskedByRequests() {
        String id = made(left, "cart", "one");
        engine.away = true;
        for (int i = 0; i < 1000; i++) {
            seen(left, id, "cart");
        }
        EngineReading reading = leftSessions.reading();
        assertEquals(3, reading.failures());
        assertEquals(998, reading.refused());
    }

    @Test
    void sessionEndedWhileEngineAway_doesNotComeBack() {
        String id = made(left, "cart", "one");
        engine.away = true;
        begin(left, id).invalidate();
        assertNull(left.find(id));
        engine.away = false;
        Eventually.holds(
                "removed",
                () -> {
                    left.expire();
                    var record = engine.records.get(new SessionKey("localhost/shop", id));
                    return record.head == null;
                });
        assertNull(left.find(id));
        assertEquals(List.of("left created", "left destroyed with [cart]"), events);
    }

    @Test
    void engineThatLostEverything_getsSessionsAnew_butNoneThatEnded() {
        String id = made(left, "cart", "one");
        String ended = made(left, "cart", "other");
        engine.records.clear();
        begin(left, ended).invalidate();
        assertEquals("one", seen(left, id, "cart"));
        assertEquals("one", seen(right, id, "cart"));
        assertNull(right.find(ended));
    }

    /// A server that has just begun: it has no copies, and an engine that it does not reach.
    private SharedSessions begun(Duration lookupWait) {
        engine.away = true;
        return sessions(KEY, SessionWrite.BEFORE, lookupWait, Duration.ofHours(1));
    }

    @Test
    void engineThatDoesNotAnswerYet_leavesASessionUnknown_notLost() {
        String id = made(left, "cart", "one");
        SharedSessions sessions = begun(Duration.ofMillis(1));
        SessionStore fresh = store(sessions, "fresh", 10);
        for (int i = 0; i < 10; i++) {
            assertThrows(SessionStore.UnknownException.class, () -> fresh.find(id));
        }
        assertFalse(sessions.reading().reachable());
        assertNull(fresh.find("not one of ours"));
        String own = made(fresh, "cart", "own");
        assertEquals("own", seen(fresh, own, "cart"));
        engine.away = false;
        Eventually.holds("it answers", () -> sessions.reading().reachable());
        assertEquals("one", seen(fresh, id, "cart"));
    }

    @Test
    void engineThatAnswersInTime_isWaitedForByWhoLooksForASession() throws Exception {
        String id = made(left, "cart", "one");
        SharedSessions sessions = begun(Duration.ofMinutes(1));
        SessionStore fresh = store(sessions, "fresh", 10);
        // What is known here does not wait.
        String own = made(fresh, "cart", "own");
        assertEquals("own", seen(fresh, own, "cart"));
        made(fresh, "cart", "other");
        FutureTask<Object> waits = new FutureTask<>(() -> seen(fresh, id, "cart"));
        Thread waiting = Thread.ofPlatform().start(waits);
        Eventually.holds("it waits", () -> waiting.getState() == Thread.State.TIMED_WAITING);
        assertThrows(
                SessionStore.UnknownException.class,
                () -> fresh.find(id),
                "there is room for one that waits");
        engine.away = false;
        assertEquals("one", waits.get(30, TimeUnit.SECONDS));
    }

    @Test
    void engineAwayForLong_isNotWaitedFor_andAnotherServersSessionIsNone() {
        String id = made(left, "cart", "one");
        engine.away = true;
        SharedSessions sessions =
                sessions(KEY, SessionWrite.BEFORE, Duration.ofMinutes(1), Duration.ZERO);
        SessionStore fresh = store(sessions, "fresh", 10);
        sessions.awaitFirstAnswer();
        assertNull(fresh.find(id));
    }

    @Test
    void oneCallThatFails_isMadeAgainForASessionThatIsNotKnownHere() {
        String id = made(left, "cart", "one");
        engine.failing.set(1);
        assertEquals("one", seen(right, id, "cart"));
        assertEquals(0, engine.failing.get());
    }

    @Test
    void firstAnswer_ofAnEngineThatAnswers_isWaitedFor() {
        engine.failing.set(2);
        leftSessions.awaitFirstAnswer();
        assertTrue(leftSessions.reading().reachable());
        assertEquals(0, leftSessions.reading().aways());
    }

    @Test
    void firstAnswer_ofAnEngineThatRefuses_isGivenUp_andComesLater() {
        engine.away = true;
        leftSessions.awaitFirstAnswer();
        assertFalse(leftSessions.reading().reachable());
        assertEquals("away", leftSessions.reading().failure());
        engine.away = false;
        Eventually.holds("it is back", () -> leftSessions.reading().reachable());
    }

    @Test
    void stop_asksAnEngineOnceMoreThatCountsAsAway() {
        SharedSessions patient =
                sessions(
                        KEY,
                        SessionWrite.BEFORE,
                        Duration.ZERO,
                        Duration.ZERO,
                        Duration.ofHours(1));
        SessionStore store = store(patient, "patient", 10);
        engine.away = true;
        String id = made(store, "cart", "one");
        for (int i = 0; i < 3; i++) {
            request(store, id, session -> session.setAttribute("cart", "two"));
        }
        engine.away = false;
        assertFalse(patient.reading().reachable());
        store.stop();
        assertEquals("two", seen(right, id, "cart"));
    }

    /// As one does that fails over while its servers are told to stop.
    @Test
    void stop_waitsForAnEngineThatComesBackMeanwhile() throws Exception {
        String id = made(left, "cart", "one");
        engine.away = true;
        for (int i = 0; i < 3; i++) {
            request(left, id, session -> session.setAttribute("cart", "two"));
        }
        int before = engine.calls.get();
        Thread stopping = Thread.ofVirtual().start(left::stop);
        Eventually.holds("it is asked in vain", () -> engine.calls.get() > before + 1);
        assertTrue(stopping.isAlive());
        engine.away = false;
        stopping.join();
        assertEquals("two", seen(right, id, "cart"));
    }

    // When it is written

    @Test
    void lazily_isWrittenSomeTimeLater() {
        SessionStore lazy = store(sessions(SessionWrite.LAZILY), "lazy", 10);
        String id = made(lazy, "cart", "one");
        Eventually.holds("written", () -> right.find(id) != null);
        assertEquals("one", seen(right, id, "cart"));
    }

    @Test
    void session_thatIsBeingWritten_isStillCountedAsUnwritten() {
        SharedSessions lazily = sessions(SessionWrite.LAZILY);
        List<Integer> unwritten = Collections.synchronizedList(new ArrayList<>());
        engine.saving = () -> unwritten.add(lazily.reading().pending());
        String _ = made(store(lazily, "lazy", 10), "cart", "one");
        Eventually.holds("written", () -> !unwritten.isEmpty());
        assertEquals(List.of(1), unwritten);
        Eventually.holds("nothing is left", () -> lazily.reading().pending() == 0);
    }

    @Test
    void after_isNotWrittenBefore() {
        SessionStore after = store(sessions(SessionWrite.AFTER), "after", 10);
        WebSession session = after.create(INTERVAL);
        session.join();
        session.save(SessionWrite.BEFORE);
        assertNull(right.find(session.getId()));
        session.save(SessionWrite.AFTER);
        assertNotNull(right.find(session.getId()));
    }

    @Test
    void stop_writesWhatIsLeft_andEndsNothing() {
        SessionStore lazy = store(sessions(SessionWrite.LAZILY), "lazy", 10);
        WebSession session = lazy.create(INTERVAL);
        session.setAttribute("cart", "one");
        lazy.stop();
        assertEquals("one", seen(right, session.getId(), "cart"));
        assertEquals(List.of("lazy created"), events);
    }

    // Values of the application's classes

    /// A value that asks to be told.
    private record Basket(Map<String, Integer> items) implements Serializable {
        private static final long serialVersionUID = 1L;
    }

    @Test
    void value_ofAClassOfTheApplication_isReadAsThat() {
        String id = made(left, "basket", new Basket(Map.of("tea", 2)));
        assertInstanceOf(Basket.class, seen(right, id, "basket"));
        assertEquals(new Basket(Map.of("tea", 2)), seen(right, id, "basket"));
    }

    @Test
    void value_thatIsWrittenAsAnotherClass_isReadAsItWas() {
        List<Object> values =
                new ArrayList<>(
                        List.of(
                                LocalDate.EPOCH,
                                EnumSet.of(TimeUnit.DAYS),
                                List.of("a", "b", "c"),
                                Map.of("a", 1, "b", 2)));
        assertEquals(values, seen(right, made(left, "values", values), "values"));
        LocalDate date = LocalDate.EPOCH;
        assertEquals(date, seen(right, made(left, "date", date), "date"));
    }
}
