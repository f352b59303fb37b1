package io.margay.server.dispatch;

/// Runs tasks that may wait, each on a thread of its own choosing. Thread-safe.
public interface Dispatcher extends AutoCloseable {
    /// Takes a task to be run soon; never waits.
    ///
    /// @return false when the bounded queue is full or the dispatcher is closed: the task will not
    ///   run
    boolean submit(Runnable task);

    /// Lets every thread end that is kept, and others take its place: what an application has left
    /// in a thread's thread-locals ends with the thread.
    default void renew() {}

    /// Tasks that run now, for metrics; approximate.
    int active();

    /// Tasks that wait for a thread, for metrics; approximate.
    int queued();

    /// Takes no more tasks, and ends the threads when those already taken have run.
    @Override
    void close();
}
