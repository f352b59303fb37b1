package io.margay.gateway.canary;

import io.margay.gateway.config.HashKey;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How a new version gets a part of the requests of a route. Immutable.
///
/// @param to the upstream of the new version
/// @param steps its share over time, growing
/// @param sticky what requests have in common that go to the same version
/// @param secret by which clients are divided; empty = by the names of the upstreams, which anybody
///   can know
/// @param header field by which a client says `always` or `never`; empty = none
/// @param cookie the same by a cookie
/// @param networks whose clients always get the new version
/// @param stop when it is taken back; null = never
@RecordBuilder
public record CanaryConfig(
        String to,
        List<Step> steps,
        HashKey sticky,
        String secret,
        String header,
        String cookie,
        List<String> networks,
        @Nullable Stop stop)
        implements CanaryConfigBuilder.With {
    public CanaryConfig {
        steps = List.copyOf(steps);
        networks = List.copyOf(networks);
        for (int i = 0; i < steps.size(); i++) {
            boolean last = i == steps.size() - 1;
            if (!last && steps.get(i).lasts.isZero()) {
                throw new IllegalArgumentException(
                        "only the last of \"steps\" may be without a time");
            }
            if (!last && steps.get(i + 1).percent <= steps.get(i).percent) {
                throw new IllegalArgumentException("\"steps\" must grow");
            }
        }
    }

    /// Without the secret.
    @Override
    public String toString() {
        return "CanaryConfig[to=%s, steps=%s, sticky=%s, stop=%s]"
                .formatted(to, steps, sticky, stop);
    }

    /// With every default, and 5 % of the requests.
    public static CanaryConfig of(String to) {
        return new CanaryConfig(
                to,
                List.of(new Step(5, Duration.ZERO)),
                HashKey.ofVersions("session"),
                "",
                "",
                "",
                List.of(),
                null);
    }

    /// A share for a time.
    ///
    /// @param percent of the requests
    /// @param lasts 0 = for ever; after the last step that ends, the new version gets all
    public record Step(double percent, Duration lasts) {
        public Step {
            if (percent < 0 || percent > 100) {
                throw new IllegalArgumentException("a share is from 0% to 100%");
            }
        }
    }

    /// When it is taken back.
    ///
    /// @param errors percentage points: how many more of its answers may fail than of the others'
    /// @param p99 how many times the others' 99th percentile its own may be; 0 = any
    public record Stop(double errors, double p99) {
        public Stop {
            if (p99 != 0 && p99 < 1) {
                throw new IllegalArgumentException("\"p99\" must be at least 1x, or 0x");
            }
        }
    }
}
