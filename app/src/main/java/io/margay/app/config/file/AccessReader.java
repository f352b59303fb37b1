package io.margay.app.config.file;

import io.margay.app.config.RouteSettings;
import io.margay.app.config.file.hosts.HostKeys;
import io.margay.app.yaml.Position;
import io.margay.app.yaml.Problem;
import io.margay.app.yaml.Settings;
import io.margay.gateway.access.AccessRules;
import io.margay.gateway.access.AccessRules.Merging;
import io.margay.gateway.access.AccessSection;
import io.margay.gateway.access.AccessTerm;
import io.margay.gateway.access.FolderOverrides;
import io.margay.gateway.access.HostAccess;
import io.margay.gateway.access.OrderedAccess;
import io.margay.gateway.access.Requirement;
import io.margay.gateway.access.SectionPages;
import io.margay.gateway.access.SectionRedirects;
import io.margay.gateway.access.SectionRewriting;
import io.margay.gateway.access.TlsAccess;
import io.margay.gateway.access.handler.FileHandler;
import io.margay.gateway.access.handler.FileHandlers;
import io.margay.gateway.access.match.ClaimTest;
import io.margay.gateway.access.match.Methods;
import io.margay.gateway.access.match.Network;
import io.margay.gateway.access.match.SectionMatch;
import io.margay.gateway.access.match.SectionMatch.Kind;
import io.margay.gateway.directory.Directory;
import io.margay.gateway.directory.DirectoryQuestion;
import io.margay.gateway.listing.FolderListing;
import io.margay.gateway.listing.FolderVariants;
import io.margay.gateway.login.Login;
import io.margay.gateway.login.OpenIdClient;
import io.margay.gateway.rules.FileTypes;
import io.margay.gateway.rules.GatewayRule;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.HostChanges;
import io.margay.gateway.rules.RuleAction;
import io.margay.gateway.rules.TypesFile;
import io.margay.gateway.rules.compiled.DistinguishedName;
import io.margay.gateway.rules.compiled.RequestConditions;
import io.margay.gateway.rules.regex.BoundedRegex;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads who may ask a host for what. Used by one thread.
final class AccessReader {
    private final RuleReader rules;
    private final LoginKeys logins;
    private final List<Problem> problems;
    private final List<AccessSection> folders = new ArrayList<>();
    private final List<AccessSection> paths = new ArrayList<>();
    private final List<AccessSection> peers = new ArrayList<>();
    private AccessSection always = AccessSection.NONE;

    /// Terms that want to know the user, as problems should the host know nobody.
    private final List<Problem> ofUsers = new ArrayList<>();

    /// Questions to directories whose answers are asked for, and where.
    private final Map<String, Position> questions = new LinkedHashMap<>();

    /// Those that the directories of the host are asked.
    private final Set<String> answered = new HashSet<>();

    /// Claims that are asked for, and where.
    private final Map<String, Position> claims = new LinkedHashMap<>();

    /// How users log in, by the sections that say it.
    private final Map<Settings, Login> said = new LinkedHashMap<>();

    private boolean knowsUsers;

    AccessReader(RuleReader rules, LoginKeys logins) {
        this.rules = rules;
        this.logins = logins;
        problems = logins.problems();
    }

    HostAccess access(Settings host) {
        if (!HostKeys.areIn(host, Set.of("access"))) {
            return HostAccess.NONE;
        }
        HostAccess access = read(host);
        if (!knowsUsers && !access.readsFolders()) {
            problems.addAll(ofUsers);
        }
        if (!access.readsFolders()) {
            said.forEach((section, login) -> logins.check(section, login, said.values()));
        }
        providers(host, access.clients());
        questions.forEach((text, at) -> {
            if (!answered.contains(text)) {
                problems.add(
                        new Problem(at, "the questions of login: {ldap: …} do not list " + text));
            }
        });
        return access;
    }

    /// Complains of claims that nobody keeps, and of paths that two providers send users back to.
    private void providers(Settings host, Set<OpenIdClient> clients) {
        Set<String> kept = new HashSet<>();
        Map<String, OpenIdClient> paths = new HashMap<>();
        for (OpenIdClient client : clients) {
            kept.addAll(client.claims().kept());
            String path = client.paths().redirectPath();
            OpenIdClient other = paths.putIfAbsent(path, client);
            if (other != null && !other.isSameAs(client)) {
                String text = "two providers send users back to " + path;
                problems.add(
                        new Problem(host.position("access"), text + ": give each a redirect-path"));
            }
        }
        claims.forEach((name, at) -> {
            if (!kept.contains(name)) {
                problems.add(new Problem(at, "the claims of login: {oidc: …} do not list " + name));
            }
        });
    }

    private HostAccess read(Settings host) {
        Settings section = host.section("access").orElse(null);
        host.section("routes").ifPresent(this::routes);
        if (section == null) {
            return HostAccess.NONE.withPaths(paths);
        }
        always = new AccessSection(always.match(), rules(section, true), List.of(), List.of());
        List<Settings> sections = section.list("sections", Settings.class);
        int next = 0;
        while (next < sections.size()) {
            next = outer(sections, next);
        }
        return new HostAccess(
                always,
                folders,
                paths,
                peers,
                section.texts("urls"),
                new HashSet<>(section.list("scripts", String.class)),
                section.has("folder-files")
                        ? section.list("folder-files", String.class)
                        : HostAccess.FOLDER_FILES,
                programs(section),
                rules.passing(section));
    }

    private List<BoundedRegex> programs(Settings section) {
        List<BoundedRegex> found = new ArrayList<>();
        for (String name : section.list("program-names", String.class)) {
            try {
                found.add(BoundedRegex.of(name));
            } catch (IllegalArgumentException e) {
                problems.add(
                        new Problem(
                                section.position("program-names"),
                                "\"" + name + "\" is not a regular expression"));
            }
        }
        return found;
    }

    /// What routes say of their paths, the longer ones last.
    private void routes(Settings routes) {
        List<String> keys = new ArrayList<>(routes.keys());
        keys.sort(Comparator.comparingInt(String::length));
        for (String key : keys) {
            Settings access =
                    routes.section(key).flatMap(route -> route.section("access")).orElse(null);
            if (access != null) {
                String path = RouteSettings.Place.parse(key).path();
                paths.add(
                        new AccessSection(
                                path.isEmpty()
                                        ? new SectionMatch.Everything()
                                        : new SectionMatch.Literal(path),
                                rules(access, true),
                                List.of(),
                                List.of()));
            }
        }
    }

    /// Reads a section that is in no other, with those that are in it.
    ///
    /// @return the first after them
    private int outer(List<Settings> sections, int at) {
        Settings section = sections.get(at);
        if (RuleReader.number(section, "inside") > 0) {
            problem(section, "inside", "there is no section with a smaller number before it");
        }
        Nested nested = new Nested();
        int next = nested.read(sections, at + 1, 0);
        AccessSection made = section(section, nested);
        switch (match(section)) {
            case "folder" -> folders.add(made);
            case "path" -> paths.add(made);
            case "peer" -> peers.add(made);
            case "file" -> always = with(always, List.of(made), List.of());
            case "when" -> always = with(always, List.of(), List.of(made));
            default -> always = always.then(made);
        }
        return next;
    }

    private static AccessSection with(
            AccessSection section, List<AccessSection> files, List<AccessSection> conditional) {
        return section.then(
                new AccessSection(section.match(), AccessRules.NONE, files, conditional));
    }

    private static String match(Settings section) {
        return AccessShape.MATCHES.stream().filter(section::has).findFirst().orElse("everything");
    }

    /// The sections in another. Confined to one reading.
    private final class Nested {
        private final List<AccessSection> files = new ArrayList<>();
        private final List<AccessSection> conditional = new ArrayList<>();

        /// @param depth of the section in which they are
        int read(List<Settings> sections, int from, int depth) {
            int next = from;
            while (next < sections.size()) {
                Settings section = sections.get(next);
                int own = RuleReader.number(section, "inside");
                if (own <= depth) {
                    return next;
                }
                String kind = match(section);
                if (own != depth + 1 || !(kind.equals("file") || kind.equals("when"))) {
                    problem(section, "inside", "only file and when are in others, one by one");
                }
                Nested inner = new Nested();
                next = inner.read(sections, next + 1, own);
                (kind.equals("file") ? files : conditional)
                        .add(AccessReader.this.section(section, inner));
            }
            return next;
        }
    }

    private AccessSection section(Settings section, Nested nested) {
        SectionMatch match = new SectionMatch.Everything();
        try {
            match = sectionMatch(section, match(section));
        } catch (IllegalArgumentException e) {
            String text = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
            problem(section, match(section), text);
        }
        return new AccessSection(match, rules(section, false), nested.files, nested.conditional);
    }

    private static SectionMatch sectionMatch(Settings section, String key) {
        boolean texts = !key.equals("when") && !key.equals("everything");
        String text = texts ? section.text(key).orElse("") : "";
        if (RuleReader.flag(section, "regex")) {
            return SectionMatch.regex(text);
        }
        boolean rooted = key.equals("path") || key.equals("folder");
        if (rooted && !text.startsWith("/")) {
            throw new IllegalArgumentException("a " + key + " begins with /");
        }
        return switch (key) {
            case "path" -> SectionMatch.of(text, Kind.PATH);
            case "folder" -> SectionMatch.of(text.replaceFirst("(?<=.)/+$", ""), Kind.FOLDER);
            case "file" -> SectionMatch.of(text, Kind.FILE);
            case "peer" -> SectionMatch.of(text, Kind.PEER);
            case "when" -> new SectionMatch.When(RequestConditions.of(RuleReader.when(section)));
            default -> new SectionMatch.Everything();
        };
    }

    /// @param alone whether who says how users log in wants to know them
    private AccessRules rules(Settings section, boolean alone) {
        List<Settings> terms = section.list("require", Settings.class);
        List<Requirement> parts = new ArrayList<>();
        int next = 0;
        while (next < terms.size()) {
            next = requirement(terms, next, parts);
        }
        Login login = logins.read(section);
        if (!login.equals(Login.NONE)) {
            said.put(section, login);
        }
        knowsUsers |= login.knowsUsers();
        if (login.users() instanceof Login.Users.InDirectory(Directory directory)) {
            directory.questions().forEach(one -> answered.add(one.text()));
        }
        boolean asks = login.asks() || login.certificateUser() != null;
        if (alone && asks && parts.isEmpty()) {
            parts.add(new Requirement.Test(new AccessTerm.AnyUser(), false, Methods.ALL));
        }
        List<GatewayRule> redirects = new ArrayList<>();
        for (Settings rule : section.list("redirects", Settings.class)) {
            rules.rule(rule, HostChanges.NONE).ifPresent(redirects::add);
        }
        return new AccessRules(
                parts.isEmpty() ? null : Requirement.any(parts),
                always(section),
                section.text("merging")
                        .map(word -> Merging.valueOf(word.toUpperCase(Locale.ROOT)))
                        .orElse(Merging.UNSET),
                ordered(section),
                section.has("methods")
                        ? Methods.of(section.list("methods", String.class)).names()
                        : null,
                tls(section),
                SectionRedirects.of(redirects),
                rewriting(section),
                section.number("content-max").orElse(-1L),
                handlers(section),
                types(section),
                new FolderOverrides(
                        words(section, "overrides"), words(section, "override-directives")),
                section.get("links", Boolean.class).orElse(null),
                new SectionPages(
                        section.has("index") ? section.list("index", String.class) : null,
                        section.text("fallback")
                                .map(path -> path.equals("none") ? "" : path)
                                .orElse(null)),
                FolderListing.of(
                        section.get("listing", Boolean.class).orElse(null),
                        section.text("folder").or(() -> section.text("path")).orElse(""),
                        section.list("listing-lines", String.class)),
                FolderVariants.of(
                        section.get("views", Boolean.class).orElse(null),
                        section.list("variant-lines", String.class)),
                login);
    }

    private List<Requirement> always(Settings section) {
        List<Requirement> always = new ArrayList<>();
        for (Settings term : section.list("always", Settings.class)) {
            Optional<AccessTerm> read = term(term);
            if (read.isPresent() && read.get().isOfUser()) {
                problem(section, "always", "users are asked for by \"require\"");
            }
            boolean not = RuleReader.flag(term, "not");
            read.ifPresent(one -> always.add(new Requirement.Test(one, not, methods(term))));
        }
        return always;
    }

    private TlsAccess tls(Settings section) {
        if (section.has("client-certificate")) {
            certificate(section, "client-certificate");
            return TlsAccess.CERTIFICATE;
        }
        return RuleReader.flag(section, "tls-only") ? TlsAccess.TLS : TlsAccess.ANY;
    }

    /// Complains of what nobody can show.
    private void certificate(Settings section, String key) {
        if (!logins.certificates()) {
            logins.missing()
                    .add(
                            new Problem(
                                    section.position(key),
                                    "nobody is let in by this: no listener asks for certificates"
                                            + " (client-certificate: want)"));
        }
    }

    private static @Nullable Set<String> words(Settings section, String key) {
        return section.has(key) ? new HashSet<>(section.list(key, String.class)) : null;
    }

    private SectionRewriting rewriting(Settings section) {
        for (String key : List.of("rewrites", "rewrites-base")) {
            if (section.has(key) && !section.has("rewrites-below")) {
                problem(section, key, "has no effect without \"rewrites-below\"");
            }
        }
        List<GatewayRule> refusals = new ArrayList<>();
        for (Settings rule : section.list("rewrites", Settings.class)) {
            rules.rule(rule, HostChanges.NONE).ifPresent(refusals::add);
        }
        return new SectionRewriting(
                section.get("rewriting", Boolean.class).orElse(null),
                section.text("rewrites-below").orElse(null),
                section.text("rewrites-base").orElse(null),
                SectionRedirects.of(refusals));
    }

    private FileTypes types(Settings section) {
        return new FileTypes(
                orNone(section.texts("types")),
                orNone(section.texts("charsets")),
                section.text("type").map(AccessReader::orNone).orElse(null),
                section.text("charset").map(AccessReader::orNone).orElse(null),
                section.text("types-file").map(file -> typesFile(section, file)).orElse(null));
    }

    private @Nullable TypesFile typesFile(Settings section, String file) {
        try {
            return TypesFile.read(logins.base().resolve(file));
        } catch (IOException e) {
            problems.add(new Problem(section.position("types-file"), file + " cannot be read"));
            return null;
        }
    }

    private static Map<String, String> orNone(Map<String, String> texts) {
        Map<String, String> made = new LinkedHashMap<>();
        texts.forEach((name, value) -> made.put(ending(name), orNone(value)));
        return made;
    }

    private static String orNone(String text) {
        return text.equals("none") ? "" : text;
    }

    private FileHandlers handlers(Settings section) {
        Map<String, FileHandler> endings = new LinkedHashMap<>();
        section.list("no-programs", String.class)
                .forEach(word -> endings.put(ending(word), FileHandler.FILE));
        section.list("programs", String.class)
                .forEach(word -> endings.put(ending(word), FileHandler.PROGRAM));
        FileHandler whole =
                section.text("handler")
                        .map(word ->
                                switch (word) {
                                    case "program" -> FileHandler.PROGRAM;
                                    case "file" -> FileHandler.FILE;
                                    default -> FileHandler.BY_NAME;
                                })
                        .orElse(null);
        for (Settings run : section.list("run", Settings.class)) {
            GatewayRule rule = rules.rule(run, HostChanges.NONE).orElse(null);
            if (rule != null
                    && rule.action() instanceof RuleAction.Forward by
                    && rule.match() instanceof PathMatch.Glob(String names)) {
                if (names.startsWith("*.")) {
                    endings.put(ending(names.substring(1)), new FileHandler.Run(by));
                } else {
                    whole = new FileHandler.Run(by);
                }
            } else {
                problems.add(
                        new Problem(
                                section.position("run"),
                                "run needs a rule with path: \"*\" or \"*.ENDING\", and to"));
            }
        }
        return new FileHandlers(
                endings, whole, section.get("path-info", Boolean.class).orElse(null));
    }

    private static String ending(String word) {
        return word.replaceFirst("^\\.", "").toLowerCase(Locale.ROOT);
    }

    /// Reads a term with those that belong to it.
    ///
    /// @return the first after them
    private int requirement(List<Settings> terms, int at, List<Requirement> to) {
        Settings term = terms.get(at);
        boolean not = RuleReader.flag(term, "not");
        String group = AccessShape.GROUPS.stream().filter(term::has).findFirst().orElse("");
        if (group.isEmpty()) {
            term(term).ifPresent(one -> to.add(new Requirement.Test(one, not, methods(term))));
            return at + 1;
        }
        List<Requirement> parts = new ArrayList<>();
        int next = at + 1;
        for (int i = RuleReader.number(term, group); i > 0; i--) {
            if (next >= terms.size()) {
                problem(term, group, "fewer terms than that follow it");
                break;
            }
            next = requirement(terms, next, parts);
        }
        to.add(new Requirement.Group(group.equals("all"), not, methods(term), parts));
        return next;
    }

    private static Methods methods(Settings section) {
        return section.has("for")
                ? Methods.of(section.list("for", String.class))
                : new Methods(Set.copyOf(section.list("except", String.class)), true);
    }

    private Optional<AccessTerm> term(Settings term) {
        String key = AccessShape.TERMS.stream().filter(term::has).findFirst().orElse("");
        Optional<AccessTerm> read = term(term, key);
        if (List.of("certificate", "subject", "issuer").contains(key)) {
            certificate(term, key);
        }
        if (read.isPresent() && read.get().isOfUser()) {
            String message = "nobody can log in here: the host needs \"login: {users: FILE}\"";
            ofUsers.add(new Problem(term.position(key), message));
        }
        return read;
    }

    private Optional<AccessTerm> term(Settings term, String key) {
        return switch (key) {
            case "everybody" ->
                    Optional.of(new AccessTerm.Everybody(RuleReader.flag(term, "everybody")));
            case "any-user" -> Optional.of(new AccessTerm.AnyUser());
            case "user" -> Optional.of(new AccessTerm.User(term.list("user", String.class)));
            case "group" -> Optional.of(new AccessTerm.Group(term.list("group", String.class)));
            case "claim" -> Optional.of(claim(term));
            case "ldap" -> Optional.of(asked(term));
            case "from" ->
                    Optional.of(
                            new AccessTerm.From(
                                    term.list("from", String.class).stream()
                                            .map(Network::parse)
                                            .flatMap(Optional::stream)
                                            .toList()));
            case "local" -> Optional.of(new AccessTerm.Local());
            case "tls" -> Optional.of(new AccessTerm.Tls());
            case "certificate" -> Optional.of(new AccessTerm.Certificate());
            case "subject", "issuer" ->
                    Optional.of(
                            new AccessTerm.Named(
                                    term.list(key, DistinguishedName.Part.class),
                                    key.equals("issuer")));
            case "method" ->
                    Optional.of(
                            new AccessTerm.Method(Methods.of(term.list("method", String.class))));
            case "variable" ->
                    Optional.of(new AccessTerm.Variable(term.text("variable").orElse("")));
            case "when" -> conditions(term);
            default -> Optional.empty();
        };
    }

    private AccessTerm asked(Settings term) {
        List<DirectoryQuestion> asked = term.list("ldap", DirectoryQuestion.class);
        asked.forEach(one -> questions.putIfAbsent(one.text(), term.position("ldap")));
        return new AccessTerm.Asked(asked);
    }

    private AccessTerm claim(Settings term) {
        List<ClaimTest> tests = term.list("claim", ClaimTest.class);
        tests.forEach(one -> claims.putIfAbsent(one.name(), term.position("claim")));
        return new AccessTerm.Claim(tests);
    }

    private Optional<AccessTerm> conditions(Settings term) {
        try {
            return Optional.of(new AccessTerm.Holds(RequestConditions.of(RuleReader.when(term))));
        } catch (IllegalArgumentException e) {
            String text = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
            problem(term, "when", text);
            return Optional.empty();
        }
    }

    private @Nullable OrderedAccess ordered(Settings section) {
        boolean none =
                List.of("order", "allow", "deny", "satisfy").stream().noneMatch(section::has);
        return none
                ? null
                : new OrderedAccess(
                        section.list("order", Settings.class).stream()
                                .map(one ->
                                        new OrderedAccess.Ordering(
                                                OrderedAccess.Order.valueOf(
                                                        one.text("is")
                                                                .orElse("deny-allow")
                                                                .toUpperCase(Locale.ROOT)
                                                                .replace('-', '_')),
                                                methods(one)))
                                .toList(),
                        entries(section, "allow"),
                        entries(section, "deny"),
                        section.list("satisfy", Settings.class).stream()
                                .map(one ->
                                        new OrderedAccess.Satisfied(
                                                one.text("is").orElse("all").equals("any"),
                                                methods(one)))
                                .toList());
    }

    private List<OrderedAccess.Entry> entries(Settings section, String key) {
        List<OrderedAccess.Entry> entries = new ArrayList<>();
        for (Settings one : section.list(key, Settings.class)) {
            term(one)
                    .ifPresent(term ->
                            entries.add(
                                    new OrderedAccess.Entry(
                                            term, RuleReader.flag(one, "not"), methods(one))));
        }
        return entries;
    }

    private void problem(Settings section, String key, String message) {
        problems.add(new Problem(section.position(key), message));
    }
}
