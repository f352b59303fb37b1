package io.margay.compat.nginx.site;

import io.margay.compat.nginx.syntax.NginxNode;
import io.margay.compat.nginx.syntax.NginxRegex;
import io.margay.gateway.rules.ErrorPage;
import io.margay.gateway.rules.GatewayRule.Assignment;
import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.RuleAction;
import io.margay.gateway.rules.RuleAction.Query;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The rules of a server: which location takes a request, and what that does with it. Confined to
/// one reading.
final class LocationRules {
    private final Reading reading;
    private final Program program;
    private final Redirects redirects;
    private final RewritePhase rewrites;
    private final StaticContent files;
    private final ProxyContent proxy;
    private final ProgramContent programs;
    private final AccessReader access;
    private final ClientReader clients;
    private final Location server;
    private final Program.Label find = new Program.Label();

    /// Below it are locations with a name, for errors alone.
    private static final String NAMED = "/.nginx-named-";

    /// The query of a request, where a page for its error may need it.
    private static final String QUERY = "nginx.query";

    private final Map<String, Location> named = new LinkedHashMap<>();
    private final List<Scope> conditional;
    private final List<Scope> serving = new ArrayList<>();

    /// What writes the parts of the rules.
    record Parts(
            Program program,
            Redirects redirects,
            RewritePhase rewrites,
            StaticContent files,
            ProxyContent proxy,
            ProgramContent programs,
            AccessReader access) {}

    /// @param clients how much each may ask for
    /// @param conditional takes the blocks of `if` with settings of their own, as they are found
    LocationRules(
            Reading reading,
            Parts parts,
            ClientReader clients,
            Location server,
            List<Scope> conditional) {
        this.reading = reading;
        program = parts.program;
        redirects = parts.redirects;
        rewrites = parts.rewrites;
        files = parts.files;
        proxy = parts.proxy;
        programs = parts.programs;
        access = parts.access;
        this.clients = clients;
        this.server = server;
        this.conditional = conditional;
        for (Location one : server.inner(Location.Kind.NAMED)) {
            if (named.putIfAbsent(one.path(), one) != null && one.scope().node() != null) {
                reading.wrong(one.scope().node(), "duplicate location \"" + one.path() + "\"");
            }
        }
    }

    /// The blocks that send files.
    List<Scope> serving() {
        return serving;
    }

    /// Writes all rules.
    void write() {
        program.set(
                PathMatch.ANY,
                List.of(),
                List.of(new Assignment(Variables.SCRIPT, "%{REQUEST_URI}")));
        if (Listens.Clients.isNeeded(server.scope())) {
            program.answer(
                    PathMatch.ANY,
                    List.of(
                            Conditions.is("%{REQUEST_SCHEME}", "^https$"),
                            Conditions.isNot("%{SSL:SSL_CLIENT_VERIFY}", "^SUCCESS$")),
                    new RuleAction.Refuse(400));
        }
        enterNamed();
        refuseParameters();
        BlockVariables.write(server.scope(), program, reading);
        rewrites.write(server.scope(), new RewritePhase.Ways(find, find));
        program.place(find);
        program.set(
                PathMatch.ANY,
                List.of(),
                List.of(
                        new Assignment(Variables.LOCATION, Integer.toString(server.id())),
                        new Assignment(RewritePhase.MOVED.name(), null),
                        new Assignment(RewritePhase.AGAIN.name(), null)));
        Program.Label chosen = new Program.Label();
        find(server, chosen);
        program.place(chosen);
        List<Location> all = server.all();
        for (Location one : all) {
            if (one != server && one.kind() != Location.Kind.NAMED) {
                program.jump(PathMatch.ANY, List.of(at(one)), List.of(), one.begin());
            }
        }
        for (Location one : all) {
            program.place(one.begin());
            location(one, all);
        }
    }

    /// Where pages for errors lead to locations with a name, by a path for which no client can ask.
    private void enterNamed() {
        List<Location> shown =
                named.values().stream()
                        .filter(one -> server.scope().showsErrorsBy(one.path()))
                        .toList();
        if (!shown.isEmpty()) {
            program.set(
                    PathMatch.ANY, List.of(), List.of(new Assignment(QUERY, "%{QUERY_STRING}")));
        }
        for (Location one : shown) {
            List<Assignment> sets = new ArrayList<>(chosen(one));
            sets.add(RewritePhase.INTERNAL);
            sets.add(new Assignment(Variables.SCRIPT, "%{ENV:REDIRECT_URL}"));
            program.rewrite(
                    new PathMatch.Regex("^" + NginxRegex.quote(entry(one)) + "$", false, false),
                    List.of(Conditions.isNot("%{ENV:REDIRECT_STATUS}", "^$")),
                    new RuleAction.Rewrite(
                            "%{ENV:REDIRECT_URL}?%{ENV:REDIRECT_" + QUERY + "}", Query.DROP, 0),
                    sets,
                    one.begin());
        }
    }

    private static String entry(Location named) {
        return NAMED + named.id();
    }

    /// To nginx `/closed;x` is another name than `/closed`, to others it is not: where that makes a
    /// difference to some location, neither is right.
    private void refuseParameters() {
        Program.Label past = new Program.Label();
        program.jump(PathMatch.ANY, List.of(Conditions.hasParameters(true)), List.of(), past);
        RuleAction refuse = new RuleAction.Refuse(400);
        program.answer(PathMatch.ANY, List.of(Conditions.isNot("%{REQUEST_URI}", ";")), refuse);
        for (Location one : server.all()) {
            if (one.match() instanceof PathMatch.Regex(String regex, boolean anyCase, boolean _)) {
                // With a semicolon in it, an expression sees parameters.
                String literal = "(?:" + regex + ")|;\\x00";
                program.answer(
                        one.match(),
                        List.of(new Condition("%{REQUEST_URI}", literal, anyCase, true, false)),
                        refuse);
                program.answer(
                        new PathMatch.Regex(regex, anyCase, true),
                        List.of(new Condition("%{REQUEST_URI}", literal, anyCase, false, false)),
                        refuse);
            }
        }
        program.place(past);
    }

    private static Condition at(Location location) {
        return Conditions.has(Variables.LOCATION, Integer.toString(location.id()));
    }

    private static List<Assignment> chosen(Location location) {
        List<Assignment> sets = new ArrayList<>();
        sets.add(new Assignment(Variables.LOCATION, Integer.toString(location.id())));
        NginxRegex regex = location.regex();
        if (regex != null) {
            sets.addAll(regex.found('$'));
        }
        return sets;
    }

    /// As `ngx_http_core_find_location`: what is the very path, else the longest prefix, and the
    /// first expression where no prefix is firm; then the same within what was found.
    ///
    /// @param none where requests go on when no expression takes them
    private void find(Location outer, Program.Label none) {
        for (Location one : outer.inner(Location.Kind.EXACT)) {
            program.jump(one.match(), List.of(), chosen(one), one.begin());
        }
        for (Location one : outer.prefixes()) {
            boolean named =
                    outer.prefixes().stream()
                            .anyMatch(other -> one.path().equals(other.path() + "/"));
            if (!named) {
                redirectToFolder(one);
            }
        }
        Program.Label expressions = new Program.Label();
        Map<Location, Program.Label> within = new LinkedHashMap<>();
        for (Location one : outer.prefixes()) {
            boolean firm = one.kind() == Location.Kind.FIRM;
            boolean last = firm || outer.inner(Location.Kind.REGEX).isEmpty();
            Program.Label next = firm ? none : expressions;
            if (outer == server && last) {
                next = one.begin();
            }
            if (!one.inner().isEmpty()) {
                next = new Program.Label();
                within.put(one, next);
            }
            program.jump(one.match(), List.of(), chosen(one), next);
        }
        program.jump(PathMatch.ANY, List.of(), List.of(), expressions);
        within.forEach((one, label) -> {
            program.place(label);
            find(one, one.kind() == Location.Kind.FIRM ? none : expressions);
        });
        program.place(expressions);
        Map<Location, Program.Label> found = new LinkedHashMap<>();
        for (Location one : outer.inner(Location.Kind.REGEX)) {
            Program.Label next = one.begin();
            if (!one.inner().isEmpty()) {
                next = new Program.Label();
                found.put(one, next);
            }
            program.jump(one.match(), List.of(), chosen(one), next);
        }
        program.jump(PathMatch.ANY, List.of(), List.of(), none);
        found.forEach((one, label) -> {
            program.place(label);
            Program.Label here = new Program.Label();
            find(one, here);
            program.place(here);
            for (Location each : one.all()) {
                program.jump(PathMatch.ANY, List.of(at(each)), List.of(), each.begin());
            }
        });
    }

    /// What is passed on below `/name/` is asked for again where only `/name` was.
    private void redirectToFolder(Location one) {
        if (!one.scope().passes() || !one.path().endsWith("/") || one.path().length() < 2) {
            return;
        }
        String path = one.path().substring(0, one.path().length() - 1);
        PathMatch same = new PathMatch.Regex("^" + NginxRegex.quote(path) + "$", false, false);
        if (!one.scope().nearest("internal").isEmpty()) {
            program.answer(same, List.of(), new RuleAction.Refuse(404));
            return;
        }
        program.set(same, List.of(), chosen(one));
        redirects.absolute(
                301,
                Variables.literal(one.path()),
                Query.KEEP,
                one.scope(),
                new Redirects.Where(same, List.of(), false));
    }

    private void location(Location one, List<Location> all) {
        Scope scope = one.scope();
        programs.split(scope);
        if (!scope.nearest("internal").isEmpty()) {
            program.answer(
                    PathMatch.ANY,
                    List.of(
                            Conditions.isNot("%{ENV:" + RewritePhase.INTERNAL.name() + "}", "1"),
                            Conditions.is("%{ENV:REDIRECT_STATUS}", "^$")),
                    new RuleAction.Refuse(404));
        }
        int before = conditional.size();
        for (NginxNode limit : scope.own("limit_except")) {
            // To nginx they are in a block of their own, without what is rewritten outside of it.
            String methods = String.join("|", limit.words()).replace("GET", "GET|HEAD");
            program.jump(
                    PathMatch.ANY,
                    List.of(Conditions.isNot("%{REQUEST_METHOD}", "^(?:" + methods + ")$")),
                    List.of(),
                    one.content());
        }
        if (one != server) {
            BlockVariables.write(scope, program, reading);
            rewrites.write(scope, new RewritePhase.Ways(find, one.content()));
            rewrites.againWhereMoved(find);
        }
        program.place(one.content());
        for (Location other : access.apart(one, all)) {
            program.answer(
                    PathMatch.ANY,
                    List.of(Conditions.has(AccessReader.through(other), "1")),
                    new RuleAction.Refuse(403));
        }
        access.tell(one, program);
        program.set(
                PathMatch.ANY,
                List.of(),
                List.of(
                        new Assignment(AccessReader.through(one), "1"),
                        new Assignment(RewritePhase.AGAIN.name(), null)));
        clients.limit(one.scope(), program);
        content(one, conditional.subList(before, conditional.size()));
    }

    private void content(Location one, List<Scope> inner) {
        Scope scope = one.scope();
        StaticContent.@Nullable Files own = files.files(one);
        Program.Label handler = new Program.Label();
        NginxNode tries = scope.last("try_files");
        boolean tried = !scope.own("try_files").isEmpty() || one == server;
        if (tries != null && tried) {
            tryFiles(tries, own, handler);
        }
        program.place(handler);
        List<Integer> ids = new ArrayList<>(List.of(scope.id()));
        inner.forEach(each -> ids.add(each.id()));
        List<NginxNode> passes = scope.own("proxy_pass");
        if (!passes.isEmpty()) {
            proxy.write(passes.getLast(), one, ids);
            return;
        }
        List<NginxNode> runs = scope.own("fastcgi_pass");
        if (!runs.isEmpty()) {
            programs.write(runs.getLast(), scope, ids, files.fileOf(one));
            return;
        }
        serving.add(scope);
        serving.addAll(inner);
        NginxNode block = scope.node();
        if (own == null && block != null && isReached(one, tries != null && tried)) {
            reading.changed(
                    block,
                    "has no root: nginx sends files of the folder html where it was installed, here"
                            + " there are none");
        }
        files.write(one, own, find, fallback(scope));
    }

    /// Whether requests may come to the files of a block.
    private boolean isReached(Location one, boolean isTried) {
        boolean taken =
                one == server && server.prefixes().stream().anyMatch(p -> p.path().equals("/"));
        return !taken && !isTried && one.scope().own("return").isEmpty();
    }

    /// Where requests for what is not there go by `error_page 404 @name`.
    private Program.@Nullable Label fallback(Scope scope) {
        for (NginxNode node : scope.nearest("error_page")) {
            Location to = named.get(node.words().getLast());
            boolean itself =
                    to != null && to.scope().id() == scope.id(); // which nginx ends with 404
            if (to != null
                    && !itself
                    && node.words().contains("404")
                    && node.words().contains("=")) {
                Program.Label enter = new Program.Label();
                pending.put(enter, to);
                return enter;
            }
        }
        return null;
    }

    private final Map<Program.Label, Location> pending = new LinkedHashMap<>();

    /// Writes the ways to named locations.
    void writeWays() {
        pending.forEach((label, to) -> {
            program.place(label);
            program.jump(PathMatch.ANY, List.of(), chosen(to), to.begin());
        });
    }

    private void tryFiles(
            NginxNode node, StaticContent.@Nullable Files own, Program.Label handler) {
        List<String> words = node.words();
        try {
            for (String word : words.subList(0, words.size() - 1)) {
                tryFile(word, own, handler);
            }
            last(words.getLast(), node);
        } catch (Variables.Unknown e) {
            reading.wrong(node, String.valueOf(e.getMessage()));
        }
    }

    private void tryFile(String word, StaticContent.@Nullable Files own, Program.Label handler)
            throws Variables.Unknown {
        if (own == null) {
            return;
        }
        boolean folder = word.endsWith("/");
        String test = folder ? "-d" : "-f";
        String plain = folder ? word.substring(0, word.length() - 1) : word;
        if (plain.equals("$uri")) {
            program.jump(
                    own.match(),
                    List.of(
                            new Condition(
                                    "%{ENV:" + RewritePhase.INTERNAL.name() + "}",
                                    "1",
                                    false,
                                    false,
                                    true),
                            Conditions.hasParameters(true),
                            Conditions.is(own.file(), test)),
                    List.of(),
                    handler);
            return;
        }
        boolean aliased = own.file().indexOf(REQUEST_PATH) < 0;
        if (aliased && !plain.startsWith("$uri")) {
            throw new Variables.Unknown(word + " with alias is not translated");
        }
        boolean whole = plain.startsWith("/") || isOfPath(plain);
        String text = whole ? plain : "/" + plain;
        String path = variables().template(text);
        String file = own.file().replace(REQUEST_PATH, path);
        if (aliased) {
            file = own.file() + variables().template(plain.substring("$uri".length()));
        }
        program.rewrite(
                own.match(),
                List.of(Conditions.is(file, test)),
                new RuleAction.Rewrite(path, Query.KEEP, 0),
                List.of(RewritePhase.INTERNAL),
                handler);
    }

    /// Whether a text begins with the path.
    private static boolean isOfPath(String text) {
        return text.startsWith("$uri") || text.startsWith("$fastcgi_script_name");
    }

    private static final String REQUEST_PATH = "%{REQUEST_URI}";

    private void last(String word, NginxNode node) throws Variables.Unknown {
        if (word.startsWith("=")) {
            int status = word.matches("=[2-5][0-9]{2}") ? Integer.parseInt(word.substring(1)) : 0;
            if (status == 0) {
                throw new Variables.Unknown("invalid code \"" + word + "\"");
            }
            program.guarded(
                    PathMatch.ANY,
                    List.of(),
                    status >= 400
                            ? new RuleAction.Refuse(status)
                            : new RuleAction.Say(status, "text/plain", ""));
            return;
        }
        if (word.startsWith("@")) {
            Location to = named.get(word);
            if (to == null) {
                throw new Variables.Unknown("could not find named location \"" + word + "\"");
            }
            List<Assignment> sets = new ArrayList<>(chosen(to));
            sets.add(RewritePhase.INTERNAL);
            program.jump(PathMatch.ANY, List.of(), sets, to.begin());
            return;
        }
        if (!word.startsWith("/") && !isOfPath(word)) {
            throw new Variables.Unknown(
                    "\"" + word + "\" in " + node.name() + " does not begin with /");
        }
        program.rewrite(
                PathMatch.ANY,
                List.of(),
                new RuleAction.Rewrite(variables().template(word), Query.DROP, 0),
                List.of(RewritePhase.INTERNAL),
                find);
    }

    private Variables variables() {
        return redirects.variables();
    }

    /// The pages for errors.
    List<ErrorPage> errors(List<Scope> scopes) {
        List<ErrorPage> pages = new ArrayList<>();
        Map<List<NginxNode>, List<Integer>> alike = new LinkedHashMap<>();
        for (Scope scope : scopes) {
            alike.computeIfAbsent(scope.nearest("error_page"), _ -> new ArrayList<>())
                    .add(scope.id());
        }
        alike.forEach((nodes, ids) -> nodes.reversed().forEach(node -> page(node, ids, pages)));
        return pages;
    }

    /// @param said `=`, `=200` or nothing
    private static int sent(String error, String said) {
        return Integer.parseInt(
                said.isEmpty() ? error : said.equals("=") ? "0" : said.substring(1));
    }

    private void page(NginxNode node, List<Integer> ids, List<ErrorPage> pages) {
        List<String> words = new ArrayList<>(node.words());
        String place = words.removeLast();
        String status = "";
        if (!words.isEmpty() && words.getLast().startsWith("=")) {
            status = words.removeLast();
        }
        if (!status.matches("(?:=(?:[1-9][0-9]{2})?)?")) {
            reading.wrong(node, "invalid value \"" + status + "\"");
            return;
        }
        for (String word : words) {
            if (!word.matches("[345][0-9]{2}")) {
                reading.wrong(node, "invalid value \"" + word + "\"");
                return;
            }
        }
        boolean byName = place.startsWith("@");
        Location to = named.get(place);
        if (byName && to == null) {
            reading.changed(
                    node,
                    "could not find named location \""
                            + place
                            + "\": nginx answers 500, here the error keeps its own page");
            return;
        }
        if (to != null) {
            reading.changed(
                    node,
                    place
                            + " is asked for by GET, without content, where nginx keeps method and"
                            + " content");
            if (!to.scope().own("return").isEmpty()) {
                reading.changed(node, "texts of " + place + " are not shown for errors");
            }
            place = entry(to);
        } else if (Variables.isIn(place)) {
            reading.changed(node, "pages with variables are not shown");
            return;
        }
        boolean elsewhere = place.matches("(?i)https?://.*");
        Location found = server.find(place);
        List<Location> of =
                elsewhere
                        ? List.of()
                        : to != null
                                ? List.of(to)
                                : found == server ? List.of(server) : found.all();
        if (of.stream().anyMatch(one -> !one.scope().own("proxy_pass").isEmpty())) {
            reading.changed(node, "what answers is told the page's own address as $request_uri");
        }
        if (of.stream().anyMatch(one -> ClientReader.limits(one.scope()))) {
            reading.changed(
                    node, "pages for errors are not counted by the limits of their location");
        }
        for (String word : words) {
            pages.add(
                    new ErrorPage(
                            PathMatch.ANY,
                            Conditions.at(ids),
                            Integer.parseInt(word),
                            elsewhere
                                    ? new ErrorPage.Content.Elsewhere(place)
                                    : new ErrorPage.Content.Asked(place, sent(word, status))));
        }
    }
}
