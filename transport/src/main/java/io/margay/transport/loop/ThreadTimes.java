package io.margay.transport.loop;

/// What the system says of threads of this process. Thread-safe, but for [#workedNanos], which one
/// thread calls at a time.
public interface ThreadTimes {
    /// The number that the system has for the calling thread, which is no virtual one.
    ///
    /// @return 0 when it is not known
    int number();

    /// How long a processor has worked for a thread; -1 when that is not known.
    long workedNanos(Thread thread, int number);

    /// Whether a thread is at work or waits for a processor alone. Takes some microseconds.
    boolean isRunnable(int number);
}
