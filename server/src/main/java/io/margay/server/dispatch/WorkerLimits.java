package io.margay.server.dispatch;

import java.time.Duration;

/// Sizes of a [WorkerPool]. Immutable.
///
/// @param threadsMax worker threads at most (200: what Tomcat has, and what stands sleepers and CPU
///   hogs)
/// @param threadsKept workers that stay when idle (10: a burst after a pause finds warm threads)
/// @param queuedMax tasks that wait for a thread at most (10 000: more would wait longer than their
///   clients do); rounded up to a power of two
/// @param idleTimeout after which a worker above `threadsKept` ends (60 s: stacks are memory)
public record WorkerLimits(int threadsMax, int threadsKept, int queuedMax, Duration idleTimeout) {
    public WorkerLimits {
        if (threadsMax < 1 || threadsKept < 0 || queuedMax < 1 || idleTimeout.isNegative()) {
            throw new IllegalArgumentException("worker limits must be positive");
        }
    }

    /// 200 threads, 10 kept, 10 000 tasks queued, 60 s.
    public static WorkerLimits defaults() {
        return new WorkerLimits(200, 10, 10_000, Duration.ofSeconds(60));
    }
}
