package io.margay.lab.servers;

import java.util.List;
import java.util.Map;

/// One process to start, and the ports that tell when it is ready. Immutable.
///
/// @param name what its CPU time is reported as
/// @param environment what is added to the lab's own
public record Tier(
        String name, List<String> command, Map<String, String> environment, List<Integer> ports) {
    public Tier {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
        ports = List.copyOf(ports);
    }
}
