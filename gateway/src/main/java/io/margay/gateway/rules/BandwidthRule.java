package io.margay.gateway.rules;

import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import java.util.List;

/// How fast content of a response is sent; the first rule that is about a request decides.
/// Immutable.
///
/// @param when what must also hold of requests that it is about
public record BandwidthRule(PathMatch match, List<Condition> when, Speed speed) {
    public BandwidthRule {
        when = List.copyOf(when);
    }

    /// How fast.
    public sealed interface Speed {}

    /// The same for all.
    ///
    /// @param bytesPerSecond once `afterBytes` have been sent; 0 = as fast as can be
    public record Fixed(long bytesPerSecond, long afterBytes) implements Speed {
        public Fixed {
            if (bytesPerSecond < 0 || afterBytes < 0) {
                throw new IllegalArgumentException("a bandwidth must not be negative");
            }
        }
    }

    /// As variables of the request say, in KiB; without a number in the first as fast as can be.
    ///
    /// @param rate name of the variable with the KiB in a second
    /// @param after name of the one with the KiB that are sent before
    public record Named(String rate, String after) implements Speed {}
}
