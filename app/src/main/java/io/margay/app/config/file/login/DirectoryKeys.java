package io.margay.app.config.file.login;

import static io.margay.app.yaml.Shape.duration;
import static io.margay.app.yaml.Shape.flag;
import static io.margay.app.yaml.Shape.optional;
import static io.margay.app.yaml.Shape.required;
import static io.margay.app.yaml.Shape.text;
import static io.margay.app.yaml.Shape.whole;

import io.margay.app.yaml.Amounts;
import io.margay.app.yaml.Problem;
import io.margay.app.yaml.Settings;
import io.margay.app.yaml.Shape;
import io.margay.app.yaml.Shape.Items;
import io.margay.app.yaml.Shape.Section;
import io.margay.gateway.directory.Directory;
import io.margay.gateway.directory.DirectoryQuestion;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The key `ldap` of `login`: users are in a directory. Stateless.
public final class DirectoryKeys {
    private static final String NAME = "[A-Za-z][A-Za-z0-9;.-]*";

    private DirectoryKeys() {}

    /// @param path of a file
    public static Shape.Key shape(Shape path) {
        List<Shape.Key> keys = new ArrayList<>();
        keys.add(
                required(
                        "url",
                        new Items(
                                "URLs",
                                text("a URL, as in ldaps://ldap.example", DirectoryKeys::url),
                                1,
                                true),
                        "A directory; several URLs are of the same one, tried in order."));
        tls(keys, path);
        keys.add(
                optional(
                        "bind-dn",
                        text("a name"),
                        "nobody",
                        "The name with which the server logs in to search."));
        keys.add(
                optional(
                        "bind-password", text("a text"), "none", "Its password: \"${VARIABLE}\"."));
        keys.add(
                optional(
                        "bind-password-file",
                        path,
                        "none",
                        "The same in a file, which is read each time."));
        keys.add(required("base", text("a name"), "The entry below which users are."));
        keys.add(
                optional(
                        "attribute",
                        text("an attribute", DirectoryKeys::attribute),
                        "uid",
                        "Of a user's entry, which has the name that is given."));
        keys.add(
                optional(
                        "filter",
                        text("a filter, as in (objectClass=person)", DirectoryKeys::filter),
                        Directory.Search.ANY,
                        "That a user's entry must fit, too."));
        keys.add(
                optional(
                        "subtree",
                        flag(),
                        "true",
                        "Whether users are also searched for below the first level."));
        keys.add(
                optional(
                        "name-attribute",
                        text("an attribute", DirectoryKeys::attribute),
                        "the name that is given",
                        "Of a user's entry, which is the name from then on."));
        groups(keys);
        keys.add(
                optional(
                        "timeout",
                        duration(),
                        Amounts.write(Directory.TIMEOUT_DEFAULT),
                        "Of connecting, and of each answer."));
        return optional(
                "ldap",
                new Section("a directory", keys, List.of()),
                "nobody is asked",
                "In place of `users`: they are in a directory (LDAP), which logs them in.");
    }

    private static void groups(List<Shape.Key> keys) {
        keys.add(
                optional(
                        "group-base",
                        text("a name"),
                        "users have no groups",
                        "The entry below which groups are, which are roles, too."));
        keys.add(
                optional(
                        "member-attributes",
                        new Items("attributes", text("an attribute", DirectoryKeys::attribute), 1),
                        String.join(", ", Directory.Members.DEFAULT.attributes()),
                        "Of a group, which have its members."));
        keys.add(
                optional(
                        "member-names",
                        flag(),
                        "false",
                        "Whether these are names of users, and not distinguished ones."));
        keys.add(
                optional(
                        "group-attribute",
                        text("an attribute", DirectoryKeys::attribute),
                        "cn",
                        "Of a group, which is its name."));
        nested(keys);
        keys.add(
                optional(
                        "questions",
                        new Items("questions", question(), 0),
                        "none",
                        "What the directory is asked of each user besides, for which `require` may"
                                + " ask by `ldap`."));
    }

    private static void nested(List<Shape.Key> keys) {
        Directory.Nested none = Directory.Nested.NONE;
        keys.add(
                optional(
                        "nested-depth",
                        whole(0, Directory.Nested.DEPTH_MAX),
                        "0",
                        "How many groups may lie one in the other, besides the outermost, so that"
                                + " members of the innermost are members of all."));
        keys.add(
                optional(
                        "nested-attributes",
                        new Items("attributes", text("an attribute", DirectoryKeys::attribute), 1),
                        String.join(", ", none.attributes()),
                        "Of a group, which have the groups in it as distinguished names."));
        keys.add(
                optional(
                        "nested-classes",
                        new Items("classes", text("a class", DirectoryKeys::attribute), 1),
                        String.join(", ", none.classes()),
                        "Of entries that are groups."));
    }

    private static void tls(List<Shape.Key> keys, Shape path) {
        keys.add(
                optional(
                        "start-tls",
                        flag(),
                        "false",
                        "Whether TLS begins after connecting to `ldap://`."));
        keys.add(
                optional(
                        "trust",
                        path,
                        "the JDK's authorities",
                        "PEM file of the authorities that sign the directory's certificate. It is"
                                + " read again when it has changed."));
        keys.add(
                optional(
                        "verify",
                        flag(),
                        "true",
                        "Whether that certificate is checked. Without it, whoever is between can"
                                + " read the passwords."));
    }

    /// One question.
    public static Shape.Scalar question() {
        return text(
                "`attribute NAME=VALUE`, `group DN`, `user NAME`, `dn DN` or `filter (…)`",
                DirectoryQuestion::parse);
    }

    /// Reads it.
    ///
    /// @param file makes the path of a key
    public static Directory read(
            Settings ldap, Function<String, @Nullable Path> file, List<Problem> problems) {
        Directory.Tls tls =
                new Directory.Tls(
                        ldap.get("start-tls", Boolean.class).orElse(false),
                        file.apply("trust"),
                        ldap.get("verify", Boolean.class).orElse(true));
        if (tls.trust() != null && !tls.verify()) {
            problems.add(new Problem(ldap.position("trust"), "nothing is checked by it: verify"));
        }
        if (ldap.has("bind-password") && ldap.has("bind-password-file")) {
            problems.add(new Problem(ldap.position("bind-password"), "it is a text, or in a file"));
        }
        if (ldap.has("bind-dn") && !ldap.has("bind-password") && !ldap.has("bind-password-file")) {
            problems.add(new Problem(ldap.position("bind-dn"), "it needs bind-password"));
        }
        List<String> urls = ldap.list("url", String.class);
        boolean own = tls.trust() != null || !tls.verify();
        if (own && urls.stream().map(url -> url.startsWith("ldaps:")).distinct().count() > 1) {
            problems.add(new Problem(ldap.position("url"), "all are of ldaps, or none is"));
        }
        boolean open = !tls.start() && urls.stream().anyMatch(url -> url.startsWith("ldap:"));
        if (own && open) {
            String key = tls.verify() ? "trust" : "verify";
            problems.add(
                    new Problem(
                            ldap.position(key),
                            "nothing is encrypted: write ldaps, or start-tls: true"));
        }
        List<String> members = ldap.list("member-attributes", String.class);
        return new Directory(
                urls,
                tls,
                new Directory.Bind(
                        ldap.text("bind-dn").orElse(null),
                        ldap.text("bind-password").orElse(null),
                        file.apply("bind-password-file")),
                new Directory.Search(
                        ldap.text("base").orElse(""),
                        ldap.text("attribute").orElse("uid"),
                        ldap.text("filter").orElse(Directory.Search.ANY),
                        ldap.get("subtree", Boolean.class).orElse(true)),
                ldap.text("name-attribute").orElse(null),
                ldap.text("group-base").orElse(null),
                new Directory.Members(
                        members.isEmpty() ? Directory.Members.DEFAULT.attributes() : members,
                        !ldap.get("member-names", Boolean.class).orElse(false),
                        ldap.text("group-attribute").orElse("cn")),
                nestedOf(ldap),
                ldap.list("questions", DirectoryQuestion.class),
                ldap.duration("timeout").orElse(Directory.TIMEOUT_DEFAULT));
    }

    private static Directory.Nested nestedOf(Settings ldap) {
        Directory.Nested none = Directory.Nested.NONE;
        List<String> attributes = ldap.list("nested-attributes", String.class);
        List<String> classes = ldap.list("nested-classes", String.class);
        return new Directory.Nested(
                ldap.number("nested-depth").orElse(0L).intValue(),
                attributes.isEmpty() ? none.attributes() : attributes,
                classes.isEmpty() ? none.classes() : classes);
    }

    private static String url(String text) {
        URI uri = URI.create(text);
        boolean sound =
                ("ldap".equals(uri.getScheme()) || "ldaps".equals(uri.getScheme()))
                        && uri.getHost() != null
                        && uri.getPath().length() <= 1
                        && uri.getQuery() == null;
        if (!sound) {
            throw new IllegalArgumentException("without a path: write base");
        }
        return text;
    }

    private static String attribute(String text) {
        if (!text.matches(NAME)) {
            throw new IllegalArgumentException("");
        }
        return text;
    }

    private static String filter(String text) {
        if (!text.startsWith("(") || !text.endsWith(")")) {
            throw new IllegalArgumentException("it stands in parentheses");
        }
        return text;
    }
}
