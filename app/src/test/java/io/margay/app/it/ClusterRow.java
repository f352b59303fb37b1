package io.margay.app.it;

import java.util.Locale;

/// What has come of a fault under load. Immutable.
///
/// @param system what was asked
/// @param fault what was done to it
/// @param times how often
/// @param seconds how long it took, load and all
/// @param seen what clients have seen meanwhile
/// @param twice POST requests that were run more than once
/// @param notRun POST requests that were answered and not run
record ClusterRow(
        String system,
        ClusterFault fault,
        int times,
        long seconds,
        SessionLoad.Totals seen,
        long twice,
        long notRun,
        SessionLoad.Latencies took) {
    static final String HEAD =
            """
            | fault | times | GET, PUT | failed | POST | not answered | run twice \
            | sessions lost | updates lost | p50 ms | p99 ms | slowest ms |
            |---|---|---|---|---|---|---|---|---|---|---|---|
            """;

    String markdown() {
        return String.format(
                Locale.ROOT,
                "| %s | %d | %d | %d | %d | %d | %d | %d | %d | %d | %d | %d |%n",
                fault.words(),
                times,
                seen.idempotent(),
                seen.failed() + seen.foreign(),
                seen.posts(),
                seen.failedPosts(),
                twice,
                seen.lostSessions(),
                seen.lostUpdates(),
                took.p50(),
                took.p99(),
                took.slowest());
    }

    String json() {
        return String.format(
                Locale.ROOT,
                "{\"system\": \"%s\", \"fault\": \"%s\", \"times\": %d, \"seconds\": %d,"
                        + " \"idempotent\": %d, \"failed\": %d, \"foreign\": %d, \"posts\": %d,"
                        + " \"postsNotAnswered\": %d, \"postsRunTwice\": %d,"
                        + " \"postsAnsweredAndNotRun\": %d, \"sessionsLost\": %d,"
                        + " \"updatesLost\": %d, \"p50Millis\": %d, \"p99Millis\": %d,"
                        + " \"slowestMillis\": %d}",
                system,
                fault.name().toLowerCase(Locale.ROOT),
                times,
                seconds,
                seen.idempotent(),
                seen.failed(),
                seen.foreign(),
                seen.posts(),
                seen.failedPosts(),
                twice,
                notRun,
                seen.lostSessions(),
                seen.lostUpdates(),
                took.p50(),
                took.p99(),
                took.slowest());
    }
}
