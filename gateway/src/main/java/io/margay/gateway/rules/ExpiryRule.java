package io.margay.gateway.rules;

import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;

/// How long clients may keep a response that says nothing of it: `Expires` and `Cache-Control:
/// max-age` are added. Of the rules that take a request, one that names the media type goes before
/// one like `image/*`, which goes before one for all; of those alike the last decides. Immutable.
///
/// @param when what must also hold
/// @param type the media type, as in `image/png` or `image/*`; empty = any
/// @param seconds from then on
/// @param order where it comes among what files such as `.htaccess` say, whose own have 1 and the
///   slashes in the path of their folder; 0 = before them
@RecordBuilder
public record ExpiryRule(
        PathMatch match, List<Condition> when, String type, Base base, long seconds, int order)
        implements ExpiryRuleBuilder.With {
    /// Before what files in folders say.
    public ExpiryRule(PathMatch match, List<Condition> when, String type, Base base, long seconds) {
        this(match, when, type, base, seconds, 0);
    }

    /// From when on time counts.
    public enum Base {
        /// The request.
        ACCESS,
        /// When the content was changed lastly; nothing is added where that is not known.
        MODIFIED,
        /// Nothing is added, whatever the rules before it say.
        NEVER,
        /// Nothing is added, whatever other rules say, unless one after it is [#ACTIVE].
        INACTIVE,
        /// What other rules say is added again.
        ACTIVE
    }

    /// What others say holds, or not.
    public static ExpiryRule of(PathMatch match, List<Condition> when, boolean active) {
        return new ExpiryRule(match, when, "", active ? Base.ACTIVE : Base.INACTIVE, 0);
    }

    public ExpiryRule {
        when = List.copyOf(when);
        if (seconds < 0) {
            throw new IllegalArgumentException("negative seconds: " + seconds);
        }
    }
}
