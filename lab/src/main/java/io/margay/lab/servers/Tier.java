package io.margay.lab.servers;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// One process to start, and the ports and sockets that tell when it is ready. Immutable.
///
/// @param name what its CPU time is reported as
/// @param environment what is added to the lab's own
/// @param sockets paths of Unix sockets
public record Tier(
        String name,
        List<String> command,
        Map<String, String> environment,
        List<Integer> ports,
        List<Path> sockets) {
    public Tier(
            String name,
            List<String> command,
            Map<String, String> environment,
            List<Integer> ports) {
        this(name, command, environment, ports, List.of());
    }

    public Tier {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
        ports = List.copyOf(ports);
        sockets = List.copyOf(sockets);
    }
}
