package io.margay.app.shadow;

import io.margay.app.cli.UsageException;
import io.margay.app.config.Endpoint;
import io.margay.app.config.HostPlace;
import io.margay.app.config.HostSettings;
import io.margay.app.config.HostSettingsBuilder;
import io.margay.app.config.ListenerSettings;
import io.margay.app.config.ListenerSettingsBuilder;
import io.margay.app.config.MargayConfig;
import io.margay.app.migrate.FrontEndFiles;
import io.margay.app.migrate.GatewayConfig;
import io.margay.app.migrate.TomcatConfig;
import io.margay.compat.httpd.plan.GatewayPlan;
import io.margay.compat.tomcat.server.CatalinaBase;
import io.margay.compat.tomcat.server.ServerXml;
import io.margay.compat.tomcat.server.TomcatPlan;
import io.margay.transport.TlsConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Reads the files of an old server, so that a new one can be set beside it. Stateless.
public final class OldFiles {
    private OldFiles() {}

    /// What the files say; null = none are named.
    public static @Nullable OldConfig read(List<String> names, Map<String, String> environment)
            throws UsageException {
        List<Path> files = new ArrayList<>();
        for (String name : names) {
            if (!Files.exists(Path.of(name))) {
                throw new UsageException("there is no " + name);
            }
            files.add(Path.of(name));
        }
        if (files.isEmpty()) {
            return null;
        }
        if (files.size() == 1 && CatalinaBase.isOne(files.getFirst())) {
            CatalinaBase base = base(files.getFirst(), environment);
            TomcatPlan plan = base.plan();
            return new OldConfig(
                    plan.account(),
                    plan.meeting(),
                    (scheme, port) -> tomcat(base, scheme, port),
                    base.ownWork());
        }
        if (files.size() == 1 && files.getFirst().toString().endsWith(".xml")) {
            TomcatPlan plan = serverXml(files.getFirst());
            return new OldConfig(
                    plan.account(),
                    plan.meeting(),
                    (scheme, port) -> at(TomcatConfig.of(plan), scheme, port),
                    null);
        }
        GatewayPlan plan = FrontEndFiles.read(files, environment);
        return new OldConfig(
                plan.account(),
                plan.meeting(),
                (scheme, port) -> at(GatewayConfig.of(plan, List.of()), scheme, port),
                null);
    }

    private static CatalinaBase base(Path folder, Map<String, String> environment)
            throws UsageException {
        try {
            return CatalinaBase.read(folder, environment);
        } catch (IOException e) {
            throw new UsageException(folder + " cannot be read: " + e.getMessage());
        }
    }

    private static TomcatPlan serverXml(Path file) throws UsageException {
        try {
            return ServerXml.read(file);
        } catch (IOException e) {
            throw new UsageException(file + " cannot be read: " + e.getMessage());
        }
    }

    private static MargayConfig tomcat(CatalinaBase base, String scheme, int port)
            throws UsageException {
        base.systemProperties().forEach(System::setProperty);
        return at(TomcatConfig.of(base.plan()), scheme, port);
    }

    /// With one listener at the loopback, which serves the hosts of a port; all of them where none
    /// is bound to it.
    private static MargayConfig at(MargayConfig config, String scheme, int port)
            throws UsageException {
        List<HostSettings> hosts =
                config.hosts().stream().filter(host -> isAt(host, port)).toList();
        List<HostSettings> served = hosts.isEmpty() ? config.hosts() : hosts;
        List<List<String>> known = new ArrayList<>();
        List<HostSettings> made = new ArrayList<>();
        for (HostSettings host : served) {
            if (!known.contains(host.names())) {
                known.add(host.names());
                // Its logs are those of the old server, which goes on to write them.
                made.add(
                        HostSettingsBuilder.builder(host)
                                .at(List.of())
                                .accessLog(null)
                                .sight(HostSettings.Sight.NONE)
                                .build());
            }
        }
        return config.withListeners(List.of(listener(config, scheme, port))).withHosts(made);
    }

    /// That of the old server's port, or else one that speaks the same.
    private static ListenerSettings listener(MargayConfig config, String scheme, int port)
            throws UsageException {
        Endpoint free = new Endpoint(Endpoint.LOOPBACK, 0);
        Optional<ListenerSettings> found =
                config.listeners().stream()
                        .filter(one -> one.scheme().equals(scheme))
                        .min(Comparator.comparing(one -> one.endpoint().port() != port))
                        .or(() ->
                                scheme.equals("http")
                                        ? Optional.of(ListenerSettings.http(free))
                                        : Optional.empty());
        ListenerSettings one =
                found.orElseThrow(() ->
                        new UsageException(
                                "the files have no listener for "
                                        + scheme
                                        + ": start the new server yourself and name it as"
                                        + " NEW-URL"));
        TlsConfig tls = one.tls();
        if (tls != null && tls.clients().auth() != TlsConfig.ClientAuth.NONE) {
            throw new UsageException(
                    "the old server asks for certificates of clients, which do not reach it through"
                            + " another server");
        }
        return ListenerSettingsBuilder.builder(one)
                .endpoint(free)
                .proxyProtocol(ListenerSettings.Senders.NONE)
                .http3(false)
                .build();
    }

    private static boolean isAt(HostSettings host, int port) {
        return host.at().isEmpty()
                || host.at().stream().map(HostPlace::port).anyMatch(one -> one == 0 || one == port);
    }
}
