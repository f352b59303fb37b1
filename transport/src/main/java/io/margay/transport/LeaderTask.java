package io.margay.transport;

/// A task that a loop runs on its own thread though it may wait: the loop's work goes to another
/// thread when the task turns out to be slow.
public interface LeaderTask extends Runnable {
    /// Tasks per second that have to be offered to a loop before it takes this one, 0 for any: to
    /// watch over a task costs the loop's threads a wake-up each 0.8 ms, however few there are.
    int perSecondMin();

    /// The task has held up its loop, which another thread works on from now on; the task goes on
    /// where it is. Called at most once, on the loop's new thread, while the task runs.
    void overrun();
}
