package io.margay.lab.result;

/// What servers are compared by.
public enum Metric {
    /// CPU-seconds per 10 000 requests, of all processes.
    CPU,
    /// CPU-seconds per 10 000 requests of the front end alone; of the only process where there is
    /// no other.
    FRONT,
    /// CPU-seconds per 10 000 requests, of all processes and of the load generator: on a loopback
    /// address the kernel does a part of a sender's work in the time of the receiver.
    BOTH_ENDS,
    /// Requests per second.
    THROUGHPUT,
    /// The highest fixed rate at which nearly all requests are answered, rightly and in time.
    KNEE,
    /// The time from the start of the process to its first answer. Each round is a start: its load
    /// is that one answer, its CPU time that of the start, its memory that of an idle server.
    START,
    /// The memory of a server after a load. Each round is a start.
    MEMORY;

    /// Whether each round starts the server anew.
    public boolean isOfStarts() {
        return this == START || this == MEMORY;
    }
}
