package io.margay.app.config.file;

import static io.margay.app.config.file.RuleShape.anything;
import static io.margay.app.yaml.Shape.choice;
import static io.margay.app.yaml.Shape.flag;
import static io.margay.app.yaml.Shape.optional;
import static io.margay.app.yaml.Shape.required;
import static io.margay.app.yaml.Shape.text;
import static io.margay.app.yaml.Shape.whole;

import io.margay.app.yaml.Shape;
import io.margay.app.yaml.Shape.Items;
import io.margay.app.yaml.Shape.Named;
import io.margay.app.yaml.Shape.Section;
import io.margay.gateway.rules.FieldRule;
import io.margay.server.forwarded.Networks;
import java.util.ArrayList;
import java.util.List;

/// The keys of a host that say what is changed in requests and responses.
final class ChangeShape {
    /// The keys of which one says what becomes of a field.
    static final List<String> CHANGES =
            List.of("set", "set-if-empty", "add", "append", "merge", "unset", "edit", "edit-all");

    /// The keys of which one says what an error page shows.
    static final List<String> PAGES = List.of("text", "file", "page", "url", "own");

    private ChangeShape() {}

    static List<Shape.Key> keys() {
        return List.of(
                optional(
                        "variables",
                        new Items("variables", variable(), 0),
                        "none",
                        "Set before rules are asked, in order; `%{ENV:NAME}` from then on."),
                optional(
                        "maps",
                        new Named("maps by name", "NAME", text("a name"), map()),
                        "none",
                        "For `${map:key}` in rules."),
                optional(
                        "request-headers",
                        new Items("changes", field(false), 0),
                        "none",
                        "Fields of requests that are changed on their way to peers, in order."),
                optional(
                        "response-headers",
                        new Items("changes", field(true), 0),
                        "none",
                        "Fields of responses that are changed, whoever answers, in order."),
                optional(
                        "error-pages",
                        new Items("pages", page(), 0),
                        "none",
                        "Pages in place of the server's own error pages; of several for"
                                + " a request the last one is used."),
                optional(
                        "client-address",
                        client(),
                        "none",
                        "Where a client's address is taken from when trusted proxies"
                                + " stand in front. Everything on the host, access logs too, then"
                                + " shows that address."));
    }

    private static Section client() {
        return new Section(
                "the client's address",
                List.of(
                        optional(
                                "field",
                                text("a field"),
                                "X-Forwarded-For",
                                "The field to which proxies append it, as the last of a list."),
                        optional(
                                "trusted",
                                networks(),
                                "none",
                                "Proxies that are trusted when they name a public address;"
                                        + " everybody, if neither list is given."),
                        optional(
                                "internal",
                                networks(),
                                "none",
                                "Proxies that are trusted whatever address they name."),
                        optional(
                                "proxies-field",
                                text("a field"),
                                "none",
                                "The field of the request that lists the trusted proxies it came"
                                        + " by.")),
                List.of());
    }

    /// Addresses and networks of front ends.
    static Items networks() {
        return networks(0);
    }

    /// The same, at least `least`.
    static Items networks(int least) {
        return new Items(
                "networks",
                text(
                        "an address or network, as in 10.0.0.0/8",
                        text -> {
                            Object _ = Networks.of(List.of(text));
                            return text;
                        }),
                least);
    }

    private static Section variable() {
        List<Shape.Key> keys = new ArrayList<>();
        keys.add(optional("set", text("a name"), "none", "The variable that is set."));
        keys.add(optional("unset", text("a name"), "none", "The variable that is removed."));
        keys.add(
                optional(
                        "value",
                        anything("a text"),
                        "nothing",
                        "Its value, in which $1 is what `regex` found first, %1 what the last"
                                + " condition did, and %{VARIABLE} one of those of conditions."));
        keys.addAll(RuleShape.pathKeys());
        keys.add(RuleShape.when());
        return new Section("a variable", keys, List.of("set", "unset"));
    }

    private static Section map() {
        return new Section(
                "a map",
                List.of(
                        optional(
                                "function",
                                choice(List.of("lower", "upper", "escape", "unescape")),
                                "",
                                "Makes the value of the key."),
                        optional(
                                "file",
                                Shape.path(),
                                "",
                                "File with a key and a value in each line, read again when it"
                                        + " changes."),
                        optional(
                                "random",
                                flag(),
                                "false",
                                "With `file`: a key has several values, separated by |, of"
                                        + " which one is picked at random.")),
                List.of("function", "file"));
    }

    private static Section field(boolean response) {
        List<Shape.Key> keys = new ArrayList<>();
        keys.add(change("set", "Sets the field, in place of all of this name."));
        keys.add(change("set-if-empty", "Sets the field if the message has none of this name."));
        keys.add(change("add", "Adds a field beside those of this name."));
        keys.add(change("append", "Appends to the field, after a comma."));
        keys.add(change("merge", "Appends to the field unless the list has it already."));
        keys.add(change("unset", "Removes all fields of this name."));
        keys.add(change("edit", "In its value, what `find` finds first is replaced by `value`."));
        keys.add(change("edit-all", "The same with everything that `find` finds."));
        keys.add(
                optional(
                        "value",
                        anything("a text"),
                        "nothing",
                        "The value, in which %{VARIABLE} stands for one of those of conditions, and"
                                + " %{VARIABLE|text} for text where it is empty; $1 is what `find`"
                                + " or `regex` found first."));
        keys.add(
                optional(
                        "find",
                        anything("a regular expression"),
                        "none",
                        "With `edit`: the expression to look for."));
        if (response) {
            keys.add(
                    optional(
                            "always",
                            flag(),
                            "false",
                            "Whether it holds for the server's own errors and redirections, too."));
        }
        keys.addAll(RuleShape.pathKeys());
        keys.add(RuleShape.when());
        return new Section("a change", keys, CHANGES);
    }

    private static Shape.Key change(String name, String meaning) {
        return optional(name, text("the name of a field", ChangeShape::field), "", meaning);
    }

    private static String field(String name) {
        if (!name.matches("[!#$%&'*+.^_`|~0-9A-Za-z-]+") || FieldRule.isProtected(name)) {
            throw new IllegalArgumentException("");
        }
        return name;
    }

    private static Section page() {
        List<Shape.Key> keys = new ArrayList<>();
        keys.add(required("status", whole(400, 599), "The status it is for."));
        keys.add(optional("text", anything("a text"), "", "Shown as HTML."));
        keys.add(optional("file", Shape.path(), "", "A file, read again when it changes."));
        keys.add(
                optional(
                        "asked-as",
                        text("a path"),
                        "none",
                        "With `file`: only who may ask for this path of the host sees it; others"
                                + " get the server's own page."));
        keys.add(
                optional(
                        "page",
                        anything("a path"),
                        "",
                        "A path of the host, with its query: what answers it by GET, a file or"
                                + " what rules have for it, takes the place of the page; the status"
                                + " is the error's unless a program says another than 200, or a"
                                + " member says any."));
        keys.add(
                optional(
                        "url",
                        anything("a URL or a path"),
                        "",
                        "Another place, to which the client is redirected."));
        keys.add(optional("own", flag(), "", "The server's own page."));
        keys.addAll(RuleShape.pathKeys());
        keys.add(RuleShape.when());
        return new Section("an error page", keys, PAGES);
    }
}
