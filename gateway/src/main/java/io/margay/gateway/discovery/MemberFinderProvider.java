package io.margay.gateway.discovery;

import io.margay.gateway.config.MemberSource;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Knows sources of members of some kinds. A service: implementations are found by
/// `java.util.ServiceLoader`, are loaded only when a configuration needs one, and have a public
/// constructor without parameters.
public interface MemberFinderProvider {
    /// What looks at a source; null when it is of another kind.
    ///
    /// @param nanos a monotonic clock
    @Nullable MemberFinder open(MemberSource source, DiscoveryLimits limits, LongSupplier nanos);
}
