package io.margay.transport;

/// A task that a loop runs on its own thread though it may wait: the loop's work goes to another
/// thread when the task turns out to be slow.
public interface LeaderTask extends Runnable {
    /// The task has held up its loop, which another thread works on from now on; the task goes on
    /// where it is. Called at most once, on the loop's new thread, while the task runs.
    void overrun();
}
