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
        all.addAll(Tomcat7.variants());
        all.addAll(Jetty.variants());
        all.addAll(Undertow.variants());
        all.addAll(Httpd.variants());
        all.addAll(HttpdPhp.variants());
        all.addAll(Nginx.variants());
        all.addAll(Haproxy.variants());
        all.addAll(Gateway.variants());
        all.addAll(H2o.variants());
        all.addAll(FixedPage.variants());
        all.addAll(Calibration.variants());
        return new Catalog(all);
    }

    public List<LabServer> servers() {
        return servers;
    }

    /// The server of that name; a kind alone means its first variant that stands where it must.
    ///
    /// @param front whether it stands in front of another
    Optional<LabServer> find(String name, boolean front) {
        return servers.stream()
                .filter(it -> it.name().equals(name))
                .findFirst()
                .or(() ->
                        servers.stream()
                                .filter(it -> it.name().startsWith(name + ":"))
                                .filter(it -> it.isFront() == front)
                                .findFirst());
    }

    public List<String> names() {
        return servers.stream().map(LabServer::name).toList();
    }
}
