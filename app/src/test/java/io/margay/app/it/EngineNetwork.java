package io.margay.app.it;

import io.margay.testkit.fault.FaultyLink;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// The network between containers and the servers of a cluster of the engine, which know themselves
/// as [#HOST]. To each container that name is another address of the loopback, where links of its
/// own lead to the servers, so that one container can be cut off and the others not. Used by one
/// thread.
final class EngineNetwork implements AutoCloseable {
    static final String HOST = "engine.test";

    private final List<Integer> ports;
    private final List<List<FaultyLink>> links = new ArrayList<>();

    /// @param ports of the servers
    EngineNetwork(List<Integer> ports, int containers) throws IOException {
        this.ports = List.copyOf(ports);
        for (int i = 0; i < containers; i++) {
            List<FaultyLink> own = new ArrayList<>();
            links.add(own);
            for (int port : ports) {
                own.add(new FaultyLink(InetAddress.getByName(address(i)), port, port));
            }
        }
    }

    private static String address(int container) {
        return "127.0.7." + (container + 1);
    }

    String url() {
        return ports.stream()
                .map(port -> HOST + ":" + port)
                .collect(Collectors.joining(",", "redis+cluster://", ""));
    }

    /// What the JVM of a container is told, so that the name leads to its own links.
    ///
    /// @param folder where that is written down
    String options(int container, Path folder) throws IOException {
        Path hosts = folder.resolve("hosts-" + container);
        Files.writeString(hosts, "127.0.0.1 localhost\n" + address(container) + " " + HOST + "\n");
        return "-Djdk.net.hosts.file=" + hosts;
    }

    /// What becomes of all that a container and the engine send each other.
    void ofContainer(int container, FaultyLink.Fault fault) throws IOException {
        for (FaultyLink each : links.get(container)) {
            each.set(fault);
        }
    }

    /// What becomes of all that containers and one server send each other.
    void ofServer(int server, FaultyLink.Fault fault) throws IOException {
        for (List<FaultyLink> each : links) {
            each.get(server).set(fault);
        }
    }

    @Override
    public void close() throws IOException {
        for (List<FaultyLink> all : links) {
            for (FaultyLink each : all) {
                each.close();
            }
        }
    }
}
