package io.margay.compat.httpd.context;

import io.margay.compat.httpd.expression.RequestTerm;
import io.margay.compat.httpd.syntax.HttpdNode;
import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The section in which a directive stands. Immutable.
///
/// @param argument of its first line, without `~`
/// @param match which paths a `Location`, `LocationMatch`, `Files` or `FilesMatch` is about; those
///   of files go by the file, where that is known
/// @param parent the section around it, or null
/// @param file what must hold of the file that requests are for
/// @param when what must hold of requests in `If`, `ElseIf`, `Else`
/// @param regex whether it is about folders by an expression
public record HttpdSection(
        Kind kind,
        String argument,
        PathMatch match,
        @Nullable HttpdSection parent,
        RequestTerm file,
        RequestTerm when,
        boolean regex) {
    /// More than folders are deep.
    private static final int FILES_RANK = 100_000;

    private static final RequestTerm ALWAYS = new RequestTerm.Constant(true);

    public HttpdSection(
            Kind kind, String argument, PathMatch match, @Nullable HttpdSection parent) {
        this(kind, argument, match, parent, parent == null ? ALWAYS : parent.file, ALWAYS, false);
    }

    /// What kinds there are.
    public enum Kind {
        NONE,
        LOCATION,
        DIRECTORY,
        FILES,
        PROXY,
        LIMIT,
        IF,
        UNKNOWN
    }

    /// Outside of all.
    public static final HttpdSection NONE = new HttpdSection(Kind.NONE, "", PathMatch.ANY, null);

    /// The section that a node opens.
    ///
    /// @param paths the whole path that a text names, or null
    public static HttpdSection of(
            HttpdNode node, HttpdSection parent, Function<String, @Nullable Path> paths) {
        boolean tilde = node.argument(0).equals("~");
        String argument = tilde ? node.argument(1) : node.argument(0);
        return switch (node.key()) {
            case "location" ->
                    new HttpdSection(
                            Kind.LOCATION,
                            argument,
                            tilde ? regex(argument) : path(argument),
                            parent);
            case "locationmatch" ->
                    new HttpdSection(Kind.LOCATION, argument, regex(argument), parent);
            case "directory", "directorymatch" ->
                    new HttpdSection(Kind.DIRECTORY, argument, PathMatch.ANY, parent)
                            .of(
                                    tilde || node.key().equals("directorymatch")
                                            ? FileTerms.matching(argument)
                                            : FileTerms.below(argument, paths));
            case "files", "filesmatch" ->
                    new HttpdSection(
                                    Kind.FILES,
                                    argument,
                                    tilde || node.key().equals("filesmatch")
                                            ? file(argument)
                                            : new PathMatch.Glob("*/" + argument),
                                    parent)
                            .of(
                                    tilde || node.key().equals("filesmatch")
                                            ? FileTerms.found(argument)
                                            : FileTerms.named(argument));
            case "proxy", "proxymatch" ->
                    new HttpdSection(Kind.PROXY, argument, PathMatch.ANY, parent);
            case "limit", "limitexcept" ->
                    new HttpdSection(Kind.LIMIT, node.text(), parent.match, parent);
            case "requireall", "requireany" -> parent;
            default -> new HttpdSection(Kind.UNKNOWN, argument, PathMatch.ANY, parent);
        };
    }

    /// The section for requests here of which something holds.
    HttpdSection onlyWhen(RequestTerm term) {
        return new HttpdSection(
                Kind.IF,
                argument,
                match,
                this,
                file,
                new RequestTerm.All(List.of(when, term)),
                regex);
    }

    /// The same for files of which something holds, too.
    private HttpdSection of(RequestTerm term) {
        return new HttpdSection(
                kind,
                argument,
                match,
                parent,
                new RequestTerm.All(List.of(file, term)),
                when,
                kind == Kind.DIRECTORY && term instanceof RequestTerm.All);
    }

    /// The section without what must hold of requests.
    public HttpdSection base() {
        return kind == Kind.IF && parent != null ? parent.base() : this;
    }

    /// What must hold of requests, as conditions.
    public List<Condition> conditions() {
        return when.conditions(false);
    }

    /// The same with what must hold of the file that they are for.
    public List<Condition> mapped() {
        return new RequestTerm.All(List.of(file, when)).conditions(false);
    }

    /// The paths that it is about where files are known.
    public PathMatch paths() {
        return base().kind == Kind.FILES ? PathMatch.ANY : match;
    }

    /// Where it comes among others, as httpd merges them: folders from the root down, then
    /// expressions of folders, names of files, paths, and what is said of requests.
    public int rank() {
        return switch (kind) {
            case NONE, LIMIT, PROXY, UNKNOWN -> 0;
            case DIRECTORY -> 1 + FileTerms.depth(this);
            case FILES ->
                    FILES_RANK + (parent == null ? 0 : Math.min(parent.rank(), FILES_RANK - 1));
            case LOCATION -> 2 * FILES_RANK;
            case IF -> 2 * FILES_RANK + 1;
        };
    }

    /// Whether something must hold of requests.
    public boolean isConditional() {
        return kind == Kind.IF;
    }

    /// Whether httpd allows it in another section.
    public boolean mayStandIn(HttpdSection outer) {
        return outer.isNone() || (kind == Kind.FILES && outer.kind == Kind.DIRECTORY);
    }

    private static PathMatch regex(String text) {
        return new PathMatch.Regex(text, false, false);
    }

    private static PathMatch path(String text) {
        boolean wild = text.indexOf('*') >= 0 || text.indexOf('?') >= 0;
        return wild ? new PathMatch.Glob(text) : new PathMatch.Prefix(text);
    }

    /// A name of a file is the last part of a path.
    private static PathMatch file(String regex) {
        return regex(regex.startsWith("^") ? "/" + regex.substring(1) : regex);
    }

    /// Whether it is about paths of URLs.
    public boolean isLocation() {
        return kind == Kind.LOCATION;
    }

    /// Whether [#match] says all that it is about, but for [#when].
    public boolean hasPaths() {
        Kind base = base().kind;
        return base == Kind.NONE || base == Kind.LOCATION || base == Kind.LIMIT;
    }

    /// Whether a directive here is about a server as a whole.
    public boolean isNone() {
        return kind == Kind.NONE;
    }
}
