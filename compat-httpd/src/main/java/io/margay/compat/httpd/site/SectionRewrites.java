package io.margay.compat.httpd.site;

import io.margay.compat.httpd.access.HttpdAccess;
import io.margay.compat.httpd.access.SectionRule;
import io.margay.compat.httpd.context.ReadingContext;
import io.margay.compat.httpd.expression.Expressions;
import io.margay.compat.httpd.expression.RequestVariables;
import io.margay.compat.httpd.syntax.HttpdNode;
import io.margay.gateway.rules.GatewayRule;
import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.RuleAction;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads the rules of mod_rewrite in sections and folders. Those are followed that refuse, or lead
/// past others without another path, as long as all before them are. Confined to one reading.
final class SectionRewrites {
    private static final Pattern VARIABLE = Pattern.compile("%\\{ENV:([^}]*)}");

    /// Of rules that refuse.
    private static final Set<String> REFUSING =
            Set.of(
                    "F",
                    "FORBIDDEN",
                    "G",
                    "GONE",
                    "R",
                    "REDIRECT",
                    "NC",
                    "NOCASE",
                    "L",
                    "LAST",
                    "END",
                    "C",
                    "CHAIN");

    /// Of rules that leave the path as it is.
    private static final Set<String> LEAVING =
            Set.of(
                    "NC",
                    "NOCASE",
                    "L",
                    "LAST",
                    "END",
                    "C",
                    "CHAIN",
                    "S",
                    "SKIP",
                    "NE",
                    "NOESCAPE",
                    "E",
                    "ENV",
                    "CO",
                    "COOKIE");

    /// Maps, which are a server's.
    private static final Pattern MAP = Pattern.compile("\\$\\{");

    private static final Pattern REFERENCE = Pattern.compile("[$%][0-9]");

    private final ReadingContext context;

    SectionRewrites(ReadingContext context) {
        this.context = context;
    }

    /// Reads a rule.
    ///
    /// @param flags in upper case, with their values
    void rule(
            HttpdNode node,
            HttpdAccess access,
            RewriteConditions.Taken conditions,
            Map<String, String> flags) {
        boolean chained = flags.containsKey("C") || flags.containsKey("CHAIN");
        RuleAction action = action(node, flags);
        if (action == null
                || !conditions.exact()
                || access.hasUnfollowed()
                || conditions.conditions().stream().anyMatch(one -> isUnknown(one, chained))) {
            access.unfollowed();
            context.changed(
                    node,
                    "in sections and folders only rules that refuse, or go on with -, are"
                            + " supported, and only before all others; move it outside");
            return;
        }
        String pattern = node.argument(0);
        boolean not = pattern.startsWith("!");
        PathMatch.Regex match =
                new PathMatch.Regex(
                        not ? pattern.substring(1) : pattern,
                        flags.containsKey("NC") || flags.containsKey("NOCASE"),
                        not);
        List<Condition> when = conditions.conditions();
        GatewayRule rule = new GatewayRule(match, List.of(), when, action);
        if (Expressions.check(node, rule, context.account())) {
            if (flags.keySet().stream().anyMatch(Set.of("E", "ENV", "CO", "COOKIE")::contains)) {
                context.changed(node, "no variable and no cookie is set in sections and folders");
            } else {
                context.honoured(node);
            }
            access.rewrite(new SectionRule(match, when, action, chained));
            when.stream()
                    .flatMap(one -> VARIABLE.matcher(one.value()).results())
                    .filter(found -> !found.group(1).equals(RequestVariables.DOCUMENT_ROOT))
                    .forEach(found -> context.variables().decidesAccess(found.group(1), node));
        }
    }

    private static boolean isUnknown(Condition condition, boolean chained) {
        return MAP.matcher(condition.value()).find()
                || (chained && REFERENCE.matcher(condition.value()).find());
    }

    /// What a rule does; null where that is not followed.
    private static @Nullable RuleAction action(HttpdNode node, Map<String, String> flags) {
        OptionalInt status = refusal(flags);
        if (status.isPresent()) {
            return REFUSING.containsAll(flags.keySet())
                    ? new RuleAction.Refuse(status.getAsInt())
                    : null;
        }
        if (!node.argument(1).equals("-") || !LEAVING.containsAll(flags.keySet())) {
            return null;
        }
        if (flags.containsKey("L") || flags.containsKey("LAST") || flags.containsKey("END")) {
            return new RuleAction.Skip(RewriteDirectives.LAST);
        }
        String skipped = flags.getOrDefault("S", flags.getOrDefault("SKIP", "0"));
        return skipped.matches("[0-9]{1,6}")
                ? new RuleAction.Skip(Integer.parseInt(skipped))
                : null;
    }

    private static OptionalInt refusal(Map<String, String> flags) {
        String status = flags.getOrDefault("R", flags.getOrDefault("REDIRECT", ""));
        if (flags.containsKey("F") || flags.containsKey("FORBIDDEN")) {
            return OptionalInt.of(403);
        }
        if (flags.containsKey("G") || flags.containsKey("GONE")) {
            return OptionalInt.of(410);
        }
        return status.matches("[45][0-9][0-9]")
                ? OptionalInt.of(Integer.parseInt(status))
                : OptionalInt.empty();
    }
}
