package io.margay.members.watch;

import io.margay.gateway.config.MemberSource;
import io.margay.gateway.discovery.DiscoveryLimits;
import io.margay.gateway.discovery.MemberFinder;
import io.margay.gateway.discovery.MemberFinderProvider;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Watches Kubernetes and etcd.
public final class WatchProvider implements MemberFinderProvider {
    /// Endpoints of pods that are kept for each member that there may be: a pod has two addresses,
    /// and may stand in two slices.
    private static final int ENDPOINTS_OF_MEMBER = 4;

    @Override
    public @Nullable MemberFinder open(
            MemberSource source, DiscoveryLimits limits, LongSupplier nanos) {
        WatchLimits bounds = WatchLimits.defaults();
        Watched watched =
                switch (source.place()) {
                    case MemberSource.Kubernetes of ->
                            new KubernetesApi(
                                    source, of, bounds, limits.membersMax() * ENDPOINTS_OF_MEMBER);
                    case MemberSource.Etcd of -> new EtcdApi(source, of, bounds, limits);
                    default -> null;
                };
        return watched == null ? null : new WatchedMembers(source, watched, limits, bounds, nanos);
    }
}
