package io.margay.lab.servers;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Every kind of server that the lab knows. Immutable.
public final class Catalog {
    private final List<LabServer> servers;

    private Catalog(List<LabServer> servers) {
        this.servers = List.copyOf(servers);
    }

    /// All of them; a new one is added here.
    public static Catalog all() {
        List<LabServer> all = new ArrayList<>();
        all.addAll(MargayServer.variants());
        all.addAll(Tomcat11.variants());
        return new Catalog(all);
    }

    public List<LabServer> servers() {
        return servers;
    }

    /// The server of that name; a kind alone means its first variant.
    public Optional<LabServer> find(String name) {
        return servers.stream()
                .filter(it -> it.name().equals(name) || it.name().startsWith(name + ":"))
                .findFirst();
    }

    public List<String> names() {
        return servers.stream().map(LabServer::name).toList();
    }
}
