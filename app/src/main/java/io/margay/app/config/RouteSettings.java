package io.margay.app.config;

import io.margay.gateway.access.FolderPages;
import io.margay.gateway.canary.CanaryConfig;
import io.margay.gateway.config.HedgeConfig;
import io.margay.gateway.mirror.MirrorConfig;
import io.margay.gateway.proxy.ProxyRules;
import io.margay.servlet.deploy.WebAppsFolder;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What answers a part of a host's URLs. Immutable.
public sealed interface RouteSettings {
    /// Where a route is, and of an application which of several versions it is: `/shop##2`.
    ///
    /// @param path empty for the root, otherwise `/` and a name
    /// @param version empty = none is said
    record Place(String path, String version) {
        private static final String MARK = "##";

        /// Reads `/`, `/shop`, `/shop/*`, `/shop##2`.
        ///
        /// @throws IllegalArgumentException when it is none of these
        public static Place parse(String text) {
            int mark = text.indexOf(MARK);
            if (mark < 0) {
                return new Place(ContextPath.parse(text), "");
            }
            String version = text.substring(mark + MARK.length());
            if (version.isEmpty()) {
                throw new IllegalArgumentException("a version must follow \"##\"");
            }
            return new Place(ContextPath.parse(text.substring(0, mark)), version);
        }

        @Override
        public String toString() {
            String shown = path.isEmpty() ? "/" : path;
            return version.isEmpty() ? shown : shown + MARK + version;
        }
    }

    /// The same at another place.
    RouteSettings at(Place place);

    /// Where it is: empty for the root, otherwise `/` and a name.
    default String prefix() {
        return "";
    }

    /// A web application.
    ///
    /// @param contextPath empty for the root, otherwise `/` and a name
    /// @param version of several at the path; empty = none
    /// @param app WAR file or exploded folder
    /// @param params context parameters that take the place of those in web.xml
    /// @param canary how the newest of several versions gets a part of the clients; null = it gets
    ///   all that have no session
    record App(
            String contextPath,
            String version,
            Path app,
            Map<String, String> params,
            @Nullable CanaryConfig canary)
            implements RouteSettings {
        public App {
            contextPath = ContextPath.check(contextPath);
            params = Map.copyOf(params);
        }

        @Override
        public String prefix() {
            return contextPath;
        }

        /// At a path with a version, or else with the version that the name of the file says.
        @Override
        public App at(Place place) {
            String named = WebAppsFolder.named(app).version();
            String said = place.version().isEmpty() ? named : place.version();
            return new App(place.path(), said, app, params, canary);
        }

        /// All clients without a session get the newest version.
        public App(String contextPath, String version, Path app, Map<String, String> params) {
            this(contextPath, version, app, params, null);
        }

        /// With the version that the name of the file says.
        public App(String contextPath, Path app, Map<String, String> params) {
            this(contextPath, WebAppsFolder.named(app).version(), app, params);
        }
    }

    /// Every WAR and folder of a folder, named as Tomcat names them.
    record Webapps(Path folder) implements RouteSettings {
        @Override
        public Webapps at(Place place) {
            return this;
        }
    }

    /// Static files.
    ///
    /// @param prefix empty for the root, otherwise `/` and a name
    /// @param folder what the prefix stands for
    /// @param dotFiles whether names that begin with a dot are served
    /// @param precompressed whether `NAME.br`, `NAME.zst` and `NAME.gz` are sent in place of `NAME`
    /// @param pages what is sent where a path stands for no file
    record StaticFiles(
            String prefix, Path folder, boolean dotFiles, boolean precompressed, FolderPages pages)
            implements RouteSettings {
        public StaticFiles {
            prefix = ContextPath.check(prefix);
        }

        /// Without dot files.
        public StaticFiles(String prefix, Path folder) {
            this(prefix, folder, false, true, FolderPages.DEFAULT);
        }

        @Override
        public StaticFiles at(Place place) {
            return new StaticFiles(place.path(), folder, dotFiles, precompressed, pages);
        }
    }

    /// Peers of an upstream.
    ///
    /// @param prefix empty for the root, otherwise `/` and a name
    /// @param upstream the upstream's name
    /// @param trusted whose `X-Forwarded-*` is believed: addresses and networks
    /// @param canary a new version that gets a part of the requests, or null
    /// @param mirror who gets copies of the requests, or null
    /// @param hedge when a second member is asked for a GET; null = never
    record Gateway(
            String prefix,
            String upstream,
            ProxyRules rules,
            List<String> trusted,
            @Nullable CanaryConfig canary,
            @Nullable MirrorConfig mirror,
            @Nullable HedgeConfig hedge)
            implements RouteSettings {
        public Gateway {
            prefix = ContextPath.check(prefix);
            trusted = List.copyOf(trusted);
        }

        /// Of one upstream alone.
        public Gateway(String prefix, String upstream, ProxyRules rules, List<String> trusted) {
            this(prefix, upstream, rules, trusted, null, null, null);
        }

        @Override
        public Gateway at(Place place) {
            return new Gateway(place.path(), upstream, rules, trusted, canary, mirror, hedge);
        }
    }

    /// A page that shows the upstreams, and with a token changes them.
    ///
    /// @param prefix empty for the root, otherwise `/` and a name
    /// @param token that changes need; null = nothing can be changed
    /// @param state the file that keeps what was changed; null = until the end
    /// @param allowed networks whose clients are shown it beside this machine
    record Status(
            String prefix,
            Page page,
            @Nullable String token,
            @Nullable Path state,
            List<String> allowed)
            implements RouteSettings {
        public Status {
            prefix = ContextPath.check(prefix);
            allowed = List.copyOf(allowed);
        }

        @Override
        public Status at(Place place) {
            return new Status(place.path(), page, token, state, allowed);
        }

        @Override
        public String toString() {
            return "Status[" + prefix + ", " + page.word() + "]";
        }

        /// Whose page it is like.
        public enum Page {
            /// mod_jk's status worker.
            JKSTATUS("jkstatus"),

            /// mod_status.
            SERVER_STATUS("server-status"),

            /// mod_proxy_balancer's manager.
            BALANCER_MANAGER("balancer-manager");

            private final String word;

            Page(String word) {
                this.word = word;
            }

            /// The word in the file.
            public String word() {
                return word;
            }
        }
    }
}
