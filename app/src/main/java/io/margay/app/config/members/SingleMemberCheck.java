package io.margay.app.config.members;

import io.margay.app.config.HostSettings;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.RouteSettings;
import io.margay.gateway.canary.CanaryConfig;
import io.margay.gateway.config.UpstreamConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What `check` says of keys that choose between members or versions where there is only one.
public final class SingleMemberCheck {
    private static final String NO_EFFECT = "\" has no effect: ";

    private SingleMemberCheck() {}

    /// One line for each such key. Members that are found at run time may be many.
    public static List<String> notes(Path path, MargayConfig config) {
        List<String> notes = new ArrayList<>();
        for (UpstreamConfig one : config.upstreams().values()) {
            if (one.outliers() != null && isSingle(one)) {
                notes.add("upstream " + one.name() + ": \"outliers" + NO_EFFECT + "one member");
            }
        }
        for (HostSettings host : config.hosts()) {
            for (RouteSettings route : host.routes()) {
                if (route instanceof RouteSettings.Gateway it
                        && it.hedge() != null
                        && isSingle(it, config.upstreams())) {
                    notes.add(at(it.prefix()) + "\"hedge" + NO_EFFECT + "one member");
                } else if (route instanceof RouteSettings.App it
                        && it.canary() != null
                        && isSingle(it, host)) {
                    notes.add(at(it.prefix()) + "\"new-version" + NO_EFFECT + "one version");
                }
            }
        }
        return notes.stream().map(note -> path + ": " + note).toList();
    }

    private static String at(String prefix) {
        return "route " + (prefix.isEmpty() ? "/" : prefix) + ": ";
    }

    private static boolean isSingle(@Nullable UpstreamConfig upstream) {
        return upstream != null && upstream.sources().isEmpty() && upstream.peers().size() == 1;
    }

    /// A second member may be one of the canary's.
    private static boolean isSingle(
            RouteSettings.Gateway route, Map<String, UpstreamConfig> upstreams) {
        CanaryConfig canary = route.canary();
        return isSingle(upstreams.get(route.upstream()))
                && (canary == null || isSingle(upstreams.get(canary.to())));
    }

    /// The other versions may be in a folder of applications.
    private static boolean isSingle(RouteSettings.App app, HostSettings host) {
        return host.routes().stream()
                .noneMatch(one ->
                        one instanceof RouteSettings.Webapps
                                || (one instanceof RouteSettings.App other
                                        && !other.equals(app)
                                        && other.prefix().equals(app.prefix())));
    }
}
