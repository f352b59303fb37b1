package io.margay.gateway.rules.compiled;

import io.margay.gateway.rules.FileTest;
import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.regex.BoundedRegex;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import org.jspecify.annotations.Nullable;

/// Which requests a rule is about, with its expressions compiled. Immutable.
record RuleMatch(PathMatch path, @Nullable BoundedRegex regex, List<CompiledCondition> conditions) {
    /// Every request.
    static final RuleMatch ANY = new RuleMatch(PathMatch.ANY, null, List.of());

    RuleMatch {
        conditions = List.copyOf(conditions);
    }

    /// What its expressions found in a request.
    ///
    /// @param raw whether the last condition looked at text as received, where `%` begins an
    ///   encoding
    record Taken(@Nullable MatchResult ofPath, @Nullable MatchResult ofCondition, boolean raw) {
        static final Taken PLAIN = new Taken(null, null, false);
    }

    /// A condition with its expression.
    ///
    /// @param file what is asked of a file in the place of the expression, or null
    record CompiledCondition(
            Condition condition, RuleTemplate value, BoundedRegex regex, @Nullable FileTest file) {
        boolean isRaw() {
            String text = condition.value();
            return !text.contains("%{REQUEST_URI}") && !text.contains("%{FILE}");
        }
    }

    /// Compiles.
    ///
    /// @throws IllegalArgumentException for a malformed regular expression or an unknown variable
    static RuleMatch of(PathMatch path, List<Condition> when, RuleScope scope) {
        BoundedRegex regex =
                path instanceof PathMatch.Regex match
                        ? BoundedRegex.of(match.regex(), match.anyCase(), scope.limits())
                        : null;
        List<CompiledCondition> conditions = new ArrayList<>();
        for (Condition condition : when) {
            conditions.add(
                    new CompiledCondition(
                            condition,
                            RuleTemplate.of(condition.value(), scope.maps()),
                            BoundedRegex.of(condition.regex(), condition.anyCase(), scope.limits()),
                            FileTest.of(condition.regex())));
        }
        return new RuleMatch(path, regex, conditions);
    }

    /// Whether it searches with an expression.
    boolean searches() {
        return regex != null || !conditions.isEmpty();
    }

    /// Whether it depends on the file that a request is for.
    boolean asksFile() {
        return conditions.stream().anyMatch(one -> one.condition.asksFile());
    }

    /// Whether it depends on who has sent a request.
    boolean asksUser() {
        return conditions.stream().anyMatch(one -> one.value.asks("REMOTE_USER"));
    }

    /// The path as the expression sees it: with its parameters if it asks for a `;`.
    RulePath seen(RulePath of) {
        return path instanceof PathMatch.Regex expression && expression.regex().indexOf(';') >= 0
                ? of.withParameters()
                : of;
    }

    /// What is found in the request, or null when it is none of those that are meant.
    @Nullable Taken take(RuleRequest request, RulePath of) {
        MatchResult ofPath = null;
        switch (path) {
            case PathMatch.Glob(String pattern) -> {
                if (!Glob.matches(pattern, of.path())) {
                    return null;
                }
            }
            case PathMatch.Prefix(String prefix) -> {
                if (!PathMatch.isBelow(of.path(), prefix)) {
                    return null;
                }
            }
            case PathMatch.Regex expression -> {
                MatchResult found = regex == null ? null : regex.find(of.path());
                if ((found == null) != expression.not()) {
                    return null;
                }
                ofPath = found;
            }
        }
        return conditions.isEmpty()
                ? ofPath == null ? Taken.PLAIN : new Taken(ofPath, null, false)
                : conditions(request, of, ofPath);
    }

    private @Nullable Taken conditions(
            RuleRequest request, RulePath of, @Nullable MatchResult ofPath) {
        MatchResult last = null;
        boolean raw = false;
        boolean groupHolds = false;
        for (CompiledCondition one : conditions) {
            if (!groupHolds) {
                RuleRequest seen =
                        one.condition.regex().indexOf(';') < 0
                                ? request
                                : request.at(
                                        of.withParameters().path(),
                                        request.rawPath(),
                                        request.query());
                String text = one.value.plain(new RuleTemplate.Found(seen, of, ofPath, last, raw));
                MatchResult found = one.file == null ? one.regex.find(text) : null;
                boolean is = one.file == null ? found != null : one.file.holds(text);
                groupHolds = is != one.condition.not();
                if (found != null && !one.condition.not()) {
                    last = found;
                    raw = one.isRaw();
                }
            }
            if (!one.condition.or()) {
                if (!groupHolds) {
                    return null;
                }
                groupHolds = false;
            }
        }
        return new Taken(ofPath, last, raw);
    }
}
