package io.margay.compat.tomcat.server;

import io.margay.compat.account.AccountLine.Verdict;
import io.margay.compat.tomcat.base.BaseXml;
import io.margay.compat.tomcat.base.CatalinaProperties;
import io.margay.compat.tomcat.server.TomcatPlan.DeploymentPlan;
import io.margay.compat.tomcat.server.TomcatPlan.HostPlan;
import io.margay.servlet.xml.DescriptorException;
import io.margay.servlet.xml.XmlElement;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads Tomcat's `server.xml`: connectors, hosts, contexts and valves, with an account of every
/// element and attribute. Confined to one reading.
public final class ServerXml {
    private final Path base;
    private final ElementAccount account;

    /// Whether the files beside server.xml are read, too.
    private final boolean whole;

    private final List<HostPlan> hosts = new ArrayList<>();
    private final HostReader hostReader;
    private String route = "";

    private ServerXml(Path base, @Nullable CatalinaProperties properties, ElementAccount account) {
        this.base = base;
        whole = properties != null;
        this.account = account;
        hostReader = new HostReader(base, properties, account);
    }

    /// Reads a file alone; the files beside it are not looked at.
    ///
    /// @throws IOException when it cannot be read
    public static TomcatPlan read(Path file) throws IOException {
        Path conf = file.toAbsolutePath().getParent();
        Path above = conf == null ? null : conf.getParent();
        Path base = above == null ? Path.of("").toAbsolutePath() : above;
        ElementAccount account = new ElementAccount();
        XmlElement server = tree(file, CatalinaProperties.NONE, account);
        return plan(server, base, null, account);
    }

    /// The root element of a file; null when it is wrong, which is told.
    static @Nullable XmlElement tree(
            Path file, CatalinaProperties properties, ElementAccount account) throws IOException {
        try {
            return BaseXml.read(file, properties);
        } catch (DescriptorException e) {
            account.tell(
                    file.toString(),
                    0,
                    "XML",
                    Verdict.WRONG,
                    String.valueOf(e.getMessage()).replace('\n', ' '));
            return null;
        }
    }

    /// @param server its root; null = it could not be read
    /// @param properties of the base; null = the files beside it are not read
    static TomcatPlan plan(
            @Nullable XmlElement server,
            Path base,
            @Nullable CatalinaProperties properties,
            ElementAccount account) {
        ServerXml reading = new ServerXml(base, properties, account);
        ConnectorReader connectors =
                new ConnectorReader(
                        base, reading.whole, server == null ? 0 : portOffset(server), account);
        if (server != null) {
            reading.server(server, connectors);
            if (reading.whole) {
                HostRewriting.tellTls(List.of(server), account);
                HostReader.tellMisplaced(server, account);
            }
            account.rest(server);
        }
        HostReader read = reading.hostReader;
        return TomcatPlanBuilder.builder()
                .connectors(connectors.connectors())
                .hosts(reading.hosts)
                .route(reading.route)
                .compression(connectors.compression())
                .paths(connectors.paths())
                .numbers(connectors.numbers())
                .deployment(
                        new DeploymentPlan(
                                reading.whole ? base : null,
                                reading.whole && server != null
                                        ? UserFiles.ofServer(server, base)
                                        : null,
                                read.autoDeploy(),
                                read.undeployOldVersions(),
                                read.errorDetails()))
                .account(account.lines())
                .build();
    }

    private static int portOffset(XmlElement server) {
        String text = server.attributes().getOrDefault("portOffset", "0");
        return text.matches("[0-9]{1,5}") ? Integer.parseInt(text) : 0;
    }

    private void server(XmlElement server, ConnectorReader connectors) {
        List<XmlElement> services = server.all("Service");
        for (XmlElement service : services) {
            List<String> places = connectors.service(service, services.size() == 1);
            for (XmlElement engine : service.all("Engine")) {
                engine(engine, services.size() > 1 ? places : List.of());
            }
        }
        if (!whole) {
            alone(server);
        }
    }

    private void engine(XmlElement engine, List<String> places) {
        Map<String, String> attributes = engine.attributes();
        String defaultHost = attributes.getOrDefault("defaultHost", "");
        String named = attributes.getOrDefault("jvmRoute", "");
        if (!named.isEmpty()) {
            if (!route.isEmpty() && !route.equals(named)) {
                account.tell(
                        engine, "jvmRoute", Verdict.CHANGED, "all sessions end with ." + route);
            } else {
                account.tell(engine, "jvmRoute", Verdict.HONOURED, "sessions end with ." + named);
            }
            route = route.isEmpty() ? named : route;
        }
        boolean found = false;
        for (XmlElement host : engine.all("Host")) {
            String name = host.attributes().getOrDefault("name", "localhost");
            boolean any = name.equalsIgnoreCase(defaultHost);
            found |= any;
            hosts.add(hostReader.host(host, engine, any, places));
        }
        if (!found) {
            account.tell(
                    engine,
                    "defaultHost",
                    Verdict.CHANGED,
                    "there is no such Host: requests for other names are answered with 421");
        }
    }

    /// What needs the files beside the one that was read.
    private void alone(XmlElement element) {
        String remedy = "is read with the folder alone: margay tomcat " + base;
        switch (element.name()) {
            case "Realm", "Resource", "ResourceLink", "Environment" ->
                    account.tell(element, Verdict.CHANGED, remedy);
            case "Valve" -> {
                if (HostReader.needsBase(element)) {
                    account.tell(
                            element,
                            HostReader.isRestricting(element) ? Verdict.WRONG : Verdict.CHANGED,
                            remedy);
                }
            }
            default -> element.children().forEach(this::alone);
        }
    }
}
