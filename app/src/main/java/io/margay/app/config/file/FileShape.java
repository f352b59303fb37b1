package io.margay.app.config.file;

import static io.margay.app.yaml.Shape.duration;
import static io.margay.app.yaml.Shape.flag;
import static io.margay.app.yaml.Shape.optional;
import static io.margay.app.yaml.Shape.required;
import static io.margay.app.yaml.Shape.text;

import io.margay.app.acme.AcmeKeys;
import io.margay.app.config.HostPlace;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.RouteSettings;
import io.margay.app.config.access.AccessKeys;
import io.margay.app.config.file.deploy.DeployKeys;
import io.margay.app.config.listener.ListenerKeys;
import io.margay.app.config.members.RegisterKeys;
import io.margay.app.config.members.UpstreamKeys;
import io.margay.app.config.rules.CacheKeys;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// The keys of `margay.yaml`: what the reader takes, the schema says and the reference lists.
public final class FileShape {
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
                        "workers",
                        LimitKeys.WORKERS.shape(),
                        "loops and a pool of threads",
                        "Where servlets run."),
                optional(
                        "limits",
                        LimitKeys.LIMITS.shape(),
                        "as listed",
                        "Limits on what clients may do."),
                optional(
                        "deploy",
                        DeployKeys.DEPLOY.shape(),
                        "as listed",
                        "How applications are deployed."),
                optional(
                        "resources",
                        ResourceKeys.SOURCES.shape(),
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
        keys.add(AccessKeys.ofHost());
        keys.addAll(ChangeKeys.CHANGES.shapes());
        keys.addAll(PathKeys.ofHost());
        keys.add(RequestLimitKeys.ofHost());
        keys.add(ShieldKeys.ofHost());
        keys.addAll(EdgeKeys.EDGE.shapes());
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
        keys.add(AccessKeys.ofRoute());
        keys.add(RequestLimitKeys.ofRoute());
        keys.addAll(TrafficKeys.ofRoute());
        keys.add(CacheKeys.ofRoute());
        keys.add(ShieldKeys.ofRoute());
        return new Section("a route", keys, List.of("app", "files", "gateway", "status"));
    }
}
