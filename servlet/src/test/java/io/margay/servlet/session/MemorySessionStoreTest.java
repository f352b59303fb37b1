package io.margay.servlet.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.ServletContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Time-out and use of sessions, by a clock of the test's own.
final class MemorySessionStoreTest {
    private long nanos;
    private long millis = 1_000_000;
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

    private final SessionEvents notes =
            new SessionEvents() {
                @Override
                public ServletContext context() {
                    return null;
                }

                @Override
                public void created(WebSession session) {
                    events.add("created");
                }

                @Override
                public void destroyed(WebSession session) {
                    events.add("destroyed");
                }

                @Override
                public void idChanged(WebSession session, String oldId) {
                    events.add("id");
                }

                @Override
                public void attributeChanged(
                        WebSession session, String name, Object before, Object after) {
                    events.add("attribute");
                }

                @Override
                public void failed(String what, Throwable cause) {
                    events.add("failed");
                }
            };

    private final MemorySessionStore store =
            new MemorySessionStore(
                    new SessionStores.Purpose(
                            new SessionIds(),
                            notes,
                            clock,
                            100,
                            null,
                            getClass().getClassLoader(),
                            Duration.ofSeconds(1)));

    private void pass(long seconds) {
        nanos += TimeUnit.SECONDS.toNanos(seconds);
        millis += TimeUnit.SECONDS.toMillis(seconds);
    }

    @Test
    void session_idleForItsInterval_expires() {
        WebSession session = store.create(60);
        pass(59);
        store.expire();
        assertTrue(session.isLive());
        pass(1);
        store.expire();
        assertFalse(session.isLive());
        assertEquals(0, store.size());
        assertEquals(List.of("created", "destroyed"), events);
    }

    @Test
    void session_expiredButNotReaped_isNotFound() {
        WebSession session = store.create(60);
        pass(61);
        assertNull(store.find(session.getId()));
        assertThrows(IllegalStateException.class, session::isNew);
    }

    @Test
    void session_inUse_doesNotExpire() {
        WebSession session = store.create(60);
        session.access();
        pass(600);
        assertNotNull(store.find(session.getId()));
        session.release();
        pass(59);
        assertNotNull(store.find(session.getId()));
        pass(2);
        assertNull(store.find(session.getId()));
    }

    @Test
    void session_withoutInterval_neverExpires() {
        WebSession session = store.create(0);
        pass(1_000_000_000);
        assertNotNull(store.find(session.getId()));
    }

    @Test
    void lastAccess_isTheRequestBefore() {
        WebSession session = store.create(60);
        long created = session.getCreationTime();
        assertEquals(created, session.getLastAccessedTime());
        pass(10);
        session.access();
        assertEquals(created, session.getLastAccessedTime());
        session.release();
        pass(10);
        session.access();
        assertEquals(created + 10_000, session.getLastAccessedTime());
    }

    @Test
    void accessor_afterTheEnd_throws() {
        WebSession session = store.create(60);
        var accessor = session.getAccessor();
        accessor.access(s -> s.setAttribute("a", 1));
        assertEquals(1, session.getAttribute("a"));
        session.invalidate();
        assertThrows(IllegalStateException.class, () -> accessor.access(s -> {}));
    }

    @Test
    void ids_areWellFormedOrNot() {
        assertTrue(SessionIds.isWellFormed(new SessionIds().next()));
        assertFalse(SessionIds.isWellFormed("0123456789abcdef0123456789abcdef"));
        assertFalse(SessionIds.isWellFormed(""));
        assertFalse(SessionIds.isWellFormed("0123456789ABCDEF0123456789ABCDE/"));
    }

    @Test
    void changeId_atOnceByManyThreads_leavesOneId() throws Exception {
        WebSession session = store.create(60);
        CountDownLatch begin = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            threads.add(
                    Thread.ofPlatform()
                            .start(() -> {
                                try {
                                    begin.await();
                                } catch (InterruptedException e) {
                                    throw new IllegalStateException(e);
                                }
                                for (int change = 0; change < 2000; change++) {
                                    store.changeId(session);
                                }
                            }));
        }
        begin.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        assertEquals(List.of(session), store.all());
        session.end();
        assertEquals(List.of(), store.all());
        assertEquals(0, store.size());
    }

    @Test
    void changeId_ofAnEndedSession_isRefused() {
        WebSession session = store.create(60);
        session.end();
        assertThrows(IllegalStateException.class, () -> store.changeId(session));
        assertEquals(List.of(), store.all());
    }
}
