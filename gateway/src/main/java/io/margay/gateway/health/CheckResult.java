package io.margay.gateway.health;

import org.jspecify.annotations.Nullable;

/// How a peer's checks stand. Immutable.
///
/// @param passes good responses in a row
/// @param fails bad ones in a row
/// @param reason why the last one was bad, or null
public record CheckResult(int passes, int fails, @Nullable String reason) {
    static final CheckResult NONE = new CheckResult(0, 0, null);

    CheckResult then(@Nullable String bad) {
        return bad == null
                ? new CheckResult(next(passes), 0, null)
                : new CheckResult(0, next(fails), bad);
    }

    private static int next(int count) {
        return count == Integer.MAX_VALUE ? count : count + 1;
    }
}
