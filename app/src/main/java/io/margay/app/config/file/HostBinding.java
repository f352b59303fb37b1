package io.margay.app.config.file;

import static io.margay.app.config.binding.Forms.*;

import io.margay.app.acme.AcmeKeys;
import io.margay.app.config.CatalinaHost;
import io.margay.app.config.HostPlace;
import io.margay.app.config.HostSettings;
import io.margay.app.config.RouteSettings;
import io.margay.app.config.access.AccessKeys;
import io.margay.app.config.binding.Binding;
import io.margay.app.config.binding.Keys;
import io.margay.app.config.binding.YamlText;
import io.margay.app.config.rules.ChangeKeys;
import io.margay.app.config.rules.RuleKeys;
import io.margay.app.yaml.Shape;
import io.margay.gateway.access.HostAccess;
import io.margay.servlet.deploy.WebAppsFolder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// The keys of a host. Stateless.
public final class HostBinding {
    private static final Keys<CatalinaHost> CATALINA =
            Binding.of("a host of Tomcat's", new CatalinaHost(Path.of("/"), "localhost"))
                    .form("base", folder())
                    .form("host", hostName())
                    .keys(
                            """
                            base [required]: The `CATALINA_BASE`, with `conf/server.xml`.
                            host (name): Its name in that file.
                            """);

    private static final Keys<HostSettings.Sight> SIGHT =
            Binding.of("logs of requests", HostSettings.Sight.NONE)
                    .form("further-logs", list("access logs", LogKeys.LOG, 0))
                    .keys(
                            """
                            further-logs: Further access logs of the same requests.
                            server-timing: Adds `Server-Timing` with the duration of each phase, for
                              browser tools; every client can read it.
                            """);

    /// What all hosts may say, and those with nothing but routes say alone.
    static final Binding<HostSettings> PLAIN =
            Binding.of("a host", HostSettings.any(List.of()))
                    .form(
                            "name",
                            hostName(),
                            host -> host.names().isEmpty() ? null : host.names().getFirst(),
                            (to, name) -> to.set("names", List.of(name)))
                    .form(
                            "aliases",
                            list(
                                    "names",
                                    text(
                                            "a host name, as in shop.example or *.shop.example,"
                                                    + " or *",
                                            HostBinding::alias),
                                    0),
                            host -> host.names().stream().skip(1).toList(),
                            (to, aliases) -> to.set("names", named(to.get("names"), aliases)))
                    .form(
                            "at",
                            list(
                                    "places",
                                    scalar(
                                            Shape.text(
                                                    "a place, as in 80, *:80, 10.0.0.1:80,"
                                                            + " 10.0.0.1:*",
                                                    HostPlace::parse,
                                                    Shape.NUMBER_OR_VARIABLE),
                                            at -> YamlText.quote(at.toString())),
                                    1))
                    .form("access-log", LogKeys.LOG)
                    .keys(
                            """
                            name [any host]: Its host name.
                            aliases: Further host names; `*` is every name that no other host has.
                            at [everywhere that no other host names]: Where its requests arrive:
                              PORT, ADDRESS:PORT, ADDRESS:*.
                            access-log: The access log: a line per request.
                            """);

    /// What else it says, but for rules, access and limits.
    static final Binding<HostSettings> FURTHER =
            Binding.of("a host", HostSettings.any(List.of()))
                    .part("paths.whole", PathKeys.OF_HOST)
                    .part("sight", SIGHT)
                    .part("changes", ChangeKeys.CHANGES)
                    .form("catalina", section(CATALINA))
                    .keys(
                            """
                            catalina: A host of Tomcat whose valves, realms, resources and contexts
                              apply to the applications of this one.
                            """);

    private HostBinding() {}

    static Shape.Section shape() {
        return Binding.of("a host")
                .elsewhere(PLAIN.shapes())
                .shape("rules", () -> new Shape.Items("rules", RuleKeys.rule(), 0))
                .shape(
                        "routes",
                        () ->
                                new Shape.Named(
                                        "routes by path",
                                        "PATH",
                                        Shape.text(
                                                "a path, as in /, /shop, /assets/*",
                                                RouteSettings.Place::parse),
                                        RouteKeys.shape()))
                .shape("webapps", Shape.path())
                .shape("access", () -> AccessKeys.HOST.shape())
                .keys(
                        """
                        rules [none]: Applied in order before the routes; the first that matches
                          decides.
                        routes [none]: What answers under which path; the longest path wins.
                          `/shop##2` is version 2 of an app.
                        webapps [none]: Folder whose WARs and folders are deployed, named as in
                          Tomcat: `ROOT`, `a#b` for /a/b, `a##2` for a version.
                        access [everything is allowed]: Access rules; other requests get 403.
                        """)
                .elsewhere(FURTHER.shapes())
                .shape(
                        RequestLimitKeys.KEY,
                        () -> listOrOne("limits", section(RequestLimitKeys.LIMIT), 0).shape())
                .shape(ShieldKeys.KEY, () -> ShieldKeys.SHIELD.shape())
                .keys(
                        """
                        rate-limits [no limits]: Request rate limits, checked before anything else.
                        shield [none]: Blocks clients that cost too much, or false bots, unless they
                          answer a challenge.
                        """)
                .elsewhere(EdgeKeys.EDGE.shapes())
                .shape(AcmeKeys.ACME, () -> AcmeKeys.OF_HOST.shape())
                .keys(
                        """
                        acme [none]: A certificate by ACME for the host's names, at each `https`
                          listener; `acme: {}` is enough.
                        """)
                .shape();
    }

    private static String alias(String text) {
        if (!text.equals("*") && !Shape.isHostName(text)) {
            throw new IllegalArgumentException("");
        }
        return text.toLowerCase(Locale.ROOT);
    }

    private static List<String> named(List<String> names, List<String> aliases) {
        List<String> all = new ArrayList<>(names);
        all.addAll(aliases);
        return all;
    }

    /// A host as it stands in the file.
    public static Map<String, Object> write(HostSettings host) {
        Map<String, Object> written = PLAIN.write(host, PLAIN.defaults());
        if (!host.rules().isEmpty() || host.routes().isEmpty()) {
            written.put("rules", host.rules().stream().map(RuleKeys::write).toList());
        }
        if (!host.access().equals(HostAccess.NONE)) {
            written.put("access", AccessKeys.write(host.access()));
        }
        written.putAll(FURTHER.write(host, FURTHER.defaults()));
        Map<String, Object> routes = new LinkedHashMap<>();
        for (RouteSettings route : host.routes()) {
            if (route instanceof RouteSettings.Webapps(Path folder)) {
                written.put("webapps", YamlText.quote(folder.toString()));
            } else {
                routes.put(YamlText.quote(place(route)), RouteKeys.ROUTE.write(route));
            }
        }
        if (!routes.isEmpty()) {
            written.put("routes", routes);
        }
        return written;
    }

    /// Where a route is; of an application the version only where its file does not say it.
    private static String place(RouteSettings route) {
        String version =
                route instanceof RouteSettings.App app
                                && !WebAppsFolder.named(app.app()).version().equals(app.version())
                        ? app.version()
                        : "";
        return new RouteSettings.Place(route.prefix(), version).toString();
    }
}
