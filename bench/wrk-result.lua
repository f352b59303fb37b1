-- Prints what wrk measured as one line of name=value pairs. It defines no per-request function, so
-- that it costs nothing while the load runs.
function done(summary, latency, requests)
    io.write(string.format(
        "RESULT requests=%d micros=%d bytes=%d connect=%d read=%d write=%d status=%d timeout=%d " ..
        "p50=%d p99=%d max=%d\n",
        summary.requests, summary.duration, summary.bytes,
        summary.errors.connect, summary.errors.read, summary.errors.write,
        summary.errors.status, summary.errors.timeout,
        latency:percentile(50), latency:percentile(99), latency.max))
end
