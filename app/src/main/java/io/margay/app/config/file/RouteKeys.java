package io.margay.app.config.file;

import static io.margay.app.config.binding.Forms.*;

import io.margay.app.config.RouteSettings;
import io.margay.app.config.RouteSettings.App;
import io.margay.app.config.RouteSettings.Gateway;
import io.margay.app.config.RouteSettings.StaticFiles;
import io.margay.app.config.RouteSettings.Status;
import io.margay.app.config.access.AccessKeys;
import io.margay.app.config.binding.Binding;
import io.margay.app.config.binding.Choice;
import io.margay.app.config.binding.Forms;
import io.margay.app.config.binding.Keys;
import io.margay.app.config.binding.Reading;
import io.margay.app.config.binding.YamlText;
import io.margay.app.config.listener.AddressKeys;
import io.margay.app.config.members.UpstreamKeys;
import io.margay.app.config.members.UpstreamReader;
import io.margay.app.config.rules.CacheKeys;
import io.margay.app.config.rules.CanaryKeys;
import io.margay.app.config.rules.ProxyKeys;
import io.margay.app.config.rules.ResponseKeys;
import io.margay.app.config.rules.TrafficKeys;
import io.margay.app.yaml.Problem;
import io.margay.app.yaml.Settings;
import io.margay.app.yaml.Shape;
import io.margay.gateway.access.FolderPages;
import io.margay.gateway.mirror.Mirror;
import io.margay.gateway.proxy.ProxyRules;
import io.margay.gateway.status.StatusAccess;
import io.margay.server.compression.CompressionConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The keys of a route: what answers there, and what is said of it. Stateless.
public final class RouteKeys {
    private static final String SAYS = "a route";
    private static final String GATEWAY = "gateway";

    private static final Keys<FolderPages> PAGES =
            Binding.of("pages of a folder", FolderPages.DEFAULT)
                    .keys(
                            """
                            index <names, each a name>: With `files`: names that are tried for a
                              folder, in this order.
                            fallback <a path below the folder>: With `files`: the file that is sent
                              for one that is not there, as in `/index.html` of a single-page
                              application.
                            """)
                    .refusal("fallback", "");

    private static final Keys<App> APP =
            Binding.of(SAYS, new App("", "", Path.of("/"), Map.of()))
                    .form("params", named("context parameters", anyText()))
                    .form(CanaryKeys.VERSION_KEY, () -> section(CanaryKeys.VERSION))
                    .keys(
                            """
                            app [required]: WAR file or exploded folder.
                            params: With `app`: context parameters, before those of web.xml.
                            new-version (canary) [it gets all]: With `app`: which clients without a
                              session get the newest of several versions (`/shop##2`).
                            """);

    private static final Keys<StaticFiles> FILES =
            Binding.of(SAYS, new StaticFiles("", Path.of("/")))
                    .keys(
                            """
                            files (folder) [required]: Folder of static files, or a single file.
                            dot-files: With `files`: whether names that begin with a dot are served,
                              such as `.git`; `.well-known` always is.
                            precompressed: With `files`: whether `NAME.br`, `NAME.zst` and `NAME.gz`
                              are sent in place of `NAME` to clients that take them.
                            """)
                    .part("pages", PAGES);

    private static final Keys<Gateway> GATEWAYS =
            Binding.of(SAYS, new Gateway("", "-", ProxyRules.defaults(), List.of()))
                    .form(
                            GATEWAY,
                            () ->
                                    Forms.<String>scalar(UpstreamKeys.NAME_OR_URL, YamlText::quote)
                                            .as(text -> text.replaceFirst("/$", ""), name -> name))
                    .keys(
                            """
                            gateway (upstream) [required]: Name of the upstream that answers; or a
                              URL, as in `http://127.0.0.1:9000`, of its only member.
                            """)
                    .part("rules", ProxyKeys.OF_ROUTE)
                    .form("canary", () -> section(CanaryKeys.CANARY))
                    .form("mirror", () -> section(CanaryKeys.MIRROR))
                    .form("hedge", CanaryKeys.HEDGE)
                    .form("trust-forwarded", AddressKeys.networks(0))
                    .keys(
                            """
                            canary [none]: With `gateway`: a new version that gets a part of the
                              requests.
                            mirror [none]: With `gateway`: an upstream that gets copies of requests;
                              clients never get its responses.
                            hedge [never]: With `gateway`: a GET without a session is also sent to a
                              second member when the first one has not responded for that long; the
                              first response counts.
                            trust-forwarded (trusted): With `gateway`: front ends whose forwarding
                              fields are trusted; those of others are dropped.
                            """);

    private static final Keys<Status> STATUS =
            Binding.of(SAYS, new Status("", Status.Page.JKSTATUS, null, null, List.of()))
                    .form(
                            "token",
                            text(
                                            "a text of at least 8 characters",
                                            text -> String.valueOf(new StatusAccess(text).token()))
                                    .secret())
                    .form("allow", AddressKeys.networks(0))
                    .keys(
                            """
                            status (page) [required]: A page about the upstreams, as mod_jk,
                              mod_status or mod_proxy_balancer has it.
                            token [none: nothing can be changed]: With `status`: token for changes,
                              as `Authorization: Bearer TOKEN` or as password.
                            state [none: until the server ends]: With `status`: file that keeps what
                              was changed by the page.
                            allow (allowed) [this machine only]: With `status`: further networks
                              that may see the page; others get 403.
                            """);

    /// What answers, at the root of the host.
    public static final Choice<RouteSettings> ROUTE =
            Choice.<RouteSettings>of(SAYS)
                    .or("app", "an app", APP)
                    .or("files", "files", FILES)
                    .or(GATEWAY, "a gateway", GATEWAYS)
                    .or("status", "a status", STATUS);

    private RouteKeys() {}

    /// What may stand below a path.
    private static final List<String> NAMES = ROUTE.names();

    static Shape.Section shape() {
        List<Shape.Key> keys =
                Binding.of(SAYS)
                        .elsewhere(ROUTE.shapes())
                        .shape(ResponseKeys.COMPRESSION, () -> ResponseKeys.CONFIG.shape())
                        .keys(
                                """
                                compression [as the host says]: Overrides the host's compression;
                                  `codings: []` = none.
                                """)
                        .elsewhere(PathKeys.OF_ROUTE.shapes())
                        .shape("access", () -> AccessKeys.ALONE.shape())
                        .shape(
                                RequestLimitKeys.KEY,
                                () ->
                                        listOrOne("limits", section(RequestLimitKeys.OF_ROUTE), 0)
                                                .shape())
                        .shape(TrafficKeys.SIZES, () -> TrafficKeys.SIZES_OF_ROUTE.shape())
                        .shape(TrafficKeys.BANDWIDTH, () -> TrafficKeys.BANDWIDTHS_OF_ROUTE.shape())
                        .shape(CacheKeys.CACHE, () -> CacheKeys.OF_ROUTE.shape())
                        .shape(ShieldKeys.KEY, Shape.flag())
                        .keys(
                                """
                                access [as the host says]: Access rules of this path and below,
                                  replacing the host's; matching sections of the host's `access`
                                  apply after them.
                                rate-limits [no further limits]: Rate limits, in addition to the
                                  host's.
                                request-sizes [no further limits]: Size limits, in addition to the
                                  host's.
                                bandwidth [as the host says]: Limits the rate of each response.
                                cache [as the host says]: Overrides the host's cache; `{memory: 0}`
                                  = none.
                                shield [true]: `false` = exempt from the host's shield.
                                """)
                        .shapes();
        return new Shape.Section(SAYS, keys, ROUTE.names());
    }

    /// How responses of a route are compressed, where it says so.
    static Optional<CompressionConfig> compression(Settings route, Reading reading) {
        return route.section(ResponseKeys.COMPRESSION)
                .map(how -> ResponseKeys.CONFIG.read(how, CompressionConfig.defaults(), reading));
    }

    /// The route of a section; empty where there is nothing that could answer.
    ///
    /// @param gateways of the file
    static Optional<RouteSettings> read(
            RouteSettings.Place at, Settings section, UpstreamReader gateways, Reading reading) {
        if (!answers(section)) {
            return Optional.empty();
        }
        RouteSettings route = ROUTE.read(section, ROUTE.defaults(), reading).at(at);
        if (route instanceof App app && app.canary() != null && app.version().isEmpty()) {
            reading.problem(
                    section,
                    CanaryKeys.VERSION_KEY,
                    "\"new-version\" needs a version, as in /shop##2");
        }
        return route instanceof Gateway gateway
                        && !areThere(gateway.upstream(), section, gateways, reading)
                ? Optional.empty()
                : Optional.of(route);
    }

    private static boolean answers(Settings section) {
        for (String name : NAMES) {
            if (section.has(name)) {
                return true;
            }
        }
        return false;
    }

    /// Whether its upstream is there, and those that get a part of its requests.
    private static boolean areThere(
            String upstream, Settings section, UpstreamReader gateways, Reading reading) {
        boolean all = isThere(upstream, section, gateways, reading);
        for (String key : List.of(CanaryKeys.CANARY_KEY, CanaryKeys.MIRROR_KEY)) {
            Optional<Settings> part = section.section(key);
            String to = part.flatMap(one -> one.text("to")).orElse("");
            if (to.isEmpty()) {
                continue; // there is none, or that is a problem already
            }
            if (to.equals(upstream)) {
                reading.problem(part.get(), "to", "\"to\" must be another upstream");
                all = false;
            } else {
                all &= reading.hasUpstream(part.get(), "to", to);
            }
        }
        Optional<Settings> mirror =
                section.section(CanaryKeys.MIRROR_KEY)
                        .filter(one -> one.has(CanaryKeys.COMPARE_KEY));
        return mirror.isEmpty()
                ? all
                : canCompare(mirror.get(), section.has(CanaryKeys.CANARY_KEY), reading) && all;
    }

    private static boolean canCompare(Settings mirror, boolean isDivided, Reading reading) {
        if (isDivided) {
            reading.problem(
                    mirror,
                    CanaryKeys.COMPARE_KEY,
                    "with a \"canary\", clients get answers of both versions: nothing can be"
                            + " compared");
        }
        boolean safe = Mirror.SAFE.containsAll(mirror.list("methods", Object.class));
        if (!safe) {
            reading.problem(
                    mirror,
                    "methods",
                    "answers are compared to GET, HEAD and OPTIONS alone: others would be sent"
                            + " twice");
        }
        return safe && !isDivided;
    }

    private static boolean isThere(
            String upstream, Settings section, UpstreamReader gateways, Reading reading) {
        if (UpstreamKeys.isUrl(upstream)) {
            List<Problem> wrong = gateways.byUrl(upstream);
            wrong.forEach(one -> reading.problem(section, GATEWAY, one.message()));
            return wrong.isEmpty();
        }
        return reading.hasUpstream(section, GATEWAY, upstream);
    }
}
