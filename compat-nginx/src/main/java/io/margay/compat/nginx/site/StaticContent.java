package io.margay.compat.nginx.site;

import io.margay.compat.nginx.plan.NginxPlan.FilesPlan;
import io.margay.compat.nginx.syntax.NginxNode;
import io.margay.gateway.rules.GatewayRule.Assignment;
import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.RuleAction;
import io.margay.gateway.rules.RuleAction.Query;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The files of locations: where each has its own, and what becomes of paths that stand for
/// folders. Confined to one reading.
final class StaticContent {
    /// Below it are the files of locations that have others than their server. No client can ask
    /// for it, for what clients ask for is led there by rules.
    private static final String APART = "/.nginx-files-";

    private static final Condition NO_FILE_METHOD =
            Conditions.isNot("%{REQUEST_METHOD}", "^(?:GET|HEAD|POST)$");

    private final Reading reading;
    private final Program program;
    private final Redirects redirects;
    private final Map<String, Path> routes = new LinkedHashMap<>();

    /// The folder of the server itself; null = it has none.
    private final @Nullable Path root;

    StaticContent(Reading reading, Program program, Redirects redirects, Scope server) {
        this.reading = reading;
        this.program = program;
        this.redirects = redirects;
        NginxNode node = server.last("root");
        root = node == null || Variables.isIn(node.word(0)) ? null : Path.of(node.word(0));
        if (root != null && root.isAbsolute()) {
            routes.put("", root);
        }
    }

    /// Where the files of a location are.
    ///
    /// @param file of a path, as conditions say it, with `$1` for what is behind the location's
    /// @param match by which that is known
    /// @param folder what is served
    /// @param target path by which it is, where it is not the request's own; null = it is
    record Files(String file, PathMatch match, Path folder, @Nullable String target) {
        /// Another file beside it.
        String with(String name) {
            return file + Variables.literal(name);
        }
    }

    List<FilesPlan> routes() {
        return routes.entrySet().stream()
                .map(one -> new FilesPlan(one.getKey(), one.getValue()))
                .toList();
    }

    /// Whether an `alias` of a location around holds, as nginx has it: that is refused.
    private boolean inheritsAlias(Scope scope) {
        if (!hasNoFolder(scope)) {
            return false;
        }
        Scope from = scope.parent();
        while (from != null && hasNoFolder(from)) {
            from = from.parent();
        }
        if (from == null || from.own("alias").isEmpty()) {
            return false;
        }
        if (scope.own("proxy_pass").isEmpty() && scope.own("return").isEmpty()) {
            reading.wrong(
                    from.own("alias").getLast(),
                    "holds in a location inside, too, which is not translated: give that one a"
                            + " root or alias of its own");
        }
        return true;
    }

    private static boolean hasNoFolder(Scope scope) {
        return scope.own("alias").isEmpty() && scope.own("root").isEmpty();
    }

    /// Where a location has its files; null where it has none.
    @Nullable Files files(Location location) {
        Scope scope = location.scope();
        if (inheritsAlias(scope)) {
            return null;
        }
        NginxNode alias = scope.own("alias").isEmpty() ? null : scope.own("alias").getLast();
        NginxNode node = alias != null ? alias : scope.last("root");
        if (node == null) {
            return null;
        }
        String text = reading.withConstants(node.word(0));
        if (Variables.isIn(text)) {
            reading.wrong(node, "is translated without variables only");
            return null;
        }
        Path folder = Path.of(text);
        if (!folder.isAbsolute()) {
            reading.wrong(node, "is not absolute: nginx looks for it where it was installed");
            return null;
        }
        String base = Variables.literal(text.replaceFirst("/+$", ""));
        if (alias == null) {
            Files own = new Files(base + "%{REQUEST_URI}", PathMatch.ANY, folder, null);
            return folder.equals(root) ? own : apart(location, own, "%{REQUEST_URI}");
        }
        if (location.kind() == Location.Kind.REGEX) {
            reading.wrong(node, "in a location with an expression is not translated");
            return null;
        }
        boolean whole = text.endsWith("/");
        if (whole != location.path().endsWith("/")) {
            if (location.kind() != Location.Kind.EXACT) {
                reading.changed(
                        node,
                        "ends in a slash where its location does not, or the other way: names that"
                                + " are put together of both are not found");
            }
        }
        if (location.kind() == Location.Kind.EXACT) {
            String name = String.valueOf(folder.getFileName());
            Path parent = folder.getParent();
            Files file =
                    new Files(
                            Variables.literal(text),
                            PathMatch.ANY,
                            parent == null ? folder : parent,
                            null);
            return apart(location, file, "/" + Variables.literal(name));
        }
        String slash = location.path().endsWith("/") ? "/" : "";
        Files below = new Files(base + slash + "$1", location.rest(), folder, null);
        return apart(location, below, slash + "$1");
    }

    /// @param target below its own prefix
    private Files apart(Location location, Files files, String target) {
        String prefix = APART + location.id();
        routes.put(prefix, files.folder);
        return new Files(files.file, files.match, files.folder, prefix + target);
    }

    /// Writes what becomes of a path: a file, a page of a folder, a redirection or an error.
    ///
    /// @param again where a page of a folder is looked for as a path of its own
    /// @param missing where a path goes that stands for nothing; null = 404
    void write(
            Location location,
            @Nullable Files files,
            Program.Label again,
            Program.@Nullable Label missing) {
        program.guarded(PathMatch.ANY, List.of(NO_FILE_METHOD), new RuleAction.Refuse(405));
        if (files == null) {
            notFound(List.of(), PathMatch.ANY, missing);
            return;
        }
        Scope scope = location.scope();
        Condition own = Conditions.isNot("%{ENV:" + RewritePhase.INTERNAL.name() + "}", "1");
        notFound(List.of(own, Conditions.hasParameters(false)), PathMatch.ANY, missing);
        Condition folder = Conditions.is(files.file, "-d");
        Condition slash = Conditions.is("%{REQUEST_URI}", "/$");
        Condition none = Conditions.isNot("%{REQUEST_URI}", "/$");
        index(scope, files, again, slash);
        program.guarded(files.match, List.of(slash, folder), new RuleAction.Refuse(403));
        notFound(List.of(slash), PathMatch.ANY, missing);
        redirects.absolute(
                301,
                "%{REQUEST_URI}/",
                Query.KEEP,
                scope,
                new Redirects.Where(files.match, List.of(none, folder), true));
        notFound(List.of(Conditions.isNot(files.file, "-f")), files.match, missing);
        if (files.target != null) {
            program.rewrite(
                    files.match,
                    List.of(),
                    new RuleAction.Rewrite(files.target, Query.KEEP, 0),
                    List.of(),
                    null);
        }
        program.answer(PathMatch.ANY, List.of(), new RuleAction.Leave());
    }

    private void notFound(List<Condition> when, PathMatch match, Program.@Nullable Label missing) {
        if (missing == null) {
            program.guarded(match, when, new RuleAction.Refuse(404));
        } else {
            program.jump(match, when, List.of(RewritePhase.INTERNAL), missing);
        }
    }

    private void index(Scope scope, Files files, Program.Label again, Condition slash) {
        List<String> names = new ArrayList<>();
        for (NginxNode node : scope.nearest("index")) {
            for (String name : node.words()) {
                if (Variables.isIn(name)) {
                    reading.changed(node, "names with variables are not looked for");
                } else {
                    names.add(name);
                }
            }
        }
        if (scope.nearest("index").isEmpty()) {
            names.add("index.html");
        }
        for (String name : names) {
            String to =
                    name.startsWith("/")
                            ? Variables.literal(name)
                            : "%{REQUEST_URI}" + Variables.literal(name);
            List<Condition> when =
                    name.startsWith("/")
                            ? List.of(slash)
                            : List.of(slash, Conditions.is(files.with(name), "-f"));
            program.rewrite(
                    files.match,
                    when,
                    new RuleAction.Rewrite(to, Query.KEEP, 0),
                    List.of(RewritePhase.INTERNAL, new Assignment(RewritePhase.MOVED.name(), null)),
                    again);
        }
    }
}
