package io.margay.compat.httpd.site;

import io.margay.compat.httpd.access.HttpdAccess;
import io.margay.compat.httpd.access.SectionRule;
import io.margay.compat.httpd.context.HttpdSection;
import io.margay.compat.httpd.context.ReadingContext;
import io.margay.compat.httpd.expression.Expressions;
import io.margay.compat.httpd.expression.RequestVariables;
import io.margay.compat.httpd.proxy.ProxyParameters;
import io.margay.compat.httpd.proxy.ProxyUrl;
import io.margay.compat.httpd.proxy.ProxyWorkers;
import io.margay.compat.httpd.site.HttpdServer.Pass;
import io.margay.compat.httpd.syntax.HttpdNode;
import io.margay.gateway.access.HostAccess;
import io.margay.gateway.access.handler.FileHandler;
import io.margay.gateway.proxy.ProxyRules;
import io.margay.gateway.rules.GatewayRule;
import io.margay.gateway.rules.GatewayRule.Assignment;
import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.RuleAction;
import io.margay.gateway.rules.RuleAction.Query;
import io.margay.gateway.rules.compiled.RuleVariables;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads the rules of mod_rewrite in sections and folders. Those are followed that refuse, or lead
/// past others without another path, and in folders those that redirect or lead to another path, as
/// long as all before them are. Confined to one reading.
final class SectionRewrites {
    private static final Pattern VARIABLE = Pattern.compile("%\\{ENV:([^}]*)}");

    /// What is set where a request has been begun anew.
    private static final String REDIRECT_STATUS = "REDIRECT_STATUS";

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

    /// Of rules of folders that redirect or give another path.
    private static final Set<String> LEADING =
            Set.of(
                    "NC",
                    "NOCASE",
                    "L",
                    "LAST",
                    "C",
                    "CHAIN",
                    "R",
                    "REDIRECT",
                    "QSA",
                    "QSAPPEND",
                    "QSD",
                    "QSDISCARD",
                    "NE",
                    "NOESCAPE",
                    "B",
                    "BNP",
                    "BCTLS",
                    "PT",
                    "PASSTHROUGH",
                    "END",
                    "E",
                    "ENV",
                    "CO",
                    "COOKIE");

    /// Of rules that pass requests on.
    private static final Set<String> PASSING =
            Set.of(
                    "P",
                    "PROXY",
                    "NC",
                    "NOCASE",
                    "L",
                    "LAST",
                    "END",
                    "C",
                    "CHAIN",
                    "QSA",
                    "QSAPPEND",
                    "QSD",
                    "QSDISCARD",
                    "E",
                    "ENV");

    private static final String TEXT =
            "in sections only rules that refuse, pass on with [P], or go on with -, are supported,"
                    + " in folders also those that redirect or lead to another path, and only"
                    + " before all others; move it outside";

    /// Maps, which are a server's.
    private static final Pattern MAP = Pattern.compile("\\$\\{");

    private static final Pattern VARIABLES = Pattern.compile("%\\{([^}]*)}");

    private static final Pattern REFERENCE = Pattern.compile("[$%][0-9]");

    /// As in httpd.
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final HttpdConfig config;

    private final ReadingContext context;

    private final RedirectDirectives redirects;

    /// @param redirects who knows the words for statuses
    SectionRewrites(HttpdConfig config, RedirectDirectives redirects) {
        this.config = config;
        context = config.context;
        this.redirects = redirects;
    }

    /// Reads a rule.
    ///
    /// @param flags in upper case, with their values
    void rule(
            HttpdNode node,
            HttpdAccess access,
            RewriteConditions.Taken conditions,
            Map<String, String> flags,
            HttpdSection section) {
        boolean folder = section.kind() == HttpdSection.Kind.DIRECTORY;
        boolean chained = flags.containsKey("C") || flags.containsKey("CHAIN");
        String pattern = node.argument(0);
        boolean not = pattern.startsWith("!");
        PathMatch.Regex match =
                new PathMatch.Regex(
                        not ? pattern.substring(1) : pattern,
                        flags.containsKey("NC") || flags.containsKey("NOCASE"),
                        not);
        String written = RewriteConditions.ofUser(node.argument(2), section);
        String target =
                context.variables().known(RewriteConditions.ofUser(node.argument(1), section));
        Pass pass = pass(node, target, flags, match, conditions.conditions());
        RuleAction action = pass == null ? action(node, target, flags, folder) : trial(pass);
        if (action == null
                || !conditions.exact()
                || !knowsVariables(written)
                || access.hasUnfollowed()
                || conditions.conditions().stream().anyMatch(one -> isUnknown(one, chained))) {
            access.unfollowed();
            if (folder && !node.argument(1).equals("-")) {
                // The file that it leads past would be sent in its place.
                context.wrong(node, "the rule, or one before it here, is not supported: " + TEXT);
            } else {
                context.changed(node, TEXT);
            }
            return;
        }
        List<Condition> when = conditions.conditions();
        GatewayRule rule = new GatewayRule(match, List.of(), when, action);
        if (Expressions.check(node, rule, context.account())) {
            if (flags.containsKey("CO") || flags.containsKey("COOKIE")) {
                context.changed(node, "no cookie is set in sections and folders");
            } else if (pass != null && !folder && pattern.startsWith("^/")) {
                context.changed(
                        node,
                        "httpd looks for it in the path of the file, and so is it here where"
                                + " DocumentRoot is on this machine: leave ^ out");
            } else {
                context.honoured(node);
            }
            access.rewrite(
                    new SectionRule(
                            match,
                            when,
                            () -> pass == null ? action : config.passing.apply(pass),
                            sets(written),
                            chained));
            when.stream()
                    .flatMap(one -> VARIABLE.matcher(one.value()).results())
                    .filter(found ->
                            !found.group(1).equals(RequestVariables.DOCUMENT_ROOT)
                                    && !found.group(1).equals(REDIRECT_STATUS))
                    .forEach(found -> context.variables().decidesAccess(found.group(1), node));
        }
    }

    /// What passes requests on; null where that is not followed, or nothing is passed on.
    private @Nullable Pass pass(
            HttpdNode node,
            String target,
            Map<String, String> flags,
            PathMatch match,
            List<Condition> conditions) {
        ProxyUrl url = ProxyUrl.parse(target).orElse(null);
        boolean forwards = flags.containsKey("P") || flags.containsKey("PROXY");
        if (!forwards
                || url == null
                || (context.isOfFolder() && url.scheme().equals("fcgi"))
                || (!url.isBalancer() && url.address().isEmpty())
                || !PASSING.containsAll(flags.keySet())
                || MAP.matcher(target).find()
                || !knowsVariables(target)) {
            return null;
        }
        return HttpdServerPassBuilder.builder()
                .match(match)
                .url(url)
                .parameters(new ProxyParameters(node.place(), node.name(), context.account()))
                .query(query(flags))
                .conditions(conditions)
                .rewritten(true)
                .place(node.place())
                .build();
    }

    /// What a rule of a file in a folder passes requests on to; a balancer is the host's.
    static RuleAction passed(Pass pass, HostAccess.Passing by, ProxyWorkers workers) {
        ProxyRules rules = by.rules();
        ProxyUrl url = Objects.requireNonNull(pass.url());
        Duration timeout = Objects.requireNonNullElse(rules.replyTimeout(), TIMEOUT);
        String upstream =
                url.isBalancer()
                        ? url.host()
                        : workers.upstream(
                                url,
                                pass.parameters(),
                                null,
                                () ->
                                        new ProxyWorkers.PeerDefaults(
                                                timeout, 8_192, by.tls(), null));
        return new RuleAction.Forward(
                upstream, url.path(), false, pass.query(), rules.ofPeer(url.isWebSocket()));
    }

    /// A program that a handler of a file in a folder names.
    static FileHandler run(Pass pass, HostAccess.Passing by, ProxyWorkers workers) {
        ProxyUrl url = pass.url();
        return url != null
                        && url.isProgram()
                        && passed(pass, by, workers) instanceof RuleAction.Forward to
                ? new FileHandler.Run(
                        new RuleAction.Forward(
                                to.upstream(), url.scriptPrefix(), false, to.query(), to.rules()))
                : FileHandler.PROGRAM;
    }

    /// What stands for the passing on of requests until all is read.
    private static RuleAction trial(Pass pass) {
        String path = pass.url() == null ? "" : pass.url().path();
        return new RuleAction.Rewrite(path, pass.query(), 0);
    }

    private static Query query(Map<String, String> flags) {
        return flags.containsKey("QSD") || flags.containsKey("QSDISCARD")
                ? Query.DROP
                : flags.containsKey("QSA") || flags.containsKey("QSAPPEND")
                        ? Query.ADD
                        : Query.KEEP;
    }

    /// The variables that a rule sets.
    private static List<Assignment> sets(String flags) {
        return RewriteDirectives.ENVIRONMENT
                .matcher(flags)
                .results()
                .map(found ->
                        new Assignment(
                                found.group(2),
                                found.group(1).isEmpty()
                                        ? Objects.requireNonNullElse(found.group(3), "")
                                        : null))
                .toList();
    }

    /// What a rule of a folder does that redirects or gives another path; null where that is not
    /// followed.
    private @Nullable RuleAction leading(HttpdNode node, String target, Map<String, String> flags) {
        boolean elsewhere = target.matches("[a-zA-Z]+://.*");
        String redirect = flags.getOrDefault("R", flags.get("REDIRECT"));
        if (target.equals("-")
                || target.isEmpty()
                || !LEADING.containsAll(flags.keySet())
                || MAP.matcher(target).find()
                || !knowsVariables(target)) {
            return null;
        }
        Query query = query(flags);
        if (redirect != null || elsewhere) {
            int status = redirects.status(node, redirect == null ? "" : redirect, 302);
            return status >= 300 && status < 400
                    ? new RuleAction.Redirect(
                            status, RewriteDirectives.escaped(target, flags), query)
                    : null;
        }
        boolean end = flags.containsKey("END");
        boolean last = end || flags.containsKey("L") || flags.containsKey("LAST");
        return new RuleAction.Rewrite(target, query, last ? RewriteDirectives.LAST : 0, end);
    }

    private static boolean knowsVariables(String target) {
        return VARIABLES
                .matcher(target)
                .results()
                .allMatch(found -> RuleVariables.isKnown(found.group(1)));
    }

    private static boolean isUnknown(Condition condition, boolean chained) {
        return MAP.matcher(condition.value()).find()
                || (chained && REFERENCE.matcher(condition.value()).find());
    }

    /// What a rule does; null where that is not followed.
    private @Nullable RuleAction action(
            HttpdNode node, String target, Map<String, String> flags, boolean folder) {
        RuleAction known = action(node, flags);
        return known == null && folder ? leading(node, target, flags) : known;
    }

    /// The same of those that may stand in every section.
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
        return status.matches("[245][0-9][0-9]")
                ? OptionalInt.of(Integer.parseInt(status))
                : OptionalInt.empty();
    }
}
