package io.margay.app.site;

import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.Handler;
import io.margay.server.files.StaticFiles;
import io.margay.server.host.Routes;
import io.margay.server.host.Stage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One host: the stages that its requests pass, where they go, and where they are logged.
/// Immutable; its arrays are not changed.
final class ServedHost implements Handler {
    private final Routes routes;
    private final HostTraffic traffic;
    private final List<HostLog> logs;
    private final HostStage[] kinds;
    private final Stage[] stages;
    private final int access;
    private final @Nullable HostPaths paths;
    private final HostLimiters.Made limits;
    private final List<StaticFiles> files;

    private ServedHost(
            HostParts parts, HostTraffic traffic, List<HostStage> kinds, List<Stage> stages) {
        this.traffic = traffic;
        routes = parts.routes();
        logs = parts.hostLogs();
        limits = parts.made();
        files = parts.files();
        this.kinds = kinds.toArray(HostStage[]::new);
        this.stages = stages.toArray(Stage[]::new);
        access =
                kinds.contains(HostStage.ACCESS)
                        ? kinds.indexOf(HostStage.ACCESS)
                        : kinds.indexOf(HostStage.ROUTES);
        int ofPaths = kinds.indexOf(HostStage.PATHS);
        paths = ofPaths >= 0 && stages.get(ofPaths) instanceof HostPaths own ? own : null;
    }

    static ServedHost of(HostParts parts, HostTraffic traffic) {
        if (parts.isPlain()) {
            return new ServedHost(parts, traffic, List.of(), List.of());
        }
        List<HostStage> kinds = new ArrayList<>();
        List<Stage> stages = new ArrayList<>();
        for (HostStage kind : HostStage.values()) {
            Stage stage = kind.of(parts);
            if (stage != null) {
                kinds.add(kind);
                stages.add(stage);
            }
        }
        return kinds.equals(List.of(HostStage.ROUTES))
                ? new ServedHost(parts, traffic, List.of(), List.of())
                : new ServedHost(parts, traffic, kinds, stages);
    }

    /// Requests pass its stages first, which [HostPassage] does.
    ///
    /// @throws IllegalStateException always
    @Override
    public void handle(Exchange exchange) {
        throw new IllegalStateException("a host answers nothing itself");
    }

    Routes routes() {
        return routes;
    }

    /// What it has answered.
    HostTraffic traffic() {
        return traffic;
    }

    List<HostLog> logs() {
        return logs;
    }

    HostLimiters.Made limits() {
        return limits;
    }

    /// The folders and files that it serves.
    List<StaticFiles> files() {
        return files;
    }

    /// In their order; none for a host that has routes alone.
    Stage[] stages() {
        return stages;
    }

    /// Which ones they are.
    HostStage[] kinds() {
        return kinds;
    }

    /// The index of the first stage that depends on where a target leads.
    int access() {
        return access;
    }

    /// Notes how the path of a request is read whose target is another one now.
    void readPath(Exchange exchange) {
        if (paths != null) {
            paths.note(exchange);
        }
    }
}
