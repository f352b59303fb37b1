package io.margay.gateway.balance;

import org.jspecify.annotations.Nullable;

/// Whether a member is left out because it answers worse than the others. Immutable.
///
/// @param cause why it is out now; null = it is not
/// @param millisLeft until it comes back
/// @param ejections how often it has been out
/// @param ofOthers whether another gateway has left it out, and not this one
public record Ejection(@Nullable Cause cause, long millisLeft, long ejections, boolean ofOthers) {
    private static final long SECOND = 1_000;

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
}
