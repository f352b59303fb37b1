package io.margay.app.config;

import io.margay.app.register.RegisterSettings;
import io.margay.app.shared.SharedSettings;
import io.margay.gateway.cache.HostCache;
import io.margay.gateway.config.UpstreamConfig;
import io.margay.server.acme.AcmeConfig;
import io.margay.server.telemetry.TelemetrySettings;
import io.margay.transport.TlsConfig;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Everything a server is to do. Immutable.
///
/// @param listeners at least one
/// @param hosts at least one; no name twice at one place, and at most one without names
/// @param workFolder where for unpacked archives, compiled pages and kept sessions
/// @param drain how long running requests may take at the end
/// @param drainDelay how long new connections are taken after the server has been told to stop
/// @param upstreams by name, those that routes pass requests on to
/// @param admin the listener for those who run the server; null = there is none
/// @param seen by whom it is seen but by its admin listener
/// @param register where it registers itself as a member of upstreams
/// @param acme certificates that it gets by itself, which listeners name by their files
/// @param shared the engine through which it shares with other servers; null = there is none
@RecordBuilder
public record MargayConfig(
        List<ListenerSettings> listeners,
        List<HostSettings> hosts,
        SessionSettings sessions,
        WorkerSettings workers,
        LimitSettings limits,
        DeployOptions deploy,
        WorkFolder workFolder,
        Duration drain,
        Duration drainDelay,
        Map<String, UpstreamConfig> upstreams,
        @Nullable AdminSettings admin,
        Seen seen,
        List<RegisterSettings> register,
        AcmeConfig acme,
        @Nullable SharedSettings shared)
        implements MargayConfigBuilder.With {
    /// How long requests may take to end when nothing else is said: shorter than the 30 s after
    /// which orchestrators kill.
    public static final Duration DRAIN_DEFAULT = Duration.ofSeconds(25);

    /// By whom a server is seen but by its admin listener. Immutable.
    ///
    /// @param jmx whether through JMX
    /// @param telemetry what a collector gets; null = there is none
    public record Seen(JmxMode jmx, @Nullable TelemetrySettings telemetry) {
        /// Through JMX, where it is there.
        public static final Seen DEFAULT = new Seen(JmxMode.AUTO, null);
    }

    public MargayConfig {
        listeners = List.copyOf(listeners);
        hosts = List.copyOf(hosts);
        register = List.copyOf(register);
        upstreams = Collections.unmodifiableMap(new LinkedHashMap<>(upstreams));
        if (listeners.isEmpty()) {
            throw new IllegalArgumentException("there is no listener");
        }
        if (hosts.isEmpty()) {
            throw new IllegalArgumentException("there is no host");
        }
        if (drain.isNegative() || drainDelay.isNegative()) {
            throw new IllegalArgumentException("the drain time is negative");
        }
        Set<String> names = new HashSet<>();
        for (HostSettings host : hosts) {
            if (host.at().isEmpty()) {
                once(names, host, "");
            }
            host.at().forEach(place -> once(names, host, " at " + place));
        }
        HostCache.checkFolders(hosts.stream().map(HostSettings::changes).toList());
        for (ListenerSettings listener : listeners) {
            TlsConfig tls = listener.tls();
            if (tls != null) {
                hosts.forEach(host -> requireOneDoor(listener, tls, host));
            }
        }
    }

    /// A host that asks clients for a certificate by one of its names asks by all of them.
    private static void requireOneDoor(
            ListenerSettings listener, TlsConfig tls, HostSettings host) {
        for (String name : host.names()) {
            String first = host.names().getFirst();
            if (!tls.clients(name).equals(tls.clients(first))) {
                throw new IllegalArgumentException(
                        ("the host %s is also %s, and https %s asks clients for a certificate by"
                                        + " one name otherwise than by the other: write both into"
                                        + " \"names\" of one entry of \"sni\"")
                                .formatted(first, name, listener.endpoint()));
            }
        }
    }

    private static void once(Set<String> names, HostSettings host, String at) {
        if (host.names().isEmpty() && !names.add(at)) {
            throw new IllegalArgumentException("two hosts have no name" + at);
        }
        for (String name : host.names()) {
            if (!names.add(at.isEmpty() ? name : name + at)) {
                throw new IllegalArgumentException("two hosts have the name " + name + at);
            }
        }
    }

    /// One listener at 127.0.0.1:8080 and one host without anything to serve.
    public static MargayConfig defaults() {
        return new MargayConfig(
                List.of(ListenerSettings.defaults()),
                List.of(HostSettings.any(List.of())),
                SessionSettings.defaults(),
                WorkerSettings.defaults(),
                LimitSettings.defaults(),
                DeployOptions.defaults(),
                WorkFolder.defaultIn(Path.of("")),
                DRAIN_DEFAULT,
                Duration.ZERO,
                Map.of(),
                null,
                Seen.DEFAULT,
                List.of(),
                AcmeConfig.NONE,
                null);
    }

    /// Whether the server is seen through JMX.
    public JmxMode jmx() {
        return seen.jmx();
    }

    /// The folder that a server with this configuration works in.
    public Path work() {
        return workFolder.of(listeners);
    }

    /// The same with another work folder.
    public MargayConfig withWork(Path folder) {
        return withWork(WorkFolder.exactly(folder));
    }

    /// The same with another work folder.
    public MargayConfig withWork(WorkFolder other) {
        return withWorkFolder(other);
    }
}
