package io.margay.compat.tomcat.server;

import io.margay.compat.account.AccountLine.Verdict;
import io.margay.compat.tomcat.server.TomcatPlan.Carrier;
import io.margay.compat.tomcat.server.TomcatPlan.CompressionPlan;
import io.margay.compat.tomcat.server.TomcatPlan.ConnectorPlan;
import io.margay.compat.tomcat.server.TomcatPlan.NumbersPlan;
import io.margay.compat.tomcat.server.TomcatPlan.Protocol;
import io.margay.protocol.http.PathReading;
import io.margay.server.config.PublicAddress;
import io.margay.server.regex.BoundedPattern;
import io.margay.servlet.xml.XmlElement;
import io.margay.transport.TlsConfig;
import io.margay.transport.unix.SocketAccess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/// Reads the connectors and executors of `server.xml`. What is a setting of the whole server here
/// is that of the first connector that says it. Confined to one reading.
final class ConnectorReader {
    private static final String KEEP_ALIVE = "keepAliveTimeout";

    /// Attributes that are numbers of the whole server, and whether `-1` takes the bound away.
    private static final Map<String, Boolean> NUMBERS =
            Map.ofEntries(
                    Map.entry("connectionTimeout", false),
                    Map.entry(KEEP_ALIVE, false),
                    Map.entry("asyncTimeout", false),
                    Map.entry("maxHttpHeaderSize", false),
                    Map.entry("maxHttpRequestHeaderSize", false),
                    Map.entry("maxHeaderCount", true),
                    Map.entry("maxTrailerSize", true),
                    Map.entry("maxExtensionSize", true),
                    Map.entry("maxKeepAliveRequests", true),
                    Map.entry("maxSwallowSize", true),
                    Map.entry("maxPostSize", true),
                    Map.entry("maxParameterCount", true),
                    Map.entry("maxPartCount", true),
                    Map.entry("maxPartHeaderSize", false),
                    Map.entry("maxThreads", false),
                    Map.entry("minSpareThreads", false),
                    Map.entry("maxQueueSize", true),
                    Map.entry("threadsMaxIdleTime", false));

    private static final String VIRTUAL = "org.apache.catalina.core.StandardVirtualThreadExecutor";

    private static final String SOCKET = "unixDomainSocketPath";

    private static final String EVERYBODY = "rw-rw-rw-";

    private static final String REDIRECT_PORT = "redirectPort";

    private final Path base;
    private final boolean whole;
    private final int portOffset;
    private final ElementAccount account;
    private final List<ConnectorPlan> connectors = new ArrayList<>();
    private final List<Optional<CompressionPlan>> compressions = new ArrayList<>();
    private final List<PathReading> paths = new ArrayList<>();
    private final Map<String, Integer> numbers = new HashMap<>();
    private final Map<String, XmlElement> executors = new HashMap<>();
    private @Nullable Boolean virtual;
    private boolean trace;

    /// @param whole whether the files that are named are read, too
    ConnectorReader(Path base, boolean whole, int portOffset, ElementAccount account) {
        this.base = base;
        this.whole = whole;
        this.portOffset = portOffset;
        this.account = account;
    }

    /// Reads those of a service; returns where they listen.
    ///
    /// @param only whether there is no other service
    List<String> service(XmlElement service, boolean only) {
        executors.clear();
        for (XmlElement executor : service.all("Executor")) {
            executors.put(executor.attributes().getOrDefault("name", ""), executor);
        }
        List<String> places = new ArrayList<>();
        for (XmlElement element : service.all("Connector")) {
            ConnectorPlan plan = connector(element);
            redirectPort(element, service);
            if (plan != null && plan.socket() != null && !only) {
                account.tell(
                        element,
                        SOCKET,
                        Verdict.WRONG,
                        "the hosts of several services are distinguished by ports; give it one");
            } else if (plan != null) {
                connectors.add(plan);
                places.add(place(plan));
            }
        }
        return places;
    }

    /// Applications redirect to one port, whichever connector a request came by.
    private void redirectPort(XmlElement element, XmlElement service) {
        String port = element.attributes().getOrDefault(REDIRECT_PORT, "443");
        int used = redirectPortOf(service);
        if (!isTrue(element, "SSLEnabled") && !port.equals(String.valueOf(used))) {
            account.tell(
                    element,
                    REDIRECT_PORT,
                    Verdict.CHANGED,
                    "is " + used + ", as the first connector says that has it");
        }
    }

    /// Where requests are sent that need HTTPS, of the first connector that says it.
    static int redirectPortOf(XmlElement service) {
        for (XmlElement connector : service.all("Connector")) {
            String port = connector.attributes().getOrDefault(REDIRECT_PORT, "");
            if (port.matches("[1-9][0-9]{0,4}")) {
                return Integer.parseInt(port);
            }
        }
        return 443; // Tomcat's, where no connector says it.
    }

    List<ConnectorPlan> connectors() {
        return connectors;
    }

    /// What the connectors say of compression, which holds for all of them here.
    @Nullable CompressionPlan compression() {
        return compressions.isEmpty() ? null : compressions.getFirst().orElse(null);
    }

    /// How paths are read, which holds for all connectors here.
    PathReading paths() {
        return paths.isEmpty() ? PathReading.STRICT : paths.getFirst();
    }

    NumbersPlan numbers() {
        return new NumbersPlan(numbers, Boolean.TRUE.equals(virtual), trace);
    }

    private static String place(ConnectorPlan plan) {
        return plan.socket() == null
                ? place(plan.host(), plan.port())
                : String.valueOf(plan.socket());
    }

    private static String place(String host, int port) {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }

    private @Nullable ConnectorPlan connector(XmlElement element) {
        Map<String, String> attributes = element.attributes();
        String socket = attributes.get(SOCKET);
        String port = socket == null ? attributes.getOrDefault("port", "8080") : "0";
        String protocol = attributes.getOrDefault("protocol", "HTTP/1.1");
        if (port.equals("-1")) {
            account.tell(element, Verdict.NOTED, "is switched off by port=\"-1\"");
            return null;
        }
        if (!port.matches("[0-9]{1,5}") || Integer.parseInt(port) + portOffset > 65_535) {
            account.tell(element, "port", Verdict.WRONG, "\"" + port + "\" is not a port");
            return null;
        }
        boolean ajp = protocol.toLowerCase(Locale.ROOT).contains("ajp");
        String address = attributes.getOrDefault("address", ajp ? "127.0.0.1" : "*");
        String host = address.equals("0.0.0.0") || address.equals("::") ? "*" : address;
        Protocol spoken = ajp ? ajp(element) : http(element);
        if (spoken == null) {
            return null;
        }
        PublicAddress used = ConnectorAddress.read(element, isTls(spoken), account);
        int number = Integer.parseInt(port) == 0 ? 0 : Integer.parseInt(port) + portOffset;
        if (!ajp) {
            compression(element);
            paths(element);
        }
        numbers(element, ajp);
        ConnectorPlan plan =
                TomcatPlanConnectorPlanBuilder.builder()
                        .host(host)
                        .port(number)
                        .protocol(spoken)
                        .backlog(number(element, "acceptCount"))
                        .connectionsMax(Math.max(0, number(element, "maxConnections")))
                        .characters(
                                ajp
                                        ? ConnectorPaths.AJP
                                        : ConnectorPaths.characters(element.attributes()))
                        .address(used)
                        .socket(socket == null ? null : base.resolve(socket).normalize())
                        .access(socket == null ? SocketAccess.defaults() : access(element))
                        .build();
        account.tell(element, Verdict.HONOURED, "a listener at " + place(plan));
        return plan;
    }

    /// Tomcat lets everybody of the machine connect, unless told otherwise.
    private SocketAccess access(XmlElement element) {
        String text = element.attributes().getOrDefault(SOCKET + "Permissions", EVERYBODY);
        try {
            return new SocketAccess(SocketAccess.permissions(text), null, null);
        } catch (IllegalArgumentException e) {
            account.tell(
                    element,
                    SOCKET + "Permissions",
                    Verdict.WRONG,
                    "\"" + text + "\" is not like " + EVERYBODY);
            return SocketAccess.defaults();
        }
    }

    private int number(XmlElement element, String name) {
        String text = element.attributes().get(name);
        if (text == null || text.matches("[1-9][0-9]{0,6}")) {
            return text == null ? 0 : Integer.parseInt(text);
        }
        boolean unbounded = text.equals("-1");
        account.tell(
                element,
                name,
                unbounded ? Verdict.CHANGED : Verdict.WRONG,
                unbounded ? "there is a bound" : "\"" + text + "\" is not a number");
        return 0;
    }

    private @Nullable Protocol ajp(XmlElement element) {
        Map<String, String> attributes = element.attributes();
        String secret =
                attributes.getOrDefault("secret", attributes.getOrDefault("requiredSecret", ""));
        boolean required =
                !attributes.getOrDefault("secretRequired", "true").equalsIgnoreCase("false");
        if (required && secret.isEmpty()) {
            account.tell(
                    element,
                    Verdict.WRONG,
                    "an AJP connector needs a secret, or secretRequired=\"false\"; Tomcat does not"
                            + " start it either");
            return null;
        }
        if (!StandardCharsets.ISO_8859_1.newEncoder().canEncode(secret)) {
            account.tell(element, "secret", Verdict.WRONG, "it has characters beyond ISO 8859-1");
            return null;
        }
        String names = attributes.get("allowedRequestAttributesPattern");
        try {
            Object _ = names == null ? null : BoundedPattern.of(names, false);
        } catch (PatternSyntaxException e) {
            account.tell(
                    element,
                    "allowedRequestAttributesPattern",
                    Verdict.WRONG,
                    "is not an expression: " + e.getDescription());
            return null;
        }
        // Unless said otherwise Tomcat does not believe the front end's user.
        boolean user =
                attributes.getOrDefault("tomcatAuthentication", "true").equalsIgnoreCase("false");
        int packet = Math.clamp(number(element, "packetSize"), 8192, 65_536); // As Tomcat.
        return new Protocol.Ajp(secret, packet, user, names, idle(element));
    }

    /// How long a connection of a front end may idle; null = as long as it may here.
    private static @Nullable Duration idle(XmlElement element) {
        Map<String, String> attributes = element.attributes();
        String text = attributes.getOrDefault(KEEP_ALIVE, attributes.get("connectionTimeout"));
        return text != null && text.matches("[1-9][0-9]{0,9}")
                ? Duration.ofMillis(Long.parseLong(text))
                : null;
    }

    private @Nullable Protocol http(XmlElement element) {
        Map<String, String> attributes = element.attributes();
        String protocol = attributes.getOrDefault("protocol", "").toLowerCase(Locale.ROOT);
        Carrier carrier =
                protocol.contains("nio")
                        ? Carrier.NIO
                        : protocol.contains("apr") ? Carrier.NATIVE : Carrier.UNSAID;
        if (!isTrue(element, "SSLEnabled")) {
            return new Protocol.Http(carrier, null);
        }
        ConnectorTls reading = new ConnectorTls(base, whole, account);
        TlsConfig tls = reading.config(element);
        return tls == null ? null : new Protocol.Http(carrier, tls);
    }

    private static boolean isTls(Protocol protocol) {
        return protocol instanceof Protocol.Http http && http.tls() != null;
    }

    private static boolean isTrue(XmlElement element, String attribute) {
        return element.attributes().getOrDefault(attribute, "false").equalsIgnoreCase("true");
    }

    private void compression(XmlElement element) {
        try {
            Optional<CompressionPlan> plan =
                    Optional.ofNullable(ConnectorCompression.of(element.attributes()));
            boolean said = element.attributes().containsKey("compression");
            if (!compressions.isEmpty() && !compressions.getFirst().equals(plan)) {
                account.tell(
                        element,
                        "compression",
                        Verdict.CHANGED,
                        "it is the first connector that says what is compressed, for all of them");
            } else if (said) {
                account.tell(
                        element,
                        "compression",
                        Verdict.HONOURED,
                        plan.isEmpty() ? "nothing is compressed" : "of every host");
            }
            compressions.add(plan);
        } catch (IllegalArgumentException e) {
            account.tell(element, "compression", Verdict.WRONG, String.valueOf(e.getMessage()));
        }
    }

    private void paths(XmlElement element) {
        Map<String, String> attributes = element.attributes();
        try {
            PathReading reading = ConnectorPaths.of(attributes);
            boolean other = !paths.isEmpty() && !paths.getFirst().equals(reading);
            for (String name : List.of(ConnectorPaths.SLASH, ConnectorPaths.BACKSLASH)) {
                if (other || attributes.containsKey(name)) {
                    account.tell(
                            element,
                            name,
                            other ? Verdict.CHANGED : Verdict.HONOURED,
                            other
                                    ? "it is the first connector that says how paths are read, for"
                                            + " all of them"
                                    : "of every host");
                }
            }
            if (ConnectorPaths.splitsBackslashes(attributes)) {
                account.tell(
                        element,
                        ConnectorPaths.ENCODED_BACKSLASH,
                        Verdict.CHANGED,
                        "%5C is read as a backslash is: allowBackslash says how");
            }
            paths.add(reading);
        } catch (IllegalArgumentException e) {
            account.tell(
                    element, ConnectorPaths.SLASH, Verdict.WRONG, String.valueOf(e.getMessage()));
        }
    }

    // Numbers of the whole server

    private void numbers(XmlElement element, boolean ajp) {
        String named = element.attributes().get("executor");
        XmlElement executor = named == null ? null : executors.get(named);
        if (named != null && executor == null) {
            account.tell(element, "executor", Verdict.CHANGED, "there is no Executor of that name");
        }
        if (executor != null) {
            take(executor, "maxThreads", "maxThreads");
            take(executor, "minSpareThreads", "minSpareThreads");
            take(executor, "maxQueueSize", "maxQueueSize");
            take(executor, "maxIdleTime", "threadsMaxIdleTime");
        }
        for (String name : NUMBERS.keySet()) {
            boolean ofThreads = name.endsWith("Threads") || name.equals("maxQueueSize");
            if (executor != null && ofThreads && element.attributes().containsKey(name)) {
                account.tell(element, name, Verdict.NOTED, "those of the executor count");
            } else if (ajp && name.equals(KEEP_ALIVE) && idle(element) != null) {
                if (element.attributes().containsKey(name)) {
                    account.tell(element, name, Verdict.HONOURED, "of this listener");
                }
            } else {
                take(element, name, name);
            }
        }
        boolean wanted =
                isTrue(element, "useVirtualThreads")
                        || (executor != null
                                && VIRTUAL.equals(executor.attributes().get("className")));
        if (virtual == null) {
            virtual = wanted;
        } else if (virtual != wanted) {
            account.tell(
                    element,
                    "useVirtualThreads",
                    Verdict.CHANGED,
                    "it is the first connector that says on which threads requests run");
        }
        trace |= isTrue(element, "allowTrace");
    }

    /// Whether the number means here what it means to the base's Tomcat, though not to others: how
    /// many parameters count, of those that came.
    private boolean isAsBefore11(String name) {
        try {
            return name.equals("maxParameterCount") && CommonWebXml.isBefore11(base);
        } catch (IOException e) {
            return false; // Reading the file tells.
        }
    }

    /// Takes a number, unless a connector before has said another.
    private void take(XmlElement element, String attribute, String name) {
        String text = element.attributes().get(attribute);
        if (text == null) {
            return;
        }
        Integer value = null;
        if (text.matches("[1-9][0-9]{0,9}")) {
            value = (int) Math.min(Integer.MAX_VALUE, Long.parseLong(text));
        } else if (text.matches("-[0-9]+|0") && Boolean.TRUE.equals(NUMBERS.get(name))) {
            value = Integer.MAX_VALUE;
        }
        if (value == null) {
            account.tell(
                    element,
                    attribute,
                    text.matches("-?[0-9]+") ? Verdict.CHANGED : Verdict.WRONG,
                    text.matches("-?[0-9]+")
                            ? "what is without bound there has the bound of limits here"
                            : "\"" + text + "\" is not a number");
            return;
        }
        Integer before = numbers.putIfAbsent(name, value);
        if (before == null || before.equals(value)) {
            AttributeVerdicts.Entry entry = account.entry(element, attribute);
            boolean honoured = entry.verdict() == Verdict.HONOURED || isAsBefore11(name);
            account.tell(
                    element,
                    attribute,
                    honoured ? Verdict.HONOURED : entry.verdict(),
                    honoured ? "of the whole server" : entry.text());
        } else {
            account.tell(
                    element,
                    attribute,
                    Verdict.CHANGED,
                    "is " + before + ", as the first connector says that has it");
        }
    }
}
