package io.margay.lab.servers.kinds;

import io.margay.lab.servers.LabServer;
import io.margay.lab.servers.NearestName;
import io.margay.lab.servers.OtherApp;
import io.margay.lab.servers.ServerSpec;
import io.margay.lab.servers.known.Calibration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Every kind of server that the lab knows. Immutable.
public final class Catalog {
    private static final int BACKS_MAX = 9;

    private final List<LabServer> servers;

    private Catalog(List<LabServer> servers) {
        this.servers = List.copyOf(servers);
    }

    /// All of them; a new one is added here.
    public static Catalog all() {
        List<LabServer> all = new ArrayList<>();
        all.addAll(MargayServer.variants());
        all.addAll(MargayServer.Edge.variants());
        all.addAll(Tomcat11.variants());
        all.addAll(Tomcat9.variants());
        all.addAll(Tomcat7.variants());
        all.addAll(Jetty.variants());
        all.addAll(Undertow.variants());
        all.addAll(BootApp.variants());
        all.addAll(MargaySessions.variants());
        all.addAll(TomcatSessions.variants());
        all.addAll(Httpd.variants());
        all.addAll(HttpdPhp.variants());
        all.addAll(Nginx.variants());
        all.addAll(Haproxy.variants());
        all.addAll(Gateway.variants());
        all.addAll(H2o.variants());
        all.addAll(SiteServer.variants());
        all.addAll(FixedPage.variants());
        all.addAll(Calibration.variants());
        return new Catalog(all);
    }

    public List<LabServer> servers() {
        return servers;
    }

    /// A column of a comparison by its name.
    ///
    /// @throws IllegalArgumentException with what is wrong, and which name comes near
    public ServerSpec spec(String text) {
        if (text.endsWith(OtherApp.MARK)) {
            ServerSpec one = spec(text.substring(0, text.length() - OtherApp.MARK.length()));
            if (!one.backs().isEmpty()) {
                throw new IllegalArgumentException(
                        text + ": two builds are compared without a front end");
            }
            return new ServerSpec(text, new OtherApp(one.front()), List.of());
        }
        String[] parts = text.split("/", 2);
        LabServer front = known(parts[0], parts.length == 2);
        if (front.isFront() != (parts.length == 2)) {
            throw new IllegalArgumentException(
                    front.isFront()
                            ? front.name()
                                    + " needs a server behind it, as in "
                                    + front.name()
                                    + "/tomcat:nio"
                            : front.name() + " hands no requests on to " + parts[1]);
        }
        List<LabServer> backs = new ArrayList<>();
        if (parts.length == 2) {
            String[] times = parts[1].split("\\*", 2);
            if (times.length == 2 && !times[1].matches("[1-" + BACKS_MAX + "]")) {
                throw new IllegalArgumentException(
                        text + ": the number after * is 1 to " + BACKS_MAX);
            }
            LabServer back = known(times[0], false);
            if (back.isFront()) {
                throw new IllegalArgumentException(back.name() + " cannot stand behind another");
            }
            for (int i = 0; i < (times.length == 2 ? Integer.parseInt(times[1]) : 1); i++) {
                backs.add(back);
            }
        }
        return new ServerSpec(text, front, backs);
    }

    private LabServer known(String name, boolean inFront) {
        return find(name, inFront)
                .orElseThrow(() ->
                        new IllegalArgumentException(
                                "there is no server \""
                                        + name
                                        + "\""
                                        + NearestName.hint(name, names())));
    }

    /// The server of that name; a kind alone means its first variant that stands where it must.
    ///
    /// @param front whether it stands in front of another
    private Optional<LabServer> find(String name, boolean front) {
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
