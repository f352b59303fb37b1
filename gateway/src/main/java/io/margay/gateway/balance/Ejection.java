package io.margay.gateway.balance;

import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// Whether a member is left out because it answers worse than the others. Immutable.
///
/// @param cause why it is out now; null = it is not
/// @param millisLeft until it comes back
/// @param ejections how often it has been out
/// @param ofOthers whether another gateway has left it out, and not this one
public record Ejection(@Nullable Cause cause, long millisLeft, long ejections, boolean ofOthers) {
    private static final long SECOND = 1_000;

    /// Nanoseconds.
    static final long MILLI = 1_000_000;

    /// Times are counted as logarithms in this part of 1.
    static final double LOG_UNIT = 1024;

    /// Of a member that nobody judges.
    public static final Ejection NONE = new Ejection(null, 0, 0, false);

    /// Seconds until it comes back.
    public long secondsLeft() {
        return millisLeft / SECOND;
    }

    /// Whether it is out now.
    public boolean isOut() {
        return cause != null;
    }

    /// What it does worse.
    public enum Cause {
        /// More of its answers fail.
        ERRORS("fails more often than the others"),

        /// It takes longer.
        SLOW("is slower than the others");

        private final String says;

        Cause(String says) {
            this.says = says;
        }

        /// The one of a name; null = there is none.
        public static @Nullable Cause named(String name) {
            for (Cause each : values()) {
                if (each.name().equals(name)) {
                    return each;
                }
            }
            return null;
        }

        /// What operators are told.
        public String says() {
            return says;
        }
    }

    /// What is known of a member's answers. Thread-safe as far as [#count] and what is read go.
    static final class Seen {
        final LongAdder good = new LongAdder();
        final LongAdder failed = new LongAdder();
        final LongAdder logs = new LongAdder();
        final LongAdder logSquares = new LongAdder();
        volatile @Nullable Cause cause;
        volatile long untilNanos;
        final LongAdder ejections = new LongAdder();

        /// How often it was out of late.
        int times;

        volatile boolean ofOthers;

        /// Whether it had answered enough when members were judged last.
        volatile boolean judged;

        /// Counts an answer.
        ///
        /// @param nanos how long it took, where it is good
        void count(long nanos, boolean hasFailed) {
            if (hasFailed) {
                failed.increment();
                return;
            }
            long log = Math.round(Math.log((double) Math.max(1, nanos)) * LOG_UNIT);
            good.increment();
            logs.add(log);
            logSquares.add(log * log);
        }

        void forget() {
            good.reset();
            failed.reset();
            logs.reset();
            logSquares.reset();
        }

        Ejection ejection(long now) {
            long left = cause == null ? 0 : Math.max(0, untilNanos - now);
            return new Ejection(cause, left / MILLI, ejections.sum(), ofOthers);
        }
    }
}
