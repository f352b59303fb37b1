package io.margay.gateway.config;

import java.time.Duration;

/// When a member that answers worse than the others is left out for a while. Immutable.
///
/// @param errors percentage points: how many more of its answers fail than of the others'; 0 =
///   failures do not count
/// @param slower how many times as long as the others it takes to answer; 0 = times do not count
/// @param answers of a member, of which it is judged, at least
/// @param every how often members are judged
/// @param out how long a member is out the first time; twice as long each further time
/// @param outMax how long at most
/// @param outShare percentage of the members that may be out at one time; one may always be, but
///   never the last
public record OutlierConfig(
        double errors,
        double slower,
        int answers,
        Duration every,
        Duration out,
        Duration outMax,
        double outShare) {
    public OutlierConfig {
        if (every.isZero() || out.isZero()) {
            throw new IllegalArgumentException("\"every\" and \"out\" must be longer than 0s");
        }
        if (outMax.compareTo(out) < 0) {
            throw new IllegalArgumentException("\"out-max\" must not be shorter than \"out\"");
        }
        if (slower != 0 && slower < 1) {
            throw new IllegalArgumentException("\"slower\" must be at least 1x, or 0x");
        }
    }

    /// A fifth more failures, or three times as slow.
    public static OutlierConfig defaults() {
        return new OutlierConfig(
                20,
                3,
                20,
                Duration.ofSeconds(10),
                Duration.ofSeconds(30),
                Duration.ofMinutes(5),
                30);
    }
}
