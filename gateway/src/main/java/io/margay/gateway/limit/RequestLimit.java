package io.margay.gateway.limit;

import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// How many requests a host takes. Immutable.
///
/// @param name what responses, metrics and the log call it
/// @param match the paths of the requests that it is about
/// @param when what must hold of them, too
/// @param except addresses and networks of clients that it is not about
/// @param key of what requests are counted together
/// @param rate how many in which time; null = any number
/// @param concurrent how many at once; 0 = any number
/// @param queue how long one that is too much may wait
/// @param announces whether responses that are not refused say what is left, too
/// @param logOnly whether nobody is refused, and nobody waits: what would be is counted and logged
@RecordBuilder
public record RequestLimit(
        String name,
        PathMatch match,
        List<Condition> when,
        List<String> except,
        LimitKey key,
        @Nullable Rate rate,
        int concurrent,
        Duration queue,
        boolean announces,
        boolean logOnly) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,64}");

    public RequestLimit {
        when = List.copyOf(when);
        except = List.copyOf(except);
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("\"" + name + "\" is not a name of a limit");
        }
        if (rate == null && concurrent < 1) {
            throw new IllegalArgumentException("the limit " + name + " limits nothing");
        }
        if (concurrent < 0 || queue.isNegative()) {
            throw new IllegalArgumentException("concurrent and queue must not be negative");
        }
    }

    /// One that a zone counts for, by what rules have said.
    public RequestLimit(
            String name,
            List<Condition> when,
            LimitKey.Zone zone,
            @Nullable Rate rate,
            int concurrent,
            Duration queue,
            boolean logOnly) {
        this(name, PathMatch.ANY, when, List.of(), zone, rate, concurrent, queue, false, logOnly);
    }

    /// A number of requests in a time.
    ///
    /// @param burst how many may come at once when none have come for long
    /// @param slides whether they are counted in a window that slides, and not by a token bucket
    public record Rate(int count, Duration period, int burst, boolean slides) {
        public Rate {
            if (count < 1 || burst < 1 || !period.isPositive()) {
                throw new IllegalArgumentException("a rate and its burst must be positive");
            }
            long interval = period.toNanos() / count;
            if (interval == 0 || interval > Long.MAX_VALUE / 4 / burst) {
                throw new IllegalArgumentException(
                        "a rate and its burst must be between one in a"
                                + " nanosecond and all in a century");
            }
        }

        /// The time after which there is room for one more.
        long intervalNanos() {
            return period.toNanos() / count;
        }
    }
}
