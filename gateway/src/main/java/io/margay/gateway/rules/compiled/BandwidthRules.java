package io.margay.gateway.rules.compiled;

import io.margay.gateway.rules.BandwidthRule;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.HostChanges;
import io.margay.gateway.rules.RuleLimits;
import io.margay.server.exchange.Exchange;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The rules of a host, or of a folder, that say how fast responses are sent. Immutable.
public final class BandwidthRules {
    private final List<Compiled> rules;

    /// @param test null = all
    private record Compiled(@Nullable RequestTest test, BandwidthRule rule) {}

    private BandwidthRules(List<Compiled> rules) {
        this.rules = rules;
    }

    /// Compiles.
    ///
    /// @throws IllegalArgumentException for a malformed expression or an unknown variable or map
    public static BandwidthRules of(HostChanges changes, RuleLimits limits) {
        List<Compiled> rules = new ArrayList<>();
        for (BandwidthRule rule : changes.bandwidth()) {
            boolean all = rule.match().equals(PathMatch.ANY) && rule.when().isEmpty();
            rules.add(
                    new Compiled(
                            all ? null : RequestTest.of(rule.match(), rule.when(), changes, limits),
                            rule));
        }
        return new BandwidthRules(List.copyOf(rules));
    }

    public boolean isEmpty() {
        return rules.isEmpty();
    }

    /// Adds those that may decide about responses to a request to those that come before them: of
    /// each group none after one that is about all types.
    public void about(Exchange exchange, List<BandwidthRule> found) {
        about(exchange, found, -1, Integer.MAX_VALUE);
    }

    /// The least order that one of them has.
    int order() {
        return rules.stream().mapToInt(one -> one.rule.order()).min().orElse(0);
    }

    /// The same of those whose order is more than one number and not more than another.
    void about(Exchange exchange, List<BandwidthRule> found, int above, int upTo) {
        for (Compiled one : rules) {
            int order = one.rule.order();
            if (order > above
                    && order <= upTo
                    && !isDecided(one.rule.group(), found)
                    && (one.test == null || one.test.holds(exchange))) {
                found.add(one.rule);
            }
        }
    }

    private static boolean isDecided(String group, List<BandwidthRule> found) {
        for (int i = 0; i < found.size(); i++) {
            BandwidthRule rule = found.get(i);
            if (rule.types().isEmpty() && rule.group().equals(group)) {
                return true;
            }
        }
        return false;
    }
}
