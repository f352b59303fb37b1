package io.margay.servlet.naming;

import java.time.Duration;

/// Bounds of a pool of connections to a database. Immutable.
///
/// @param sizeMax connections at once; further requests for one wait; HikariCP's default: few
///   connections, well used, are faster than many
/// @param idleMin connections that are kept though nobody uses them; an application at rest costs
///   the database nothing
/// @param waitMax how long a request for a connection waits; 0 = without end; HikariCP's default;
///   longer, and the client has gone
/// @param idleTimeout after which a connection that nobody uses is closed, down to `idleMin`; 0 =
///   never; HikariCP's default
/// @param ageMax after which a connection is replaced, so that none outlives what the database or a
///   firewall allows; 0 = never; HikariCP's default; shorter than what firewalls and databases
///   allow
/// @param testTimeout how long a database may take to say that a connection still works; HikariCP's
///   default
/// @param leakAfter after which a connection that was not given back is told in the log; 0 = never;
///   costs a stack trace per connection taken
public record PoolLimits(
        int sizeMax,
        int idleMin,
        Duration waitMax,
        Duration idleTimeout,
        Duration ageMax,
        Duration testTimeout,
        Duration leakAfter) {
    /// Shorter times make a pool busy with itself; the pool would refuse them.
    static final Duration IDLE_LEAST = Duration.ofSeconds(10);

    static final Duration AGE_LEAST = Duration.ofSeconds(30);
    static final Duration WAIT_LEAST = Duration.ofMillis(250);
    static final Duration LEAK_LEAST = Duration.ofSeconds(2);

    public PoolLimits {
        if (sizeMax < 1) {
            throw new IllegalArgumentException("sizeMax must be at least 1");
        }
        if (idleMin < 0 || idleMin > sizeMax) {
            throw new IllegalArgumentException("idleMin must be from 0 to sizeMax");
        }
        least("waitMax", waitMax, WAIT_LEAST, true);
        least("idleTimeout", idleTimeout, IDLE_LEAST, true);
        least("ageMax", ageMax, AGE_LEAST, true);
        least("testTimeout", testTimeout, WAIT_LEAST, false);
        least("leakAfter", leakAfter, LEAK_LEAST, true);
    }

    private static void least(String name, Duration value, Duration least, boolean zero) {
        if (value.compareTo(least) < 0 && !(zero && value.isZero())) {
            throw new IllegalArgumentException(
                    name
                            + " must be at least "
                            + least.toMillis()
                            + " ms"
                            + (zero ? ", or 0" : ""));
        }
    }

    /// 10 connections, none kept idle, 30 s of waiting, 10 min idle, replaced after 30 min, 5 s for
    /// a test, leaks not looked for.
    public static PoolLimits defaults() {
        return new PoolLimits(
                10,
                0,
                Duration.ofSeconds(30),
                Duration.ofMinutes(10),
                Duration.ofMinutes(30),
                Duration.ofSeconds(5),
                Duration.ZERO);
    }
}
