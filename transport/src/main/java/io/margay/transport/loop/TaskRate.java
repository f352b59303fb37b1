package io.margay.transport.loop;

import java.util.concurrent.TimeUnit;

/// How often tasks have been offered to a loop lately: where they are few, watching over them costs
/// more than another thread does. Confined to the loop.
final class TaskRate {
    /// Tasks are counted for so long before the rate is known anew.
    static final long SPAN_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private long begun;
    private long offered;
    private long perSecond;

    /// @param now nanoseconds, as the loop's clock
    TaskRate(long now) {
        begun = now;
    }

    /// A task is offered.
    ///
    /// @param now nanoseconds, as the loop's clock; it may be one turn of the loop late
    /// @return tasks that were offered per second, in the last span that is over
    long offer(long now) {
        offered++;
        long passed = now - begun;
        if (passed >= SPAN_NANOS) {
            perSecond = offered * TimeUnit.SECONDS.toNanos(1) / passed;
            begun = now;
            offered = 0;
        }
        return perSecond;
    }
}
