package io.margay.server.dispatch;

import org.jspecify.annotations.Nullable;

/// Runs tasks that may wait, each on a thread of its own choosing. Thread-safe.
public interface Dispatcher extends AutoCloseable {
    /// Takes a task to be run soon; never waits.
    ///
    /// @return false when the bounded queue is full or the dispatcher is closed: the task will not
    ///   run
    boolean submit(Runnable task);

    /// Like [#submit], for a task that may have to wait for its client's content: clients that are
    /// slow, or mean to be, must not take all the threads.
    default boolean submitStalling(Runnable task) {
        return submit(task);
    }

    /// Whether a task of a request for this path is to run on its connection's loop, which then
    /// need not be submitted.
    default boolean runsOnLoop(String path) {
        return false;
    }

    /// Tasks per second that have to come to a loop before they run on it; 0 for any.
    default int loopTasksMin() {
        return 0;
    }

    /// Where it is to be noted how long tasks take; none when nobody wants to know.
    default @Nullable QuickPaths quickPaths() {
        return null;
    }

    /// A task of a request for this path has held up the loop that it ran on.
    default void overran(String path) {}

    /// Lets every thread end that is kept, and others take its place: what an application has left
    /// in a thread's thread-locals ends with the thread.
    default void renew() {}

    /// Tasks that run now, for metrics; approximate.
    int active();

    /// Threads that there are for tasks, for metrics; approximate.
    default int threads() {
        return active();
    }

    /// Tasks that wait for a thread, for metrics; approximate.
    int queued();

    /// Takes no more tasks, and ends the threads when those already taken have run.
    @Override
    void close();
}
