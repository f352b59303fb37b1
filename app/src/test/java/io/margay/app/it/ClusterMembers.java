package io.margay.app.it;

import io.margay.testkit.FreePort;
import io.margay.testkit.fault.DatagramLink;
import io.margay.testkit.fault.Link;
import io.margay.testkit.program.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A program, not ours but for the API of Kubernetes, that tells gateways which containers there
/// are, with data of its own in a folder, on loopback ports. Used by one thread.
abstract class ClusterMembers implements AutoCloseable {
    final Path folder;
    private final Map<String, Integer> known = new TreeMap<>();
    private final List<ServerProcess> processes = new ArrayList<>();

    ClusterMembers(Path parent) throws IOException {
        folder = Files.createDirectories(parent.resolve("members"));
    }

    /// The one that a word of `SYSTEMS` names, such as `etcd`, at work.
    static ClusterMembers of(String word, Path parent) throws IOException {
        ClusterMembers made =
                switch (word) {
                    case "dns" -> new Dns(parent);
                    case "etcd" -> new EtcdMembers(parent);
                    case "kubernetes" -> new KubernetesMembers(parent);
                    default -> throw new IllegalArgumentException("no source of members " + word);
                };
        made.start();
        return made;
    }

    /// What an upstream says in place of its members.
    abstract String source();

    /// The network through which gateways ask it; null = they ask it directly.
    @Nullable Link link() {
        return null;
    }

    /// Starts it, with what it had.
    abstract void start() throws IOException;

    /// Has it say what is known.
    abstract void tell(Map<String, Integer> all) throws IOException;

    /// SIGKILL.
    void kill() {
        processes.reversed().forEach(ServerProcess::endAll);
        processes.clear();
    }

    /// Names a container.
    void put(String name, int port) throws IOException {
        known.put(name, port);
        tell(known);
    }

    /// Names it no more.
    int remove(String name) throws IOException {
        int port = known.remove(name);
        tell(known);
        return port;
    }

    void run(int port, String... words) throws IOException {
        ServerProcess process = ServerProcess.other(folder, words);
        processes.add(process);
        process.awaitPort(port);
    }

    @Override
    public void close() {
        kill();
        Link network = link();
        try {
            if (network != null) {
                network.close();
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /// The DNS, by dnsmasq, asked by UDP: an SRV record for each container.
    private static final class Dns extends ClusterMembers {
        private final int port = FreePort.next();
        private final DatagramLink link = new DatagramLink(port);
        private boolean runs;

        Dns(Path parent) throws IOException {
            super(parent);
            tell(Map.of());
        }

        @Override
        String source() {
            return "{srv: _http._tcp.shop.test, every: 1s, resolvers: [\"127.0.0.1:%d\"]}"
                    .formatted(link.port());
        }

        @Override
        Link link() {
            return link;
        }

        @Override
        void start() throws IOException {
            run(
                    port,
                    Program.of("dnsmasq"),
                    "--keep-in-foreground",
                    "--conf-file=" + folder.resolve("dnsmasq.conf"));
            runs = true;
        }

        @Override
        void tell(Map<String, Integer> all) throws IOException {
            StringBuilder lines = new StringBuilder();
            all.forEach((name, of) ->
                    lines.append(
                                    "srv-host=_http._tcp.shop.test,%1$s.shop.test,%2$d\n"
                                            .formatted(name, of))
                            .append("host-record=%s.shop.test,127.0.0.1\n".formatted(name)));
            Files.writeString(
                    folder.resolve("dnsmasq.conf"),
                    """
                    port=%d
                    listen-address=127.0.0.1
                    bind-interfaces
                    no-resolv
                    no-hosts
                    local=/test/
                    user=%s
                    pid-file=
                    %s
                    """
                            .formatted(port, System.getProperty("user.name"), lines));
            if (runs) {
                kill();
                start();
            }
        }
    }
}
