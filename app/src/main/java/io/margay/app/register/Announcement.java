package io.margay.app.register;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// One registration at one door, at work: a virtual thread of its own renews the lease three times
/// in its time, or more often where the door wants it, and sooner after a failure. Thread-safe;
/// `lock` guards what is wanted and what was said, and is not held while the door is spoken to.
final class Announcement {
    private static final System.Logger LOG = System.getLogger("io.margay.app");
    private static final Duration RETRY = Duration.ofSeconds(1);
    private static final int RENEWALS = 3;

    private final RegisterSettings settings;
    private final Door door;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private Stage wanted = Stage.PRESENT;

    /// What the door was told last, whether it has taken it or not.
    private @Nullable Stage tried;

    private @Nullable String failure;
    private boolean registered;
    private boolean abandoned;

    /// What a server says of itself, in this order.
    enum Stage {
        PRESENT,
        DRAINING,
        GONE
    }

    Announcement(RegisterSettings settings, Door door) {
        this.settings = settings;
        this.door = door;
    }

    RegisterSettings settings() {
        return settings;
    }

    void start() {
        Thread.ofVirtual().name("margay-register-" + settings.upstream()).start(this::run);
    }

    private void run() {
        try (door) {
            boolean goesOn = true;
            while (goesOn) {
                goesOn = say() != Stage.GONE && !isAbandoned();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Says what is wanted, then waits until it is to be said again, or something else.
    private Stage say() throws InterruptedException {
        Stage now = wanted();
        String why = null;
        try {
            if (now == Stage.GONE) {
                door.remove();
            } else {
                door.put(now == Stage.DRAINING);
            }
        } catch (IOException | RuntimeException e) {
            why = e.getMessage() == null ? e.toString() : e.getMessage();
        }
        note(now, why);
        if (now != Stage.GONE) {
            rest(now, why == null);
        }
        return now;
    }

    private boolean isAbandoned() {
        lock.lock();
        try {
            return abandoned;
        } finally {
            lock.unlock();
        }
    }

    /// Says no more: another registration of the same member goes on with it.
    void abandon() {
        lock.lock();
        try {
            abandoned = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private Stage wanted() {
        lock.lock();
        try {
            return wanted;
        } finally {
            lock.unlock();
        }
    }

    private void note(Stage said, @Nullable String why) {
        lock.lock();
        try {
            boolean news = why == null ? tried != said || failure != null : !why.equals(failure);
            tried = said;
            failure = why;
            registered = why == null ? said != Stage.GONE : registered;
            changed.signalAll();
            if (news) {
                log(said, why);
            }
        } finally {
            lock.unlock();
        }
    }

    private void log(Stage said, @Nullable String why) {
        String what = settings.name() + " with upstream " + settings.upstream() + " at " + door;
        if (why != null) {
            LOG.log(Level.WARNING, "register {0}: {1}", what, why);
            return;
        }
        String done =
                switch (said) {
                    case PRESENT -> "registered";
                    case DRAINING -> "drains";
                    case GONE -> "has left";
                };
        LOG.log(Level.INFO, "register {0}: {1}", what, done);
    }

    private void rest(Stage said, boolean taken) throws InterruptedException {
        Duration third = settings.lease().dividedBy(RENEWALS);
        Duration pause = third.compareTo(door.pauseMax()) < 0 ? third : door.pauseMax();
        long left = (taken || pause.compareTo(RETRY) < 0 ? pause : RETRY).toNanos();
        lock.lockInterruptibly();
        try {
            while (wanted == said && !abandoned && left > 0) {
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Has the door told that the server is as far as that.
    void want(Stage stage) {
        lock.lock();
        try {
            if (stage.compareTo(wanted) > 0) {
                wanted = stage;
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Waits until the door was told what is wanted, or has refused it, or for so long.
    ///
    /// @return what is left of the time
    long awaitTold(long nanos) {
        long left = nanos;
        lock.lock();
        try {
            while (tried != wanted && left > 0) {
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
        return Math.max(0, left);
    }

    RegistrationReading read() {
        lock.lock();
        try {
            return new RegistrationReading(
                    settings.upstream(),
                    settings.name(),
                    door.toString(),
                    registered && failure == null,
                    failure);
        } finally {
            lock.unlock();
        }
    }
}
