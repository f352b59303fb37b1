package io.margay.servlet.session;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Moves sessions from one life of an application into the next: each when a request asks for it
/// there, and the rest when the first life ends. So nothing has to stand still between the two.
/// Thread-safe; a session is moved by the thread that enters it in `moving`, and others wait for
/// that.
///
/// A request of the first life may still use the session; the mover waits until it has ended, at
/// most for the time given, and moves what there is then.
final class SessionHandover implements MemorySessionStore.Before {
    private static final long POLL_NANOS = 2_000_000L;

    private final MemorySessionStore from;
    private final MemorySessionStore to;
    private final long waitNanos;
    private final Map<String, CountDownLatch> moving = new ConcurrentHashMap<>();

    SessionHandover(MemorySessionStore from, MemorySessionStore to, Duration wait) {
        this.from = from;
        this.to = to;
        this.waitNanos = wait.toNanos();
    }

    @Override
    public boolean knows(String id) {
        return from.knows(id);
    }

    @Override
    public int size() {
        return from.size();
    }

    @Override
    public void bring(String id) {
        WebSession session = from.find(id);
        if (session != null) {
            awaitIdle(session, System.nanoTime(), waitNanos);
            move(id);
        }
    }

    /// For those that are used it waits no longer than for one.
    @Override
    public void bringAll() {
        from.followed();
        long begin = System.nanoTime();
        for (WebSession session : from.all()) {
            awaitIdle(session, begin, waitNanos);
            move(session.getId());
        }
    }

    /// Waits until no request uses a session, or the time since `begin` is over.
    static void awaitIdle(WebSession session, long begin, long waitNanos) {
        while (session.isInUse()
                && session.isLive()
                && System.nanoTime() - begin < waitNanos
                && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(session, POLL_NANOS);
        }
    }

    private void move(String id) {
        CountDownLatch mine = new CountDownLatch(1);
        CountDownLatch others = moving.putIfAbsent(id, mine);
        if (others != null) {
            await(others);
            return;
        }
        try {
            WebSession session = from.find(id);
            if (session != null) {
                transfer(session);
            }
        } finally {
            moving.remove(id);
            mine.countDown();
        }
    }

    private void await(CountDownLatch done) {
        try {
            boolean _ = done.await(Math.max(waitNanos, 1), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Each half with the class loader of its application in place.
    private void transfer(WebSession session) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try {
            Set<String> classes = new HashSet<>();
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            thread.setContextClassLoader(from.loader());
            from.image().write(session, classes, new DataOutputStream(bytes));
            thread.setContextClassLoader(to.loader());
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()));
            to.image().read(to, to.loader(), classes, in);
            from.forget(session);
        } catch (IOException e) {
            to.failed("a session cannot be taken over", e);
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
