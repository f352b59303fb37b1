package io.margay.app.migrate;

import io.margay.app.config.binding.YamlText;
import io.margay.app.config.rules.MatchKeys;
import io.margay.app.config.rules.ProxyKeys;
import io.margay.app.config.rules.RuleKeys;
import io.margay.app.yaml.Amounts;
import io.margay.gateway.access.AccessRules;
import io.margay.gateway.access.AccessRules.Merging;
import io.margay.gateway.access.AccessSection;
import io.margay.gateway.access.AccessTerm;
import io.margay.gateway.access.HostAccess;
import io.margay.gateway.access.OrderedAccess;
import io.margay.gateway.access.Requirement;
import io.margay.gateway.access.SectionRewriting;
import io.margay.gateway.access.TlsAccess;
import io.margay.gateway.access.handler.FileHandler;
import io.margay.gateway.access.handler.FileHandlers;
import io.margay.gateway.access.match.ClaimTest;
import io.margay.gateway.access.match.Methods;
import io.margay.gateway.access.match.Network;
import io.margay.gateway.access.match.SectionMatch;
import io.margay.gateway.directory.Directory;
import io.margay.gateway.directory.DirectoryQuestion;
import io.margay.gateway.listing.FolderListing;
import io.margay.gateway.login.Login;
import io.margay.gateway.login.OpenIdClient;
import io.margay.gateway.proxy.ProxyRules;
import io.margay.gateway.rules.FileTypes;
import io.margay.gateway.rules.GatewayRule;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.TypesFile;
import io.margay.gateway.rules.compiled.RequestConditions;
import io.margay.gateway.rules.regex.BoundedRegex;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Writes who may ask a host for what as keys of `margay.yaml`. Confined to one thread.
final class AccessLines {
    private final List<String> sections = new ArrayList<>();

    private AccessLines() {}

    static Map<String, Object> of(HostAccess access) {
        Map<String, Object> written = new LinkedHashMap<>();
        if (!access.urls().isEmpty()) {
            YamlLine urls = new YamlLine();
            new TreeMap<>(access.urls()).forEach(urls::text);
            written.put("urls", urls.toString());
        }
        if (!access.scripts().isEmpty()) {
            written.put("scripts", YamlLine.list(access.scripts().stream().sorted().toList()));
        }
        if (!access.folderFiles().equals(HostAccess.FOLDER_FILES)) {
            written.put("folder-files", YamlLine.list(access.folderFiles()));
        }
        if (!access.passing().equals(ProxyRules.defaults())) {
            written.put(
                    "folder-forward",
                    YamlText.line(
                            ProxyKeys.OF_RULE.write(access.passing(), ProxyRules.defaults())));
        }
        if (!access.programs().isEmpty()) {
            List<String> names = access.programs().stream().map(BoundedRegex::toString).toList();
            written.put("program-names", YamlLine.list(names));
        }
        AccessLines lines = new AccessLines();
        AccessSection always = access.always();
        if (!always.rules().equals(AccessRules.NONE)) {
            lines.line("everything", always.match(), always.rules(), 0);
        }
        always.files().forEach(section -> lines.section("file", section, 0));
        always.conditional().forEach(section -> lines.section("when", section, 0));
        access.folders().forEach(section -> lines.section("folder", section, 0));
        access.peers().forEach(section -> lines.section("peer", section, 0));
        access.paths().forEach(section -> lines.section("path", section, 0));
        written.put("sections", lines.sections);
        return written;
    }

    private void section(String key, AccessSection section, int depth) {
        line(key, section.match(), section.rules(), depth);
        section.files().forEach(inner -> section("file", inner, depth + 1));
        section.conditional().forEach(inner -> section("when", inner, depth + 1));
    }

    private void line(String key, SectionMatch match, AccessRules rules, int depth) {
        YamlLine line = new YamlLine();
        switch (match) {
            case SectionMatch.Everything _ -> line.raw("everything", "true");
            case SectionMatch.Literal(String text) -> line.text(key, text);
            case SectionMatch.Pattern pattern -> line.text(key, pattern.pattern());
            case SectionMatch.Found(var regex) ->
                    line.text(key, regex.toString()).raw("regex", "true");
            case SectionMatch.When(RequestConditions when) -> when(line, when);
        }
        line.number("inside", depth, 0);
        login(line, rules.login());
        Requirement required = rules.required();
        if (required instanceof Requirement.Group group) {
            List<YamlLine> terms = new ArrayList<>();
            group.parts().forEach(part -> require(part, terms));
            list(line, "require", terms);
        }
        List<YamlLine> always = new ArrayList<>();
        rules.always().forEach(part -> require(part, always));
        if (!always.isEmpty()) {
            list(line, "always", always);
        }
        if (rules.merging() != Merging.UNSET) {
            line.text("merging", ConfigWriter.lower(rules.merging()));
        }
        OrderedAccess ordered = rules.ordered();
        if (ordered != null) {
            ordered(line, ordered);
        }
        Set<String> methods = rules.methods();
        if (methods != null) {
            line.texts("methods", methods.stream().sorted().toList());
        }
        line.flag("tls-only", rules.tls() == TlsAccess.TLS, false);
        if (rules.tls() == TlsAccess.CERTIFICATE) {
            line.text("client-certificate", "require");
        }
        rules(line, "redirects", rules.redirects().rules());
        rewriting(line, rules.rewriting());
        listing(line, rules.listing());
        Boolean views = rules.variants().on();
        if (views != null) {
            line.raw("views", views.toString());
        }
        if (!rules.variants().texts().isEmpty()) {
            line.texts("variant-lines", rules.variants().texts());
        }
        line.number("content-max", rules.contentBytesMax(), -1);
        handlers(line, rules.handlers());
        types(line, rules.types());
        Boolean links = rules.links();
        if (links != null) {
            line.raw("links", links.toString());
        }
        List<String> index = rules.pages().index();
        if (index != null) {
            line.texts("index", index);
        }
        String fallback = rules.pages().fallback();
        if (fallback != null) {
            line.text("fallback", fallback.isEmpty() ? "none" : fallback);
        }
        words(line, "overrides", rules.overrides().classes());
        words(line, "override-directives", rules.overrides().directives());
        sections.add(line.toString());
    }

    private static void login(YamlLine line, Login login) {
        if (login.equals(Login.NONE)) {
            return;
        }
        YamlLine keys = new YamlLine();
        Login.Method method = login.method();
        keys.text("method", method == null ? "inherit" : ConfigWriter.lower(method));
        String realm = login.realm();
        if (realm != null) {
            keys.text("name", realm);
        }
        switch (login.users()) {
            case Login.Users.InFile(Path file) -> keys.text("users", file.toString());
            case Login.Users.OfServer _ -> keys.raw("server-users", "true");
            case Login.Users.InDatabase _ -> {
                // httpd's files name no tables that are read.
            }
            case Login.Users.InDirectory(Directory directory) ->
                    keys.raw("ldap", DirectoryLines.of(directory));
            case Login.Users.OfProvider(OpenIdClient client) ->
                    keys.raw("oidc", OpenIdLines.of(client));
            case Login.Users.OfCertificate _, Login.Users.OfDigest _, Login.Users.OfService _ -> {
                // httpd's files know no services, and the others are found with a request.
            }
            case null -> {}
        }
        Path groups = login.groups();
        if (groups != null) {
            keys.text("groups", groups.toString());
        }
        Boolean forbids = login.forbids();
        if (forbids != null) {
            keys.raw("forbid", forbids.toString());
        }
        String certificateUser = login.certificateUser();
        if (certificateUser != null) {
            keys.text("certificate-user", certificateUser);
        }
        Duration nonceLife = login.nonceLife();
        if (nonceLife != null) {
            keys.raw("nonce-lifetime", Amounts.write(nonceLife));
        }
        line.raw("login", keys.toString());
    }

    private static void words(YamlLine line, String key, @Nullable Set<String> words) {
        if (words != null) {
            line.texts(key, List.copyOf(words));
        }
    }

    private static void rules(YamlLine line, String key, List<GatewayRule> rules) {
        if (!rules.isEmpty()) {
            List<String> texts =
                    rules.stream().map(rule -> YamlText.line(RuleKeys.write(rule))).toList();
            line.raw(key, "[" + String.join(", ", texts) + "]");
        }
    }

    private static void listing(YamlLine line, FolderListing listing) {
        Boolean on = listing.on();
        if (on != null) {
            line.raw("listing", on.toString());
        }
        if (!listing.parts().isEmpty()) {
            line.texts("listing-lines", listing.texts());
        }
    }

    private static void rewriting(YamlLine line, SectionRewriting rewriting) {
        Boolean engine = rewriting.engine();
        if (engine != null) {
            line.raw("rewriting", engine.toString());
        }
        String below = rewriting.below();
        if (below != null) {
            line.text("rewrites-below", below);
        }
        String base = rewriting.base();
        if (base != null) {
            line.text("rewrites-base", base);
        }
        rules(line, "rewrites", rewriting.rules().rules());
    }

    private static void handlers(YamlLine line, FileHandlers handlers) {
        List<String> programs = new ArrayList<>();
        List<String> sent = new ArrayList<>();
        List<GatewayRule> run = new ArrayList<>();
        handlers.endings()
                .forEach((ending, handler) -> {
                    switch (handler) {
                        case FileHandler.Program _ -> programs.add(ending);
                        case FileHandler.Sent _, FileHandler.ByName _ -> sent.add(ending);
                        case FileHandler.Run(var by) ->
                                run.add(GatewayRule.of(new PathMatch.Glob("*." + ending), by));
                    }
                });
        if (!programs.isEmpty()) {
            line.texts("programs", programs);
        }
        if (!sent.isEmpty()) {
            line.texts("no-programs", sent);
        }
        switch (handlers.whole()) {
            case null -> {}
            case FileHandler.Program _ -> line.text("handler", "program");
            case FileHandler.Sent _ -> line.text("handler", "file");
            case FileHandler.ByName _ -> line.text("handler", "by-name");
            case FileHandler.Run(var by) -> run.add(GatewayRule.of(PathMatch.ANY, by));
        }
        rules(line, "run", run);
        Boolean pathInfo = handlers.pathInfo();
        if (pathInfo != null) {
            line.raw("path-info", pathInfo.toString());
        }
    }

    private static void types(YamlLine line, FileTypes types) {
        texts(line, "types", types.endings());
        texts(line, "charsets", types.charsets());
        TypesFile file = types.file();
        if (file != null) {
            line.text("types-file", file.path().toString());
        }
        String type = types.forced();
        if (type != null) {
            line.text("type", type.isEmpty() ? "none" : type);
        }
        String charset = types.charset();
        if (charset != null) {
            line.text("charset", charset.isEmpty() ? "none" : charset);
        }
    }

    private static void texts(YamlLine line, String key, Map<String, String> values) {
        if (!values.isEmpty()) {
            YamlLine texts = new YamlLine();
            values.forEach((name, value) -> texts.text(name, value.isEmpty() ? "none" : value));
            line.raw(key, texts.toString());
        }
    }

    private static void list(YamlLine line, String key, List<YamlLine> items) {
        line.raw(
                key,
                "[" + String.join(", ", items.stream().map(YamlLine::toString).toList()) + "]");
    }

    /// Conditions, also where there are none.
    private static void when(YamlLine line, RequestConditions conditions) {
        if (conditions.conditions().isEmpty()) {
            line.raw("when", "[]");
        } else {
            line.raw(
                    "when",
                    YamlText.line(
                            MatchKeys.CONDITIONS.writer().write(conditions.conditions(), null)));
        }
    }

    private static void require(Requirement part, List<YamlLine> to) {
        YamlLine line = new YamlLine();
        to.add(line);
        switch (part) {
            case Requirement.Test(AccessTerm term, boolean not, Methods methods) -> {
                term(line, term);
                line.flag("not", not, false);
                methods(line, methods);
            }
            case Requirement.Group group -> {
                line.raw(group.all() ? "all" : "any", String.valueOf(group.parts().size()));
                line.flag("not", group.not(), false);
                Methods methods = group.methods();
                methods(line, methods == null ? Methods.ALL : methods);
                group.parts().forEach(inner -> require(inner, to));
            }
        }
    }

    private static void methods(YamlLine line, Methods methods) {
        if (!methods.equals(Methods.ALL)) {
            line.texts(
                    methods.except() ? "except" : "for",
                    methods.names().stream().sorted().toList());
        }
    }

    private static void term(YamlLine line, AccessTerm term) {
        switch (term) {
            case AccessTerm.Everybody(boolean granted) ->
                    line.raw("everybody", String.valueOf(granted));
            case AccessTerm.From(List<Network> networks) ->
                    line.texts("from", networks.stream().map(Network::text).toList());
            case AccessTerm.AnyUser _ -> line.raw("any-user", "true");
            case AccessTerm.User(List<String> names) -> line.texts("user", names);
            case AccessTerm.Group(List<String> names) -> line.texts("group", names);
            case AccessTerm.Claim(List<ClaimTest> tests) ->
                    line.texts("claim", tests.stream().map(ClaimTest::text).toList());
            case AccessTerm.Asked(List<DirectoryQuestion> questions) ->
                    line.texts("ldap", questions.stream().map(DirectoryQuestion::text).toList());
            case AccessTerm.Local _ -> line.raw("local", "true");
            case AccessTerm.Tls _ -> line.raw("tls", "true");
            case AccessTerm.Certificate _ -> line.raw("certificate", "true");
            case AccessTerm.Named(var parts, boolean ofIssuer) ->
                    line.texts(
                            ofIssuer ? "issuer" : "subject",
                            parts.stream().map(Object::toString).toList());
            case AccessTerm.Method(Methods methods) ->
                    line.texts("method", methods.names().stream().sorted().toList());
            case AccessTerm.Variable(String name) -> line.text("variable", name);
            case AccessTerm.Holds(RequestConditions conditions) -> when(line, conditions);
        }
    }

    private static void ordered(YamlLine line, OrderedAccess ordered) {
        List<YamlLine> orders = new ArrayList<>();
        for (OrderedAccess.Ordering one : ordered.orders()) {
            YamlLine order =
                    new YamlLine().text("is", ConfigWriter.lower(one.order()).replace('_', '-'));
            methods(order, one.methods());
            orders.add(order);
        }
        list(line, "order", orders);
        entries(line, "allow", ordered.allowed());
        entries(line, "deny", ordered.denied());
        List<YamlLine> satisfied = new ArrayList<>();
        for (OrderedAccess.Satisfied one : ordered.satisfied()) {
            YamlLine word = new YamlLine().text("is", one.any() ? "any" : "all");
            methods(word, one.methods());
            satisfied.add(word);
        }
        if (!satisfied.isEmpty()) {
            list(line, "satisfy", satisfied);
        }
    }

    private static void entries(YamlLine line, String key, List<OrderedAccess.Entry> entries) {
        List<YamlLine> items = new ArrayList<>();
        for (OrderedAccess.Entry entry : entries) {
            YamlLine item = new YamlLine();
            term(item, entry.term());
            item.flag("not", entry.not(), false);
            methods(item, entry.methods());
            items.add(item);
        }
        if (!items.isEmpty()) {
            list(line, key, items);
        }
    }
}
