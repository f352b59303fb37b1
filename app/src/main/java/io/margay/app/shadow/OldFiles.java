package io.margay.app.shadow;

import io.margay.app.cli.UsageException;
import io.margay.app.config.Endpoint;
import io.margay.app.config.HostPlace;
import io.margay.app.config.HostSettings;
import io.margay.app.config.HostSettingsBuilder;
import io.margay.app.config.ListenerSettings;
import io.margay.app.config.MargayConfig;
import io.margay.app.migrate.FrontEndFiles;
import io.margay.app.migrate.GatewayConfig;
import io.margay.app.migrate.TomcatConfig;
import io.margay.compat.httpd.plan.GatewayPlan;
import io.margay.compat.tomcat.server.CatalinaBase;
import io.margay.compat.tomcat.server.ServerXml;
import io.margay.compat.tomcat.server.TomcatPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
            return new OldConfig(plan.account(), plan.meeting(), _ -> tomcat(base));
        }
        if (files.size() == 1 && files.getFirst().toString().endsWith(".xml")) {
            TomcatPlan plan = serverXml(files.getFirst());
            return new OldConfig(plan.account(), plan.meeting(), _ -> at(TomcatConfig.of(plan), 0));
        }
        GatewayPlan plan = FrontEndFiles.read(files, environment);
        return new OldConfig(
                plan.account(),
                plan.meeting(),
                port -> at(GatewayConfig.of(plan, List.of()), port));
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

    private static MargayConfig tomcat(CatalinaBase base) {
        base.systemProperties().forEach(System::setProperty);
        return at(TomcatConfig.of(base.plan()), 0);
    }

    /// With one listener at the loopback, which serves the hosts of a port; all of them where none
    /// is bound to it.
    private static MargayConfig at(MargayConfig config, int port) {
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
        ListenerSettings plain =
                config.listeners().stream()
                        .filter(one -> one.tls() == null && one.ajp() == null)
                        .map(one -> one.withProxyProtocol(ListenerSettings.Senders.NONE))
                        .findFirst()
                        .map(one -> one.withEndpoint(new Endpoint(Endpoint.LOOPBACK, 0)))
                        .orElse(ListenerSettings.http(new Endpoint(Endpoint.LOOPBACK, 0)));
        return config.withListeners(List.of(plain)).withHosts(made);
    }

    private static boolean isAt(HostSettings host, int port) {
        return host.at().isEmpty()
                || host.at().stream().map(HostPlace::port).anyMatch(one -> one == 0 || one == port);
    }
}
