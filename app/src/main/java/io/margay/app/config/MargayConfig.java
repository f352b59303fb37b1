package io.margay.app.config;

import io.margay.gateway.config.UpstreamConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// Everything a server is to do. Immutable.
///
/// @param listeners at least one
/// @param hosts at least one; no name twice, and at most one without names
/// @param workFolder where for unpacked archives, compiled pages and kept sessions
/// @param drain how long running requests may take at the end
/// @param upstreams by name, those that routes pass requests on to
public record MargayConfig(
        List<ListenerSettings> listeners,
        List<HostSettings> hosts,
        SessionSettings sessions,
        WorkerSettings workers,
        LimitSettings limits,
        DeployOptions deploy,
        WorkFolder workFolder,
        Duration drain,
        Map<String, UpstreamConfig> upstreams) {
    /// How long requests may take to end when nothing else is said: shorter than the 30 s after
    /// which orchestrators kill.
    public static final Duration DRAIN_DEFAULT = Duration.ofSeconds(25);

    public MargayConfig {
        listeners = List.copyOf(listeners);
        hosts = List.copyOf(hosts);
        Objects.requireNonNull(sessions, "sessions");
        Objects.requireNonNull(workers, "workers");
        Objects.requireNonNull(limits, "limits");
        Objects.requireNonNull(deploy, "deploy");
        Objects.requireNonNull(workFolder, "workFolder");
        upstreams = Collections.unmodifiableMap(new LinkedHashMap<>(upstreams));
        if (listeners.isEmpty()) {
            throw new IllegalArgumentException("there is no listener");
        }
        if (hosts.isEmpty()) {
            throw new IllegalArgumentException("there is no host");
        }
        if (drain.isNegative()) {
            throw new IllegalArgumentException("the drain time is negative");
        }
        Set<String> names = new HashSet<>();
        boolean any = false;
        for (HostSettings host : hosts) {
            if (host.names().isEmpty() && any) {
                throw new IllegalArgumentException("two hosts have no name");
            }
            any |= host.names().isEmpty();
            for (String name : host.names()) {
                if (!names.add(name)) {
                    throw new IllegalArgumentException("two hosts have the name " + name);
                }
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
                Map.of());
    }

    /// The same with other listeners.
    public MargayConfig withListeners(List<ListenerSettings> others) {
        return new MargayConfig(
                others, hosts, sessions, workers, limits, deploy, workFolder, drain, upstreams);
    }

    /// The same with other hosts.
    public MargayConfig withHosts(List<HostSettings> others) {
        return new MargayConfig(
                listeners, others, sessions, workers, limits, deploy, workFolder, drain, upstreams);
    }

    /// The same with another dispatch.
    public MargayConfig withWorkers(WorkerSettings other) {
        return new MargayConfig(
                listeners, hosts, sessions, other, limits, deploy, workFolder, drain, upstreams);
    }

    /// The same with other limits.
    public MargayConfig withLimits(LimitSettings other) {
        return new MargayConfig(
                listeners, hosts, sessions, workers, other, deploy, workFolder, drain, upstreams);
    }

    /// The same with other options of deployment.
    public MargayConfig withDeploy(DeployOptions other) {
        return new MargayConfig(
                listeners, hosts, sessions, workers, limits, other, workFolder, drain, upstreams);
    }

    /// The same with another work folder.
    public MargayConfig withWork(Path folder) {
        return withWork(WorkFolder.exactly(folder));
    }

    /// The same with another work folder.
    public MargayConfig withWork(WorkFolder other) {
        return new MargayConfig(
                listeners, hosts, sessions, workers, limits, deploy, other, drain, upstreams);
    }

    /// The folder that a server with this configuration works in.
    public Path work() {
        return workFolder.of(listeners);
    }

    /// The same with other upstreams.
    public MargayConfig withUpstreams(Map<String, UpstreamConfig> others) {
        return new MargayConfig(
                listeners, hosts, sessions, workers, limits, deploy, workFolder, drain, others);
    }

    /// The same with another drain time.
    public MargayConfig withDrain(Duration time) {
        return new MargayConfig(
                listeners, hosts, sessions, workers, limits, deploy, workFolder, time, upstreams);
    }
}
