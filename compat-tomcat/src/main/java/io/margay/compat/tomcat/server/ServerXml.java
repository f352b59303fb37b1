package io.margay.compat.tomcat.server;

import io.margay.compat.account.AccountLine;
import io.margay.compat.account.AccountLine.Verdict;
import io.margay.compat.account.Place;
import io.margay.compat.tomcat.server.TomcatPlan.Carrier;
import io.margay.compat.tomcat.server.TomcatPlan.CompressionPlan;
import io.margay.compat.tomcat.server.TomcatPlan.ConnectorPlan;
import io.margay.compat.tomcat.server.TomcatPlan.ContextPlan;
import io.margay.compat.tomcat.server.TomcatPlan.HostPlan;
import io.margay.compat.tomcat.server.TomcatPlan.LogPlan;
import io.margay.compat.tomcat.server.TomcatPlan.Protocol;
import io.margay.protocol.http.PathReading;
import io.margay.server.log.LogFormat;
import io.margay.transport.TlsConfig;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/// Reads Tomcat's `server.xml`: connectors, hosts, contexts and the valves that are known, with an
/// account of every element. Confined to one reading.
public final class ServerXml {
    private static final Set<String> NOTHING_TO_DO =
            Set.of(
                    "server",
                    "service",
                    "listener",
                    "executor",
                    "globalnamingresources",
                    "upgradeprotocol",
                    "jarscanner",
                    "watchedresource");

    private final String file;
    private final Path base;
    private final List<AccountLine> account = new ArrayList<>();
    private final List<ConnectorPlan> connectors = new ArrayList<>();
    private final List<HostPlan> hosts = new ArrayList<>();
    private final Deque<String> open = new ArrayDeque<>();
    private String defaultHost = "";
    private String route = "";
    private @Nullable Connector connector;
    private @Nullable HostParts host;
    private @Nullable ContextParts context;

    /// A connector that is being read.
    private record Connector(Map<String, String> attributes, int line, ConnectorTls tls) {}

    /// What each connector for HTTP compresses.
    private final List<Optional<CompressionPlan>> compressions = new ArrayList<>();

    /// How each connector for HTTP reads paths.
    private final List<PathReading> paths = new ArrayList<>();

    /// A host that is being read.
    private static final class HostParts {
        final Path apps;
        final List<String> names = new ArrayList<>();
        final List<ContextPlan> contexts = new ArrayList<>();
        final List<LogPlan> logs = new ArrayList<>();

        HostParts(Path apps) {
            this.apps = apps;
        }
    }

    /// A context that is being read.
    private record ContextParts(String path, Path docBase, Map<String, String> params) {}

    private ServerXml(Path file) {
        this.file = file.toString();
        Path conf = file.toAbsolutePath().getParent();
        Path above = conf == null ? null : conf.getParent();
        base = above == null ? Path.of("").toAbsolutePath() : above;
    }

    /// Reads a file.
    ///
    /// @throws IOException when it cannot be read
    public static TomcatPlan read(Path file) throws IOException {
        ServerXml reading = new ServerXml(file);
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        try (InputStream in = Files.newInputStream(file)) {
            XMLStreamReader xml = factory.createXMLStreamReader(in);
            while (xml.hasNext()) {
                switch (xml.next()) {
                    case XMLStreamConstants.START_ELEMENT -> reading.begin(xml);
                    case XMLStreamConstants.CHARACTERS -> reading.text(xml);
                    case XMLStreamConstants.END_ELEMENT -> reading.end(xml.getLocalName());
                    default -> {
                        // Comments and the like.
                    }
                }
            }
        } catch (XMLStreamException e) {
            int line = e.getLocation() == null ? 0 : e.getLocation().getLineNumber();
            reading.add(
                    line,
                    "XML",
                    Verdict.WRONG,
                    String.valueOf(e.getMessage()).lines().reduce("", (a, b) -> b));
        }
        return new TomcatPlan(
                reading.connectors,
                reading.hosts,
                reading.route,
                reading.compression(),
                reading.paths.isEmpty() ? PathReading.STRICT : reading.paths.getFirst(),
                reading.account);
    }

    private void add(int line, String what, Verdict verdict, String text) {
        account.add(new AccountLine(new Place(file, line), what, verdict, text));
    }

    private static Map<String, String> attributes(XMLStreamReader xml) {
        Map<String, String> attributes = new HashMap<>();
        for (int i = 0; i < xml.getAttributeCount(); i++) {
            attributes.put(xml.getAttributeLocalName(i), xml.getAttributeValue(i));
        }
        return attributes;
    }

    private void begin(XMLStreamReader xml) {
        String name = xml.getLocalName();
        int line = xml.getLocation().getLineNumber();
        Map<String, String> attributes = attributes(xml);
        open.push(name);
        switch (name.toLowerCase(Locale.ROOT)) {
            case "connector" ->
                    connector = new Connector(attributes, line, new ConnectorTls(base, this::add));
            case "sslhostconfig" -> {
                if (connector != null) {
                    connector.tls.host(attributes, line);
                    add(line, name, Verdict.HONOURED, "honoured");
                }
            }
            case "certificate" -> {
                if (connector != null) {
                    connector.tls.certificate(attributes, line);
                }
            }
            case "engine" -> engine(attributes, line);
            case "host" -> host(attributes, line);
            case "alias" -> add(line, name, Verdict.HONOURED, "honoured");
            case "context" -> context(attributes, line);
            case "parameter" -> parameter(attributes, line);
            case "valve" -> valve(attributes, line);
            case "realm" -> realm(attributes, line);
            case "resource" -> resource(attributes, line);
            default -> other(name, line);
        }
    }

    private void other(String name, int line) {
        if (NOTHING_TO_DO.contains(name.toLowerCase(Locale.ROOT))) {
            add(line, name, Verdict.NOTED, "it has no effect here");
        } else {
            add(line, name, Verdict.CHANGED, "is not supported, and is ignored");
        }
    }

    private void text(XMLStreamReader xml) {
        String text = xml.getText().strip();
        HostParts current = host;
        if (current != null && !text.isEmpty() && "Alias".equals(open.peek())) {
            current.names.add(text.toLowerCase(Locale.ROOT));
        }
    }

    private void end(String name) {
        String _ = open.pop();
        switch (name) {
            case "Connector" -> connector();
            case "Host" -> {
                HostParts done = host;
                if (done != null) {
                    hosts.add(new HostPlan(done.names, done.apps, done.contexts, done.logs));
                }
                host = null;
            }
            case "Context" -> {
                ContextParts done = context;
                if (done != null && host != null) {
                    host.contexts.add(new ContextPlan(done.path, done.docBase, done.params));
                }
                context = null;
            }
            default -> {
                // Nothing was collected.
            }
        }
    }

    // Connectors

    private void connector() {
        Connector done = connector;
        connector = null;
        if (done == null) {
            return;
        }
        Map<String, String> attributes = done.attributes;
        String port = attributes.getOrDefault("port", "8080");
        String protocol = attributes.getOrDefault("protocol", "HTTP/1.1");
        if (!port.matches("[0-9]{1,5}")) {
            add(done.line, "Connector", Verdict.WRONG, "\"" + port + "\" is not a port");
            return;
        }
        boolean ajp = protocol.toLowerCase(Locale.ROOT).contains("ajp");
        String address = attributes.getOrDefault("address", ajp ? "127.0.0.1" : "*");
        String host = address.equals("0.0.0.0") ? "*" : address;
        Protocol spoken = ajp ? ajp(attributes) : http(done);
        if (spoken == null) {
            return;
        }
        connectors.add(
                new ConnectorPlan(
                        host,
                        Integer.parseInt(port),
                        spoken,
                        number(attributes, "acceptCount", 0),
                        number(attributes, "maxConnections", 0)));
        if (!ajp) {
            compression(done);
            paths(done);
        }
        String at = (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
        add(done.line, "Connector", Verdict.HONOURED, "a listener at " + at);
        for (String name : List.of("proxyName", "proxyPort", "scheme", "secure")) {
            if (attributes.containsKey(name)) {
                add(
                        done.line,
                        "Connector " + name,
                        Verdict.CHANGED,
                        "requests have the scheme and address of their connection; a front end"
                                + " can send others over AJP13");
            }
        }
    }

    private static int number(Map<String, String> attributes, String name, int byDefault) {
        String text = attributes.getOrDefault(name, "");
        return text.matches("[1-9][0-9]{0,6}") ? Integer.parseInt(text) : byDefault;
    }

    private static Protocol ajp(Map<String, String> attributes) {
        int packet = number(attributes, "packetSize", 8192);
        return new Protocol.Ajp(attributes.getOrDefault("secret", ""), Math.max(8192, packet));
    }

    private static @Nullable Protocol http(Connector done) {
        Map<String, String> attributes = done.attributes;
        String protocol = attributes.getOrDefault("protocol", "").toLowerCase(Locale.ROOT);
        Carrier carrier =
                protocol.contains("nio")
                        ? Carrier.NIO
                        : protocol.contains("apr") ? Carrier.NATIVE : Carrier.UNSAID;
        if (!attributes.getOrDefault("SSLEnabled", "false").equalsIgnoreCase("true")) {
            return new Protocol.Http(carrier, null);
        }
        TlsConfig tls = done.tls.config(attributes, done.line);
        return tls == null ? null : new Protocol.Http(carrier, tls);
    }

    /// What the connectors say of compression, which holds for all of them here.
    private @Nullable CompressionPlan compression() {
        return compressions.isEmpty() ? null : compressions.getFirst().orElse(null);
    }

    private void compression(Connector done) {
        try {
            Optional<CompressionPlan> plan =
                    Optional.ofNullable(ConnectorCompression.of(done.attributes));
            boolean said = done.attributes.containsKey("compression");
            if (!compressions.isEmpty() && !compressions.getFirst().equals(plan)) {
                add(
                        done.line,
                        "Connector compression",
                        Verdict.CHANGED,
                        "it is the first connector that says what is compressed, for all of them");
            } else if (said) {
                add(
                        done.line,
                        "Connector compression",
                        Verdict.HONOURED,
                        plan.isEmpty() ? "nothing is compressed" : "of every host");
            }
            compressions.add(plan);
        } catch (IllegalArgumentException e) {
            add(done.line, "Connector compression", Verdict.WRONG, String.valueOf(e.getMessage()));
        }
    }

    private void paths(Connector done) {
        String what = "Connector " + ConnectorPaths.SLASH;
        try {
            PathReading reading = ConnectorPaths.of(done.attributes);
            if (!paths.isEmpty() && !paths.getFirst().equals(reading)) {
                add(
                        done.line,
                        what,
                        Verdict.CHANGED,
                        "it is the first connector that says how paths are read, for all of them");
            } else if (!reading.equals(PathReading.STRICT)) {
                add(done.line, what, Verdict.HONOURED, "of every host");
            }
            if (ConnectorPaths.splitsBackslashes(done.attributes)) {
                add(
                        done.line,
                        "Connector " + ConnectorPaths.ENCODED_BACKSLASH,
                        Verdict.CHANGED,
                        "%5C is read as a backslash is: allowBackslash says how");
            }
            paths.add(reading);
        } catch (IllegalArgumentException e) {
            add(done.line, what, Verdict.WRONG, String.valueOf(e.getMessage()));
        }
    }

    // Hosts

    private void engine(Map<String, String> attributes, int line) {
        defaultHost = attributes.getOrDefault("defaultHost", "");
        route = attributes.getOrDefault("jvmRoute", "");
        add(
                line,
                "Engine",
                Verdict.HONOURED,
                route.isEmpty() ? "honoured" : "sessions end with ." + route);
    }

    private void host(Map<String, String> attributes, int line) {
        HostParts parts =
                new HostParts(base.resolve(attributes.getOrDefault("appBase", "webapps")));
        String name = attributes.getOrDefault("name", "localhost").toLowerCase(Locale.ROOT);
        if (!name.equalsIgnoreCase(defaultHost)) {
            parts.names.add(name);
        }
        host = parts;
        add(
                line,
                "Host",
                Verdict.HONOURED,
                name.equalsIgnoreCase(defaultHost)
                        ? name + " answers to every name that no other host has"
                        : "honoured");
    }

    private void context(Map<String, String> attributes, int line) {
        String path = attributes.getOrDefault("path", "");
        String docBase = attributes.get("docBase");
        HostParts current = host;
        if (current == null || docBase == null) {
            add(
                    line,
                    "Context",
                    Verdict.NOTED,
                    "settings for all applications are not needed" + " here");
            return;
        }
        Path folder = base.resolve("webapps").resolve(docBase).normalize();
        context = new ContextParts(path.equals("/") ? "" : path, folder, new HashMap<>());
        add(line, "Context", Verdict.HONOURED, folder + " at " + (path.isEmpty() ? "/" : path));
    }

    private void parameter(Map<String, String> attributes, int line) {
        String name = attributes.get("name");
        ContextParts current = context;
        if (name == null || current == null) {
            add(line, "Parameter", Verdict.CHANGED, "is outside of a Context, and is ignored");
            return;
        }
        current.params.put(name, attributes.getOrDefault("value", ""));
        add(line, "Parameter", Verdict.HONOURED, "honoured");
    }

    private void valve(Map<String, String> attributes, int line) {
        String type = attributes.getOrDefault("className", "").replaceFirst(".*\\.", "");
        HostParts current = host;
        if (type.endsWith("AccessLogValve") && current != null) {
            accessLog(current, attributes, line);
            return;
        }
        String text =
                switch (type) {
                    case "ErrorReportValve" -> "deploy.error-details sets how much is shown";
                    case "RemoteIpValve" ->
                            "the client is the other end of the connection, or the one that AJP13"
                                    + " names";
                    case "RemoteAddrValve", "RemoteHostValve", "RemoteCIDRValve" ->
                            "addresses are not restricted: write a rule with %{REMOTE_ADDR} that"
                                    + " refuses";
                    default -> "is not supported, and is ignored";
                };
        Verdict verdict =
                type.equals("ErrorReportValve")
                        ? Verdict.NOTED
                        : type.startsWith("Remote") && !type.equals("RemoteIpValve")
                                ? Verdict.WRONG
                                : Verdict.CHANGED;
        add(line, "Valve " + type, verdict, text);
    }

    private void accessLog(HostParts current, Map<String, String> attributes, int line) {
        String folder = attributes.getOrDefault("directory", "logs");
        String prefix = attributes.getOrDefault("prefix", "access_log");
        String suffix = attributes.getOrDefault("suffix", "");
        boolean rotatable = !attributes.getOrDefault("rotatable", "true").equals("false");
        String date = rotatable ? ".%Y-%m-%d" : "";
        String pattern = attributes.getOrDefault("pattern", "common");
        try {
            Object _ = LogFormat.of(pattern);
        } catch (IllegalArgumentException e) {
            add(
                    line,
                    "Valve AccessLogValve",
                    Verdict.CHANGED,
                    e.getMessage() + ": the combined format is used");
            pattern = "combined";
        }
        current.logs.add(
                new LogPlan(base.resolve(folder).resolve(prefix + date + suffix), pattern));
        add(line, "Valve AccessLogValve", Verdict.HONOURED, "honoured");
    }

    private void realm(Map<String, String> attributes, int line) {
        String type = attributes.getOrDefault("className", "").replaceFirst(".*\\.", "");
        boolean file = Set.of("LockOutRealm", "UserDatabaseRealm", "MemoryRealm").contains(type);
        add(
                line,
                "Realm " + type,
                file ? Verdict.NOTED : Verdict.CHANGED,
                file
                        ? "deploy.users names the file of users, as in tomcat-users.xml"
                        : "declare a realm in margay.yaml: docs/reference/configuration.md");
    }

    private void resource(Map<String, String> attributes, int line) {
        String type = attributes.getOrDefault("type", "");
        boolean users = type.endsWith("UserDatabase");
        add(
                line,
                "Resource " + attributes.getOrDefault("name", ""),
                users ? Verdict.NOTED : Verdict.CHANGED,
                users
                        ? "deploy.users names the file of users, as in tomcat-users.xml"
                        : "declare it among the resources of margay.yaml:"
                                + " docs/reference/configuration.md");
    }
}
