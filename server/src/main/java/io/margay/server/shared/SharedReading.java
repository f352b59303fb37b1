package io.margay.server.shared;

import java.util.List;

/// How a server does with what it shares. Immutable.
///
/// @param group its name
/// @param node what this server is called
/// @param servers all that are there, as far as is known
/// @param up whether the engine answers
/// @param failure why not, or why what it has cannot be used; empty = all is well
/// @param calls of the engine
/// @param failures calls that failed
/// @param refused calls that were not made, because the engine is away
/// @param nanos time of all calls
public record SharedReading(
        String group,
        String node,
        List<String> servers,
        boolean up,
        String failure,
        long calls,
        long failures,
        long refused,
        long nanos) {
    public SharedReading {
        servers = List.copyOf(servers);
    }
}
