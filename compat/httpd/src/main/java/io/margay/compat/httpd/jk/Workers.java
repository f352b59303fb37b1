package io.margay.compat.httpd.jk;

import io.margay.gateway.config.UpstreamConfig;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What `workers.properties` describes. Immutable.
///
/// @param upstreams by name, those that a rule may name
/// @param status the status workers by name, with their directives
/// @param mounts rules of `mount` directives
public record Workers(
        Map<String, UpstreamConfig> upstreams,
        Map<String, Map<String, String>> status,
        List<MountRule> mounts) {
    public static final Workers NONE = new Workers(Map.of(), Map.of(), List.of());

    public Workers {
        upstreams = Map.copyOf(upstreams);
        status = Map.copyOf(status);
        mounts = List.copyOf(mounts);
    }

    /// The name of the session cookie of a worker; null where sessions are not sticky.
    @Nullable String cookie(String worker) {
        UpstreamConfig upstream = upstreams.get(worker);
        if (upstream != null && !upstream.sticky().enabled()) {
            return null;
        }
        String cookie = upstream == null ? "" : upstream.sticky().cookie();
        return cookie.isEmpty() ? "JSESSIONID" : cookie;
    }

    boolean has(String name) {
        return upstreams.containsKey(name) || status.containsKey(name);
    }
}
