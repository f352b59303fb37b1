package io.margay.gateway.rules;

import io.margay.gateway.rules.BoundedRegex.TooManyStepsException;
import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.protocol.http.CanonicalPath;
import io.margay.protocol.http.RequestTarget;
import io.margay.server.exchange.Exchange;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/// The rules of one host, ready to be asked: the first that takes a request decides. Immutable;
/// asked on loop threads.
public final class RuleSet {
    private final List<Compiled> rules;
    private final RuleLimits limits;

    private RuleSet(List<Compiled> rules, RuleLimits limits) {
        this.rules = List.copyOf(rules);
        this.limits = limits;
    }

    /// Compiles.
    ///
    /// @throws IllegalArgumentException for a malformed regular expression or an unknown variable
    public static RuleSet of(List<GatewayRule> rules, RuleLimits limits) {
        List<Compiled> compiled = new ArrayList<>(rules.size());
        rules.forEach(rule -> compiled.add(Compiled.of(rule, limits)));
        return new RuleSet(compiled, limits);
    }

    /// Whether there is no rule.
    public boolean isEmpty() {
        return rules.isEmpty();
    }

    /// What becomes of an exchange. One whose path is malformed is left to the routes, which refuse
    /// it.
    public RuleDecision decide(Exchange exchange) {
        RequestTarget.Form form = exchange.request().target().form();
        boolean hasPath = form == RequestTarget.Form.ORIGIN || form == RequestTarget.Form.ABSOLUTE;
        return rules.isEmpty() || !hasPath || exchange.path().error() != null
                ? RuleDecision.ROUTES
                : decide(RuleRequest.of(exchange));
    }

    /// What becomes of a request.
    public RuleDecision decide(RuleRequest asked) {
        RuleRequest request = asked;
        RulePath path = RulePath.of(request.path(), request.rawPath());
        int rewrites = 0;
        try {
            int next = 0;
            while (next < rules.size()) {
                Compiled rule = rules.get(next++);
                Taken taken = rule.take(request, path);
                if (taken == null) {
                    continue;
                }
                if (rule.excepts(path.path())) {
                    return RuleDecision.ROUTES;
                }
                switch (rule.action) {
                    case RuleAction.Forward forward -> {
                        return new RuleDecision.Forward(
                                forward, rule.target(request, path, taken, forward));
                    }
                    case RuleAction.Leave _ -> {
                        return RuleDecision.ROUTES;
                    }
                    case RuleAction.Refuse refuse -> {
                        return new RuleDecision.Refuse(refuse.status());
                    }
                    case RuleAction.Page page -> {
                        return new RuleDecision.Page(page);
                    }
                    case RuleAction.Redirect(int status, String _, RuleAction.Query query) -> {
                        String to = rule.expand(request, path, taken, query);
                        return new RuleDecision.Redirect(status, absolute(to, request));
                    }
                    case RuleAction.Skip(int skipped) -> next += skipped;
                    case RuleAction.Rewrite(String _, RuleAction.Query query, int skipped) -> {
                        next += skipped;
                        request = rewritten(request, rule.expand(request, path, taken, query));
                        if (request == null || ++rewrites > limits.rewritesMax()) {
                            return new RuleDecision.Refuse(request == null ? 400 : 500);
                        }
                        path = RulePath.of(request.path(), request.rawPath());
                    }
                }
            }
        } catch (TooManyStepsException e) {
            return new RuleDecision.Refuse(500);
        }
        return RuleDecision.ROUTES;
    }

    private static @Nullable RuleRequest rewritten(RuleRequest request, String target) {
        int mark = target.indexOf('?');
        String raw = mark < 0 ? target : target.substring(0, mark);
        CanonicalPath path = CanonicalPath.of(raw.startsWith("/") ? raw : "/" + raw);
        return path.error() != null
                ? null
                : request.at(path.path(), path.raw(), mark < 0 ? null : target.substring(mark + 1));
    }

    private static String absolute(String location, RuleRequest request) {
        return location.startsWith("/") && request.authority() != null
                ? request.scheme() + "://" + request.authority() + location
                : location;
    }

    /// A rule that takes a request, with what its expressions found.
    private record Taken(
            @Nullable MatchResult ofPath, @Nullable MatchResult ofCondition, boolean raw) {
        static final Taken PLAIN = new Taken(null, null, false);
    }

    /// A condition with its expression.
    private record CompiledCondition(Condition condition, BoundedRegex regex) {
        @Nullable Matcher find(RuleRequest request) {
            return regex.find(plain(condition.value(), request));
        }

        /// Whether the variable holds text as received, where `%` begins an encoding.
        boolean isRaw() {
            return !condition.value().contains("%{REQUEST_URI}");
        }

        private static String plain(String value, RuleRequest request) {
            int at = value.indexOf("%{");
            if (at < 0) {
                return value;
            }
            StringBuilder text = new StringBuilder();
            int from = 0;
            while (at >= 0) {
                int end = value.indexOf('}', at);
                text.append(value, from, at)
                        .append(RuleVariables.value(value.substring(at + 2, end), request));
                from = end + 1;
                at = value.indexOf("%{", from);
            }
            return text.append(value, from, value.length()).toString();
        }
    }

    /// One rule with its expressions. Immutable.
    private static final class Compiled {
        private final PathMatch match;
        private final @Nullable BoundedRegex regex;
        private final List<String> except;
        private final List<CompiledCondition> conditions;
        private final RuleAction action;
        private final @Nullable RuleTemplate template;

        private Compiled(
                GatewayRule rule,
                @Nullable BoundedRegex regex,
                List<CompiledCondition> conditions,
                @Nullable RuleTemplate template) {
            match = rule.match();
            except = rule.except();
            action = rule.action();
            this.regex = regex;
            this.conditions = List.copyOf(conditions);
            this.template = template;
        }

        static Compiled of(GatewayRule rule, RuleLimits limits) {
            BoundedRegex regex =
                    rule.match() instanceof PathMatch.Regex match
                            ? BoundedRegex.of(match.regex(), match.anyCase(), limits)
                            : null;
            List<CompiledCondition> conditions = new ArrayList<>();
            for (Condition condition : rule.when()) {
                RuleTemplate.of(condition.value());
                conditions.add(
                        new CompiledCondition(
                                condition,
                                BoundedRegex.of(condition.regex(), condition.anyCase(), limits)));
            }
            String target =
                    switch (rule.action()) {
                        case RuleAction.Forward forward -> forward.target();
                        case RuleAction.Redirect redirect -> redirect.target();
                        case RuleAction.Rewrite rewrite -> rewrite.target();
                        case RuleAction.Leave _,
                                RuleAction.Refuse _,
                                RuleAction.Page _,
                                RuleAction.Skip _ ->
                                null;
                    };
            boolean isTemplate = target != null && !(rule.match() instanceof PathMatch.Prefix);
            return new Compiled(
                    rule,
                    regex,
                    conditions,
                    isTemplate ? RuleTemplate.of(String.valueOf(target)) : null);
        }

        /// What the rule found in the request, or null when it does not take it.
        @Nullable Taken take(RuleRequest request, RulePath path) {
            MatchResult ofPath = null;
            switch (match) {
                case PathMatch.Glob(String pattern) -> {
                    if (!Glob.matches(pattern, path.path())) {
                        return null;
                    }
                }
                case PathMatch.Prefix(String prefix) -> {
                    if (!isPrefix(prefix, path.path())) {
                        return null;
                    }
                }
                case PathMatch.Regex expression -> {
                    Matcher found = regex == null ? null : regex.find(path.path());
                    if ((found == null) != expression.not()) {
                        return null;
                    }
                    ofPath = found;
                }
            }
            return conditions.isEmpty()
                    ? ofPath == null ? Taken.PLAIN : new Taken(ofPath, null, false)
                    : conditions(request, ofPath);
        }

        private @Nullable Taken conditions(RuleRequest request, @Nullable MatchResult ofPath) {
            MatchResult last = null;
            boolean raw = false;
            boolean groupHolds = false;
            for (CompiledCondition one : conditions) {
                if (!groupHolds) {
                    Matcher found = one.find(request);
                    groupHolds = (found == null) == one.condition.not();
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

        /// As httpd compares the path of a `ProxyPass`, on a path without doubled slashes.
        private static boolean isPrefix(String prefix, String path) {
            return path.startsWith(prefix)
                    && (prefix.endsWith("/")
                            || path.length() == prefix.length()
                            || path.charAt(prefix.length()) == '/');
        }

        boolean excepts(String path) {
            for (int i = 0; i < except.size(); i++) {
                if (Glob.matches(except.get(i), path)) {
                    return true;
                }
            }
            return false;
        }

        /// The path and query that the peer is asked for.
        String target(RuleRequest request, RulePath path, Taken taken, RuleAction.Forward forward) {
            String to = forward.target();
            if (to != null) {
                String target =
                        match instanceof PathMatch.Prefix(String prefix)
                                ? to + rest(path, prefix, forward.raw())
                                : template(request, path, taken);
                return withQuery(
                        target.startsWith("/") ? target : "/" + target, request, forward.query());
            }
            String same = forward.raw() ? path.raw() : path.encoded(0);
            return withQuery(same, request, forward.query());
        }

        String expand(RuleRequest request, RulePath path, Taken taken, RuleAction.Query query) {
            String target =
                    switch (match) {
                        case PathMatch.Prefix(String prefix) ->
                                textOf(action) + rest(path, prefix, false);
                        case PathMatch.Glob _, PathMatch.Regex _ -> template(request, path, taken);
                    };
            return withQuery(target, request, query);
        }

        private static String textOf(RuleAction action) {
            return switch (action) {
                case RuleAction.Redirect redirect -> redirect.target();
                case RuleAction.Rewrite rewrite -> rewrite.target();
                case RuleAction.Forward forward -> String.valueOf(forward.target());
                case RuleAction.Leave _,
                        RuleAction.Refuse _,
                        RuleAction.Page _,
                        RuleAction.Skip _ ->
                        "";
            };
        }

        private static String rest(RulePath path, String prefix, boolean raw) {
            String rest = raw ? path.rawAfter(prefix) : null;
            return rest != null ? rest : path.encoded(prefix.length());
        }

        /// A session in the last segment goes with it, also where the expression ends before.
        private String template(RuleRequest request, RulePath path, Taken taken) {
            String target =
                    template == null
                            ? ""
                            : template.expand(
                                    new RuleTemplate.Found(
                                            request,
                                            path,
                                            taken.ofPath,
                                            taken.ofCondition,
                                            taken.raw));
            String parameters = path.lastParameters();
            if (parameters.isEmpty() || target.contains(parameters) || isOtherSite()) {
                return target;
            }
            int mark = target.indexOf('?');
            return mark < 0
                    ? target + parameters
                    : target.substring(0, mark) + parameters + target.substring(mark);
        }

        private boolean isOtherSite() {
            return action instanceof RuleAction.Redirect;
        }

        private static String withQuery(
                String target, RuleRequest request, RuleAction.Query query) {
            String own = request.query();
            boolean has = target.indexOf('?') >= 0;
            if (own == null || query == RuleAction.Query.DROP) {
                return target.endsWith("?") ? target.substring(0, target.length() - 1) : target;
            }
            return switch (query) {
                case KEEP ->
                        !has
                                ? target + "?" + own
                                : target.endsWith("?")
                                        ? target.substring(0, target.length() - 1)
                                        : target;
                case ADD ->
                        !has
                                ? target + "?" + own
                                : target + (target.endsWith("?") ? "" : "&") + own;
                case DROP -> target;
            };
        }
    }
}
