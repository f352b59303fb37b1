package io.margay.gateway.balance;

import io.margay.gateway.config.UpstreamConfig;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The upstreams to which the rules of a host pass requests on: those of the configuration, and
/// those that files in its folders name, which begin when they are asked first. Thread-safe.
public final class NamedUpstreams {
    private final Map<String, Upstream> configured;
    private final Function<String, @Nullable UpstreamConfig> ofFolders;
    private final Map<String, Upstream> own = new ConcurrentHashMap<>();

    /// @param ofFolders what files in folders say of an upstream; null = nothing
    public NamedUpstreams(
            Map<String, Upstream> configured,
            Function<String, @Nullable UpstreamConfig> ofFolders) {
        this.configured = Map.copyOf(configured);
        this.ofFolders = ofFolders;
    }

    /// An upstream; null where there is none of this name.
    public @Nullable Upstream get(String name) {
        Upstream known = configured.get(name);
        if (known != null) {
            return known;
        }
        UpstreamConfig said = ofFolders.apply(name);
        return said == null ? null : own.computeIfAbsent(name, _ -> new Upstream(said));
    }

    /// Forgets those of files in folders, which begin again where they are asked once more.
    ///
    /// @return those
    public List<Upstream> forget() {
        List<Upstream> known = List.copyOf(own.values());
        own.clear();
        return known;
    }
}
