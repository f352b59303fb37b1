package io.margay.gateway.status;

import io.margay.server.config.ServerStats;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;

/// What `server-status` tells of the server itself. Thread-safe.
///
/// @param software name and version
/// @param started when the process began to serve
/// @param clock tells the time
/// @param listeners the counters of all listeners
/// @param workersMax threads that work on requests, at most
public record ServerInfo(
        String software,
        Instant started,
        InstantSource clock,
        Supplier<List<ServerStats.Reading>> listeners,
        int workersMax) {}
