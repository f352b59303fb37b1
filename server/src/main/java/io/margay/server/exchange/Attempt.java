package io.margay.server.exchange;

import org.jspecify.annotations.Nullable;

/// An attempt on a member that has ended. Immutable.
///
/// @param scheme what it speaks, as `http` or `ajp`
/// @param host where it is; empty for a Unix socket
/// @param port 0 for a Unix socket
/// @param status of its answer; 0 = there was none
/// @param error what went wrong, as `connect_failed`; null = nothing
/// @param tookNanos since it was chosen
public record Attempt(
        Relay to,
        String scheme,
        String host,
        int port,
        int status,
        @Nullable String error,
        long tookNanos) {}
