package io.margay.gateway.rules;

import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.server.compression.CompressionConfig;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;

/// In which responses of a host text is replaced, line by line, or what is replaced. Rules about
/// the same request complete one another, the last of each kind counting most. Immutable.
///
/// @param when what must also hold of requests that it is about
/// @param order where it comes among what files such as `.htaccess` say, whose own have 1 and the
///   slashes in the path of their folder; 0 = before them
@RecordBuilder
public record SubstitutionRule(PathMatch match, List<Condition> when, What what, int order)
        implements SubstitutionRuleBuilder.With {
    public SubstitutionRule {
        when = List.copyOf(when);
    }

    /// Before what files in folders say.
    public SubstitutionRule(PathMatch match, List<Condition> when, What what) {
        this(match, when, what, 0);
    }

    /// What a rule says.
    public sealed interface What {}

    /// In which responses text is replaced: of each group the last rule that takes a media type
    /// decides, and one without types for all; each group replaces on its own.
    ///
    /// @param types media types, in which one `*` stands for any characters; empty = nothing is
    ///   replaced
    public record Responses(List<String> types, String group) implements What {
        public Responses {
            types = List.copyOf(types);
            types.forEach(CompressionConfig::checkType);
        }
    }

    /// What is replaced.
    ///
    /// @param replace in order, each in what those before have made
    /// @param inherited where that of rules before comes
    /// @param lineBytesMax that a line may have, before and after; 0 = as rules before say
    public record Lines(List<Replacement> replace, Inherited inherited, long lineBytesMax)
            implements What {
        public Lines {
            replace = List.copyOf(replace);
            if (lineBytesMax < 0 || lineBytesMax > Integer.MAX_VALUE / 2) {
                throw new IllegalArgumentException("lines may have up to 1 GiB: " + lineBytesMax);
            }
        }
    }

    /// Where the replacements of rules before come.
    public enum Inherited {
        /// As they say, after its own where none says.
        AS_BEFORE,
        FIRST,
        LAST
    }

    /// One replacement of what is found in a line.
    ///
    /// @param find a regular expression, searched in the bytes of UTF-8
    /// @param by what takes the place of a find: `$0` to `$9` are what groups found, a backslash
    ///   before a character stands for that
    /// @param literal whether both are plain text
    /// @param apart whether those after it find nothing that reaches beyond what it has put or left
    /// @param once whether only what is found first in a response is replaced
    public record Replacement(
            String find, String by, boolean literal, boolean anyCase, boolean apart, boolean once) {
        /// Of all that is found.
        public Replacement(
                String find, String by, boolean literal, boolean anyCase, boolean apart) {
            this(find, by, literal, anyCase, apart, false);
        }
    }
}
