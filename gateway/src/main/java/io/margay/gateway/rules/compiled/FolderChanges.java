package io.margay.gateway.rules.compiled;

import io.margay.gateway.rules.HostChanges;
import io.margay.gateway.rules.RuleLimits;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a file in a folder, such as `.htaccess`, changes in requests for what lies below, ready to
/// be applied with what its host changes. Immutable.
public final class FolderChanges {
    private final HostExchangeRules rules;
    private final @Nullable CompressionRules compression;
    private final BandwidthRules bandwidths;

    private FolderChanges(
            HostExchangeRules rules,
            @Nullable CompressionRules compression,
            BandwidthRules bandwidths) {
        this.rules = rules;
        this.compression = compression;
        this.bandwidths = bandwidths;
    }

    /// Compiles.
    ///
    /// @throws IllegalArgumentException for a malformed expression or an unknown variable or map
    public static FolderChanges of(HostChanges changes, RuleLimits limits) {
        RuleScope scope = RuleScope.of(changes, limits);
        return new FolderChanges(
                HostExchangeRules.always(changes, _ -> Map.of(), (_, _) -> true, limits),
                CompressionRules.ofFolder(changes, scope),
                BandwidthRules.of(changes, limits));
    }

    HostExchangeRules rules() {
        return rules;
    }

    @Nullable CompressionRules compression() {
        return compression;
    }

    /// How fast responses are sent.
    BandwidthRules bandwidths() {
        return bandwidths;
    }
}
