package io.margay.compat.httpd.site;

import io.margay.compat.httpd.access.HttpdAccess;
import io.margay.compat.httpd.context.ReadingContext;
import io.margay.compat.httpd.expression.HeaderFormat;
import io.margay.compat.httpd.jk.MountRule;
import io.margay.compat.httpd.jk.MountTable;
import io.margay.compat.httpd.jk.Workers;
import io.margay.compat.httpd.proxy.ProxyParameter;
import io.margay.compat.httpd.proxy.ProxyUrl;
import io.margay.compat.httpd.site.HttpdServer.Pass;
import io.margay.gateway.access.AccessSection;
import io.margay.gateway.access.HostAccess;
import io.margay.gateway.access.HostAccessBuilder;
import io.margay.gateway.access.handler.FileHandler;
import io.margay.gateway.plan.HostPlan.FilesPlan;
import io.margay.gateway.proxy.ProxyRules;
import io.margay.gateway.proxy.ProxyRules.Replacement;
import io.margay.gateway.proxy.ProxyRulesBuilder;
import io.margay.gateway.rules.GatewayRule;
import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.RuleAction;
import io.margay.gateway.rules.VariableRule;
import io.margay.gateway.rules.compiled.RuleVariables;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Puts what a server's directives say into one list of rules, in the order in which httpd's
/// modules are asked: mod_rewrite, mod_proxy, mod_alias, mod_jk; and says who is let in. Confined
/// to one reading.
final class HostRules {
    private static final List<HttpdServer.Rewriting> NO_REWRITES = List.of();

    private final HttpdConfig config;
    private final ReadingContext context;
    private final HttpdServer main;
    private final HttpdServer server;

    /// By which `Proxy` sections know the upstreams.
    private final Map<String, String> urls = new LinkedHashMap<>();

    /// The upstreams that `SetHandler` names.
    private final Set<String> scripts = new LinkedHashSet<>();

    HostRules(HttpdConfig config, HttpdServer server) {
        this.config = config;
        context = config.context;
        this.server = server;
        main = config.main;
    }

    /// The rules of the host.
    ///
    /// @param mounts those that hold for it
    List<GatewayRule> rules(List<MountRule> mounts, Workers workers) {
        List<GatewayRule> redirects = new ArrayList<>(server.redirects);
        List<GatewayRule> handlers = new ArrayList<>(server.handlers);
        List<GatewayRule> noJk = new ArrayList<>(server.noJk);
        List<Pass> handled = new ArrayList<>(server.handled);
        if (server != main) {
            redirects.addAll(main.redirects);
            handlers.addAll(main.handlers);
            noJk.addAll(main.noJk);
            handled.addAll(main.handled);
        }
        List<GatewayRule> rules = new ArrayList<>();
        Boolean trace = server.trace != null ? server.trace : main.trace;
        if (Boolean.FALSE.equals(trace)) {
            rules.add(
                    new GatewayRule(
                            PathMatch.ANY,
                            List.of(),
                            List.of(Condition.of("%{REQUEST_METHOD}", "^TRACE$")),
                            new RuleAction.Refuse(405)));
        }
        rules.addAll(server.sectionRedirects.reversed());
        if (server != main) {
            rules.addAll(main.sectionRedirects.reversed());
        }
        List<HttpdServer.Rewriting> rewrites = rewritings();
        rules.addAll(rewrites(rewrites));
        rules.addAll(passes(rewrites));
        redirects.sort(Comparator.comparingInt(HostRules::isWhole));
        rules.addAll(redirects);
        rules.addAll(handlers);
        handled.forEach(pass -> rules.addAll(handled(pass)));
        rules.addAll(noJk);
        sayWhatRewritesKeep(mounts);
        boolean raw = hasOption("forwarduricompatunparsed");
        rules.addAll(MountTable.rules(mounts, workers, jkRules(), raw, context.account()));
        rules.addAll(server.scripts);
        rules.addAll(server.unslashed(context.variables()));
        if (server != main) {
            rules.addAll(main.scripts);
            rules.addAll(main.unslashed(context.variables()));
        }
        return rules;
    }

    /// mod_jk looks at the path as it came, whatever file a rule without `PT` has made of it; and a
    /// `ProxyPass` with `nocanon` sends that.
    private void sayWhatRewritesKeep(List<MountRule> mounts) {
        for (Pass pass : server.passes) {
            if (pass.raw() && server.leadsTo(pass)) {
                String text = "nocanon does not undo what a RewriteRule has made of a path";
                context.account().changed(pass.place(), "ProxyPass", text);
            }
        }
        boolean keeps = server.rewriteEngine && server.rewrites.stream().anyMatch(this::isOfFile);
        for (MountRule mount : keeps ? mounts : List.<MountRule>of()) {
            if (!mount.exclusion()) {
                context.account()
                        .changed(
                                mount.place(),
                                mount.directive(),
                                "what a RewriteRule without PT or P leads elsewhere does not go to"
                                        + " the worker: exclude its paths there by a RewriteCond");
            }
        }
    }

    /// Whether what comes out is the path of a file, since `PT` does not pass it on.
    private boolean isOfFile(HttpdServer.Rewriting one) {
        return one.pass() == null
                && one.rule().action() instanceof RuleAction.Rewrite rewrite
                && rewrite.skip() != RewriteDirectives.PASSED;
    }

    /// Without `PT` httpd looks below the document root alone, and takes a path without a slash at
    /// its end for that of a folder.
    private void sayWhatRewritesFind(List<FilesPlan> files) {
        for (HttpdServer.Rewriting one : server.rewriteEngine ? server.rewrites : NO_REWRITES) {
            if (!isOfFile(one) || !(one.rule().action() instanceof RuleAction.Rewrite rewrite)) {
                continue;
            }
            String target = rewrite.target();
            boolean ofAlias =
                    files.stream()
                            .map(FilesPlan::prefix)
                            .anyMatch(
                                    prefix -> !prefix.isEmpty() && target.startsWith(prefix + "/"));
            boolean ofFolder =
                    target.endsWith("/")
                            && one.rule().match() instanceof PathMatch.Regex regex
                            && regex.regex().matches(".*[A-Za-z0-9_-]\\$");
            if (ofAlias || ofFolder) {
                context.account()
                        .changed(
                                one.place(),
                                "RewriteRule",
                                ofAlias
                                        ? "finds files of Alias, which httpd finds with PT alone"
                                        : "has the page of the folder sent, where httpd redirects"
                                                + " to the path as it came with a slash");
            }
        }
    }

    /// Who may ask for what; asked for after the rules.
    ///
    /// @param files that it serves, in whose folders a `.htaccess` may lie
    HostAccess access(List<FilesPlan> files) {
        config.running = this::run;
        config.passing = this::forward;
        sayWhatRewritesFind(files);
        List<HttpdServer> servers = server == main ? List.of(main) : List.of(main, server);
        AccessSection always = AccessSection.NONE;
        boolean limited = !files.isEmpty() || servers.stream().anyMatch(HttpdServer::hasAccess);
        if (limited) {
            always = always.then(HttpdAccess.unsaid(context));
            if (servers.stream().anyMatch(one -> one.rewriteEngine)) {
                always = always.then(HttpdAccess.rewriting(context));
            }
        }
        always = always.then(server.openId.within(main.openId));
        List<HttpdAccess> folders = new ArrayList<>();
        List<HttpdAccess> paths = new ArrayList<>();
        List<HttpdAccess> peers = new ArrayList<>();
        for (HttpdServer one : servers) {
            always = always.then(one.access.build());
            folders.addAll(one.folders);
            paths.addAll(one.paths);
            peers.addAll(one.peers);
        }
        if (HttpdConfig.areOfRoutes(config.pages(server), files)) {
            always = always.withoutPages();
        }
        List<AccessSection> ofPeers = HttpdAccess.build(peers);
        HostAccess access =
                HostAccessBuilder.builder(HostAccess.NONE)
                        .always(always)
                        .folders(HttpdAccess.build(folders))
                        .paths(HttpdAccess.build(paths))
                        .peers(ofPeers)
                        .urls(ofPeers.isEmpty() && !config.rewritesInSections ? Map.of() : urls)
                        .scripts(scripts)
                        .folderFiles(config.folderFiles)
                        .programs(config.programs())
                        .build();
        if (access.readsFolders()) {
            access = access.withPassing(passing());
        }
        if (!access.foldersKnowUsers() && access.clients().isEmpty()) {
            List<HttpdAccess> all = new ArrayList<>(folders);
            all.addAll(paths);
            all.addAll(peers);
            servers.forEach(one -> all.add(one.access));
            HttpdAccess.nobody(all, context);
        }
        return access.isEmpty() ? HostAccess.NONE : access;
    }

    /// A redirection of everything does not hide those that are written after it in other hosts.
    private static int isWhole(GatewayRule rule) {
        return rule.match() instanceof PathMatch.Prefix(String path) && path.equals("/") ? 1 : 0;
    }

    private boolean inherits() {
        return server.rewriteEngine && (server.rewriteInherit || main.rewriteInheritDown);
    }

    /// The rules of mod_rewrite that are followed.
    private List<HttpdServer.Rewriting> rewritings() {
        List<HttpdServer.Rewriting> all = new ArrayList<>();
        if (server.rewriteEngine) {
            all.addAll(server.rewrites);
        }
        if (server != main && main.rewriteEngine && inherits()) {
            all.addAll(server.rewriteInheritBefore ? 0 : all.size(), main.rewrites);
        }
        return all;
    }

    private List<GatewayRule> rewrites(List<HttpdServer.Rewriting> all) {
        List<GatewayRule> rules = new ArrayList<>();
        int count = all.size();
        for (int i = 0; i < count; i++) {
            HttpdServer.Rewriting one = all.get(i);
            int left = count - i - 1;
            GatewayRule rule = one.rule();
            RuleAction action =
                    switch (rule.action()) {
                        case RuleAction.Skip(int n) ->
                                new RuleAction.Skip(
                                        n == RewriteDirectives.PASSED
                                                ? left + 1
                                                : Math.min(n, left));
                        case RuleAction.Rewrite(
                                        String target,
                                        RuleAction.Query query,
                                        int n,
                                        boolean _) ->
                                new RuleAction.Rewrite(
                                        target,
                                        query,
                                        n == RewriteDirectives.FIRST
                                                ? -i - 1
                                                : n == RewriteDirectives.PASSED
                                                        ? left + 1
                                                        : Math.min(n, left));
                        case RuleAction.Forward _,
                                RuleAction.Say _,
                                RuleAction.Leave _,
                                RuleAction.Settle _,
                                RuleAction.Redirect _,
                                RuleAction.Refuse _,
                                RuleAction.Page _ ->
                                rule.action();
                    };
            Pass pass = one.pass();
            rules.add(
                    new GatewayRule(
                            rule.match(),
                            List.of(),
                            rule.when(),
                            pass == null ? action : forward(pass),
                            List.of(),
                            rule.plain()));
        }
        boolean leads =
                all.stream().anyMatch(one -> one.rule().action() instanceof RuleAction.Rewrite);
        if (leads) {
            // What is not passed on by [PT] is the path of a file.
            rules.add(GatewayRule.of(PathMatch.ANY, new RuleAction.Settle()));
        }
        return rules;
    }

    /// Those of sections first, the last before the others; then those of the main server.
    private List<GatewayRule> passes(List<HttpdServer.Rewriting> rewrites) {
        List<Pass> sections = new ArrayList<>(server == main ? List.of() : main.sectionPasses);
        sections.addAll(server.sectionPasses);
        List<Pass> others = new ArrayList<>(server.passes);
        if (server != main && server.passInherit) {
            others.addAll(0, main.passes);
        }
        boolean passed = rewrites.stream().anyMatch(HttpdServer.Rewriting::isPassedOn);
        return SectionPasses.rules(sections.reversed(), others, passed, this::forward);
    }

    private RuleAction forward(Pass pass) {
        ProxyUrl to = pass.url();
        if (to == null) {
            throw new IllegalStateException("a pass without a URL");
        }
        String path = to.path();
        String root = null;
        boolean hasReference = path.indexOf('$') >= 0 || path.indexOf('%') >= 0;
        boolean isPrefix = pass.match() instanceof PathMatch.Prefix;
        if (to.scheme().equals("fcgi")) {
            int end = path.indexOf('$') < 0 ? path.length() : path.indexOf('$');
            int slash = path.lastIndexOf('/', end - 1);
            root = slash < 0 ? "" : path.substring(0, hasReference || isPrefix ? slash : end);
            path = path.substring(Math.min(path.length(), root.length()));
            while (root.endsWith("/")) {
                root = root.substring(0, root.length() - 1);
            }
        }
        if (!isPrefix && !hasReference && !pass.rewritten()) {
            path =
                    (path.endsWith("/") ? path.substring(0, path.length() - 1) : path)
                            + "%{REQUEST_URI}";
        } else if (isPrefix
                && path.isEmpty()
                && ((PathMatch.Prefix) pass.match()).path().endsWith("/")) {
            path = "/";
        }
        String upstream =
                config.workers.upstream(
                        to, pass.parameters(), root, () -> config.peerDefaults(server));
        urls.put(upstream, to.origin());
        ProxyRules rules = proxyRules(pass, to);
        if (root != null) {
            context.variables().useAll();
            Map<String, String> attributes = new LinkedHashMap<>(rules.attributes());
            attributes.put(ProxyRules.SCRIPT, to.scriptOrigin() + root);
            rules = rules.withAttributes(attributes);
        }
        return new RuleAction.Forward(upstream, path, pass.raw(), pass.query(), rules);
    }

    /// `SetHandler proxy:fcgi:…`: a program runs files that are here.
    private FileHandler run(Pass pass) {
        ProxyUrl url = pass.url();
        if (url == null || !isByFile(url)) {
            return FileHandler.PROGRAM;
        }
        String upstream =
                config.workers.upstream(
                        url, pass.parameters(), null, () -> config.peerDefaults(server));
        return new FileHandler.Run(
                new RuleAction.Forward(
                        upstream,
                        url.scriptPrefix(),
                        false,
                        RuleAction.Query.KEEP,
                        proxyRules(pass, url)));
    }

    /// Whether what a handler runs is found by its file, which is on this machine then.
    private boolean isByFile(ProxyUrl url) {
        String folder = server.documentRoot != null ? server.documentRoot : main.documentRoot;
        java.nio.file.Path path = folder == null ? null : context.path(folder);
        boolean fcgi =
                url.isBalancer()
                        ? config.workers.memberUrls(url.host()).stream()
                                .allMatch(one -> one.contains("fcgi://"))
                        : url.scheme().equals("fcgi");
        return fcgi && path != null && java.nio.file.Files.isDirectory(path);
    }

    /// `SetHandler proxy:…`: the path stays, and scripts lie in the document root.
    private List<GatewayRule> handled(Pass pass) {
        ProxyUrl url = pass.url();
        if (url == null || isByFile(url)) {
            return List.of();
        }
        String folder = server.documentRoot != null ? server.documentRoot : main.documentRoot;
        java.nio.file.Path path = folder == null ? null : context.path(folder);
        String root = null;
        if (url.scheme().equals("fcgi")) {
            root = path == null ? "" : path.toString();
        }
        String upstream =
                config.workers.upstream(
                        url, pass.parameters(), root, () -> config.peerDefaults(server));
        scripts.add(upstream);
        ProxyRules rules = proxyRules(pass, url);
        List<GatewayRule> made = new ArrayList<>();
        made.add(
                new GatewayRule(
                        pass.match(),
                        List.of(),
                        pass.conditions(),
                        new RuleAction.Forward(upstream, null, false, pass.query(), rules)));
        List<String> index = config.index(server);
        boolean here = path != null && java.nio.file.Files.isDirectory(path);
        if (!here && !index.isEmpty() && index.getFirst().endsWith(".php")) {
            // The program knows folders that are not on this machine.
            made.add(
                    new GatewayRule(
                            new PathMatch.Regex("^(.*/)$", false, false),
                            List.of(),
                            pass.conditions(),
                            new RuleAction.Forward(
                                    upstream,
                                    "$1" + index.getFirst(),
                                    false,
                                    pass.query(),
                                    rules)));
        }
        return made;
    }

    private static <T> T first(@Nullable T own, @Nullable T ofMain, T byDefault) {
        return own != null ? own : ofMain != null ? ofMain : byDefault;
    }

    /// The same for what files in folders say.
    private HostAccess.Passing passing() {
        return new HostAccess.Passing(
                proxyRules(false).withReplyTimeout(config.timeout(server)), config.peerTls(server));
    }

    private ProxyRules proxyRules(Pass pass, ProxyUrl url) {
        String upgrade = pass.parameters().text(ProxyParameter.UPGRADE, "NONE");
        boolean upgrades =
                url.isWebSocket() || (!upgrade.equalsIgnoreCase("NONE") && !upgrade.isEmpty());
        return proxyRules(upgrades);
    }

    private ProxyRules proxyRules(boolean upgrades) {
        Map<String, String> attributes = new LinkedHashMap<>();
        Set<String> names = new LinkedHashSet<>();
        variables().forEach(rule -> names.add(rule.name()));
        for (String name : names) {
            if (name.startsWith("AJP_")) {
                attributes.put(name.substring(4), value(name, ""));
            }
        }
        return ProxyRulesBuilder.builder(ProxyRules.defaults())
                .keepHost(first(server.preserveHost, main.preserveHost, false))
                .reverse(reverses())
                .cookieDomains(replacements(main.cookieDomains, server.cookieDomains))
                .cookiePaths(replacements(main.cookiePaths, server.cookiePaths))
                .forwarded(first(server.addHeaders, main.addHeaders, true))
                .passForwarded(true)
                .upgrade(upgrades)
                .overrideStatuses(first(server.errorOverride, main.errorOverride, 0))
                .attributes(attributes)
                .overridden(server.errorOverride != null ? server.overridden : main.overridden)
                .sections(sections())
                .build();
    }

    /// What sections say of paths, those of the main server first, as httpd merges them.
    private List<ProxyRules.PathRules> sections() {
        List<ProxyRules.PathRules> all = new ArrayList<>(main.proxySections);
        if (server != main) {
            all.addAll(server.proxySections);
        }
        return all;
    }

    private List<Replacement> replacements(List<Replacement> ofMain, List<Replacement> own) {
        List<Replacement> all = new ArrayList<>(own);
        if (server != main) {
            all.addAll(ofMain);
        }
        return all;
    }

    private List<VariableRule> variables() {
        List<VariableRule> all = new ArrayList<>();
        for (HttpdServer one : server == main ? List.of(main) : List.of(main, server)) {
            all.addAll(one.early);
            all.addAll(one.late);
        }
        for (HttpdServer one : server == main ? List.of(main) : List.of(main, server)) {
            all.addAll(one.last);
        }
        return all;
    }

    /// What a peer is told of a variable: a text, where it is the same for every request.
    private String value(String name, String byDefault) {
        List<VariableRule> rules =
                variables().stream().filter(rule -> rule.name().equals(name)).toList();
        String last = rules.isEmpty() ? null : rules.getLast().value();
        boolean constant =
                !rules.isEmpty()
                        && (name.startsWith("AJP_") || rules.stream().allMatch(VariableRule::late))
                        && rules.getLast().when().isEmpty()
                        && rules.getLast().match().equals(PathMatch.ANY);
        if (constant) {
            return last == null ? byDefault : last;
        }
        String otherwise = byDefault.isEmpty() ? "}" : "|" + byDefault.replace("}", "") + "}";
        if (!rules.isEmpty()) {
            return context.variables().reference(name).replaceFirst("}$", "") + otherwise;
        }
        if (name.startsWith("SSL_") || name.equals("HTTPS")) {
            return "%{SSL:" + name + otherwise;
        }
        return RuleVariables.isKnown(name)
                ? context.variables().known("%{" + name + "}").replaceFirst("}$", "") + otherwise
                : HeaderFormat.literal(byDefault);
    }

    /// Those of the main server first, and those of sections behind all others, as httpd merges.
    private List<Replacement> reverses() {
        List<HttpdServer.Reverse> all = new ArrayList<>(main.reverses);
        if (server != main) {
            all.addAll(server.reverses);
        }
        all.sort(Comparator.comparing(one -> !one.below().isEmpty()));
        List<Replacement> found = new ArrayList<>();
        for (HttpdServer.Reverse reverse : all) {
            ProxyUrl url = ProxyUrl.parse(reverse.url()).orElse(null);
            if (url != null && url.isBalancer()) {
                for (String member : config.workers.memberUrls(url.host())) {
                    String from = member.replaceFirst("/$", "") + url.path();
                    found.add(new Replacement(from, reverse.path(), reverse.below()));
                }
            }
            String from =
                    reverse.url().startsWith("/")
                            ? Replacement.ANY_HOST + reverse.url()
                            : reverse.url();
            found.add(new Replacement(from, reverse.path(), reverse.below()));
        }
        return found.stream().distinct().toList();
    }

    /// Whether an option of mod_jk is active: those of the main server without those it takes back,
    /// and the host's the same way.
    private boolean hasOption(String name) {
        return hasOption(config, server, name);
    }

    static boolean hasOption(HttpdConfig config, HttpdServer server, String name) {
        boolean on = isOn(config.main.options, name, false);
        return server == config.main ? on : isOn(server.options, name, on);
    }

    private static boolean isOn(List<String> options, String name, boolean before) {
        boolean on = before || options.contains("+" + name);
        return on && !options.contains("-" + name);
    }

    /// What mod_jk does: the client's host, no further fields.
    private ProxyRules jkRules() {
        Map<String, String> attributes = new LinkedHashMap<>();
        Map<String, String> variables = new LinkedHashMap<>(main.jkVariables);
        variables.putAll(server.jkVariables);
        variables.forEach((name, byDefault) -> {
            String value = value(name, byDefault);
            if (server.userVariables.contains(name) || main.userVariables.contains(name)) {
                context.account()
                        .changed(
                                server.place,
                                "JkEnvVar",
                                name + " depends on the user: members do not get it");
            }
            if (!value.isEmpty()) {
                attributes.put(name, value);
            }
        });
        return ProxyRulesBuilder.builder(ProxyRules.defaults())
                .forwarded(false)
                .passForwarded(true)
                .upgrade(false)
                .attributes(attributes)
                .build();
    }
}
