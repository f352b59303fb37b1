package io.margay.server.dispatch;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.LongSupplier;

/// Which paths are quick: their tasks have taken less than [#QUICK_NANOS] [#QUICK_MIN] times more
/// often than not, wherever they ran. What waits for a database for half a millisecond would hold
/// up no loop so long that the loop noticed, and would have the requests of its other connections
/// wait in a row.
///
/// Paths are remembered by their hash in a table of fixed size, and parts with digits in them, such
/// as the numbers of orders, are taken for the same part. Thread-safe; a change that is lost to
/// another thread's does no harm.
public final class QuickPaths {
    /// Paths told apart, a power of two.
    static final int PLACES = 4096;

    /// What a task on a loop may take, of which the others of its round wait for all: ten times
    /// what a hand-off to another thread costs.
    static final long QUICK_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    /// A path's account from which on it is quick; each quick task adds one to it.
    public static final int QUICK_MIN = 16;

    private static final int QUICK_MAX = 64;

    /// What a task that was not quick takes from the account: one in nine is too many.
    private static final int SLOW_COSTS = 8;

    private static final int NUMBERED = 31;

    private final LongSupplier clock;
    private final int quickMin;

    /// Per place, the account of quick and other tasks, 0 to `QUICK_MAX`.
    private final AtomicIntegerArray accounts = new AtomicIntegerArray(PLACES);

    /// Per place, tasks since [#forget], up to the number that was asked for.
    private final AtomicIntegerArray counts = new AtomicIntegerArray(PLACES);

    private final int countMax;

    /// @param clock nanoseconds, as `System.nanoTime()`
    /// @param quickMin 0 to [#QUICK_MIN]; 0 takes every path for quick
    /// @param countMax how far tasks of a path are counted
    QuickPaths(LongSupplier clock, int quickMin, int countMax) {
        this.clock = clock;
        this.quickMin = quickMin;
        this.countMax = countMax;
    }

    /// Where a path is remembered.
    static int place(String path) {
        int hash = 0;
        int part = 0;
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            if (c == '/') {
                hash = 31 * hash + part;
                part = 0;
            } else if (c >= '0' && c <= '9') {
                part = NUMBERED;
            } else if (part != NUMBERED) {
                part = 31 * part + c;
            }
        }
        hash = 31 * hash + part;
        return (hash ^ hash >>> 16) & (PLACES - 1);
    }

    /// Nanoseconds of an unknown origin.
    public long now() {
        return clock.getAsLong();
    }

    /// The tasks of a request for this path have taken so long, waiting included.
    public void took(String path, long nanos) {
        int place = place(path);
        int count = counts.getPlain(place);
        if (count < countMax) {
            counts.setPlain(place, count + 1);
        }
        int account = accounts.getPlain(place);
        if (nanos >= QUICK_NANOS) {
            accounts.setPlain(place, Math.max(0, account - SLOW_COSTS));
        } else if (account < QUICK_MAX) {
            accounts.setPlain(place, account + 1);
        }
    }

    boolean isQuick(int place) {
        return accounts.getPlain(place) >= quickMin;
    }

    /// Takes the count of the tasks of a path, which begins anew.
    int takeCount(int place) {
        return counts.getAndSet(place, 0);
    }

    /// The path has to show again that it is quick.
    void forget(int place) {
        accounts.set(place, 0);
    }
}
