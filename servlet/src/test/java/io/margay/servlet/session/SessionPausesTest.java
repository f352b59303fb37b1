package io.margay.servlet.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.servlet.session.engine.SharedSessionLimits;
import io.margay.testkit.Eventually;
import jakarta.servlet.ServletContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Two servers that share their sessions by an engine, one of which stands still for a while: what
/// it does late undoes nothing, and what it could not save it does not say.
final class SessionPausesTest {
    private static final String KEY = "a key that nobody else has, of 32 characters and more";
    private static final int INTERVAL = 600;
    private static final Duration SECOND = Duration.ofSeconds(1);

    /// By how much the servers' time is ahead of the machine's.
    private final AtomicLong aheadMillis = new AtomicLong();

    private final SessionClock clock =
            new SessionClock() {
                @Override
                public long millis() {
                    return System.currentTimeMillis() + aheadMillis.get();
                }

                @Override
                public long nanos() {
                    return System.nanoTime() + aheadMillis.get() * 1_000_000;
                }
            };

    private final MapEngine engine = new MapEngine(clock);
    private final List<SharedSessions> open = new ArrayList<>();
    private final SharedSessions sessions = sessions(SessionWrite.BEFORE);
    private final SessionStore left = store(sessions);
    private final SessionStore right = store(sessions(SessionWrite.BEFORE));

    private SharedSessions sessions(SessionWrite write) {
        SharedSessionLimits limits = SharedSessionLimits.defaults();
        SharedSessions made = new SharedSessions("map", engine, KEY, write, false, limits);
        open.add(made);
        return made;
    }

    private SessionStore store(SharedSessions sessions) {
        return sessions.open(
                new SessionStores.Purpose(
                        "localhost/shop",
                        new SessionIds(""),
                        new Silent(),
                        clock,
                        100,
                        null,
                        SessionPausesTest.class.getClassLoader(),
                        Duration.ZERO));
    }

    @AfterEach
    void close() {
        open.forEach(SharedSessions::close);
    }

    /// Nothing is asked of it.
    private static final class Silent implements SessionEvents {
        @Override
        public ServletContext context() {
            return null;
        }

        @Override
        public void created(WebSession session) {}

        @Override
        public void destroyed(WebSession session) {}

        @Override
        public void idChanged(WebSession session, String oldId) {}

        @Override
        public void attributeChanged(
                WebSession session, String attribute, Object before, Object after) {}

        @Override
        public void failed(String what, Throwable cause) {
            throw new AssertionError(what, cause);
        }
    }

    private WebSession begin(SessionStore store, String id) {
        return begin(store, id, clock.millis());
    }

    private static WebSession begin(SessionStore store, String id, long begunMillis) {
        WebSession session = store.find(id, begunMillis, () -> false);
        assertNotNull(session, "no session");
        session.access(begunMillis);
        return session;
    }

    /// Some time passes.
    private void pass(Duration time) {
        aheadMillis.addAndGet(time.toMillis());
    }

    private static void end(WebSession session) {
        assertTrue(session.save(SessionWrite.BEFORE));
        session.release();
    }

    private void request(SessionStore store, String id, Consumer<WebSession> use) {
        WebSession session = begin(store, id);
        use.accept(session);
        end(session);
    }

    private Object seen(SessionStore store, String id, String name) {
        WebSession session = begin(store, id);
        Object value = session.getAttribute(name);
        end(session);
        return value;
    }

    private static String made(SessionStore store, String name, Object value) {
        WebSession session = store.create(INTERVAL);
        session.join();
        session.setAttribute(name, value);
        end(session);
        return session.getId();
    }

    // What fails

    @Test
    void save_thatFailedOnce_isMadeAgainBeforeTheResponse() {
        String id = made(left, "number", 1);
        WebSession session = begin(left, id);
        session.setAttribute("number", 2);
        engine.failing.set(1);
        end(session);
        assertEquals(2, seen(right, id, "number"));
    }

    @Test
    void newSession_whoseSaveFailedOnce_isThereForOthers() {
        WebSession session = left.create(INTERVAL);
        session.join();
        session.setAttribute("number", 1);
        engine.failing.set(1);
        end(session);
        assertEquals(1, seen(right, session.getId(), "number"));
    }

    @Test
    void lookUp_thatFailedOnce_isMadeAgain_thoughThereIsACopy() {
        String id = made(left, "number", 1);
        request(right, id, session -> session.setAttribute("number", 2));
        engine.failing.set(1);
        assertEquals(2, seen(left, id, "number"));
    }

    @Test
    void lookUp_thatTookTooLong_runsNoRequest_whereOthersHaveChangedTheSession() {
        String id = made(left, "number", 1);
        engine.slow.set(1);
        request(left, id, session -> session.setAttribute("number", 2));
        request(right, id, session -> session.setAttribute("number", 3));
        engine.slow.set(1);
        assertThrows(SessionStore.UnknownException.class, () -> left.find(id));
        assertEquals(3, seen(left, id, "number"));
    }

    @Test
    void requestThatComesLateToItsSession_isNotRun_whereALaterOneHasChangedIt() {
        String id = made(left, "number", 1);
        pass(SECOND);
        long begun = clock.millis();
        pass(SECOND);
        WebSession late = begin(right, id, begun);
        end(late);
        request(left, id, session -> session.setAttribute("number", 2));
        assertThrows(SessionStore.UnknownException.class, () -> right.find(id, begun, () -> false));
        SessionStore other = store(sessions(SessionWrite.BEFORE));
        assertThrows(SessionStore.UnknownException.class, () -> other.find(id, begun, () -> false));
        assertNotNull(left.find(id, begun, () -> false), "its own changes make no request late");
        assertThrows(SessionStore.UnknownException.class, () -> left.find(id, begun, () -> true));
        assertNotNull(left.find(id, clock.millis(), () -> true), "it is in time");
        assertEquals(2, seen(other, id, "number"));
    }

    @Test
    void firstLook_thatFails_doesNotTellThatThereIsNoSession() {
        String id = made(left, "number", 1);
        engine.slow.set(2);
        assertThrows(SessionStore.UnknownException.class, () -> right.find(id));
        engine.slow.set(1);
        assertEquals(1, seen(right, id, "number"));
    }

    @Test
    void save_thatTheEngineRefuses_isToldTheResponse_untilTheSessionStaysHere() {
        String id = made(left, "number", 1);
        engine.refused = id;
        WebSession session = begin(left, id);
        session.setAttribute("number", 2);
        assertFalse(session.save(SessionWrite.BEFORE));
        session.setAttribute("number", 3);
        assertTrue(session.save(SessionWrite.BEFORE));
    }

    @Test
    void save_intoAFullEngine_isToldTheResponse() {
        String id = made(left, "number", 1);
        engine.full = true;
        WebSession session = begin(left, id);
        assertTrue(session.save(SessionWrite.BEFORE), "nothing has changed");
        session.setAttribute("number", 2);
        assertFalse(session.save(SessionWrite.BEFORE));
        assertFalse(left.create(INTERVAL).save(SessionWrite.BEFORE));
        engine.full = false;
        Eventually.holds("written", () -> sessions.reading().pending() == 0);
        assertEquals(2, seen(right, id, "number"));
    }

    @Test
    void save_intoAFullEngine_isNotPromisedByWriteAfter() {
        SessionStore after = store(sessions(SessionWrite.AFTER));
        String id = made(right, "number", 1);
        engine.full = true;
        WebSession session = begin(after, id);
        session.setAttribute("number", 2);
        assertTrue(session.save(SessionWrite.BEFORE));
        assertTrue(session.save(SessionWrite.AFTER));
    }

    @Test
    void save_withoutAnEngine_goesOnInMemory() {
        String id = made(left, "number", 1);
        engine.away = true;
        request(left, id, session -> session.setAttribute("number", 2));
        assertEquals(2, seen(left, id, "number"));
    }

    // What is late

    @Test
    void lateSave_leavesWhatOthersHaveChangedSince_andWritesTheRest() {
        String id = made(left, "number", 1);
        WebSession late = begin(left, id);
        late.setAttribute("number", 2);
        late.setAttribute("other", "kept");
        request(right, id, session -> session.setAttribute("number", 3));
        end(late);
        assertEquals(3, seen(right, id, "number"));
        assertEquals("kept", seen(right, id, "other"));
        assertEquals(3, seen(left, id, "number"));
        assertEquals(1, sessions.reading().late());
    }

    @Test
    void saveThatWaited_isNotLeftOut_forOneOfARequestThatBeganBefore() {
        String id = made(left, "number", 1);
        WebSession stopped = begin(left, id);
        stopped.setAttribute("number", 2);
        pass(SECOND);
        WebSession waiting = begin(right, id);
        waiting.setAttribute("number", 3);
        engine.saving =
                () -> {
                    engine.saving = () -> {};
                    end(stopped); // it held the row while its server stood still
                };
        end(waiting);
        assertEquals(3, seen(right, id, "number"));
        assertEquals(3, seen(left, id, "number"));
    }

    @Test
    void unsavedChange_stays_whenAnotherRequestHereLearnsOfOneThatBeganBefore() {
        String id = made(left, "number", 1);
        WebSession early = begin(left, id);
        early.setAttribute("number", 2);
        pass(SECOND);
        WebSession unsaved = begin(right, id);
        unsaved.setAttribute("number", 3);
        end(early);
        Thread other = Thread.ofVirtual().start(() -> request(right, id, session -> {}));
        Eventually.holds("it is over", () -> !other.isAlive());
        end(unsaved);
        assertEquals(3, seen(left, id, "number"));
    }

    @Test
    void lateSave_doesNotBringBackWhatOthersHaveRemoved() {
        String id = made(left, "user", "somebody");
        WebSession late = begin(left, id);
        late.setAttribute("user", "somebody else");
        request(right, id, session -> session.removeAttribute("user"));
        end(late);
        assertNull(seen(right, id, "user"));
        assertNull(seen(left, id, "user"));
    }

    @Test
    void lateRemoval_leavesWhatOthersHaveSetSince() {
        String id = made(left, "number", 1);
        WebSession late = begin(left, id);
        late.removeAttribute("number");
        request(right, id, session -> session.setAttribute("number", 2));
        end(late);
        assertEquals(2, seen(right, id, "number"));
        assertEquals(2, seen(left, id, "number"));
    }

    @Test
    void unsavedChange_givesWay_whenAnotherRequestHereLearnsOfANewerOne() {
        String id = made(left, "number", 1);
        WebSession late = begin(left, id);
        late.setAttribute("number", 2);
        request(right, id, session -> session.setAttribute("number", 3));
        assertEquals(3, seen(left, id, "number"));
        end(late);
        assertEquals(3, seen(right, id, "number"));
    }

    @Test
    void lateRequest_undoesNothing_afterAnotherRequestHereHasLearntOfIt() {
        String id = made(left, "number", 1);
        WebSession late = begin(left, id);
        request(right, id, session -> session.setAttribute("number", 2));
        Thread other =
                Thread.ofVirtual()
                        .start(() ->
                                request(left, id, session -> session.setAttribute("number", 3)));
        Eventually.holds("it is over", () -> !other.isAlive());
        late.setAttribute("number", 9);
        end(late);
        assertEquals(3, seen(right, id, "number"));
    }

    @Test
    void requestThatHasReadTheNewerValue_isNotLate() {
        String id = made(left, "number", 1);
        WebSession slow = begin(left, id);
        request(right, id, session -> session.setAttribute("number", 2));
        Thread other = Thread.ofVirtual().start(() -> request(left, id, session -> {}));
        Eventually.holds("it is over", () -> !other.isAlive());
        slow.setAttribute("number", (int) slow.getAttribute("number") + 1);
        end(slow);
        assertEquals(3, seen(right, id, "number"));
    }

    @Test
    void requestsAtOnce_onOneServer_areNotLate() {
        String id = made(left, "number", 1);
        WebSession slow = begin(left, id);
        Thread other =
                Thread.ofVirtual()
                        .start(() ->
                                request(left, id, session -> session.setAttribute("number", 2)));
        Eventually.holds("it is over", () -> !other.isAlive());
        slow.setAttribute("number", 3);
        end(slow);
        assertEquals(3, seen(right, id, "number"));
    }

    @Test
    void wholeSession_thatComesLate_leavesWhatIsNewer() {
        String id = made(left, "number", 1);
        assertEquals(1, seen(right, id, "number"));
        engine.records.clear();
        WebSession late = begin(left, id);
        late.setAttribute("other", "kept");
        request(right, id, session -> session.setAttribute("number", 2));
        request(right, id, session -> session.setAttribute("more", 3));
        end(late);
        assertEquals(2, seen(right, id, "number"));
        assertEquals(3, seen(right, id, "more"));
        assertEquals("kept", seen(right, id, "other"));
        assertEquals(3, seen(left, id, "more"));
    }
}
