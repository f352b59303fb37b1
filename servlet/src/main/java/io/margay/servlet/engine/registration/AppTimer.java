package io.margay.servlet.engine.registration;

import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// Timeouts of one application: asynchronous requests and sessions. One daemon thread, made when
/// the first timeout is set. Thread-safe.
public final class AppTimer {
    private final ScheduledThreadPoolExecutor executor;

    AppTimer(String appName) {
        executor =
                new ScheduledThreadPoolExecutor(
                        1,
                        task -> {
                            Thread thread = new Thread(task, "margay-timer-" + appName);
                            thread.setDaemon(true);
                            thread.setContextClassLoader(null);
                            return thread;
                        });
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    public ScheduledFuture<?> after(long millis, Runnable task) {
        return executor.schedule(task, millis, TimeUnit.MILLISECONDS);
    }

    public void every(long millis, Runnable task) {
        ScheduledFuture<?> _ =
                executor.scheduleWithFixedDelay(task, millis, millis, TimeUnit.MILLISECONDS);
    }

    public void stop() {
        executor.shutdownNow();
    }
}
