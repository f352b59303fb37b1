package io.margay.server.connection;

import java.lang.System.Logger.Level;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Notices that the process stood still for a second and a half and more, as for a long collection,
/// while its machine moved, or by SIGSTOP. What clients sent meanwhile waits in the sockets still,
/// also of those that have given up and sent it to another server: for half a minute it is in doubt
/// whether the client of a request waits for it, and a request begins only after a look at its
/// connection.
///
/// A thread of its own beats twice a second; whoever begins a request compares the time, which it
/// has at hand, with the last beat. Thread-safe.
public final class Standstill {
    private static final System.Logger LOG = System.getLogger("io.margay.server");
    private static final long BEAT_NANOS = Duration.ofMillis(500).toNanos();

    /// The shortest time without a beat that counts; the pause itself may be one beat shorter. A
    /// starved machine makes a thread wait for less.
    static final long PAUSE_NANOS = Duration.ofMillis(1500).toNanos();

    /// How long requests are in doubt afterwards: as long as it may take to read what had come.
    static final long DOUBT_NANOS = Duration.ofSeconds(30).toNanos();

    /// How often the log says how many requests were not run.
    private static final long TELL_NANOS = Duration.ofSeconds(5).toNanos();

    private final LongSupplier clock;
    private final LongAdder left = new LongAdder();
    private volatile long beatNanos;

    /// Requests after that are in doubt: a pause after the last beat, or in the past.
    private volatile long calmUntilNanos;

    private long doubtUntilNanos;
    private long longestNanos;
    private long toldNanos;

    /// @param clock nanoseconds
    Standstill(LongSupplier clock) {
        this.clock = clock;
        beatNanos = clock.getAsLong();
        doubtUntilNanos = beatNanos;
        toldNanos = beatNanos;
        calmUntilNanos = beatNanos + PAUSE_NANOS;
    }

    /// The one of this process, as long as there is a server.
    private static WeakReference<Standstill> one = new WeakReference<>(null);

    /// Of this process, whose time is `System.nanoTime()`; its thread ends when nobody has it any
    /// more.
    public static synchronized Standstill ofProcess() {
        Standstill known = one.get();
        if (known == null) {
            known = new Standstill(System::nanoTime);
            WeakReference<Standstill> held = new WeakReference<>(known);
            one = held;
            // No virtual one, which would also wait where others keep their carriers busy.
            Thread thread =
                    Thread.ofPlatform()
                            .daemon()
                            .inheritInheritableThreadLocals(false)
                            .name("margay-beat")
                            .unstarted(() -> beatOn(held));
            thread.setContextClassLoader(null);
            thread.start();
        }
        return known;
    }

    private static void beatOn(WeakReference<Standstill> held) {
        while (isBeaten(held.get())) {
            LockSupport.parkNanos(held, BEAT_NANOS);
        }
    }

    private static boolean isBeaten(@Nullable Standstill one) {
        if (one != null) {
            one.beat();
        }
        return one != null;
    }

    /// Says that the process is at work. By one thread.
    void beat() {
        long now = clock.getAsLong();
        long stood = now - beatNanos;
        beatNanos = now;
        if (stood > PAUSE_NANOS) {
            doubtUntilNanos = now + DOUBT_NANOS;
            longestNanos = Math.max(longestNanos, stood);
        }
        boolean calm = now - doubtUntilNanos >= 0;
        if (calm) {
            calmUntilNanos = now + PAUSE_NANOS;
        }
        if (longestNanos != 0 && (calm || now - toldNanos >= TELL_NANOS)) {
            tell(left.sumThenReset());
            toldNanos = now;
            longestNanos = calm ? 0 : longestNanos;
        }
    }

    private void tell(long requests) {
        if (requests > 0) {
            LOG.log(
                    Level.WARNING,
                    String.format(
                            Locale.ROOT,
                            "%d requests were not run: their clients had gone while the process"
                                    + " stood still, for %.1f s at the longest",
                            requests,
                            longestNanos / 1e9));
        }
    }

    /// Whether a request that begins now may be one whose client has gone.
    ///
    /// @param now the time
    public boolean isDoubtful(long now) {
        return now - calmUntilNanos > 0;
    }

    /// The same as of the last beat.
    boolean isDoubtful() {
        return beatNanos - calmUntilNanos > 0;
    }

    /// A request is not run, since its client has gone.
    public void isLeft() {
        left.increment();
    }
}
