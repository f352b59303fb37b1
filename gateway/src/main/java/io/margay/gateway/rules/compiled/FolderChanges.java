package io.margay.gateway.rules.compiled;

import io.margay.gateway.rules.BandwidthRule;
import io.margay.gateway.rules.HostChanges;
import io.margay.gateway.rules.RuleLimits;
import io.margay.gateway.rules.lines.SubstitutionStep;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a file in a folder, such as `.htaccess`, changes in requests for what lies below, ready to
/// be applied with what its host changes. Immutable.
public final class FolderChanges {
    private final HostExchangeRules rules;
    private final @Nullable CompressionRules compression;
    private final OrderedRules<BandwidthRule> bandwidths;
    private final OrderedRules<SubstitutionStep> substitutions;
    private final boolean substitutes;

    private FolderChanges(
            HostExchangeRules rules,
            @Nullable CompressionRules compression,
            OrderedRules<BandwidthRule> bandwidths,
            OrderedRules<SubstitutionStep> substitutions) {
        this.rules = rules;
        this.compression = compression;
        this.bandwidths = bandwidths;
        this.substitutions = substitutions;
        substitutes = substitutions.any(SubstitutionStep::begins);
    }

    /// Compiles.
    ///
    /// @throws IllegalArgumentException for a malformed expression or an unknown variable or map
    public static FolderChanges of(HostChanges changes, RuleLimits limits) {
        RuleScope scope = RuleScope.of(changes, limits);
        return new FolderChanges(
                HostExchangeRules.always(changes, _ -> Map.of(), (_, _) -> true, limits),
                CompressionRules.ofFolder(changes, scope),
                OrderedRules.bandwidths(changes, limits),
                OrderedRules.substitutions(changes, limits));
    }

    HostExchangeRules rules() {
        return rules;
    }

    @Nullable CompressionRules compression() {
        return compression;
    }

    /// How fast responses are sent.
    OrderedRules<BandwidthRule> bandwidths() {
        return bandwidths;
    }

    /// Whether text is replaced in some responses.
    boolean substitutes() {
        return substitutes;
    }

    /// What is replaced in responses.
    OrderedRules<SubstitutionStep> substitutions() {
        return substitutions;
    }
}
