package io.margay.gateway.rules;

import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.server.compression.CompressionConfig;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;

/// Which responses of a host are compressed. The first rule that takes request and media type
/// decides, unless the client accepts none of its codings; one without codings decides for its
/// group alone. Immutable.
///
/// @param when what must also hold
/// @param group the rules in whose place it may come
/// @param order where it comes among what files such as `.htaccess` say, whose own have 1 and the
///   slashes in the path of their folder; 0 = before them
@RecordBuilder
public record CompressionRule(
        PathMatch match, List<Condition> when, CompressionConfig what, String group, int order)
        implements CompressionRuleBuilder.With {
    /// Before what files in folders say.
    public CompressionRule(
            PathMatch match, List<Condition> when, CompressionConfig what, String group) {
        this(match, when, what, group, 0);
    }

    public CompressionRule {
        when = List.copyOf(when);
    }

    /// In the group without a name.
    public CompressionRule(PathMatch match, List<Condition> when, CompressionConfig what) {
        this(match, when, what, "");
    }

    /// A rule for all requests.
    public static CompressionRule of(CompressionConfig what) {
        return new CompressionRule(PathMatch.ANY, List.of(), what);
    }

    /// The same at other paths.
    ///
    /// @param level how hard gzip tries
    public CompressionRule at(PathMatch other, int level) {
        return CompressionRuleBuilder.builder(this)
                .match(other)
                .what(what.withLevel(level))
                .build();
    }

    /// Whether nothing of the request is looked at.
    public boolean isForAll() {
        return when.isEmpty() && match.equals(PathMatch.ANY);
    }
}
