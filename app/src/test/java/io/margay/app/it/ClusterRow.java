package io.margay.app.it;

import java.util.Locale;

/// What has come of a fault under load. Immutable.
///
/// @param system what was asked
/// @param fault what was done to it
/// @param times how often
/// @param held how many seconds it lasted at least, each time
/// @param seconds how long it took, load and all
/// @param seen what clients have seen meanwhile
/// @param twice POST requests that were run more than once
/// @param notRun POST requests that were answered and not run
/// @param startedAgain how often all containers had to be started again, since nothing was answered
///   when the fault was over
/// @param took how long requests took while it lasted
record ClusterRow(
        String system,
        ClusterFault fault,
        int times,
        long held,
        long seconds,
        SessionLoad.Totals seen,
        long twice,
        long notRun,
        int startedAgain,
        SessionLoad.Latencies took) {
    static final String HEAD =
            """
            | fault | times | GET, PUT | failed | POST | not answered | run twice \
            | sessions lost | updates lost | during | p50 ms | p99 ms | slowest ms |
            |---|---|---|---|---|---|---|---|---|---|---|---|---|
            """;

    String markdown() {
        return String.format(
                Locale.ROOT,
                "| %s | %d | %d | %d | %d | %d | %d | %d | %d | %d | %d | %d | %d |%n",
                words(),
                times,
                seen.idempotent(),
                seen.failed() + seen.foreign(),
                seen.posts(),
                seen.failedPosts(),
                twice,
                seen.lostSessions(),
                seen.lostUpdates(),
                took.count(),
                took.p50(),
                took.p99(),
                took.slowest());
    }

    private String words() {
        return fault.words()
                + (held == 0 ? "" : " for " + held + " s")
                + (startedAgain == 0 ? "" : "; containers started again: " + startedAgain);
    }

    String json() {
        return String.format(
                Locale.ROOT,
                "{\"system\": \"%s\", \"fault\": \"%s\", \"times\": %d, \"held\": %d,"
                        + " \"seconds\": %d,"
                        + " \"idempotent\": %d, \"failed\": %d, \"foreign\": %d, \"posts\": %d,"
                        + " \"postsNotAnswered\": %d, \"postsRunTwice\": %d,"
                        + " \"postsAnsweredAndNotRun\": %d, \"startedAgain\": %d,"
                        + " \"sessionsLost\": %d,"
                        + " \"updatesLost\": %d, \"during\": %d, \"p50Millis\": %d,"
                        + " \"p99Millis\": %d, \"slowestMillis\": %d}",
                system,
                fault.name().toLowerCase(Locale.ROOT),
                times,
                held,
                seconds,
                seen.idempotent(),
                seen.failed(),
                seen.foreign(),
                seen.posts(),
                seen.failedPosts(),
                twice,
                notRun,
                startedAgain,
                seen.lostSessions(),
                seen.lostUpdates(),
                took.count(),
                took.p50(),
                took.p99(),
                took.slowest());
    }
}
