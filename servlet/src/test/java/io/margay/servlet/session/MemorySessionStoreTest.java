package io.margay.servlet.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.ServletContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

    private final MemorySessionStore store = store();

    private MemorySessionStore store() {
        return store(null);
    }

    private MemorySessionStore store(Path file) {
        return new MemorySessionStore(
                new SessionStores.Purpose(
                        "localhost",
                        new SessionIds(),
                        notes,
                        clock,
                        100,
                        file,
                        getClass().getClassLoader(),
                        Duration.ofSeconds(30)));
    }

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
    void totals_tellTimeoutsFromOtherEnds_andWhatWasRefused() {
        store.create(10).end();
        store.create(10);
        pass(11);
        store.expire();
        assertEquals(new SessionTotals(2, 1, 0), store.totals());
        for (int i = 0; i < 100; i++) {
            store.create(10);
        }
        assertThrows(IllegalStateException.class, () -> store.create(10));
        assertEquals(new SessionTotals(102, 1, 1), store.totals());
    }

    /// A store with some sessions whose sessions are in a file by now.
    private Path kept(Path folder, int sessions) {
        Path file = folder.resolve("sessions");
        MemorySessionStore before = store(file);
        for (int i = 0; i < sessions; i++) {
            before.create(60).setAttribute("text", "x".repeat(10_000));
        }
        before.stop();
        assertEquals(sessions, before.totals().kept());
        return file;
    }

    @Test
    void file_thatIsCutOff_givesWhatIsWhole_andCountsTheRestAsLost(@TempDir Path folder)
            throws Exception {
        Path file = kept(folder, 20);
        byte[] bytes = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(bytes, bytes.length / 2));
        MemorySessionStore next = store(file);
        int restored = next.start();
        assertTrue(restored > 0 && restored < 20, () -> restored + " restored");
        assertEquals(restored, next.totals().restored());
        assertEquals(20 - restored, next.totals().lost());
        assertFalse(Files.exists(file));
    }

    @Test
    void sessionOfMoreThanAGigabyte_isKeptInPart_andTheOthersWhole(@TempDir Path folder)
            throws Exception {
        Path file = folder.resolve("sessions");
        MemorySessionStore before = store(file);
        String small = before.create(60).getId();
        WebSession large = before.create(60);
        large.setAttribute("one", new Puffed(1024));
        for (int i = 0; i < 300; i++) {
            large.setAttribute("n" + i, new Puffed(4));
        }
        before.stop();
        assertEquals(2, before.totals().kept());
        long bytes = Files.size(file);
        assertTrue(bytes > 4 << 20 && bytes < AttributeBytes.SESSION_BYTES_MAX + (1 << 20));
        MemorySessionStore after = store(file);
        after.start();
        assertNotNull(after.find(small));
        WebSession again = after.find(large.getId());
        assertNull(again.getAttribute("one"));
        int kept = Collections.list(again.getAttributeNames()).size();
        assertEquals((AttributeBytes.SESSION_BYTES_MAX - 1) / (4 << 20), kept);
    }

    @Test
    void key_thatIsDamaged_isSetAside_andSessionsAreKeptAgain(@TempDir Path folder)
            throws Exception {
        Path file = folder.resolve("sessions");
        Path key = Files.createFile(folder.resolve("sessions.key"));
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
        Path again = kept(folder, 3);
        assertEquals(file, again);
        assertTrue(Files.exists(folder.resolve("sessions.key.damaged")));
        assertEquals(1, Collections.frequency(events, "failed"));
        MemorySessionStore next = store(file);
        assertEquals(3, next.start());
        assertEquals(0, next.totals().lost());
    }

    @Test
    void save_thatFails_costsNoLaterSave(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("sessions");
        // Where the key is to be made there is a folder with something in it.
        Path inTheWay = Files.createDirectories(folder.resolve("sessions.key.new/x"));
        MemorySessionStore before = store(file);
        before.create(60).setAttribute("text", "x");
        before.stop();
        assertEquals(1, before.totals().lost());
        assertEquals(0, before.totals().kept());
        assertFalse(Files.exists(folder.resolve("sessions.key")));
        assertFalse(Files.exists(folder.resolve("sessions.new")));
        Files.delete(inTheWay);
        MemorySessionStore next = store(kept(folder, 3));
        assertEquals(3, next.start());
    }

    @Test
    void session_expiredButNotReaped_isNotFound() {
        WebSession session = store.create(60);
        pass(61);
        assertNull(store.find(session.getId()));
        assertThrows(IllegalStateException.class, session::isNew);
    }

    @Test
    void session_madeForALogin_endsSoon_unlessThereIsOne() {
        WebSession waiting = store.create(1_800);
        WebSession loggedIn = store.create(1_800);
        waiting.endsAfter(120);
        loggedIn.endsAfter(120);
        pass(119);
        loggedIn.lasts();
        pass(1);
        store.expire();
        assertFalse(waiting.isLive());
        assertTrue(loggedIn.isLive());
    }

    @Test
    void login_thatHasWaitedTooLong_isForgotten() {
        List<String> told = new ArrayList<>();
        SessionLogin late =
                new SessionLogin() {
                    @Override
                    public SavedLogin saved() {
                        return null;
                    }

                    @Override
                    public SessionLogin at(long now) {
                        return now >= TimeUnit.SECONDS.toNanos(120)
                                ? new SavedLogin("x", Set.of(), "FORM")
                                : this;
                    }

                    @Override
                    public void replacedBy(SessionLogin next) {
                        told.add(next == null ? "nothing" : next.saved().user());
                    }
                };
        WebSession session = store.create(1_800);
        session.login(late);
        pass(119);
        store.expire();
        assertEquals(List.of(), told);
        pass(1);
        store.expire();
        assertEquals(List.of("x"), told);
        session.login(late);
        session.end();
        assertEquals(List.of("x", "nothing"), told);
        session.login(late);
        assertEquals(List.of("x", "nothing", "nothing"), told);
        assertNull(session.login());
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

    @Test
    void follower_askedForASession_takesItOver() {
        WebSession old = store.create(60);
        old.setAttribute("basket", "apples");
        MemorySessionStore next = store();
        next.follow(store);
        assertTrue(next.knows(old.getId()));
        assertEquals(1, next.size());
        WebSession taken = next.find(old.getId());
        assertNotNull(taken);
        assertEquals("apples", taken.getAttribute("basket"));
        assertEquals(60, taken.getMaxInactiveInterval());
        assertEquals(old.getCreationTime(), taken.getCreationTime());
        assertEquals(0, store.size());
        assertEquals(1, next.size());
        assertNull(next.find("0".repeat(32)));
    }

    @Test
    void follower_askedForASessionInUse_waitsForItsRequest() throws Exception {
        WebSession old = store.create(60);
        old.join();
        MemorySessionStore next = store();
        next.follow(store);
        CompletableFuture<WebSession> asking =
                CompletableFuture.supplyAsync(() -> next.find(old.getId()));
        assertThrows(TimeoutException.class, () -> asking.get(50, TimeUnit.MILLISECONDS));
        old.setAttribute("basket", "last moment");
        old.release();
        assertEquals("last moment", asking.get(20, TimeUnit.SECONDS).getAttribute("basket"));
    }

    @Test
    void follower_askedByManyAtOnce_takesASessionOverOnce() throws Exception {
        for (int round = 0; round < 50; round++) {
            WebSession old = store.create(60);
            MemorySessionStore next = store();
            next.follow(store);
            List<CompletableFuture<WebSession>> asking = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                asking.add(CompletableFuture.supplyAsync(() -> next.find(old.getId())));
            }
            WebSession first = asking.getFirst().get(20, TimeUnit.SECONDS);
            assertNotNull(first);
            for (CompletableFuture<WebSession> one : asking) {
                assertSame(first, one.get(20, TimeUnit.SECONDS));
            }
            next.followed();
            assertEquals(1, next.size());
            assertEquals(0, store.size());
        }
    }

    @Test
    void follower_ofAStoreThatIsStoppedLater_getsItsSessions(@TempDir Path folder)
            throws Exception {
        MemorySessionStore first = store(folder.resolve("sessions"));
        WebSession old = first.create(60);
        MemorySessionStore next = store(folder.resolve("sessions"));
        assertEquals(0, next.start());
        next.follow(first);
        old.setAttribute("basket", "last moment");
        first.stop();
        assertFalse(Files.exists(folder.resolve("sessions")));
        assertEquals("last moment", next.find(old.getId()).getAttribute("basket"));
    }

    @Test
    void follower_ofAStoreThatWasStoppedAfterItsStart_readsItsFile(@TempDir Path folder)
            throws Exception {
        MemorySessionStore first = store(folder.resolve("sessions"));
        WebSession old = first.create(60);
        MemorySessionStore next = store(folder.resolve("sessions"));
        assertEquals(0, next.start());
        first.stop();
        next.follow(first);
        assertNotNull(next.find(old.getId()));
        assertEquals(1, next.size());
    }

    @Test
    void follower_ofAFollower_findsWhatTheFirstHas(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("sessions");
        MemorySessionStore first = store(file);
        WebSession one = first.create(60);
        WebSession two = first.create(60);
        MemorySessionStore second = store(file);
        second.follow(first);
        MemorySessionStore third = store(file);
        third.follow(second);
        assertNotNull(third.find(one.getId()));
        third.followed();
        first.stop();
        second.stop();
        third.stop();
        MemorySessionStore fourth = store(file);
        assertEquals(2, fourth.start());
        assertNotNull(fourth.find(two.getId()));
    }

    @Test
    void sessionsTakenOver_areNotEndedForTheApplication() {
        WebSession old = store.create(60);
        MemorySessionStore next = store();
        next.follow(store);
        next.followed();
        store.stop();
        assertFalse(events.contains("destroyed"), events.toString());
        assertNotNull(next.find(old.getId()));
    }

    @Test
    void identifiers_withRoute_areWellFormedAndNoOtherTextIs() {
        String digits = "0123456789ABCDEF0123456789ABCDEF";
        assertTrue(SessionIds.isWellFormed(digits));
        assertTrue(SessionIds.isWellFormed(digits + ".tc-1_a.b"));
        assertTrue(SessionIds.isWellFormed(new SessionIds("tc1").next()));
        for (String bad :
                List.of(
                        digits + ".",
                        digits + "x",
                        digits + "./../x",
                        digits + "." + "r".repeat(65),
                        digits.substring(1) + ".tc",
                        digits.toLowerCase(Locale.ROOT))) {
            assertFalse(SessionIds.isWellFormed(bad), bad);
        }
        assertThrows(IllegalArgumentException.class, () -> new SessionIds("a/b"));
    }
}
