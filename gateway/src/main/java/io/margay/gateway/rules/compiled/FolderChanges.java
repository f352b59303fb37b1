package io.margay.gateway.rules.compiled;

import io.margay.gateway.rules.ExpiryRule;
import io.margay.gateway.rules.HostChanges;
import io.margay.gateway.rules.RuleLimits;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a file in a folder, such as `.htaccess`, changes in requests for what lies below, ready to
/// be applied with what its host changes. Immutable.
public final class FolderChanges {
    private final HostExchangeRules rules;
    private final boolean expires;
    private final ExpiryRules whereActive;
    private final @Nullable CompressionRules compression;
    private final BandwidthRules bandwidths;

    private FolderChanges(
            HostExchangeRules rules,
            boolean expires,
            ExpiryRules whereActive,
            @Nullable CompressionRules compression,
            BandwidthRules bandwidths) {
        this.rules = rules;
        this.expires = expires;
        this.whereActive = whereActive;
        this.compression = compression;
        this.bandwidths = bandwidths;
    }

    /// Compiles.
    ///
    /// @param expires whether its file has clients told how long they may keep responses
    /// @param whereActive what it says of that where one before it has them told
    /// @throws IllegalArgumentException for a malformed expression or an unknown variable or map
    public static FolderChanges of(
            HostChanges changes, boolean expires, List<ExpiryRule> whereActive, RuleLimits limits) {
        RuleScope scope = RuleScope.of(changes, limits);
        return new FolderChanges(
                HostExchangeRules.always(changes, _ -> Map.of(), (_, _) -> true, limits),
                expires,
                ExpiryRules.of(whereActive, scope),
                CompressionRules.ofFolder(changes, scope),
                BandwidthRules.of(changes, limits));
    }

    /// A request with the variables that the file sets, too.
    ///
    /// @throws io.margay.server.exchange.UndecidedException as an expression may
    public RuleRequest variables(RuleRequest request) {
        return rules.variables(request);
    }

    boolean expires() {
        return expires;
    }

    ExpiryRules whereActive() {
        return whereActive;
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
