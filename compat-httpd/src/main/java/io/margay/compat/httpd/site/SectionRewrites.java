package io.margay.compat.httpd.site;

import io.margay.compat.httpd.access.HttpdAccess;
import io.margay.compat.httpd.context.ReadingContext;
import io.margay.compat.httpd.expression.Expressions;
import io.margay.compat.httpd.syntax.HttpdNode;
import io.margay.gateway.rules.GatewayRule;
import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.RuleAction;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// Reads the rules of mod_rewrite in sections and folders, which are followed where they refuse by
/// what is known. Confined to one reading.
final class SectionRewrites {
    private static final Pattern VARIABLE = Pattern.compile("%\\{ENV:([^}]*)}");

    private static final Set<String> FLAGS =
            Set.of("F", "FORBIDDEN", "G", "GONE", "NC", "NOCASE", "L", "LAST", "END");

    /// Of files, which conditions outside of folders do not know, and maps, which are a server's.
    private static final Pattern UNKNOWN =
            Pattern.compile("FILENAME|PATH_INFO|DOCUMENT_ROOT|\\$\\{");

    private final ReadingContext context;

    SectionRewrites(ReadingContext context) {
        this.context = context;
    }

    /// Reads a rule.
    ///
    /// @param flags in upper case
    /// @param exact whether its conditions are those that are written
    void rule(
            HttpdNode node,
            HttpdAccess access,
            List<Condition> conditions,
            Set<String> flags,
            boolean exact) {
        boolean forbidden = flags.contains("F") || flags.contains("FORBIDDEN");
        boolean refuses = forbidden || flags.contains("G") || flags.contains("GONE");
        boolean known =
                FLAGS.containsAll(flags)
                        && conditions.stream()
                                .noneMatch(one -> UNKNOWN.matcher(one.value()).find());
        if (!refuses || !exact || !known || access.hasUnfollowed()) {
            access.unfollowed();
            context.changed(
                    node,
                    "of the rules of sections and folders those are followed that refuse and stand"
                            + " before others; write it outside");
            return;
        }
        String pattern = node.argument(0);
        boolean not = pattern.startsWith("!");
        PathMatch match =
                new PathMatch.Regex(
                        not ? pattern.substring(1) : pattern,
                        flags.contains("NC") || flags.contains("NOCASE"),
                        not);
        GatewayRule rule =
                new GatewayRule(
                        match, List.of(), conditions, new RuleAction.Refuse(forbidden ? 403 : 410));
        if (Expressions.check(node, rule, context.account())) {
            context.honoured(node);
            access.rewrite(rule);
            conditions.stream()
                    .flatMap(one -> VARIABLE.matcher(one.value()).results())
                    .forEach(found -> context.variables().decidesAccess(found.group(1), node));
        }
    }
}
