package io.margay.gateway.rules;

import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.protocol.http.FieldNames;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// Changes a field of a request on its way to a peer, or of a response on its way to the client.
/// Immutable.
///
/// @param when as in [GatewayRule]
/// @param name of the field
/// @param value made as [RuleAction.Forward#target], but not encoded; in the edits `$1` is what
///   `regex` has found in the field; unused by [Change#UNSET]
/// @param regex what the edits replace; otherwise unused
/// @param always whether it holds for this server's own answers, too: errors and redirections
/// @param order where it comes among what files such as `.htaccess` say, whose own have 1 and the
///   slashes in the path of their folder; 0 = before them
/// @param apart whether, as in httpd, it sees but a part of the fields of what another has
///   answered: with `always` those that rules with `always`, or a program of FastCGI, have said;
///   else the rest
@RecordBuilder
public record FieldRule(
        PathMatch match,
        List<Condition> when,
        Change change,
        String name,
        String value,
        String regex,
        boolean always,
        int order,
        boolean apart)
        implements FieldRuleBuilder.With {
    /// Fields that say how a message is framed or whether a connection stays: no rule changes them.
    private static final Set<String> PROTECTED = Set.of("content-length", "date", "expect");

    /// Before what files in folders say.
    public FieldRule(
            PathMatch match,
            List<Condition> when,
            Change change,
            String name,
            String value,
            String regex,
            boolean always) {
        this(match, when, change, name, value, regex, always, 0, false);
    }

    public FieldRule {
        when = List.copyOf(when);
        if (isProtected(name)) {
            throw new IllegalArgumentException(name + " is not a field that rules can change");
        }
    }

    /// What is done.
    public enum Change {
        /// It takes the place of all fields of the name.
        SET,

        /// The same where there is none.
        SET_IF_EMPTY,

        /// It comes beside those there are.
        ADD,

        /// It follows what is there, after a comma.
        APPEND,

        /// The same unless the list has it.
        MERGE,

        /// All fields of the name go.
        UNSET,

        /// What is found first in the value is replaced.
        EDIT,

        /// All that is found in the value is replaced.
        EDIT_ALL
    }

    /// Whether the field is none that rules may change.
    public static boolean isProtected(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return FieldNames.OF_CONNECTION.contains(lower) || PROTECTED.contains(lower);
    }
}
