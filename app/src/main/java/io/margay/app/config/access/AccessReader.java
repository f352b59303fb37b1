package io.margay.app.config.access;

import io.margay.app.config.RouteSettings;
import io.margay.app.config.access.AccessKeys.Place;
import io.margay.app.config.binding.Keys;
import io.margay.app.config.file.hosts.HostKeys;
import io.margay.app.config.file.login.LoginKeys;
import io.margay.app.yaml.Position;
import io.margay.app.yaml.Problem;
import io.margay.app.yaml.Settings;
import io.margay.gateway.access.AccessRules;
import io.margay.gateway.access.AccessRulesBuilder;
import io.margay.gateway.access.AccessSection;
import io.margay.gateway.access.AccessTerm;
import io.margay.gateway.access.HostAccess;
import io.margay.gateway.access.HostAccessBuilder;
import io.margay.gateway.access.Requirement;
import io.margay.gateway.access.match.ClaimTest;
import io.margay.gateway.access.match.Methods;
import io.margay.gateway.access.match.SectionMatch;
import io.margay.gateway.directory.Directory;
import io.margay.gateway.directory.DirectoryQuestion;
import io.margay.gateway.listing.FolderListing;
import io.margay.gateway.login.Login;
import io.margay.gateway.login.OpenIdClient;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/// Reads who may ask a host for what. Used by one thread.
public final class AccessReader {
    private static final String NOBODY =
            "no login is configured: the host needs \"login: {users: FILE}\"";

    /// The keys of terms that depend on who has logged in.
    private static final List<String> USERS = List.of("any-user", "user", "group", "claim", "ldap");

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

    public AccessReader(LoginKeys logins) {
        this.logins = logins;
        problems = logins.reading().problems();
    }

    /// What a host and its routes say.
    public HostAccess access(Settings host) {
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
        always = new AccessSection(always.match(), alone(section), List.of(), List.of());
        List<Settings> sections = section.list("sections", Settings.class);
        int next = 0;
        while (next < sections.size()) {
            next = outer(sections, next);
        }
        HostAccess beside = AccessKeys.HOST.read(section, HostAccess.NONE, logins.reading());
        return HostAccessBuilder.builder(beside)
                .always(always)
                .folders(folders)
                .paths(paths)
                .peers(peers)
                .build();
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
                                alone(access),
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
        Place place = place(section);
        if (place.inside() > 0) {
            problem(section, "inside", "there is no section with a smaller number before it");
        }
        Nested nested = new Nested();
        int next = nested.read(sections, at + 1, 0);
        AccessSection made = section(section, place, nested);
        switch (place.kind()) {
            case "folder" -> folders.add(made);
            case "path" -> paths.add(made);
            case "peer" -> peers.add(made);
            case "file" -> always = with(always, List.of(made), List.of());
            case "when" -> always = with(always, List.of(), List.of(made));
            default -> always = always.then(made);
        }
        return next;
    }

    private Place place(Settings section) {
        return AccessKeys.PLACE.read(section, AccessKeys.PLACE.defaults(), logins.reading());
    }

    private static AccessSection with(
            AccessSection section, List<AccessSection> files, List<AccessSection> conditional) {
        return section.then(
                new AccessSection(section.match(), AccessRules.NONE, files, conditional));
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
                Place place = place(section);
                int own = place.inside();
                if (own <= depth) {
                    return next;
                }
                String kind = place.kind();
                if (own != depth + 1 || !(kind.equals("file") || kind.equals("when"))) {
                    problem(section, "inside", "only file and when are in others, one by one");
                }
                Nested inner = new Nested();
                next = inner.read(sections, next + 1, own);
                (kind.equals("file") ? files : conditional)
                        .add(AccessReader.this.section(section, place, inner));
            }
            return next;
        }
    }

    private AccessSection section(Settings section, Place place, Nested nested) {
        SectionMatch match =
                logins.reading()
                        .made(section, place.kind(), place::match)
                        .orElseGet(SectionMatch.Everything::new);
        AccessRules rules = rules(section, AccessKeys.RULES);
        String at = section.text("folder").or(() -> section.text("path")).orElse("");
        FolderListing listing = FolderListing.of(rules.listing().on(), at, rules.listing().texts());
        return new AccessSection(
                match,
                AccessRulesBuilder.builder(rules).listing(listing).build(),
                nested.files,
                nested.conditional);
    }

    private AccessRules rules(Settings section, Keys<AccessRules> keys) {
        AccessRules read = keys.read(section, AccessRules.NONE, logins.reading());
        Login login = logins.complete(section, read.login());
        if (!login.equals(Login.NONE)) {
            said.put(section, login);
        }
        knowsUsers |= login.knowsUsers();
        if (login.users() instanceof Login.Users.InDirectory(Directory directory)) {
            directory.questions().forEach(one -> answered.add(one.text()));
        }
        for (String terms : List.of("require", "always", "allow", "deny")) {
            section.list(terms, Settings.class).forEach(this::term);
        }
        if (section.list("always", Settings.class).stream().anyMatch(one -> isOfUser(one))) {
            problem(section, "always", "users are asked for by \"require\"");
        }
        if (section.has("client-certificate")) {
            certificate(section, "client-certificate");
        }
        return read.withLogin(login);
    }

    /// What a host or a route says for itself: who says how users log in wants to know them.
    private AccessRules alone(Settings section) {
        AccessRules rules = rules(section, AccessKeys.ALONE);
        Login login = rules.login();
        boolean asks = login.asks() || login.certificateUser() != null;
        if (!asks || rules.required() != null) {
            return rules;
        }
        Requirement known = new Requirement.Test(new AccessTerm.AnyUser(), false, Methods.ALL);
        return AccessRulesBuilder.builder(rules).required(Requirement.any(List.of(known))).build();
    }

    /// Complains of what nobody can show.
    private void certificate(Settings section, String key) {
        if (!logins.certificates()) {
            logins.reading()
                    .missing()
                    .add(
                            new Problem(
                                    section.position(key),
                                    "this admits nobody: no listener asks for certificates"
                                            + " (client-certificate: want)"));
        }
    }

    private static boolean isOfUser(Settings term) {
        return USERS.stream().anyMatch(term::has);
    }

    /// Keeps what terms ask for, and where.
    private void term(Settings term) {
        Stream.of("certificate", "subject", "issuer")
                .filter(term::has)
                .forEach(key -> certificate(term, key));
        USERS.stream()
                .filter(term::has)
                .forEach(key -> ofUsers.add(new Problem(term.position(key), NOBODY)));
        term.list("ldap", DirectoryQuestion.class)
                .forEach(one -> questions.putIfAbsent(one.text(), term.position("ldap")));
        term.list("claim", ClaimTest.class)
                .forEach(one -> claims.putIfAbsent(one.name(), term.position("claim")));
    }

    private void problem(Settings section, String key, String message) {
        problems.add(new Problem(section.position(key), message));
    }
}
