package io.margay.compat.httpd.site;

import io.margay.compat.httpd.context.HttpdSection;
import io.margay.compat.httpd.context.ReadingContext;
import io.margay.compat.httpd.expression.Expressions;
import io.margay.compat.httpd.proxy.ProxyParameters;
import io.margay.compat.httpd.proxy.ProxyUrl;
import io.margay.compat.httpd.site.HttpdServer.Pass;
import io.margay.compat.httpd.syntax.HttpdDirective;
import io.margay.compat.httpd.syntax.HttpdNode;
import io.margay.gateway.plan.HostPlan.FilesPlan;
import io.margay.gateway.rules.GatewayRule;
import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.HostChanges;
import io.margay.gateway.rules.MapSource;
import io.margay.gateway.rules.RuleAction;
import io.margay.gateway.rules.RuleAction.Query;
import io.margay.gateway.rules.VariableRule;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads the directives of mod_rewrite. Confined to one reading.
final class RewriteDirectives {
    /// The flags that set variables; a value has no comma.
    static final Pattern ENVIRONMENT =
            Pattern.compile("[\\[,]\\s*(?:E|env)=(!?)([A-Za-z0-9_.-]+)(?::([^,\\]]*))?");

    /// `/name` of a path that goes on.
    private static final Pattern FIRST_NAME = Pattern.compile("/[^/$%?]+(?=/)");

    private static final Set<String> FLAGS =
            Set.of(
                    "P",
                    "PROXY",
                    "L",
                    "LAST",
                    "END",
                    "R",
                    "REDIRECT",
                    "NC",
                    "NOCASE",
                    "QSA",
                    "QSAPPEND",
                    "QSD",
                    "QSDISCARD",
                    "NE",
                    "NOESCAPE",
                    "PT",
                    "PASSTHROUGH",
                    "F",
                    "FORBIDDEN",
                    "G",
                    "GONE",
                    "S",
                    "SKIP",
                    "B",
                    "BNP",
                    "BCTLS",
                    "UNSAFEALLOW3F",
                    "N",
                    "NEXT",
                    "E",
                    "ENV");

    /// What may stand with a rule that depends on who the user is.
    private static final Set<String> OF_USER =
            Set.of("E", "ENV", "NC", "NOCASE", "NS", "NOSUBREQ", "L", "LAST", "END");

    /// A back-reference, which is not an encoding.
    private static final Pattern REFERENCE = Pattern.compile("[$%][0-9](?![0-9A-Fa-f])");

    /// The map that encodes for the value of a parameter.
    private static final String PARAMETER = "margay-parameter";

    private final HttpdConfig config;
    private final ReadingContext context;
    private final SectionRewrites sections;
    private final RewriteConditions before;
    private final RedirectDirectives redirects;

    /// @param redirects who knows the words for statuses
    RewriteDirectives(HttpdConfig config, RedirectDirectives redirects) {
        this.redirects = redirects;
        this.config = config;
        context = config.context;
        sections = new SectionRewrites(config, redirects);
        before = new RewriteConditions(config);
    }

    void read(HttpdDirective directive, HttpdNode node, HttpdServer server, HttpdSection section) {
        if (!section.isNone()) {
            config.rewritesInSections = true;
            config.access(section, server).rewrites(section);
        }
        switch (directive) {
            case REWRITE_ENGINE -> {
                if (!section.isNone()) {
                    config.access(section, server).engine(node.isOn());
                }
                context.honoured(node);
            }
            case REWRITE_MAP -> map(node, server);
            case REWRITE_OPTIONS -> {
                if (section.isNone()) {
                    options(node, server);
                } else {
                    context.wrong(node, "is not supported in sections and folders");
                }
            }
            case REWRITE_BASE -> base(node, server, section);
            case REWRITE_COND -> before.read(node, server, section);
            case REWRITE_RULE -> rule(node, server, section);
            default -> throw new IllegalStateException(directive.word());
        }
    }

    private void base(HttpdNode node, HttpdServer server, HttpdSection section) {
        if (!node.argument(0).startsWith("/")) {
            context.wrong(node, "\"" + node.argument(0) + "\" is not a path, as in httpd");
        } else if (section.kind() == HttpdSection.Kind.DIRECTORY) {
            config.access(section, server).base(node.argument(0));
            context.honoured(node);
        } else {
            context.noted(node, "it has no effect here: it belongs in a folder");
        }
    }

    // Maps, options and variables

    /// `RewriteMap name txt:FILE`, `rnd:FILE`, `int:FUNCTION`.
    private void map(HttpdNode node, HttpdServer server) {
        String source = node.argument(1);
        int colon = source.indexOf(':');
        String kind = colon < 0 ? "txt" : source.substring(0, colon).toLowerCase(Locale.ROOT);
        String rest = source.substring(colon + 1);
        Path file = kind.equals("txt") || kind.equals("rnd") ? context.path(rest) : null;
        MapSource found = file == null ? null : new MapSource.Lines(file, kind.equals("rnd"));
        if (kind.equals("int")) {
            found =
                    switch (rest.toLowerCase(Locale.ROOT)) {
                        case "tolower" -> new MapSource.Made(MapSource.Function.LOWER);
                        case "toupper" -> new MapSource.Made(MapSource.Function.UPPER);
                        case "escape" -> new MapSource.Made(MapSource.Function.ESCAPE);
                        case "unescape" -> new MapSource.Made(MapSource.Function.UNESCAPE);
                        default -> null;
                    };
        }
        if (found == null) {
            context.changed(
                    node,
                    "only txt:, rnd: and int: maps are supported; rules that use it are"
                            + " ignored");
        } else if (file != null && !Files.isRegularFile(file)) {
            context.wrong(node, file + " is not a file on this machine");
        } else {
            server.maps.put(node.argument(0), found);
            context.honoured(node);
        }
    }

    private void options(HttpdNode node, HttpdServer server) {
        for (String word : node.arguments()) {
            switch (word.toLowerCase(Locale.ROOT)) {
                case "inherit" -> server.rewriteInherit = true;
                case "inheritbefore" -> {
                    server.rewriteInherit = true;
                    server.rewriteInheritBefore = true;
                }
                case "inheritdown" -> server.rewriteInheritDown = true;
                case "inheritdownbefore" -> {
                    server.rewriteInheritDown = true;
                    context.changed(node, word + ": inherited rules come after the host's own");
                }
                case "ignoreinherit" -> context.changed(node, word + " is not supported");
                default -> context.noted(node, word + ": it has no effect here");
            }
        }
        context.honoured(node);
    }

    /// `[E=NAME:VALUE]`: set for the requests that the rule is about, as they came.
    ///
    /// @param flags as they are written
    private void environment(
            HttpdNode node,
            String flags,
            HttpdServer server,
            PathMatch match,
            List<Condition> conditions) {
        Matcher matcher = ENVIRONMENT.matcher(flags);
        while (matcher.find()) {
            String name = matcher.group(2);
            String value =
                    matcher.group(3) == null ? "" : context.variables().known(matcher.group(3));
            VariableRule rule =
                    new VariableRule(
                            match, conditions, name, matcher.group(1).isEmpty() ? value : null);
            HostChanges changes =
                    new HostChanges(
                            List.of(rule),
                            config.maps(server).maps(),
                            List.of(),
                            List.of(),
                            List.of());
            if (before.variables(node, value)
                    && Expressions.check(node, changes, context.account())) {
                server.early.add(rule);
                if (server.rewrites.stream().anyMatch(RewriteDirectives::mayLeadAway)) {
                    server.lateVariables.add(name);
                }
            }
        }
    }

    /// Whether later rules may not see a request as it came.
    private static boolean mayLeadAway(HttpdServer.Rewriting one) {
        return !one.rule().action().equals(new RuleAction.Skip(0));
    }

    // RewriteRule

    private void rule(HttpdNode node, HttpdServer server, HttpdSection section) {
        RewriteConditions.Taken taken = before.take(node, section);
        Map<String, String> flags = before.flags(node, node.argument(2));
        if (!section.isNone()) {
            sections.rule(node, config.access(section, server), taken, flags, section);
            return;
        }
        if (!server.rewriteEngine) {
            context.noted(node, "RewriteEngine is off");
            return;
        }
        List<Condition> conditions = taken.conditions();
        if (!followsUser(node, server, taken, flags)) {
            return;
        }
        boolean alone = setsAlone(node, flags);
        boolean exact = taken.exact() && (alone || knowsFlags(node, flags.keySet()));
        PathMatch match = match(node, flags);
        String written = ofHost(ofUser(node.argument(1)), server);
        String target = context.variables().known(written);
        target = flags.containsKey("B") ? withParameters(target, server) : target;
        Query query = query(flags);
        if (!before.variables(node, target)) {
            return;
        }
        List<String> texts = new ArrayList<>(conditions.stream().map(Condition::value).toList());
        texts.add(target);
        boolean known = before.knowsMaps(server, String.join(" ", texts));
        if (!exact(node, server, exact && known)) {
            return;
        }
        if (!known) {
            context.changed(node, "uses a map that is not supported, and is ignored");
            return;
        }
        environment(node, ofUser(node.argument(2)), server, match, conditions);
        boolean plain = !flags.containsKey("UNSAFEALLOW3F") && !flags.containsKey("B");
        boolean forwards = flags.containsKey("P") || flags.containsKey("PROXY");
        Optional<ProxyUrl> url = forwards ? ProxyUrl.parse(target) : Optional.empty();
        if (url.isPresent()) {
            proxy(
                    node,
                    server,
                    plain,
                    HttpdServerPassBuilder.builder()
                            .match(match)
                            .url(url.get())
                            .parameters(
                                    new ProxyParameters(
                                            node.place(), node.name(), context.account()))
                            .query(query)
                            .conditions(conditions)
                            .rewritten(true)
                            .place(node.place())
                            .build());
            return;
        }
        if (forwards) {
            context.wrong(node, "[P] needs a URL whose host is not a variable: " + target);
            return;
        }
        RuleAction action = action(node, target, query, flags);
        GatewayRule rule = new GatewayRule(match, List.of(), conditions, action);
        if (Expressions.check(node, rule, config.maps(server), context.account())) {
            server.rewrites.add(
                    new HttpdServer.Rewriting(
                            rule.withPlain(plain && makesPath(action)), null, node.place()));
        }
    }

    private static PathMatch match(HttpdNode node, Map<String, String> flags) {
        String pattern = node.argument(0);
        boolean not = pattern.startsWith("!");
        return new PathMatch.Regex(
                not ? pattern.substring(1) : pattern,
                flags.containsKey("NC") || flags.containsKey("NOCASE"),
                not);
    }

    private static String ofUser(String text) {
        return RewriteConditions.ofUser(text, HttpdSection.NONE);
    }

    private static boolean setsAlone(HttpdNode node, Map<String, String> flags) {
        return node.argument(1).equals("-")
                && (flags.containsKey("E") || flags.containsKey("ENV"))
                && OF_USER.containsAll(flags.keySet());
    }

    /// Whether a rule can be followed as far as it depends on who the user is.
    private boolean followsUser(
            HttpdNode node,
            HttpdServer server,
            RewriteConditions.Taken taken,
            Map<String, String> flags) {
        boolean byUser =
                taken.byUser()
                        || before.asksUser(ofUser(node.argument(2)), server)
                        || before.asksUser(ofUser(node.argument(1)), server);
        if (byUser && !setsAlone(node, flags)) {
            context.wrong(
                    node,
                    "who the user is, is known here when rules outside of sections have been asked:"
                            + " with LA-U:REMOTE_USER a rule may set variables alone");
            return false;
        }
        ofUser(node, server, byUser, flags);
        return true;
    }

    /// Takes note of what a rule sets by who the user is: what is asked before that is known does
    /// not see it.
    private void ofUser(
            HttpdNode node, HttpdServer server, boolean byUser, Map<String, String> flags) {
        HttpdNode before = server.userLast;
        if (before != null) {
            context.changed(before, "the rules after it apply to every user: leave [L] out");
            server.userLast = null;
        }
        if (!byUser) {
            return;
        }
        if (flags.containsKey("L") || flags.containsKey("LAST") || flags.containsKey("END")) {
            server.userLast = node;
        }
        if (server.userRule == null) {
            server.userRule = node;
        }
        Matcher matcher = ENVIRONMENT.matcher(node.argument(2));
        while (matcher.find()) {
            server.userVariables.add(matcher.group(2));
            server.lateVariables.add(matcher.group(2));
            if (matcher.group(2).startsWith("AJP_")) {
                context.changed(node, "peers are not told by AJP13 who the user is but by its own");
            }
        }
    }

    private static boolean makesPath(RuleAction action) {
        return action instanceof RuleAction.Redirect || action instanceof RuleAction.Rewrite;
    }

    /// `[B]`: what back-references put behind the `?` cannot begin another parameter.
    private static String withParameters(String target, HttpdServer server) {
        int query = target.indexOf('?');
        Matcher reference = REFERENCE.matcher(target.substring(query + 1));
        if (query < 0 || !reference.find()) {
            return target;
        }
        server.maps.put(PARAMETER, new MapSource.Made(MapSource.Function.PARAMETER));
        return target.substring(0, query + 1) + reference.replaceAll("\\${" + PARAMETER + ":$0}");
    }

    private boolean knowsFlags(HttpdNode node, Set<String> flags) {
        for (String flag : flags) {
            if (!FLAGS.contains(flag)) {
                context.changed(node, "the flag [" + flag + "] is not supported");
            }
        }
        return FLAGS.containsAll(flags);
    }

    /// Whether a rule does what it does in httpd, or nothing is refused by it and by those after
    /// it.
    private boolean exact(HttpdNode node, HttpdServer server, boolean exact) {
        if (!exact) {
            server.inexactRule = node.place();
        }
        if (server.inexactRule != null && context.restricting().restricts(node)) {
            context.wrong(
                    node,
                    "restricts access, and "
                            + (exact ? "the rule at " + server.inexactRule : "it")
                            + " is not honoured exactly");
            return false;
        }
        return true;
    }

    private void proxy(HttpdNode node, HttpdServer server, boolean plain, Pass pass) {
        ProxyUrl url = pass.url();
        if (url == null || (!url.isBalancer() && url.address().isEmpty())) {
            context.wrong(node, "the URL is not that of a peer");
            return;
        }
        GatewayRule trial =
                new GatewayRule(
                        pass.match(),
                        List.of(),
                        pass.conditions(),
                        new RuleAction.Rewrite(url.path(), pass.query(), 0));
        if (Expressions.check(node, trial, config.maps(server), context.account())) {
            context.honoured(node);
            server.rewrites.add(
                    new HttpdServer.Rewriting(trial.withPlain(plain), pass, node.place()));
        }
    }

    private static Query query(Map<String, String> flags) {
        if (flags.containsKey("QSD") || flags.containsKey("QSDISCARD")) {
            return Query.DROP;
        }
        return flags.containsKey("QSA") || flags.containsKey("QSAPPEND") ? Query.ADD : Query.KEEP;
    }

    /// What follows [#LAST] rules is put right when all rules are known.
    static final int LAST = Integer.MAX_VALUE;

    /// The same, and it is no path of a file.
    static final int PASSED = Integer.MAX_VALUE - 1;

    /// All rules are asked once more.
    static final int FIRST = Integer.MIN_VALUE;

    /// A target as a path of the host, where it is one of a file that the host serves.
    private String ofHost(String target, HttpdServer server) {
        if (target.startsWith("%{DOCUMENT_ROOT}/")) {
            return target.substring(16);
        }
        List<FilesPlan> served = new ArrayList<>(server.aliases);
        served.addAll(config.main.aliases);
        String root = server.documentRoot != null ? server.documentRoot : config.main.documentRoot;
        Path folder = root == null ? null : context.path(root);
        if (folder != null) {
            served.add(new FilesPlan("", folder));
        }
        for (FilesPlan files : served) {
            String start = files.folder() + "/";
            if (target.startsWith(start)) {
                return files.prefix() + "/" + target.substring(start.length());
            }
        }
        return target;
    }

    /// Whether httpd takes a target for a path of a file whose folder is not served: one whose
    /// first name is there in the root of the file system.
    private static boolean isElsewhere(String target) {
        Matcher first = FIRST_NAME.matcher(target);
        return first.lookingAt() && Files.exists(Path.of(first.group()));
    }

    private RuleAction action(
            HttpdNode node, String target, Query query, Map<String, String> flags) {
        boolean last =
                List.of("L", "LAST", "END", "PT", "PASSTHROUGH").stream()
                        .anyMatch(flags::containsKey);
        if (flags.containsKey("F") || flags.containsKey("FORBIDDEN")) {
            context.honoured(node);
            return new RuleAction.Refuse(403);
        }
        if (flags.containsKey("G") || flags.containsKey("GONE")) {
            context.honoured(node);
            return new RuleAction.Refuse(410);
        }
        String redirect = flags.containsKey("R") ? flags.get("R") : flags.get("REDIRECT");
        if (redirect != null || target.matches("[a-zA-Z]+://.*")) {
            int status = redirects.status(node, redirect == null ? "" : redirect, 302);
            context.honoured(node);
            return status >= 300 && status < 400
                    ? new RuleAction.Redirect(status, escaped(target, flags), query)
                    : new RuleAction.Refuse(status);
        }
        boolean passed = flags.containsKey("PT") || flags.containsKey("PASSTHROUGH");
        int skipped = passed ? PASSED : last ? LAST : 0;
        if (target.equals("-")) {
            context.honoured(node);
            return new RuleAction.Skip(last ? skipped : number(flags.get("S")));
        }
        if (!passed && isElsewhere(target)) {
            context.changed(
                    node,
                    "is the path of a file in httpd, and its folder is not served here: write Alias"
                            + " for it");
        } else {
            context.honoured(node);
        }
        boolean again = flags.containsKey("N") || flags.containsKey("NEXT");
        return new RuleAction.Rewrite(target, query, again ? FIRST : skipped);
    }

    /// Only with `[NE]` a `#` begins a fragment.
    static String escaped(String target, Map<String, String> flags) {
        return flags.containsKey("NE") || flags.containsKey("NOESCAPE")
                ? target
                : target.replace("#", "%23");
    }

    private static int number(@Nullable String text) {
        return text != null && text.matches("[0-9]{1,4}") ? Integer.parseInt(text) : 0;
    }
}
