package io.margay.server.exchange;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Tells the operator when something that is asked goes away, and when it is back: one line each,
/// however often it is asked meanwhile. What comes and goes is told of every ten seconds at most.
/// Thread-safe.
public final class OutageLog {
    private final System.Logger log;
    private final String what;
    private final String gone;
    private final String back;
    private final LongSupplier nanoClock;
    private final LogRate rate;
    private final AtomicReference<@Nullable Outage> current = new AtomicReference<>();

    private record Outage(long sinceNanos, boolean told) {}

    /// @param what is asked, as lines begin
    public OutageLog(System.Logger log, String what, LongSupplier nanoClock) {
        this(log, what, "cannot be asked, so that nobody can log in", "answers again", nanoClock);
    }

    /// @param gone what lines say of it, and of what follows
    /// @param back what they say when it has answered
    public OutageLog(
            System.Logger log, String what, String gone, String back, LongSupplier nanoClock) {
        this.log = log;
        this.what = what;
        this.gone = gone;
        this.back = back;
        this.nanoClock = nanoClock;
        rate = new LogRate(Duration.ofSeconds(10), nanoClock);
    }

    /// It could not be asked.
    public void failed(Throwable e) {
        boolean first = false;
        boolean told = false;
        if (current.get() == null) {
            told = rate.isDue();
            first = current.compareAndSet(null, new Outage(nanoClock.getAsLong(), told));
        }
        log.log(
                first && told ? Level.WARNING : Level.DEBUG,
                "{0} {1}: {2}",
                what,
                gone,
                e.toString());
    }

    /// It has answered.
    public void answered() {
        if (current.get() == null) {
            return;
        }
        Outage over = current.getAndSet(null);
        if (over != null) {
            long seconds = Duration.ofNanos(nanoClock.getAsLong() - over.sinceNanos).toSeconds();
            log.log(
                    over.told ? Level.INFO : Level.DEBUG,
                    "{0} {1}, after {2} s",
                    what,
                    back,
                    seconds);
        }
    }
}
