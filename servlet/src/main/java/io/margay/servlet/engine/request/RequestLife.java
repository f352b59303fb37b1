package io.margay.servlet.engine.request;

/// The life of one request as its streams see it: whether it is over, and the tasks that the
/// container runs for it, one at a time and in order, each on a thread that may wait.
public interface RequestLife {
    /// Whether the response has been sent, and the request's objects are unusable.
    boolean isOver();

    /// @throws IllegalStateException when the request is over
    void requireOpen();

    /// Runs a task after those before it. Called by any thread.
    void enqueue(Runnable task);

    /// Whether the calling thread runs a task of this request.
    boolean inTask();

    /// @throws IllegalStateException when the request is neither asynchronous nor upgraded, so that
    ///   it can have no listeners of its streams
    void requireAsync();

    /// A listener of a stream failed; called within a task.
    void asyncFailed(Throwable cause);
}
