package io.margay.lab.result;

/// What servers are compared by.
public enum Metric {
    /// CPU-seconds per 10 000 requests, of all processes.
    CPU,
    /// Requests per second.
    THROUGHPUT,
    /// The highest fixed rate at which nearly all requests are answered, rightly and in time.
    KNEE
}
