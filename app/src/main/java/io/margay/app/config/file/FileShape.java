package io.margay.app.config.file;

import static io.margay.app.yaml.Shape.choice;
import static io.margay.app.yaml.Shape.duration;
import static io.margay.app.yaml.Shape.flag;
import static io.margay.app.yaml.Shape.optional;
import static io.margay.app.yaml.Shape.required;
import static io.margay.app.yaml.Shape.text;

import io.margay.app.acme.AcmeKeys;
import io.margay.app.config.AutoDeploySettings;
import io.margay.app.config.HostPlace;
import io.margay.app.config.JavaxMode;
import io.margay.app.config.LimitSettings;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.RouteSettings;
import io.margay.app.config.WorkerSettings;
import io.margay.app.config.file.deploy.LibraryScanKeys;
import io.margay.app.config.listener.ListenerKeys;
import io.margay.app.config.members.RegisterKeys;
import io.margay.app.config.members.UpstreamKeys;
import io.margay.app.config.rules.ChangeKeys;
import io.margay.app.config.rules.RuleKeys;
import io.margay.app.config.rules.TrafficKeys;
import io.margay.app.shared.SharedKeys;
import io.margay.app.yaml.Amounts;
import io.margay.app.yaml.Shape;
import io.margay.app.yaml.Shape.Items;
import io.margay.app.yaml.Shape.Named;
import io.margay.app.yaml.Shape.Scalar;
import io.margay.app.yaml.Shape.Section;
import io.margay.gateway.config.PeerLimits;
import io.margay.gateway.login.LoginLimits;
import io.margay.protocol.http1.Http1Limits;
import io.margay.protocol.http2.Http2Limits;
import io.margay.server.config.HttpLimits;
import io.margay.server.config.MemoryLimits;
import io.margay.server.dispatch.WorkerLimits;
import io.margay.servlet.deploy.WarLimits;
import io.margay.servlet.jsp.JspSettings;
import io.margay.servlet.realm.LockOutLimits;
import io.margay.servlet.settings.ServletLimits;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// The keys of `margay.yaml`: what the reader takes, the schema says and the reference lists.
public final class FileShape {
    static final RecordKeys<Http1Limits> HTTP1 =
            new RecordKeys<>(
                    "the limits of HTTP/1 messages", Http1Limits.defaults(), LimitMeanings.HTTP1);
    static final RecordKeys<Http2Limits> HTTP2 =
            new RecordKeys<>("the limits of HTTP/2", Http2Limits.defaults(), LimitMeanings.HTTP2);
    static final RecordKeys<HttpLimits> CONNECTION =
            new RecordKeys<>(
                    "the limits of connections", HttpLimits.defaults(), LimitMeanings.CONNECTION);
    static final RecordKeys<ServletLimits> SERVLET =
            new RecordKeys<>(
                    "the limits of the container", ServletLimits.defaults(), LimitMeanings.SERVLET);
    static final RecordKeys<MemoryLimits> MEMORY =
            new RecordKeys<>("the limits of memory", MemoryLimits.defaults(), LimitMeanings.MEMORY);
    static final RecordKeys<PeerLimits> PEERS =
            new RecordKeys<>("the limits of peers", PeerLimits.defaults(), LimitMeanings.PEERS);
    static final RecordKeys<Http1Limits> PEER_RESPONSES =
            new RecordKeys<>(
                    "the limits of responses of peers",
                    PeerLimits.defaults().responses(),
                    LimitMeanings.PEER_RESPONSES);
    static final RecordKeys<LoginLimits> LOGIN =
            new RecordKeys<>("the limits of logins", LoginLimits.defaults(), LimitMeanings.LOGIN);
    static final RecordKeys<WorkerLimits> WORKERS =
            new RecordKeys<>("the workers", WorkerLimits.defaults(), LimitMeanings.WORKERS);

    static final RecordKeys<LockOutLimits> LOCK_OUT =
            new RecordKeys<>("the lock-out", LockOutLimits.defaults(), LimitMeanings.LOCK_OUT);
    static final RecordKeys<WarLimits> WAR =
            new RecordKeys<>("the limits of a WAR", WarLimits.defaults(), LimitMeanings.WAR);
    static final RecordKeys<JspSettings> PAGES =
            new RecordKeys<>("the JSP pages", JspSettings.defaults(), LimitMeanings.PAGES);

    private static final Scalar PLACE =
            new Scalar(
                    "a place, as in 80, *:80, 10.0.0.1:80, 10.0.0.1:*",
                    Map.of("type", Shape.NUMBER_OR_VARIABLE),
                    List.of(),
                    HostPlace::parse);
    private static final Scalar PATTERN =
            text("a path, as in /, /shop, /assets/*", RouteSettings.Place::parse);

    private FileShape() {}

    /// The whole file.
    public static Section root() {
        List<Shape.Key> keys = new ArrayList<>(serverKeys());
        keys.add(AcmeKeys.ofFile());
        keys.add(SharedKeys.ofFile());
        keys.addAll(AdminKeys.all());
        return new Section("the file", keys, List.of());
    }

    private static List<Shape.Key> serverKeys() {
        return List.of(
                optional(
                        "listeners",
                        new Items("listeners", ListenerKeys.LISTENER.shape(), 1),
                        "one, `http: 127.0.0.1:8080`",
                        "Where the server listens."),
                required("hosts", new Items("hosts", host(), 1), "What it serves."),
                optional(
                        "sessions",
                        SessionKeys.SESSIONS.shape(),
                        "in memory",
                        "Where sessions are kept."),
                optional(
                        "workers", workers(), "loops and a pool of threads", "Where servlets run."),
                optional("limits", limits(), "as listed", "Limits on what clients may do."),
                optional("deploy", deploy(), "as listed", "How applications are deployed."),
                optional(
                        "resources",
                        ResourceKeys.shape(),
                        "none",
                        "Data sources that applications share, by the name under which"
                                + " they ask for it, as in `jdbc/shop`."),
                optional(
                        "work",
                        Shape.path(),
                        "`work/PORT`, of the first listener",
                        "Folder for unpacked archives, compiled pages and kept sessions."),
                optional(
                        "drain",
                        duration(),
                        Amounts.write(MargayConfig.DRAIN_DEFAULT),
                        "Drain time: how long requests in flight may take when the"
                                + " server stops."),
                optional(
                        "drain-delay",
                        duration(),
                        "0s",
                        "How long new connections are still taken after the server has"
                                + " been told to stop and `/health` answers 503: until load"
                                + " balancers have noticed."),
                optional(
                        "register",
                        RegisterKeys.shape(),
                        "none",
                        "Gateways with which this server registers itself as a member, for as long"
                                + " as it takes requests."),
                optional(
                        "upstreams",
                        new Named(
                                "upstreams by name",
                                "NAME",
                                UpstreamKeys.NAME,
                                UpstreamKeys.UPSTREAM.shape()),
                        "none",
                        "Groups of servers that routes pass requests on to."));
    }

    private static Section host() {
        List<Shape.Key> keys = new ArrayList<>(hostKeys());
        keys.add(AccessShape.key());
        keys.addAll(ChangeKeys.CHANGES.shapes());
        keys.addAll(PathKeys.ofHost());
        keys.addAll(RequestLimitKeys.ofHost());
        keys.add(ShieldKeys.ofHost());
        keys.addAll(EdgeKeys.ofHost());
        keys.add(AcmeKeys.ofHost());
        return new Section("a host", keys, List.of());
    }

    private static List<Shape.Key> hostKeys() {
        return List.of(
                optional("name", Shape.hostName(), "any host", "Its host name."),
                optional(
                        "aliases",
                        new Items("names", hostAlias(), 0),
                        "none",
                        "Further host names; `*` is every name that no other host has."),
                optional(
                        "at",
                        new Items("places", PLACE, 1),
                        "everywhere that no other host names",
                        "Where its requests arrive: PORT, ADDRESS:PORT, ADDRESS:*."),
                optional(
                        "access-log",
                        LogKeys.LOG.shape(),
                        "none",
                        "The access log: a line per request."),
                optional(
                        "further-logs",
                        new Items("access logs", LogKeys.LOG.shape(), 0),
                        "none",
                        "Further access logs of the same requests."),
                optional(
                        "rules",
                        new Items("rules", RuleKeys.rule(), 0),
                        "none",
                        "Asked in order before the routes: the first that takes a request"
                                + " decides."),
                optional(
                        "routes",
                        new Named("routes by path", "PATH", PATTERN, route()),
                        "none",
                        "What answers under which path; the longest path wins."
                                + " `/shop##2` is version 2 of an app."),
                optional(
                        "webapps",
                        Shape.path(),
                        "none",
                        "Folder of which every WAR and folder is deployed, named as in"
                                + " Tomcat: `ROOT`, `a#b` for /a/b, `a##2` for a"
                                + " version."),
                optional(
                        "catalina",
                        catalina(),
                        "none",
                        "A host of Tomcat's: what its files say of valves, realms, resources"
                                + " and contexts holds for the applications of this one."));
    }

    private static Section catalina() {
        return new Section(
                "a host of Tomcat's",
                List.of(
                        required(
                                "base",
                                Shape.path(),
                                "The `CATALINA_BASE`, with `conf/server.xml`."),
                        optional("host", Shape.hostName(), "localhost", "Its name in that file.")),
                List.of());
    }

    private static Scalar hostAlias() {
        return text(
                "a host name, as in shop.example or *.shop.example, or *",
                text -> {
                    if (!text.equals("*") && !Shape.isHostName(text)) {
                        throw new IllegalArgumentException("");
                    }
                    return text.toLowerCase(Locale.ROOT);
                });
    }

    private static Section route() {
        List<Shape.Key> keys = new ArrayList<>();
        keys.addAll(
                List.of(
                        optional("app", Shape.path(), "", "WAR file or exploded folder."),
                        optional(
                                "files",
                                Shape.path(),
                                "",
                                "Folder of static files, or a single file."),
                        optional(
                                "dot-files",
                                flag(),
                                "false",
                                "With `files`: whether names that begin with a dot are served, such"
                                        + " as `.git`; `.well-known` always is."),
                        optional(
                                "index",
                                new Items("names", text("a name"), 0),
                                "[index.html]",
                                "With `files`: names that are tried for a folder, in this order."),
                        optional(
                                "fallback",
                                text("a path below the folder"),
                                "none",
                                "With `files`: the file that is sent for one that is not there, as"
                                        + " in `/index.html` of a single-page application."),
                        optional(
                                "params",
                                new Named(
                                        "context parameters",
                                        "NAME",
                                        text("a name"),
                                        Shape.anyText()),
                                "none",
                                "With `app`: context parameters, before those of web.xml.")));
        keys.addAll(RouteKeys.ofGateway());
        keys.addAll(StatusShape.routeKeys());
        keys.add(RouteKeys.compression());
        keys.addAll(PathKeys.ofRoute());
        keys.add(AccessShape.ofRoute());
        keys.addAll(RequestLimitKeys.ofRoute());
        keys.addAll(TrafficKeys.ofRoute());
        keys.add(ShieldKeys.ofRoute());
        return new Section("a route", keys, List.of("app", "files", "gateway", "status"));
    }

    private static Section workers() {
        List<Shape.Key> keys = new ArrayList<>();
        keys.add(
                optional(
                        "dispatch",
                        choice(List.of("inline", "pool", "virtual")),
                        "inline",
                        "Which thread runs a servlet. inline: the connection's loop, where the"
                                + " servlet is quick and requests come often, else the pool; pool:"
                                + " platform threads; virtual: a virtual thread per request."));
        keys.addAll(WORKERS.shape().keys());
        return new Section(WORKERS.says(), keys, List.of());
    }

    private static Section limits() {
        return new Section(
                "the limits",
                List.of(
                        optional("http1", HTTP1.shape(), "as listed", "Limits of HTTP/1 messages."),
                        optional(
                                "http2",
                                HTTP2.shape(),
                                "as listed",
                                "Limits of HTTP/2 streams and frames."),
                        optional(
                                "connection",
                                CONNECTION.shape(),
                                "as listed",
                                "Limits and timeouts of connections."),
                        optional(
                                "servlet",
                                SERVLET.shape(),
                                "as listed",
                                "Limits of the servlet container."),
                        optional(
                                "memory",
                                MEMORY.shape(),
                                "as listed",
                                "Limits of the memory that clients can make the server hold;"
                                        + " read at start only."),
                        optional(
                                "peers",
                                PEERS.shape(),
                                "as listed",
                                "Limits of what the gateway exchanges with its peers."),
                        optional(
                                "peer-responses",
                                PEER_RESPONSES.shape(),
                                "as listed",
                                "Limits of the responses of peers that speak HTTP/1.1."),
                        optional(
                                "login",
                                LOGIN.shape(),
                                "as listed",
                                "Limits of what clients that log in to hosts may cost."),
                        optional(
                                "war",
                                WAR.shape(),
                                "as listed",
                                "Limits of a WAR and of what it unpacks to.")),
                List.of());
    }

    private static Section deploy() {
        return new Section(
                "the deployment",
                List.of(
                        optional(
                                "error-details",
                                flag(),
                                "false",
                                "Whether the default error page shows the exception."),
                        optional(
                                "trace",
                                flag(),
                                "false",
                                "Whether TRACE is passed to applications, and by routes to"
                                        + " members; otherwise it is answered with 405."),
                        optional("pages", PAGES.shape(), "as listed", "How JSP pages are run."),
                        optional(
                                "libraries",
                                Shape.path(),
                                "none",
                                "Folder of JARs that all applications see behind their own, such"
                                        + " as the drivers of databases."),
                        LibraryScanKeys.KEY,
                        optional(
                                "users",
                                Shape.path(),
                                "nobody can log in",
                                "File of the users of all applications, as `tomcat-users.xml`;"
                                        + " a password is in clear or"
                                        + " `{PBKDF2}iterations$salt$hash`."),
                        optional(
                                "realms",
                                RealmKeys.shape(),
                                "none",
                                "Further sources of users, asked in order after `users`."),
                        optional(
                                "lock-out",
                                LOCK_OUT.shape(),
                                "as listed",
                                "Lock-out: when a name is refused for a while after wrong"
                                        + " passwords."),
                        optional(
                                "sign-on",
                                RealmKeys.SIGN_ON,
                                "log-ins are known to one application alone",
                                RealmKeys.SIGN_ON_MEANS),
                        optional(
                                "auto-deploy",
                                duration(),
                                Amounts.write(AutoDeploySettings.EVERY_DEFAULT),
                                "How often the applications' files are looked at: a changed WAR or"
                                        + " `WEB-INF/web.xml` is deployed anew, and in a `webapps`"
                                        + " folder a new one is deployed and a removed one"
                                        + " undeployed; 0s = never."),
                        optional(
                                "undeploy-old-versions",
                                flag(),
                                "false",
                                "Whether a version (`name##version`) that is not the newest is"
                                        + " undeployed, and deleted from its folder, when its last"
                                        + " session has ended."),
                        optional(
                                "javax",
                                choice(JavaxMode.words()),
                                "auto",
                                "What is done with applications for Tomcat 9 and before, which use"
                                        + " javax.servlet: auto = they are converted when they are"
                                        + " deployed, off = they are refused.")),
                List.of());
    }

    /// The sections of `limits` with what is not as it is by default, each by its name.
    ///
    /// @param gateway whether there are upstreams, for which some defaults are others
    public static Map<String, Map<String, String>> changed(LimitSettings limits, boolean gateway) {
        LimitSettings own = LimitSettings.defaults();
        LimitSettings byDefault = gateway ? own.forGateway() : own;
        Map<String, Map<String, String>> sections = new LinkedHashMap<>();
        sections.put("http1", HTTP1.changed(limits.http().http1(), byDefault.http().http1()));
        sections.put("http2", HTTP2.changed(limits.http().http2(), byDefault.http().http2()));
        sections.put("connection", CONNECTION.changed(limits.http(), byDefault.http()));
        sections.put("servlet", SERVLET.changed(limits.servlet(), byDefault.servlet()));
        sections.put("peers", PEERS.changed(limits.peers(), byDefault.peers()));
        sections.values().removeIf(Map::isEmpty);
        return sections;
    }

    /// The keys of `workers` with what is not as it is by default.
    public static Map<String, String> changed(WorkerSettings workers) {
        WorkerSettings byDefault = WorkerSettings.defaults();
        Map<String, String> keys = new LinkedHashMap<>();
        if (workers.dispatch() != byDefault.dispatch()) {
            keys.put("dispatch", workers.dispatch().name().toLowerCase(Locale.ROOT));
        }
        keys.putAll(WORKERS.changed(workers.limits(), byDefault.limits()));
        return keys;
    }
}
