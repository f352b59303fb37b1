package io.margay.gateway.rules;

import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.server.compression.CompressionConfig;
import java.util.List;

/// Which responses of a host are compressed; the first rule that takes request and media type
/// decides, unless the client accepts none of its codings. Immutable.
///
/// @param when what must also hold
public record CompressionRule(PathMatch match, List<Condition> when, CompressionConfig what) {
    public CompressionRule {
        when = List.copyOf(when);
    }

    /// A rule for all requests.
    public static CompressionRule of(CompressionConfig what) {
        return new CompressionRule(PathMatch.ANY, List.of(), what);
    }

    /// Whether nothing of the request is looked at.
    public boolean isForAll() {
        return when.isEmpty() && match.equals(PathMatch.ANY);
    }
}
