package io.margay.app.config.file;

import static io.margay.app.yaml.Shape.choice;
import static io.margay.app.yaml.Shape.duration;
import static io.margay.app.yaml.Shape.flag;
import static io.margay.app.yaml.Shape.optional;
import static io.margay.app.yaml.Shape.required;
import static io.margay.app.yaml.Shape.text;
import static io.margay.app.yaml.Shape.whole;

import io.margay.app.yaml.Shape;
import io.margay.app.yaml.Shape.Items;
import io.margay.app.yaml.Shape.Named;
import io.margay.app.yaml.Shape.Section;
import java.util.ArrayList;
import java.util.List;

/// The keys of a host's rules.
final class RuleShape {
    /// The keys of which one says which paths a rule takes.
    static final List<String> MATCHES = List.of("path", "prefix", "regex");

    /// The keys of which one says what a rule does.
    static final List<String> ACTIONS =
            List.of("to", "leave", "settle", "redirect", "refuse", "rewrite", "skip", "page");

    private static final int SKIP_MAX = 1_000_000;

    private RuleShape() {}

    static Section rule() {
        List<Shape.Key> keys = new ArrayList<>();
        keys.addAll(matchKeys());
        keys.addAll(actionKeys());
        keys.addAll(forwardKeys());
        keys.addAll(peerKeys());
        return new Section("a rule", keys, List.of());
    }

    static Shape.Scalar anything(String says) {
        return text(says, text -> text);
    }

    private static List<Shape.Key> matchKeys() {
        List<Shape.Key> keys = new ArrayList<>(pathKeys());
        keys.add(
                optional(
                        "except",
                        new Items("paths", text("a path, perhaps with * and ?"), 0),
                        "none",
                        "Paths that are left to the routes."));
        keys.add(when());
        return keys;
    }

    /// What must hold beside the path.
    static Shape.Key when() {
        return optional(
                "when", new Items("conditions", condition(), 0), "always", "What must hold, too.");
    }

    /// The keys by which one says which paths are meant.
    static List<Shape.Key> pathKeys() {
        return List.of(
                optional(
                        "path",
                        text("a path, in which * is any run of characters and ? is one"),
                        "none",
                        "Takes paths like it: `*` is any run of characters, `?` is one."),
                optional(
                        "prefix",
                        text("a path"),
                        "none",
                        "Takes this path and what lies below it; ending in /, what begins so."),
                optional(
                        "regex",
                        anything("a regular expression"),
                        "none",
                        "Takes paths in which it is found."),
                optional("any-case", flag(), "false", "With `regex`: A is a."),
                optional(
                        "not",
                        flag(),
                        "false",
                        "With `regex`: takes those where it is not found."));
    }

    private static Section condition() {
        return new Section(
                "a condition",
                List.of(
                        required(
                                "value",
                                anything("a text with %{VARIABLE}"),
                                "What is looked at, as in `%{HTTP_HOST}`; variables are those of"
                                        + " mod_rewrite: REQUEST_URI, QUERY_STRING, REQUEST_METHOD,"
                                        + " HTTP_HOST, HTTPS, REMOTE_ADDR, HTTP:Field and others;"
                                        + " ENV:NAME is one of `variables`, SSL:NAME one of"
                                        + " mod_ssl's, `${map:key}` a value of `maps`."),
                        required(
                                "regex",
                                anything("a regular expression"),
                                "What must be found in it; or `-f`, `-d`, `-s`, `-l`: it must be"
                                        + " the path of a file, a folder, a file that is not"
                                        + " empty, a link."),
                        optional("any-case", flag(), "false", "A is a."),
                        optional("not", flag(), "false", "It must not be found."),
                        optional("or", flag(), "false", "This or the next must hold.")),
                List.of());
    }

    private static List<Shape.Key> actionKeys() {
        return List.of(
                optional("to", UpstreamShape.name(), "none", "Sends it to this upstream."),
                optional("leave", flag(), "none", "Leaves it to the routes."),
                optional(
                        "settle",
                        flag(),
                        "none",
                        "Leaves it to the routes where a rule before has given it another path:"
                                + " files are those of that path."),
                redirect(),
                refuse(),
                rewrite(),
                skip(),
                optional(
                        "page",
                        choice(List.of("jk-status", "server-status", "balancer-manager")),
                        "none",
                        "Answers with a page of the gateway about itself."),
                optional("worker", text("a name"), "none", "With `page`: whose page it is."),
                optional(
                        "changes",
                        flag(),
                        "false",
                        "With `page`: whether everybody who is let in may change what it shows, as"
                                + " with httpd; but for browsers that another site leads here."));
    }

    /// The keys of rules that redirect or refuse.
    static List<Shape.Key> redirectKeys() {
        return List.of(redirect(), refuse(), target(), query());
    }

    /// The keys of rules about files of folders.
    static List<Shape.Key> rewriteKeys() {
        return List.of(redirect(), refuse(), rewrite(), target(), query(), skip());
    }

    private static Shape.Key rewrite() {
        return optional(
                "rewrite",
                anything("a path, perhaps with a query"),
                "none",
                "Goes on with this path, in which $1 is what `regex` found first, %1 what the last"
                        + " condition did.");
    }

    private static Shape.Key redirect() {
        return optional(
                "redirect", whole(300, 399), "none", "Redirects to `target`, with a status.");
    }

    private static Shape.Key skip() {
        return optional(
                "skip",
                whole(-SKIP_MAX, SKIP_MAX),
                "none",
                "Alone: goes on after so many further rules. With `rewrite`: the same; below 0 so"
                        + " many rules, this one included, are asked once more.");
    }

    private static Shape.Key refuse() {
        return optional("refuse", whole(400, 599), "none", "Answers with this status.");
    }

    private static Shape.Key target() {
        return optional(
                "target",
                anything("a path or URL"),
                "the client's",
                "What is asked for instead: of a prefix it takes the prefix's place, else it is"
                        + " made as `rewrite` is.");
    }

    private static Shape.Key query() {
        return optional(
                "query",
                choice(List.of("keep", "add", "drop")),
                "keep",
                "The client's query: kept unless the target has one, added to the target's,"
                        + " dropped.");
    }

    private static List<Shape.Key> forwardKeys() {
        return List.of(
                target(),
                optional(
                        "raw",
                        flag(),
                        "false",
                        "Whether the path is sent as the client spelt it; `..` is resolved all"
                                + " the same."),
                query(),
                optional(
                        "host-header",
                        choice(List.of("keep", "peer")),
                        "keep",
                        "Whether peers see the client's Host or their own."),
                optional(
                        "forwarded",
                        choice(List.of("x-forwarded", "standard", "both", "none")),
                        "x-forwarded",
                        "Which fields tell peers of the client."),
                optional(
                        "pass-forwarded",
                        flag(),
                        "false",
                        "Whether the forwarding fields of a request go on whoever sends it, as"
                                + " with httpd: those that are added come after them, and"
                                + " X-Forwarded-Proto is not added. Else those of front ends that"
                                + " client-address names go on, and others are dropped."),
                optional("upgrade", flag(), "true", "Whether WebSocket is passed on."),
                UpstreamShape.tlsFields("With `to`: "),
                optional(
                        "reverse",
                        replacements(),
                        "none",
                        "What is replaced at the beginning of `Location`,"
                                + " `Content-Location` and `URI`."),
                optional("cookie-domains", replacements(), "none", "The same of cookies' domains."),
                optional(
                        "cookie-paths",
                        replacements(),
                        "none",
                        "Which path takes the place of a cookie's that begins so."));
    }

    private static Items replacements() {
        return new Items(
                "replacements",
                new Section(
                        "a replacement",
                        List.of(
                                required(
                                        "from",
                                        anything("a text"),
                                        "As the peer says it; `//*/PATH` is a path of any host."),
                                required("to", anything("a text"), "As the client sees it."),
                                optional(
                                        "below",
                                        anything("a path"),
                                        "none",
                                        "Only for requests at this path and below it.")),
                        List.of()),
                0);
    }

    private static List<Shape.Key> peerKeys() {
        return List.of(
                optional(
                        "reply-timeout",
                        duration(),
                        "the peer's",
                        "Response timeout: how long a response may take to begin."),
                optional("stateless", flag(), "false", "Whether requests make no sessions."),
                optional(
                        "ignore-sessions",
                        flag(),
                        "false",
                        "Whether any peer may have requests of a session."),
                optional(
                        "activations",
                        new Named(
                                "activations by member",
                                "MEMBER",
                                text("a name"),
                                choice(List.of("active", "disabled", "stopped"))),
                        "the members' own",
                        "What members are used for by this rule."),
                optional("session-cookie", anything("a name"), "the upstream's", "Its cookie."),
                optional(
                        "session-parameter",
                        anything("a name"),
                        "the upstream's",
                        "Its parameter."),
                optional(
                        "session-set-cookie",
                        anything("a name, or nothing"),
                        "the upstream's",
                        "A cookie that the gateway itself sets; nothing = none."),
                optional("session-set-cookie-path", text("a path"), "/", "Its path."),
                optional(
                        "fail-statuses",
                        new Items("statuses", whole(100, 599), 0),
                        "the members'",
                        "Statuses that put a member into error; the client gets 503."),
                optional(
                        "soft-fail-statuses",
                        new Items("statuses", whole(100, 599), 0),
                        "the members'",
                        "Statuses with which the client gets 503."),
                optional(
                        "error-pages-from",
                        whole(0, 599),
                        "0",
                        "From this status on the gateway's own page is sent; 0 = never."),
                optional(
                        "attributes",
                        new Named("attributes", "NAME", text("a name"), anything("a text")),
                        "none",
                        "Request attributes for AJP13 peers, parameters for FastCGI peers; with"
                                + " %{VARIABLE}. An empty one is not sent."));
    }
}
