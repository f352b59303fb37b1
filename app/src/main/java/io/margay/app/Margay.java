package io.margay.app;

import io.margay.app.config.AccessLogSettings;
import io.margay.app.config.AdminSettings;
import io.margay.app.config.AjpSettings;
import io.margay.app.config.AutoDeploySettings;
import io.margay.app.config.ContextPath;
import io.margay.app.config.DeployOptions;
import io.margay.app.config.Endpoint;
import io.margay.app.config.HostSettings;
import io.margay.app.config.LimitSettings;
import io.margay.app.config.ListenerSettings;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.RouteSettings;
import io.margay.app.config.SessionSettings;
import io.margay.app.config.StartException;
import io.margay.app.config.TransportChoice;
import io.margay.app.config.WorkerSettings;
import io.margay.app.deploy.DeployProgress;
import io.margay.app.upgrade.Inheritance;
import io.margay.server.config.AjpConfig;
import io.margay.servlet.naming.DataSourceSettings;
import io.margay.transport.FatalHandler;
import io.margay.transport.TlsConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Embeds a server in a program:
///
/// ```java
/// var server = Margay.builder().http(8080).app("/", Path.of("shop.war")).start();
/// ```
public final class Margay {
    private Margay() {}

    /// A server with nothing to serve and, unless some are named, one listener at 127.0.0.1:8080.
    public static Builder builder() {
        return new Builder();
    }

    /// Collects what a server is to do. Used by one thread.
    public static final class Builder {
        private final List<ListenerSettings> listeners = new ArrayList<>();
        private final List<RouteSettings> routes = new ArrayList<>();
        private TransportChoice transport = TransportChoice.AUTO;
        private @Nullable AccessLogSettings accessLog;
        private FatalHandler onFatal = _ -> {};
        private MargayConfig base =
                MargayConfig.defaults()
                        .withDeploy(DeployOptions.defaults().withAuto(AutoDeploySettings.none()));

        private Builder() {}

        /// Listens for HTTP at a port of 127.0.0.1; 0 lets the system choose one.
        public Builder http(int port) {
            return http(new Endpoint(Endpoint.LOOPBACK, port).toString());
        }

        /// Listens for HTTP at `PORT`, `ADDRESS:PORT`, `[IPv6]:PORT` or `*:PORT`.
        public Builder http(String endpoint) {
            listeners.add(ListenerSettings.http(Endpoint.parse(endpoint)));
            return this;
        }

        /// Listens for HTTP by a transport of its own. See [#http(String)].
        public Builder http(String endpoint, TransportChoice choice) {
            listeners.add(ListenerSettings.http(Endpoint.parse(endpoint)).withTransport(choice));
            return this;
        }

        /// Listens for HTTPS at a port of 127.0.0.1, with a PEM certificate and key.
        public Builder https(int port, Path cert, Path key) {
            return https(new Endpoint(Endpoint.LOOPBACK, port).toString(), TlsConfig.of(cert, key));
        }

        /// Listens for HTTPS. See [#http(String)].
        public Builder https(String endpoint, TlsConfig tls) {
            listeners.add(ListenerSettings.http(Endpoint.parse(endpoint)).withTls(tls));
            return this;
        }

        /// Listens for AJP13 at an endpoint, for a web server in front. See [#http(String)].
        public Builder ajp(String endpoint, AjpConfig config) {
            AjpSettings ajp = new AjpSettings(config, false);
            listeners.add(ListenerSettings.ajp(Endpoint.parse(endpoint), ajp));
            return this;
        }

        /// Chooses the transport of every listener that has none of its own; otherwise it is the
        /// best of this machine.
        public Builder transport(TransportChoice choice) {
            transport = choice;
            return this;
        }

        /// Serves a WAR or exploded folder at a path such as `/` or `/shop`.
        public Builder app(String path, Path app) {
            return app(path, app, Map.of());
        }

        /// Serves an application with context parameters that take the place of those in web.xml.
        public Builder app(String path, Path app, Map<String, String> params) {
            routes.add(new RouteSettings.App(ContextPath.parse(path), app, params));
            return this;
        }

        /// Serves every WAR and folder of a folder, named as Tomcat names them.
        public Builder webapps(Path folder) {
            routes.add(new RouteSettings.Webapps(folder));
            return this;
        }

        /// Serves static files under a path.
        public Builder files(String path, Path folder) {
            routes.add(new RouteSettings.StaticFiles(ContextPath.parse(path), folder));
            return this;
        }

        /// Logs every request.
        ///
        /// @param format `common`, `combined`, `json`, or a format string as Apache's
        public Builder accessLog(Path file, String format) {
            accessLog = new AccessLogSettings(file, format);
            return this;
        }

        /// Where servlets run; loops and a pool of threads unless said.
        public Builder workers(WorkerSettings workers) {
            base = base.withWorkers(workers);
            return this;
        }

        /// Names the file of the users who may log in to the applications, as `tomcat-users.xml`.
        public Builder users(Path file) {
            base = base.withDeploy(base.deploy().withUsers(file));
            return this;
        }

        /// Looks after the files of the applications while the server runs; unless said, they are
        /// deployed once.
        public Builder autoDeploy(AutoDeploySettings settings) {
            base = base.withDeploy(base.deploy().withAuto(settings));
            return this;
        }

        /// How sessions are named and kept.
        public Builder sessions(SessionSettings settings) {
            base = base.withSessions(settings);
            return this;
        }

        /// Listens at an endpoint for those who run the server. See [#http(String)].
        ///
        /// @param token what changes must carry, and beyond a loopback address what reads, too
        /// @param names host names by which it may be called beside addresses and `localhost`
        public Builder admin(String endpoint, String token, String... names) {
            base =
                    base.withAdmin(
                            new AdminSettings(
                                    Endpoint.parse(endpoint), token, Set.of(names), null));
            return this;
        }

        /// Gives all applications a data source, under a name such as `jdbc/shop`.
        public Builder dataSource(String name, DataSourceSettings settings) {
            Map<String, DataSourceSettings> all = new HashMap<>(base.deploy().resources());
            all.put(name, settings);
            base = base.withDeploy(base.deploy().withResources(all));
            return this;
        }

        /// Names a folder of JARs that all applications see behind their own.
        public Builder libraries(Path folder) {
            base = base.withDeploy(base.deploy().withLibraries(folder));
            return this;
        }

        /// Limits on what clients may do.
        public Builder limits(LimitSettings limits) {
            base = base.withLimits(limits);
            return this;
        }

        /// Folder for unpacked archives, compiled pages and kept sessions; unless said, `work/PORT`
        /// with the port of the first listener.
        public Builder work(Path folder) {
            base = base.withWork(folder);
            return this;
        }

        /// What is done when a thread of the server dies, as when memory is exhausted: a program
        /// that is nothing but this server may end itself. Unless said, it is logged, the listeners
        /// are closed, and `/health` of the admin listener answers 503.
        public Builder onFatal(FatalHandler handler) {
            onFatal = handler;
            return this;
        }

        /// How long [MargayServer#close] lets running requests take; 25 s unless said.
        public Builder drain(Duration time) {
            base = base.withDrain(time);
            return this;
        }

        /// The configuration that [#start] starts.
        public MargayConfig config() {
            List<ListenerSettings> all =
                    listeners.isEmpty() ? List.of(ListenerSettings.defaults()) : listeners;
            return base.withListeners(all.stream().map(this::withTransport).toList())
                    .withHosts(List.of(new HostSettings(List.of(), accessLog, routes)));
        }

        private ListenerSettings withTransport(ListenerSettings listener) {
            return listener.accepting().transport() == TransportChoice.AUTO
                    ? listener.withTransport(transport)
                    : listener;
        }

        /// Deploys the applications, then opens the listeners.
        ///
        /// @throws StartException when a listener cannot be opened or an application cannot be
        ///   deployed; nothing is left running
        public MargayServer start() {
            MargayServer server =
                    MargayServer.start(config(), DeployProgress.NONE, onFatal, Inheritance.none());
            if (!server.failures().isEmpty()) {
                server.stop(Duration.ZERO);
                throw new StartException(String.join("\n", server.failures()));
            }
            return server;
        }
    }
}
