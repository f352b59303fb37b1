package io.margay.app.migrate;

import io.margay.app.config.AccessLogSettings;
import io.margay.app.config.AjpSettings;
import io.margay.app.config.AutoDeploySettings;
import io.margay.app.config.CatalinaHost;
import io.margay.app.config.Endpoint;
import io.margay.app.config.HostPlace;
import io.margay.app.config.HostSettings;
import io.margay.app.config.HostSettingsBuilder;
import io.margay.app.config.ListenerSettings;
import io.margay.app.config.ListenerSettingsAcceptingBuilder;
import io.margay.app.config.ListenerSettingsBuilder;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.PathSettings;
import io.margay.app.config.RouteSettings;
import io.margay.app.config.SessionSettings;
import io.margay.app.config.TransportChoice;
import io.margay.compat.tomcat.application.ErrorFiles;
import io.margay.compat.tomcat.server.TomcatPlan;
import io.margay.compat.tomcat.server.TomcatPlan.ConnectorPlan;
import io.margay.compat.tomcat.server.TomcatPlan.DeploymentPlan;
import io.margay.compat.tomcat.server.TomcatPlan.HostPlan;
import io.margay.compat.tomcat.server.TomcatPlan.Protocol;
import io.margay.gateway.rules.CompressionRule;
import io.margay.gateway.rules.ErrorPage;
import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.HostChanges;
import io.margay.protocol.http.Status;
import io.margay.server.compression.CompressionConfig;
import io.margay.server.config.AjpConfig;
import io.margay.servlet.session.SessionIds;
import io.margay.transport.TlsConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Makes the configuration of a server of what Tomcat's `server.xml` says. Stateless.
public final class TomcatConfig {
    /// An address in a format of logs; `%%` is none.
    private static final Pattern ADDRESS = Pattern.compile("%%|%(|\\{c})([ahA])");

    private TomcatConfig() {}

    /// The configuration; what the file does not say is as without it.
    public static MargayConfig of(TomcatPlan plan) {
        MargayConfig config = MargayConfig.defaults();
        DeploymentPlan deployment = plan.deployment();
        if (!plan.connectors().isEmpty()) {
            config =
                    config.withListeners(
                            plan.connectors().stream().map(TomcatConfig::listener).toList());
        }
        if (!plan.hosts().isEmpty()) {
            config =
                    config.withHosts(
                            plan.hosts().stream()
                                    .map(host ->
                                            host(host, plan)
                                                    .withChanges(
                                                            changes(plan).withErrors(errors(host)))
                                                    .withPaths(PathSettings.of(plan.paths())))
                                    .toList());
        }
        AutoDeploySettings auto =
                new AutoDeploySettings(
                        deployment.autoDeploy() ? AutoDeploySettings.EVERY_DEFAULT : Duration.ZERO,
                        deployment.undeployOldVersions());
        SessionSettings sessions = SessionSettings.defaults();
        return config.withLimits(TomcatLimits.of(plan.numbers()))
                .withWorkers(TomcatLimits.workers(plan.numbers()))
                .withSessions(
                        SessionIds.isRoute(plan.route())
                                ? sessions.withRoute(plan.route())
                                : sessions)
                .withDeploy(
                        config.deploy()
                                .withUsers(deployment.users())
                                .withAnswers(deployment.errorDetails(), plan.numbers().trace())
                                .withAuto(auto));
    }

    /// Compression is said of connectors there, and of hosts here.
    private static HostChanges changes(TomcatPlan plan) {
        TomcatPlan.CompressionPlan compression = plan.compression();
        if (compression == null) {
            return HostChanges.NONE;
        }
        CompressionConfig what =
                CompressionConfig.defaults()
                        .withMinBytes(compression.minBytes())
                        .withTypes(compression.types());
        String agents = compression.exceptAgents();
        List<Condition> when =
                agents.isEmpty()
                        ? List.of()
                        : List.of(
                                new Condition(
                                        "%{HTTP:User-Agent}",
                                        "^(?:" + agents + ")$", false, true, false));
        return HostChanges.NONE.withCompression(
                List.of(new CompressionRule(PathMatch.ANY, when, what)));
    }

    /// The pages of a host for errors of the server itself; applications show them on their own.
    private static List<ErrorPage> errors(HostPlan host) {
        List<ErrorPage> pages = new ArrayList<>();
        Path others = host.errorPages().get(ErrorFiles.OTHERS);
        for (int status = 400; status < 600; status++) {
            boolean registered = !Status.reason(status).isEmpty();
            Path file = host.errorPages().getOrDefault(status, registered ? others : null);
            if (file != null) {
                pages.add(
                        new ErrorPage(PathMatch.ANY, status, new ErrorPage.Content.Page(file, "")));
            }
        }
        return pages;
    }

    private static ListenerSettings listener(ConnectorPlan plan) {
        Path socket = plan.socket();
        Endpoint at =
                socket == null ? new Endpoint(plan.host(), plan.port()) : Endpoint.unix(socket);
        ListenerSettings listener =
                switch (plan.protocol()) {
                    case Protocol.Ajp ajp -> ajp(at, ajp);
                    case Protocol.Http http -> http(at, http);
                };
        ListenerSettingsAcceptingBuilder accepting =
                ListenerSettingsAcceptingBuilder.builder(listener.accepting())
                        .access(plan.access());
        if (plan.backlog() != 0) {
            accepting.backlog(plan.backlog());
        }
        if (plan.connectionsMax() != 0) {
            accepting.connectionsMax(plan.connectionsMax());
        }
        return ListenerSettingsBuilder.builder(listener)
                .accepting(accepting.build())
                .characters(plan.characters())
                .address(plan.address())
                .build();
    }

    private static ListenerSettings ajp(Endpoint at, Protocol.Ajp ajp) {
        AjpConfig config =
                (ajp.secret().isEmpty()
                                ? AjpConfig.withoutSecret()
                                : AjpConfig.withSecret(ajp.secret()))
                        .withPacketBytes(ajp.packetBytes())
                        .withAllowedRequestAttributes(
                                ajp.attributes() == null ? null : Pattern.compile(ajp.attributes()))
                        .withIdleTimeout(
                                Objects.requireNonNullElse(ajp.idle(), AjpConfig.IDLE_DEFAULT))
                        .withTrust(ajp.trustUser(), true);
        return ListenerSettings.ajp(at, new AjpSettings(config, false));
    }

    private static ListenerSettings http(Endpoint at, Protocol.Http http) {
        ListenerSettings plain =
                ListenerSettings.http(at)
                        .withTransport(
                                switch (http.carrier()) {
                                    case UNSAID -> TransportChoice.AUTO;
                                    case NIO -> TransportChoice.NIO;
                                    case NATIVE -> TransportChoice.NATIVE;
                                });
        TlsConfig tls = http.tls();
        return tls == null ? plain : plain.withTls(tls);
    }

    private static HostSettings host(HostPlan host, TomcatPlan plan) {
        List<RouteSettings> routes = new ArrayList<>();
        host.contexts()
                .forEach(context ->
                        routes.add(
                                new RouteSettings.App("", context.docBase(), context.parameters())
                                        .at(
                                                new RouteSettings.Place(
                                                        context.path(), context.version()))));
        if (host.apps() != null) {
            routes.add(new RouteSettings.Webapps(host.apps()));
        }
        List<AccessLogSettings> logs =
                host.logs().stream()
                        .map(log -> new AccessLogSettings(log.file(), withGroups(log.format())))
                        .toList();
        Path base = plan.deployment().base();
        return HostSettingsBuilder.builder(
                        new HostSettings(
                                host.names(),
                                logs.isEmpty() ? null : logs.getFirst(),
                                routes,
                                host.places().stream().map(HostPlace::parse).toList()))
                .sight(HostSettings.Sight.ofLogs(logs))
                .catalina(base == null ? null : new CatalinaHost(base, host.names().getFirst()))
                .build();
    }

    /// Addresses are written with all their groups.
    private static String withGroups(String format) {
        return ADDRESS.matcher(format)
                .replaceAll(found -> {
                    String which = found.group(1);
                    return which == null
                            ? Matcher.quoteReplacement(found.group())
                            : "%{" + (which.isEmpty() ? "" : "c,") + "groups}" + found.group(2);
                });
    }
}
