package io.margay.app.config;

import static io.margay.app.config.RuleShape.anything;
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
import io.margay.gateway.proxy.TrustedFronts;
import io.margay.gateway.rules.FieldRule;
import java.util.ArrayList;
import java.util.List;

/// The keys of a host that say what is changed in requests and responses.
final class ChangeShape {
    /// The keys of which one says what becomes of a field.
    static final List<String> CHANGES =
            List.of("set", "set-if-empty", "add", "append", "merge", "unset", "edit", "edit-all");

    /// The keys of which one says what an error page shows.
    static final List<String> PAGES = List.of("text", "file", "url", "own");

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
                        "What takes the place of the server's own pages for errors; the last that"
                                + " is for a request counts."),
                optional(
                        "client-address",
                        client(),
                        "none",
                        "From whom it is believed where clients are: front ends that append the"
                                + " address of theirs to a field. Everything on the host, access"
                                + " logs too, then shows that address."));
    }

    private static Section client() {
        return new Section(
                "the client's address",
                List.of(
                        optional(
                                "field",
                                text("a field"),
                                "X-Forwarded-For",
                                "Where it stands, as the last of a list."),
                        optional(
                                "trusted",
                                networks(),
                                "none",
                                "Front ends that are believed when they tell of an address of the"
                                        + " Internet; everybody, where neither list is there."),
                        optional(
                                "internal",
                                networks(),
                                "none",
                                "Those that are believed whatever they tell.")),
                List.of());
    }

    /// Addresses and networks of front ends.
    static Items networks() {
        return new Items(
                "networks",
                text(
                        "an address or network, as in 10.0.0.0/8",
                        text -> {
                            Object _ = TrustedFronts.of(List.of(text));
                            return text;
                        }),
                0);
    }

    private static Section variable() {
        List<Shape.Key> keys = new ArrayList<>();
        keys.add(optional("set", text("a name"), "none", "The variable that is set."));
        keys.add(optional("unset", text("a name"), "none", "The variable that is taken away."));
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
                                text("a path, relative to the file"),
                                "",
                                "File with a key and a value in each line, read again when it"
                                        + " changes."),
                        optional(
                                "random",
                                flag(),
                                "false",
                                "With `file`: values are several, separated by |, of which one is"
                                        + " taken by chance.")),
                List.of("function", "file"));
    }

    private static Section field(boolean response) {
        List<Shape.Key> keys = new ArrayList<>();
        keys.add(change("set", "Takes the place of all fields of this name."));
        keys.add(change("set-if-empty", "The same where there is none."));
        keys.add(change("add", "Comes beside those there are."));
        keys.add(change("append", "Follows what is there, after a comma."));
        keys.add(change("merge", "The same unless the list has it."));
        keys.add(change("unset", "All fields of this name go."));
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
        keys.add(optional("find", anything("a regular expression"), "none", "With `edit`: what."));
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
        keys.add(
                optional(
                        "file",
                        text("a path, relative to the file"),
                        "",
                        "A file, read again when it changes."));
        keys.add(
                optional(
                        "url",
                        anything("a URL or a path"),
                        "",
                        "Another place, to which the client is redirected."));
        keys.add(optional("own", flag(), "", "The server's own page after all."));
        keys.addAll(RuleShape.pathKeys());
        return new Section("an error page", keys, PAGES);
    }
}
