package io.margay.servlet.websocket;

import java.util.concurrent.Delayed;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// Ends sessions that have been idle too long: one thread for an application, which comes with the
/// first timeout and goes when none is left. Thread-safe.
///
/// A session without a timeout asks for one of length zero after each message, which does nothing;
/// it is not scheduled.
final class IdleTimer extends ScheduledThreadPoolExecutor {
    private static final long IDLE_SECONDS = 30;
    private static final ScheduledFuture<Boolean> NOTHING = new Nothing();

    IdleTimer(String application, ClassLoader loader) {
        super(
                1,
                task -> {
                    Thread thread = new Thread(task, "margay-websocket-" + application);
                    thread.setDaemon(true);
                    thread.setContextClassLoader(loader);
                    return thread;
                });
        setRemoveOnCancelPolicy(true);
        setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        allowCoreThreadTimeOut(true);
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
        return delay <= 0 ? NOTHING : super.schedule(command, delay, unit);
    }

    /// The task of a session without a timeout.
    private static final class Nothing implements ScheduledFuture<Boolean> {
        @Override
        public int compareTo(Delayed other) {
            return Long.compare(0, other.getDelay(TimeUnit.NANOSECONDS));
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return 0;
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            return false;
        }

        @Override
        public boolean isCancelled() {
            return false;
        }

        @Override
        public boolean isDone() {
            return true;
        }

        @Override
        public Boolean get() {
            return false;
        }

        @Override
        public Boolean get(long timeout, TimeUnit unit) {
            return false;
        }
    }
}
