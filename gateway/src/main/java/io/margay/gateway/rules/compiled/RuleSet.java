package io.margay.gateway.rules.compiled;

import io.margay.gateway.login.LoginAnswer;
import io.margay.gateway.rules.GatewayRule;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.HostChanges;
import io.margay.gateway.rules.RuleAction;
import io.margay.gateway.rules.RuleLimits;
import io.margay.protocol.http.CanonicalPath;
import io.margay.protocol.http.Fields;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.UndecidedException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The rules of one host, ready to be asked: the first that takes a request decides. Immutable;
/// asked on loop threads.
public final class RuleSet {
    private static final int NO_CONTENT = 204;
    private static final Pattern ENCODED_MARK = Pattern.compile("%3[fF]");

    private final List<Compiled> rules;
    private final VariableRules variables;
    private final RuleLimits limits;

    /// Whether what the host changes depends on the file that a request is for.
    private final boolean asksFile;

    private final boolean setsVariables;

    /// Null where each rule is asked.
    private final @Nullable RuleTree tree;

    /// Where the last rule stands that leaves rewritten requests to the routes; -1 = nowhere.
    private final int settled;

    private RuleSet(
            List<Compiled> rules,
            VariableRules variables,
            RuleLimits limits,
            boolean asksFile,
            boolean asksEach) {
        this.asksFile = asksFile;
        this.rules = List.copyOf(rules);
        this.variables = variables;
        this.limits = limits;
        int last = rules.size() - 1;
        while (last >= 0 && !(rules.get(last).action instanceof RuleAction.Settle)) {
            last--;
        }
        settled = last;
        setsVariables = rules.stream().anyMatch(rule -> !rule.sets.isEmpty());
        tree = asksEach ? null : RuleTree.of(rules.stream().map(one -> one.match.path()).toList());
    }

    /// Compiles.
    ///
    /// @throws IllegalArgumentException for a malformed regular expression or an unknown variable
    public static RuleSet of(List<GatewayRule> rules, RuleLimits limits) {
        return of(rules, HostChanges.NONE, limits);
    }

    /// The same with the host's variables, which are set before any rule is asked, and its maps.
    public static RuleSet of(List<GatewayRule> rules, HostChanges changes, RuleLimits limits) {
        return of(rules, changes, limits, false);
    }

    /// @param asksEach whether each rule is asked, also where its path cannot be the request's:
    ///   what a test compares with
    static RuleSet of(
            List<GatewayRule> rules, HostChanges changes, RuleLimits limits, boolean asksEach) {
        RuleScope scope = RuleScope.of(changes, limits);
        List<Compiled> compiled = new ArrayList<>(rules.size());
        rules.forEach(rule -> compiled.add(Compiled.of(rule, scope)));
        return new RuleSet(
                compiled,
                VariableRules.of(changes.variables(), scope),
                limits,
                changes.asksFile() || rules.stream().anyMatch(RuleSet::runs),
                asksEach);
    }

    /// Whether rules set variables.
    public boolean setsVariables() {
        return setsVariables;
    }

    private static boolean runs(GatewayRule rule) {
        return rule.action() instanceof RuleAction.Forward forward && forward.rules().runsByPath();
    }

    /// Whether what the host changes depends on the file that a request is for, or programs are
    /// told of it.
    public boolean asksFile() {
        return asksFile;
    }

    /// Whether there is no rule.
    public boolean isEmpty() {
        return rules.isEmpty();
    }

    /// What becomes of an exchange. One whose path is malformed is left to the routes, which refuse
    /// it.
    public RuleDecision decide(Exchange exchange) {
        return rules.isEmpty() || !RuleRequest.isPossible(exchange)
                ? RuleDecision.ROUTES
                : decide(RuleRequest.of(exchange));
    }

    /// What becomes of a request.
    public RuleDecision decide(RuleRequest asked) {
        return outcome(asked).decision();
    }

    /// What becomes of a request for a file. Expressions search in its path within a folder, and
    /// what is rewritten is such a path, too; it is known when the last rule has been asked.
    ///
    /// @param text the path within the folder
    /// @param below the folder's path, with a slash at the end
    /// @param set takes the variables that rules set
    public RuleDecision decide(
            RuleRequest asked, String text, String below, Map<String, String> set) {
        RuleRequest request = asked;
        RuleRequest early = request.early();
        RulePath path = new RulePath(text, List.of(), text, asked.keepsSlashes());
        String made = null;
        boolean end = false;
        int next = 0;
        while (next < rules.size()) {
            Compiled rule = rules.get(next++);
            RuleMatch.Taken taken = rule.match.take(early, path);
            if (taken == null) {
                continue;
            }
            request = rule.set(request, path, taken, set);
            early = request.early();
            boolean forwards = rule.action instanceof RuleAction.Forward;
            RulePath sent = forwards && made == null ? RulePath.endingAs(asked, path.path()) : path;
            RuleDecision decision = rule.decide(request, sent, taken);
            if (decision != null) {
                return decision;
            }
            next += rule.skips();
            if (rule.action instanceof RuleAction.Rewrite(_, var query, _, boolean ends)) {
                end |= ends;
                made = rule.expand(request, path, taken, query);
                RuleRequest changed = rewritten(request, made);
                if (changed == null) {
                    return new RuleDecision.Refuse(400);
                }
                boolean inFolder = !made.startsWith("/");
                String now = inFolder ? changed.path().substring(1) : changed.path();
                // The path that conditions see is the request's until it is begun anew.
                request =
                        request.at(request.path(), request.rawPath(), changed.query())
                                .ofFile(inFolder ? below + now : now);
                early = request.early();
                path = new RulePath(now, List.of(), now, asked.keepsSlashes());
            }
        }
        return made == null ? RuleDecision.ROUTES : new RuleDecision.Again(made, end);
    }

    /// What becomes of a request, and what the rules have made of it.
    ///
    /// @param request with its variables, and the path after the last rewriting
    /// @param isEarly whether it was decided before [RuleAction.Settle]: to httpd the path is then
    ///   the one that was asked for, whatever rules have made of it
    /// @param isGuarded whether sections are asked about what the rules answer themselves
    /// @param set variables that rules have set, which the request has, too
    public record Outcome(
            RuleDecision decision,
            RuleRequest request,
            boolean isEarly,
            boolean isGuarded,
            Map<String, String> set) {
        private Outcome(RuleDecision decision, RuleRequest request, Map<String, String> set) {
            this(decision, request, false, false, set);
        }
    }

    /// What the rules have made of a request, with the variables that are set for its path as
    /// received, neither decoded nor without dot segments.
    ///
    /// @param made what they have made of it; what rules have set stays
    /// @throws UndecidedException as an expression may
    public RuleRequest asReceived(RuleRequest asked, Outcome made) {
        String raw = asked.rawPath();
        RuleRequest spelt = variables.of(asked.at(raw, raw, asked.query()));
        if (made.set.isEmpty()) {
            return made.request.with(spelt.variables(), spelt.late());
        }
        Map<String, String> all = new LinkedHashMap<>(spelt.variables());
        all.putAll(made.set);
        return made.request.with(all, spelt.late());
    }

    /// The variables of a request as programs are told of them, with what folders set, each at its
    /// place among what the host does.
    ///
    /// @throws io.margay.server.exchange.UndecidedException as an expression may
    public Map<String, String> environment(RuleRequest request, List<FolderChanges> folders) {
        VariableRules all = variables;
        boolean more = false;
        for (FolderChanges folder : folders) {
            VariableRules own = folder.rules().variables();
            more |= !own.isEmpty();
            all = own.isEmpty() ? all : all.with(own);
        }
        return (more ? all.of(request) : request).told().variables();
    }

    /// A request of which it is known now which file it is for, with the variables that depend on
    /// that.
    ///
    /// @throws UndecidedException as an expression may
    public RuleRequest ofFile(RuleRequest request) {
        return variables.askFile() ? variables.of(request) : request;
    }

    /// A request of which it is known now who has sent it, with the variables that depend on that.
    ///
    /// @throws UndecidedException as an expression may
    public RuleRequest ofUser(RuleRequest request) {
        return variables.askUser() ? variables.of(request) : request;
    }

    /// What becomes of a request, and what the rules have made of it.
    public Outcome outcome(RuleRequest asked) {
        int rewrites = 0;
        RuleRequest request = asked;
        Map<String, String> set = setsVariables ? new LinkedHashMap<>() : Map.of();
        try {
            request = variables.of(asked);
            RuleRequest early = request.early();
            RulePath path = RulePath.of(request);
            int longest = tree == null ? -1 : tree.find(path.path());
            int next = 0;
            while ((next = tree == null ? next : tree.next(next, longest)) < rules.size()) {
                Compiled rule = rules.get(next++);
                RulePath seen = rule.match.seen(path);
                RuleMatch.Taken taken = rule.match.take(early, seen);
                if (taken == null) {
                    continue;
                }
                request = rule.set(request, seen, taken, set);
                early = request.early();
                boolean settles = rewrites > 0 && rule.action instanceof RuleAction.Settle;
                if (settles || rule.excepts(path.path())) {
                    return new Outcome(RuleDecision.ROUTES, request, settles, false, set);
                }
                RuleDecision decision = rule.decide(request, seen, taken);
                if (decision != null) {
                    return new Outcome(decision, request, next <= settled, rule.guarded, set);
                }
                next += rule.skips();
                if (rule.action instanceof RuleAction.Rewrite(_, var query, _, _)) {
                    RuleRequest changed =
                            rewritten(request, rule.expand(request, seen, taken, query));
                    if (changed == null || ++rewrites > limits.rewritesMax()) {
                        int status = changed == null ? 400 : 500;
                        RuleDecision refused = new RuleDecision.Refuse(status);
                        return new Outcome(refused, request, set);
                    }
                    request = changed;
                    early = request.early();
                    path = RulePath.of(request);
                    longest = tree == null ? -1 : tree.find(path.path());
                }
            }
        } catch (UndecidedException e) {
            return new Outcome(new RuleDecision.Refuse(500), request, set);
        }
        return new Outcome(RuleDecision.ROUTES, request, set);
    }

    private static @Nullable RuleRequest rewritten(RuleRequest request, String target) {
        int mark = target.indexOf('?');
        String raw = mark < 0 ? target : target.substring(0, mark);
        CanonicalPath path =
                CanonicalPath.of(raw.startsWith("/") ? raw : "/" + raw, request.reading());
        return path.error() != null
                ? null
                : request.at(path.path(), path.raw(), mark < 0 ? null : target.substring(mark + 1));
    }

    /// A variable that a rule sets. Immutable.
    private record Setting(String name, @Nullable RuleTemplate value) {
        static Setting of(GatewayRule.Assignment one, RuleScope scope) {
            String value = one.value();
            return new Setting(
                    one.name(), value == null ? null : RuleTemplate.of(value, scope.maps()));
        }

        void set(RuleTemplate.Found found, Map<String, String> known, Map<String, String> byRules) {
            if (value == null) {
                known.remove(name);
                byRules.remove(name);
            } else {
                String text = value.plain(found);
                known.put(name, text);
                byRules.put(name, text);
            }
        }
    }

    /// One rule with its expressions. Immutable.
    private record Compiled(
            RuleMatch match,
            List<String> except,
            RuleAction action,
            @Nullable RuleTemplate template,
            Map<String, RuleTemplate> attributes,
            List<Setting> sets,
            boolean plain,
            boolean guarded) {
        static Compiled of(GatewayRule rule, RuleScope scope) {
            String target =
                    switch (rule.action()) {
                        case RuleAction.Forward forward -> forward.target();
                        case RuleAction.Redirect redirect -> redirect.target();
                        case RuleAction.Rewrite rewrite -> rewrite.target();
                        case RuleAction.Say say -> say.text();
                        case RuleAction.Leave _,
                                RuleAction.Settle _,
                                RuleAction.Refuse _,
                                RuleAction.Page _,
                                RuleAction.Skip _ ->
                                null;
                    };
            boolean isTemplate = target != null && !(rule.match() instanceof PathMatch.Prefix);
            return new Compiled(
                    RuleMatch.of(rule.match(), rule.when(), scope),
                    rule.except(),
                    rule.action(),
                    isTemplate ? RuleTemplate.of(String.valueOf(target), scope.maps()) : null,
                    attributes(rule.action(), scope),
                    rule.sets().stream().map(one -> Setting.of(one, scope)).toList(),
                    rule.plain() && target != null && target.indexOf('?') < 0,
                    rule.guarded());
        }

        /// Those that are made of the request; empty where all are as they stand.
        private static Map<String, RuleTemplate> attributes(RuleAction action, RuleScope scope) {
            Map<String, RuleTemplate> made = new LinkedHashMap<>();
            if (action instanceof RuleAction.Forward forward
                    && forward.rules().attributes().values().stream()
                            .anyMatch(value -> value.contains("%{"))) {
                forward.rules()
                        .attributes()
                        .forEach((name, value) ->
                                made.put(name, RuleTemplate.of(value, scope.maps())));
            }
            return made;
        }

        /// The request with the variables that it sets.
        ///
        /// @param byRules takes them
        RuleRequest set(
                RuleRequest request,
                RulePath path,
                RuleMatch.Taken taken,
                Map<String, String> byRules) {
            if (sets.isEmpty()) {
                return request;
            }
            Map<String, String> all = new LinkedHashMap<>(request.variables());
            RuleRequest known = request.with(all);
            for (Setting one : sets) {
                one.set(RuleTemplate.Found.of(known, path, taken), all, byRules);
            }
            return known;
        }

        /// What it says of a request; null when the next is asked.
        @Nullable RuleDecision decide(RuleRequest request, RulePath path, RuleMatch.Taken taken) {
            if (plain && refuses(request, path, taken)) {
                return new RuleDecision.Refuse(403);
            }
            return switch (action) {
                case RuleAction.Forward forward ->
                        new RuleDecision.Forward(
                                attributed(request, path, taken, forward),
                                target(request, path, taken, forward));
                case RuleAction.Leave _ -> RuleDecision.ROUTES;
                case RuleAction.Refuse(int status) -> new RuleDecision.Refuse(status);
                case RuleAction.Page page -> new RuleDecision.Page(page);
                case RuleAction.Say say -> said(say, RuleTemplate.Found.of(request, path, taken));
                case RuleAction.Redirect(int status, String _, RuleAction.Query query) -> {
                    String to = expand(request, path, taken, query);
                    yield new RuleDecision.Redirect(status, request.absolute(to));
                }
                case RuleAction.Skip _, RuleAction.Rewrite _, RuleAction.Settle _ -> null;
            };
        }

        private RuleDecision said(RuleAction.Say say, RuleTemplate.Found found) {
            String text = template == null ? say.text() : template.text(found);
            Fields.Builder fields = new Fields.Builder();
            if (say.status() != NO_CONTENT) {
                fields.add("Content-Type", say.type());
            }
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            return new RuleDecision.Answer(new LoginAnswer(say.status(), fields.build(), bytes));
        }

        /// Whether the path that it makes has a `?` that the client has encoded.
        private boolean refuses(RuleRequest request, RulePath path, RuleMatch.Taken taken) {
            if (template == null || !ENCODED_MARK.matcher(request.received()).find()) {
                return false;
            }
            String made = template.expand(RuleTemplate.Found.of(request, path, taken));
            return ENCODED_MARK.matcher(made).find();
        }

        /// How many rules after it are not asked.
        int skips() {
            return switch (action) {
                case RuleAction.Skip(int skipped) -> skipped;
                case RuleAction.Rewrite rewrite -> rewrite.skip();
                case RuleAction.Forward _,
                        RuleAction.Leave _,
                        RuleAction.Settle _,
                        RuleAction.Refuse _,
                        RuleAction.Say _,
                        RuleAction.Page _,
                        RuleAction.Redirect _ ->
                        0;
            };
        }

        /// The action with the attributes of this request.
        RuleAction.Forward attributed(
                RuleRequest request,
                RulePath path,
                RuleMatch.Taken taken,
                RuleAction.Forward forward) {
            if (attributes.isEmpty()) {
                return forward;
            }
            Map<String, String> values = new LinkedHashMap<>();
            RuleTemplate.Found found = RuleTemplate.Found.of(request, path, taken);
            attributes.forEach((name, value) -> {
                String text = value.plain(found);
                if (!text.isEmpty() || forward.rules().toldOnly()) {
                    values.put(name, text);
                }
            });
            return new RuleAction.Forward(
                    forward.upstream(),
                    forward.target(),
                    forward.raw(),
                    forward.query(),
                    forward.rules().withAttributes(values));
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
        String target(
                RuleRequest request,
                RulePath path,
                RuleMatch.Taken taken,
                RuleAction.Forward forward) {
            String to = forward.target();
            if (to != null) {
                String target =
                        match.path() instanceof PathMatch.Prefix(String prefix)
                                ? to + rest(path, prefix, forward.raw())
                                : template(request, path, taken);
                return withQuery(
                        target.startsWith("/") ? target : "/" + target, request, forward.query());
            }
            return withQuery(rest(path, "", forward.raw()), request, forward.query());
        }

        String expand(
                RuleRequest request, RulePath path, RuleMatch.Taken taken, RuleAction.Query query) {
            String target =
                    switch (match.path()) {
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
                        RuleAction.Settle _,
                        RuleAction.Refuse _,
                        RuleAction.Say _,
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
        private String template(RuleRequest request, RulePath path, RuleMatch.Taken taken) {
            String target =
                    template == null
                            ? ""
                            : template.expand(RuleTemplate.Found.of(request, path, taken));
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
