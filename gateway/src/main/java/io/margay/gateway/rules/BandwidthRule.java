package io.margay.gateway.rules;

import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.server.compression.CompressionConfig;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How fast content of a response is sent. Of each group the first rule that is about a response
/// decides, and the slowest of what the groups say holds. Immutable.
///
/// @param when what must also hold of requests that it is about
/// @param types media types of the responses that it is about, in which one `*` stands for any
///   characters; empty = all
/// @param group the rules in whose place it may come
/// @param order where it comes among what files such as `.htaccess` say, whose own have 1 and the
///   slashes in the path of their folder; 0 = before them
@RecordBuilder
public record BandwidthRule(
        PathMatch match,
        List<Condition> when,
        Speed speed,
        List<String> types,
        String group,
        int order)
        implements BandwidthRuleBuilder.With {
    /// Before what files in folders say.
    public BandwidthRule(
            PathMatch match, List<Condition> when, Speed speed, List<String> types, String group) {
        this(match, when, speed, types, group, 0);
    }

    public BandwidthRule {
        when = List.copyOf(when);
        types = List.copyOf(types);
    }

    /// About responses of all types, in the group without a name.
    public BandwidthRule(PathMatch match, List<Condition> when, Speed speed) {
        this(match, when, speed, List.of(), "");
    }

    /// The same at other paths.
    public BandwidthRule at(PathMatch other) {
        return BandwidthRuleBuilder.builder(this).match(other).build();
    }

    /// Whether it is about a response of this media type.
    ///
    /// @param contentType the field's value, parameters included
    public boolean takes(@Nullable String contentType) {
        return types.isEmpty() || CompressionConfig.isOneOf(types, contentType);
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
