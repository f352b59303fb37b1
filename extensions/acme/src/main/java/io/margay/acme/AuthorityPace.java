package io.margay.acme;

import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/// How fast one authority is asked: requests are spread evenly, and after a rate limit (RFC 8555
/// §6.6) the orders of all certificates wait, not only the refused one. The limit may have been
/// that of one name, so the others wait a minute at most at first; refusals double the distance
/// between orders, and orders that are accepted halve it. Thread-safe; guarded by `lock`.
final class AuthorityPace {
    /// Between two requests: 20 a second are within what the largest authorities publish for each
    /// of their resources.
    static final Duration REQUEST_DISTANCE = Duration.ofMillis(50);

    private static final long DISTANCE_MIN = Duration.ofSeconds(1).toNanos();
    private static final long DISTANCE_FIRST_MAX = Duration.ofMinutes(1).toNanos();
    private static final long DISTANCE_MAX = Duration.ofMinutes(15).toNanos();

    private final LongSupplier nanoClock;
    private final ReentrantLock lock = new ReentrantLock();
    private long requestAt;

    /// Between two orders; 0 = no order has been refused, or all is well again.
    private long distance;

    private long orderAt;

    /// Whether an order has been begun since the last refusal.
    private boolean tried;

    AuthorityPace(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        requestAt = nanoClock.getAsLong();
    }

    /// Takes the next place for a request.
    ///
    /// @return how long to wait for it, in ns
    long requestNanos() {
        lock.lock();
        try {
            long now = nanoClock.getAsLong();
            long at = requestAt - now > 0 ? requestAt : now;
            requestAt = at + REQUEST_DISTANCE.toNanos();
            return at - now;
        } finally {
            lock.unlock();
        }
    }

    /// How long the next order has to wait, in ns; 0 = it may begin.
    long orderNanos() {
        lock.lock();
        try {
            return distance == 0 ? 0 : Math.max(0, orderAt - nanoClock.getAsLong());
        } finally {
            lock.unlock();
        }
    }

    /// Notes that an order begins.
    void begun() {
        lock.lock();
        try {
            tried = true;
            orderAt = nanoClock.getAsLong() + distance;
        } finally {
            lock.unlock();
        }
    }

    /// Whether the authority has refused an order and none may be tried yet.
    boolean isHeld() {
        lock.lock();
        try {
            return distance > 0 && !tried;
        } finally {
            lock.unlock();
        }
    }

    /// Notes that the authority has accepted an order.
    void accepted() {
        lock.lock();
        try {
            if (distance > 0 && tried) { // not one that began before the refusal
                orderAt -= distance - distance / 2;
                distance = distance / 2 < DISTANCE_MIN ? 0 : distance / 2;
            }
        } finally {
            lock.unlock();
        }
    }

    /// Notes that the authority has refused something by a rate limit.
    ///
    /// @param said what it has asked for; zero = nothing
    void refused(Duration said) {
        lock.lock();
        try {
            if (distance > 0 && !tried) {
                return; // begun before the refusal that is known already
            }
            long most = distance == 0 ? DISTANCE_FIRST_MAX : DISTANCE_MAX;
            long asked = said.compareTo(Duration.ofNanos(most)) > 0 ? most : said.toNanos();
            distance = Math.min(most, Math.max(DISTANCE_MIN, Math.max(asked, 2 * distance)));
            orderAt = nanoClock.getAsLong() + distance;
            tried = false;
        } finally {
            lock.unlock();
        }
    }
}
