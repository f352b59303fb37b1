package io.margay.servlet.engine.registration;

import java.lang.System.Logger.Level;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// Timeouts of one application: asynchronous requests and sessions. One virtual thread, made when
/// the first timeout is set, for there may be hundreds of applications, whose timers sleep nearly
/// all the time. Thread-safe.
public final class AppTimer {
    private static final System.Logger LOG = System.getLogger("io.margay.servlet");

    private final ScheduledThreadPoolExecutor executor;

    AppTimer(String appName) {
        executor =
                new ScheduledThreadPoolExecutor(
                        1,
                        task -> {
                            Thread thread =
                                    Thread.ofVirtual()
                                            .name("margay-timer-" + appName)
                                            .inheritInheritableThreadLocals(false)
                                            .unstarted(task);
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
                executor.scheduleWithFixedDelay(
                        () -> runQuietly(task), millis, millis, TimeUnit.MILLISECONDS);
    }

    /// A task that throws would not be run again: sessions would never end.
    private static void runQuietly(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            LOG.log(Level.ERROR, "a task of the application's timer failed", e);
        }
    }

    public void stop() {
        executor.shutdownNow();
    }
}
