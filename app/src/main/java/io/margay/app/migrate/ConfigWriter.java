package io.margay.app.migrate;

import io.margay.app.acme.AcmeKeys;
import io.margay.app.config.HostSettings;
import io.margay.app.config.ListenerSettings;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.binding.YamlText;
import io.margay.app.config.file.FileShape;
import io.margay.app.config.file.HostBinding;
import io.margay.app.config.listener.ListenerKeys;
import io.margay.app.config.members.UpstreamKeys;
import io.margay.gateway.config.UpstreamConfig;
import io.margay.server.acme.AcmeCertificate;
import io.margay.server.acme.AcmeConfig;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Writes listeners, hosts and upstreams as `margay.yaml`; what holds by default is left out, so
/// that reading gives the same configuration. Confined to one thread.
public final class ConfigWriter {
    private final StringBuilder out = new StringBuilder();

    /// Files of certificates that the server gets by itself.
    private final Set<Path> ownFiles;

    /// Those of them that stand in no host yet.
    private final Deque<AcmeCertificate> own;

    private ConfigWriter(AcmeConfig acme) {
        own = new ArrayDeque<>(acme.certificates());
        ownFiles =
                own.stream()
                        .map(one -> one.file(acme.storage()))
                        .collect(Collectors.toUnmodifiableSet());
    }

    /// The file.
    public static String write(MargayConfig config) {
        ConfigWriter writer = new ConfigWriter(config.acme());
        writer.out.append("listeners:\n");
        config.listeners().forEach(writer::listener);
        writer.out.append("hosts:\n");
        config.hosts().forEach(writer::host);
        writer.own.forEach(one ->
                writer.out
                        .append("# no host shows the certificate of ")
                        .append(one.domains().getFirst())
                        .append('\n'));
        if (!config.acme().isEmpty()) {
            String storage = YamlText.quote(config.acme().storage().toString());
            writer.out.append("acme: {storage: ").append(storage).append("}\n");
        }
        if (!config.upstreams().isEmpty()) {
            writer.out.append("upstreams:\n");
            config.upstreams().values().forEach(writer::upstream);
        }
        writer.server(config);
        return writer.out.toString();
    }

    /// What holds for the whole server.
    private void server(MargayConfig config) {
        MargayConfig defaults = MargayConfig.defaults();
        MargayConfig otherwise =
                config.upstreams().isEmpty()
                        ? defaults
                        : defaults.withLimits(defaults.limits().forGateway());
        YamlText.keys(FileShape.ROOT.write(config, otherwise), 0, out);
    }

    private void listener(ListenerSettings listener) {
        out.append("  - ")
                .append(YamlText.line(ListenerKeys.write(listener, ownFiles)))
                .append('\n');
    }

    private void host(HostSettings host) {
        Map<String, Object> written = new LinkedHashMap<>();
        if (!own.isEmpty()) {
            AcmeCertificate certificate = own.remove();
            written.put(
                    AcmeKeys.ACME,
                    AcmeKeys.OF_HOST.write(certificate, AcmeKeys.OF_HOST.defaults()));
        }
        written.putAll(HostBinding.write(host));
        out.append("  - # ")
                .append(host.names().isEmpty() ? "any name" : host.names().getFirst())
                .append('\n');
        YamlText.keys(written, 2, out);
    }

    private void upstream(UpstreamConfig upstream) {
        out.append("  ").append(upstream.name()).append(":\n");
        YamlText.keys(UpstreamKeys.write(upstream), 2, out);
    }
}
