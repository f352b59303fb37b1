package io.margay.servlet.realm;

import java.time.Duration;

/// When a name is locked out. Immutable.
///
/// @param failuresMax wrong passwords in a row after which a name is locked; 0 = never; Tomcat's
///   default
/// @param lockedFor how long, from the latest attempt on; Tomcat's default
/// @param namesMax names that are remembered; beyond it the one that failed longest ago is not;
///   Tomcat's default
public record LockOutLimits(int failuresMax, Duration lockedFor, int namesMax) {
    public LockOutLimits {
        if (failuresMax < 0 || lockedFor.isNegative() || namesMax < 1) {
            throw new IllegalArgumentException(
                    "failuresMax and lockedFor must not be negative, and namesMax at least 1");
        }
    }

    /// Those of Tomcat's `LockOutRealm`: 5 failures, 5 minutes, 1000 names.
    public static LockOutLimits defaults() {
        return new LockOutLimits(5, Duration.ofMinutes(5), 1000);
    }
}
