package io.margay.app.config.file;

import static io.margay.app.yaml.Shape.bytes;
import static io.margay.app.yaml.Shape.choice;
import static io.margay.app.yaml.Shape.flag;
import static io.margay.app.yaml.Shape.optional;
import static io.margay.app.yaml.Shape.required;
import static io.margay.app.yaml.Shape.text;
import static io.margay.app.yaml.Shape.whole;

import io.margay.app.config.file.login.DirectoryKeys;
import io.margay.app.config.members.UpstreamKeys;
import io.margay.app.config.rules.MatchKeys;
import io.margay.app.config.rules.ProxyKeys;
import io.margay.app.config.rules.RuleKeys;
import io.margay.app.yaml.Shape;
import io.margay.app.yaml.Shape.Items;
import io.margay.app.yaml.Shape.Named;
import io.margay.app.yaml.Shape.Section;
import io.margay.gateway.access.match.ClaimTest;
import io.margay.gateway.access.match.Network;
import io.margay.gateway.rules.compiled.DistinguishedName;
import java.util.ArrayList;
import java.util.List;

/// The keys of a host that say who may ask for what.
final class AccessShape {
    /// The keys of which one says what a section is about.
    static final List<String> MATCHES =
            List.of("path", "folder", "file", "peer", "when", "everything");

    /// The keys of which one says what must hold of a request.
    static final List<String> TERMS =
            List.of(
                    "everybody",
                    "any-user",
                    "user",
                    "group",
                    "claim",
                    "ldap",
                    "from",
                    "local",
                    "tls",
                    "certificate",
                    "subject",
                    "issuer",
                    "method",
                    "variable",
                    "when");

    /// The keys of terms that hold others.
    static final List<String> GROUPS = List.of("all", "any");

    private static final List<String> CLASSES =
            List.of("authconfig", "fileinfo", "indexes", "limit", "options", "nothing");

    private static final int DEPTH_MAX = 50;
    private static final int PARTS_MAX = 1000;

    private AccessShape() {}

    static Shape.Key key() {
        return optional(
                "access",
                new Section(
                        "who may ask for what",
                        List.of(
                                LoginKeys.shape(LoginKeys.ALONE),
                                certificate(),
                                require(),
                                optional(
                                        "sections",
                                        new Items("sections", section(), 0),
                                        "none",
                                        "Access rules, asked after the routing rules unless those"
                                                + " redirect or refuse the request:"
                                                + " `everything`; for files"
                                                + " `folder`, from the root down, expressions"
                                                + " last, by their slashes, then `file`;"
                                                + " for peers `peer`; then `path`; then `when`."
                                                + " A later section"
                                                + " overrides an earlier one in what it says."),
                                optional(
                                        "urls",
                                        new Named(
                                                "URLs by upstream",
                                                "UPSTREAM",
                                                UpstreamKeys.NAME,
                                                text("a URL without a path")),
                                        "none",
                                        "By which `peer` knows an upstream."),
                                optional(
                                        "scripts",
                                        new Items("upstreams", UpstreamKeys.NAME, 0),
                                        "none",
                                        "Upstreams that run files of the host: `folder` and `file`"
                                                + " are about what goes to them."),
                                optional(
                                        "folder-files",
                                        new Items("names", text("a name"), 0),
                                        ".htaccess",
                                        "Files in folders that say more about them, where a section"
                                                + " has `overrides`; the first that is there."),
                                optional(
                                        "folder-forward",
                                        ProxyKeys.OF_RULE.shape(),
                                        "as rules do by default",
                                        "How requests are passed on by what such files say;"
                                                + " `reply-timeout` is that of their peers."),
                                optional(
                                        "program-names",
                                        new Items("expressions", text("an expression"), 0),
                                        "none",
                                        "Files with such names are programs: they are sent only"
                                                + " where a section about them says so.")),
                        List.of()),
                "everybody may do everything",
                "Access rules: who may ask for what; others get 403.");
    }

    /// The key of a route.
    static Shape.Key ofRoute() {
        return optional(
                "access",
                new Section(
                        "who may ask for it",
                        List.of(LoginKeys.shape(LoginKeys.ALONE), certificate(), require()),
                        List.of()),
                "as the host says",
                "Access rules of this path and what is below it, in place of the host's; a section"
                        + " of the host's `access` that is about such a path comes after them.");
    }

    private static Shape.Key require() {
        return optional(
                "require",
                new Items("terms", term(true), 0),
                "everybody is let in",
                "Any of these lets a request in.");
    }

    private static Section section() {
        List<Shape.Key> keys = new ArrayList<>();
        keys.add(
                optional(
                        "path",
                        anything("a path"),
                        "",
                        "Requests for this path and what is below it; with `*`, `?`, `[a-z]`, for"
                                + " which no slash stands, those for the path alone."));
        keys.add(optional("folder", anything("a folder"), "", "Files in this folder, the same."));
        keys.add(optional("file", anything("a name"), "", "Files of this name, the same."));
        keys.add(
                optional(
                        "peer",
                        anything("a URL"),
                        "",
                        "What goes to a URL that begins so; `*` and `?` stand for slashes, too."));
        keys.add(MatchKeys.when());
        keys.add(optional("everything", flag(), "", "All requests."));
        keys.add(
                optional(
                        "regex",
                        flag(),
                        "false",
                        "Whether that is a regular expression, which is searched for."));
        keys.add(
                optional(
                        "inside",
                        whole(0, DEPTH_MAX),
                        "0",
                        "Depth of nesting: the section holds only where the last"
                                + " section before it with a smaller depth holds. For `file` and"
                                + " `when`."));
        keys.addAll(accessKeys());
        keys.addAll(fileKeys());
        return new Section("a section", keys, MATCHES);
    }

    private static List<Shape.Key> accessKeys() {
        List<Shape.Key> keys = new ArrayList<>();
        keys.add(LoginKeys.shape(""));
        keys.add(require());
        keys.add(
                optional(
                        "merging",
                        choice(List.of("off", "and", "or")),
                        "only where the section has `require`",
                        "What becomes of the `require` of earlier sections: it is"
                                + " replaced, both must let a request in, or one of them must."));
        keys.add(
                optional(
                        "always",
                        new Items("terms", term(false), 0),
                        "none",
                        "Terms that must all hold, or it is 403, whatever `require` and `satisfy`"
                                + " say; those of all sections count. They do not ask for users."));
        keys.add(optional("order", new Items("orders", order(), 0), "deny-allow", "As httpd 2.2."));
        keys.add(optional("allow", new Items("terms", term(false), 0), "none", "As httpd 2.2."));
        keys.add(optional("deny", new Items("terms", term(false), 0), "none", "As httpd 2.2."));
        keys.add(
                optional(
                        "satisfy",
                        new Items("words", satisfy(), 0),
                        "all",
                        "Whether `require` and `order` must both let a request in."));
        keys.add(
                optional(
                        "methods",
                        methodNames(),
                        "all",
                        "Methods that are served; others get 405. An empty list is all."));
        keys.add(certificate());
        keys.add(optional("tls-only", flag(), "false", "Refuses what does not come by TLS."));
        keys.add(
                optional(
                        "redirects",
                        new Items("rules", RuleKeys.redirect(), 0),
                        "none",
                        "Rules that redirect or refuse who is let in."));
        keys.addAll(rewritingKeys());
        return keys;
    }

    private static List<Shape.Key> rewritingKeys() {
        return List.of(
                optional(
                        "listing",
                        flag(),
                        "as before",
                        "Whether folders without a page are listed."),
                optional(
                        "listing-lines",
                        new Items("lines", text("a line of httpd's mod_autoindex"), 0),
                        "as before",
                        "How lists look, as `IndexOptions FancyIndexing HTMLTable`."),
                optional(
                        "views",
                        flag(),
                        "as before",
                        "Whether a file is found for its name without endings, as with"
                                + " `Options MultiViews`."),
                optional(
                        "variant-lines",
                        new Items("lines", text("a line of httpd's mod_negotiation"), 0),
                        "as before",
                        "Which of several is sent, as `LanguagePriority en de`, and languages and"
                                + " codings by endings, as `AddLanguage de .de`."),
                optional(
                        "rewriting",
                        flag(),
                        "false",
                        "Whether `rewrites` count, here and in later sections."),
                optional(
                        "rewrites-below",
                        text("the beginning of a path, with a slash at the end"),
                        "as before",
                        "The `rewrites` of this section count alone; for them this is taken away"
                                + " from the paths of files that begin so."),
                optional(
                        "rewrites-base",
                        text("a path, with a slash at the end"),
                        "that by which the folder is served",
                        "The path by which clients know the folder, before what `rewrites` make of"
                                + " a file in it (RewriteBase)."),
                optional(
                        "rewrites",
                        new Items("rules", RuleKeys.rewrite(), 0),
                        "none",
                        "Rules by `regex` of the whole path of a file: refusals, redirections,"
                                + " what leads past others, and other paths, for which the request"
                                + " is begun anew; of a folder's without a slash at the beginning"
                                + " these are in it. Of a peer's it is the URL after `proxy:`, or"
                                + " the path. With `links: false` all is refused. In conditions"
                                + " %{FILE} is"
                                + " the file's path."));
    }

    private static List<Shape.Key> types() {
        return List.of(
                optional(
                        "path-info",
                        flag(),
                        "false",
                        "Whether a file is sent also where more stands behind its path."),
                optional(
                        "types",
                        new Named("types by ending", "ENDING", text("an ending"), text("a type")),
                        "those of the server's list",
                        "Media types of files by the parts of their names behind a dot; none = the"
                                + " ending says nothing."),
                optional(
                        "types-file",
                        text("a path"),
                        "the server's list",
                        "A file such as /etc/mime.types: a type and its endings in each line. It"
                                + " takes the place of the server's list."),
                optional(
                        "charsets",
                        new Named(
                                "charsets by ending",
                                "ENDING",
                                text("an ending"),
                                text("a charset")),
                        "none",
                        "The same for charsets."),
                optional(
                        "type",
                        text("a media type"),
                        "as before",
                        "The media type of all files; none = their names decide."),
                optional(
                        "charset",
                        text("a charset"),
                        "UTF-8 for all texts",
                        "The charset of HTML and plain text that have none; none = none."));
    }

    private static Shape.Key run() {
        return optional(
                "run",
                new Items("rules", RuleKeys.rule(), 0),
                "none",
                "Upstreams that run files, each a rule with `path: \"*\"` for all files or"
                        + " `path: \"*.ENDING\"`, and `to`; they are told which file it is,"
                        + " as httpd tells them.");
    }

    private static List<Shape.Key> fileKeys() {
        List<Shape.Key> keys = new ArrayList<>();
        keys.add(
                optional(
                        "content-max",
                        bytes(0, Long.MAX_VALUE),
                        "any",
                        "Content of requests at most, 0 = any; more gets 413, and what does not"
                                + " tell its length 411 where it is for a file."));
        keys.add(
                optional(
                        "programs",
                        endings(),
                        "none",
                        "Files whose names have one of these parts behind a dot are programs, and"
                                + " answered with 404."));
        keys.add(
                optional(
                        "no-programs",
                        endings(),
                        "none",
                        "Files whose names have one of these parts are served, after" + " all."));
        keys.add(
                optional(
                        "handler",
                        choice(List.of("program", "file", "by-name")),
                        "as before",
                        "What all files are: programs; files to be sent; what their names say."));
        keys.add(run());
        keys.addAll(types());
        keys.add(
                optional(
                        "links",
                        flag(),
                        "true",
                        "Whether links on the way to a file are followed, inside the folder that"
                                + " is served."));
        keys.add(
                optional(
                        "index",
                        new Items("names", text("a name, or a path that begins with /"), 0),
                        "those of the route",
                        "Pages that are tried for a folder, each as a request of its own: the first"
                                + " that is there, or that a rule sends on."));
        keys.add(
                optional(
                        "fallback",
                        text("a path, or none"),
                        "that of the route",
                        "What takes the place of a file that is not there, and of a folder without"
                                + " a page, as a request of its own."));
        keys.add(
                optional(
                        "overrides",
                        new Items("classes", choice(CLASSES), 0),
                        "none",
                        "What `.htaccess` may say in folders, as AllowOverride of httpd names it;"
                                + " with `nothing`, one that says anything closes its folder."));
        keys.add(
                optional(
                        "override-directives",
                        new Items("names", text("a name of httpd's, as in Require"), 0),
                        "none",
                        "Directives that it may have besides, as AllowOverrideList does."));
        return keys;
    }

    private static Items endings() {
        return new Items("endings", text("letters, as in php"), 0);
    }

    private static Items names() {
        return new Items("names", text("a name"), 1);
    }

    private static Items nameParts() {
        return new Items(
                "parts of a name",
                text("a part, as in OU=staff", DistinguishedName.Part::parse),
                1);
    }

    static Shape.Key certificate() {
        return optional(
                "client-certificate",
                choice(List.of("require")),
                "not asked for",
                "Refuses who has not shown a certificate with 403, whatever `require` says; a"
                        + " listener asks for it.");
    }

    private static Items methodNames() {
        return new Items("methods", text("a method"), 0);
    }

    private static void methods(List<Shape.Key> keys) {
        keys.add(optional("for", methodNames(), "all", "Only for these methods."));
        keys.add(optional("except", methodNames(), "none", "Only for other methods than these."));
    }

    private static List<Shape.Key> ofUsers() {
        List<Shape.Key> keys = new ArrayList<>();
        keys.add(
                optional(
                        "claim",
                        new Items(
                                "claims",
                                text("a claim, as in department:sales", ClaimTest::parse),
                                1),
                        "",
                        "Users of whom an OpenID provider says one of these: `name:value`, or"
                                + " `name~expression`."));
        keys.add(
                optional(
                        "ldap",
                        new Items("questions", DirectoryKeys.question(), 1),
                        "",
                        "Users of whom a directory answers one of these with yes."));
        return keys;
    }

    private static Section term(boolean groups) {
        List<Shape.Key> keys = new ArrayList<>();
        keys.add(optional("everybody", flag(), "", "Everybody, or nobody."));
        keys.add(optional("any-user", flag(), "", "Whoever has logged in."));
        keys.add(optional("user", names(), "", "Users with these names who have logged in."));
        keys.add(optional("group", names(), "", "Users of these groups who have logged in."));
        keys.addAll(ofUsers());
        keys.add(
                optional(
                        "from",
                        new Items(
                                "networks",
                                text(
                                        "an address or network, as in 10.0.0.0/8",
                                        text -> {
                                            if (Network.parse(text).isEmpty()) {
                                                throw new IllegalArgumentException("");
                                            }
                                            return text;
                                        }),
                                1),
                        "",
                        "Clients with these addresses."));
        keys.add(optional("local", flag(), "", "Clients on this machine."));
        keys.add(optional("tls", flag(), "", "What comes by TLS."));
        keys.add(optional("certificate", flag(), "", "Clients that have shown a certificate."));
        keys.add(
                optional(
                        "subject",
                        nameParts(),
                        "",
                        "Clients that have shown a certificate whose subject has all these"
                                + " parts."));
        keys.add(optional("issuer", nameParts(), "", "The same of who has signed it."));
        keys.add(optional("method", methodNames(), "", "Requests with these methods."));
        keys.add(optional("variable", text("a name"), "", "Requests for which it is set."));
        keys.add(MatchKeys.when());
        List<String> one = new ArrayList<>(TERMS);
        if (groups) {
            keys.add(
                    optional(
                            "all",
                            whole(0, PARTS_MAX),
                            "",
                            "All of so many of the next terms, each with its own."));
            keys.add(optional("any", whole(0, PARTS_MAX), "", "Any of them."));
            one.addAll(GROUPS);
        }
        keys.add(
                optional(
                        "not",
                        flag(),
                        "false",
                        "Negates the term; in `require` it can refuse but not let in."));
        methods(keys);
        return new Section("a term", keys, one);
    }

    private static Section order() {
        List<Shape.Key> keys = new ArrayList<>();
        keys.add(
                required(
                        "is",
                        choice(List.of("deny-allow", "allow-deny", "mutual-failure")),
                        "Which list is asked first; the last that has the client decides."));
        methods(keys);
        return new Section("an order", keys, List.of());
    }

    private static Section satisfy() {
        List<Shape.Key> keys = new ArrayList<>();
        keys.add(required("is", choice(List.of("all", "any")), "Both, or one."));
        methods(keys);
        return new Section("a word", keys, List.of());
    }

    /// Any text.
    static Shape.Scalar anything(String says) {
        return text(says, text -> text);
    }
}
