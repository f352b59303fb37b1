package io.margay.compat.nginx.site;

import io.margay.compat.nginx.syntax.NginxNode;
import io.margay.gateway.access.FolderPages;
import io.margay.gateway.plan.HostPlan.FilesPlan;
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

    /// Source of programs, which is not sent where programs are run.
    private static final PathMatch SOURCE =
            new PathMatch.Regex("\\.(?:php[0-9]?|phtml|phar)$", true, false);

    /// Rules lead to pages of folders.
    private static final FolderPages BY_RULES = new FolderPages(List.of(), null);

    private final Reading reading;
    private final Program program;
    private final Redirects redirects;
    private final Map<String, FilesPlan> routes = new LinkedHashMap<>();

    private final boolean runs;

    /// The folder of the server itself; null = it has none.
    private final @Nullable Path root;

    private final Scope server;

    StaticContent(Reading reading, Program program, Redirects redirects, Scope server) {
        this.reading = reading;
        this.program = program;
        this.redirects = redirects;
        this.server = server;
        runs = server.has("fastcgi_pass");
        NginxNode node = server.last("root");
        root = node == null || Variables.isIn(node.word(0)) ? null : Path.of(node.word(0));
        if (root != null && root.isAbsolute()) {
            routes.put("", new FilesPlan("", root, isPrecompressed(server), BY_RULES));
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
        return List.copyOf(routes.values());
    }

    /// Whether `NAME.gz` is sent for `NAME`.
    private static boolean isPrecompressed(Scope scope) {
        return !scope.word("gzip_static", "off").equals("off");
    }

    /// Where a location has its files from.
    ///
    /// @param of the location with the directive, or one in which it holds
    private record Folder(NginxNode node, Location of, boolean isAlias) {}

    private static @Nullable Folder folder(Location location) {
        for (Location at = location; at != null; at = at.outer()) {
            for (String name : List.of("alias", "root")) {
                List<NginxNode> own = at.scope().own(name);
                if (!own.isEmpty()) {
                    return new Folder(own.getLast(), at, name.equals("alias"));
                }
            }
        }
        NginxNode around = location.scope().last("root");
        return around == null ? null : new Folder(around, location, false);
    }

    /// Which file a request is for, as programs are told.
    ///
    /// @param folder `$document_root`; null where there is none
    /// @param template `$request_filename`
    /// @param match by which `$1` in it is known
    record FileOf(@Nullable String folder, String template, PathMatch match) {
        static final FileOf NONE = new FileOf(null, "", PathMatch.ANY);
    }

    /// The file of a request that a program runs.
    FileOf fileOf(Location location) {
        Folder folder = folder(location);
        if (folder == null) {
            return FileOf.NONE;
        }
        String text = reading.withConstants(folder.node.word(0));
        Location of = folder.of;
        if (Variables.isIn(text)) {
            reading.wrong(folder.node, "is translated without variables only");
            return FileOf.NONE;
        }
        if (!folder.isAlias) {
            String root = text.replaceFirst("/$", "");
            return new FileOf(root, Variables.literal(root) + "%{REQUEST_URI}", PathMatch.ANY);
        }
        if (!of.isPrefix()) {
            boolean exact = of.kind() == Location.Kind.EXACT;
            if (!exact) {
                reading.wrong(folder.node, "in a location with an expression is not translated");
            }
            return exact ? new FileOf(text, Variables.literal(text), PathMatch.ANY) : FileOf.NONE;
        }
        return new FileOf(text, Variables.literal(text) + "$1", of.rest());
    }

    /// Where a location has its files; null where it has none.
    @Nullable Files files(Location location) {
        Folder from = folder(location);
        if (from == null) {
            return null;
        }
        NginxNode node = from.node;
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
        if (!from.isAlias) {
            Files own = new Files(base + "%{REQUEST_URI}", PathMatch.ANY, folder, null);
            boolean alike = isPrecompressed(location.scope()) == isPrecompressed(server);
            return folder.equals(root) && alike ? own : apart(location, own, "%{REQUEST_URI}");
        }
        Location of = from.of;
        if (of.kind() == Location.Kind.REGEX) {
            reading.wrong(node, "in a location with an expression is not translated");
            return null;
        }
        boolean whole = text.endsWith("/");
        if (whole != of.path().endsWith("/") && of.kind() != Location.Kind.EXACT) {
            reading.changed(
                    node,
                    "ends in a slash where its location does not, or the other way: names that"
                            + " are put together of both are not found");
        }
        if (of.kind() == Location.Kind.EXACT) {
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
        String slash = of.path().endsWith("/") ? "/" : "";
        Files below = new Files(base + slash + "$1", of.rest(), folder, null);
        return apart(location, below, slash + "$1");
    }

    /// @param target below its own prefix
    private Files apart(Location location, Files files, String target) {
        String prefix = APART + location.id();
        boolean precompressed = isPrecompressed(location.scope());
        routes.put(prefix, new FilesPlan(prefix, files.folder, precompressed, BY_RULES));
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
        if (runs) {
            program.guarded(SOURCE, List.of(), new RuleAction.Refuse(404));
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
                if (Variables.isIn(name) && !name.startsWith("/")) {
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
            String to;
            try {
                to =
                        name.startsWith("/")
                                ? redirects.variables().template(name)
                                : "%{REQUEST_URI}" + Variables.literal(name);
            } catch (Variables.Unknown e) {
                reading.wrong(scope.nearest("index").getLast(), String.valueOf(e.getMessage()));
                return;
            }
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
