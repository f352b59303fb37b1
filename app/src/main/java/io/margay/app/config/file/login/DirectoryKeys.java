package io.margay.app.config.file.login;

import static io.margay.app.yaml.Shape.flag;
import static io.margay.app.yaml.Shape.optional;
import static io.margay.app.yaml.Shape.required;
import static io.margay.app.yaml.Shape.text;
import static io.margay.app.yaml.Shape.whole;

import io.margay.app.yaml.Problem;
import io.margay.app.yaml.Settings;
import io.margay.app.yaml.Shape;
import io.margay.app.yaml.Shape.Items;
import io.margay.app.yaml.Shape.Section;
import io.margay.gateway.directory.Directory;
import io.margay.gateway.directory.DirectoryQuestion;
import io.margay.server.directory.DirectoryAccess;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The key `ldap` of `login`: users are in a directory. Stateless.
public final class DirectoryKeys {
    private static final DirectoryAccessKeys ACCESS = new DirectoryAccessKeys("url", "bind-dn");

    /// For a user who is called as he has called himself.
    public static final String AS_GIVEN = "as given";

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
        keys.addAll(ACCESS.shape(path));
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
                        text("an attribute, or `as given`", DirectoryKeys::shown),
                        "`attribute`",
                        "Of a user's entry, which is the name from then on: directories take ADA"
                                + " for ada."));
        groups(keys);
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

    /// One question.
    public static Shape.Scalar question() {
        return text(
                "`attribute NAME=VALUE`, `group DN`, `user NAME`, `dn DN` or `filter (…)`",
                DirectoryQuestion::parse);
    }

    /// Reads it.
    ///
    /// @param file makes the path of a key
    /// @return null when there is a problem with which nothing can be made
    public static @Nullable Directory read(
            Settings ldap, Function<String, @Nullable Path> file, List<Problem> problems) {
        DirectoryAccess access = ACCESS.read(ldap, file, problems);
        if (access == null) {
            return null;
        }
        List<String> members = ldap.list("member-attributes", String.class);
        return new Directory(
                access,
                new Directory.Search(
                        ldap.text("base").orElse(""),
                        ldap.text("attribute").orElse("uid"),
                        ldap.text("filter").orElse(Directory.Search.ANY),
                        ldap.get("subtree", Boolean.class).orElse(true)),
                shownAttribute(ldap),
                ldap.text("group-base").orElse(null),
                new Directory.Members(
                        members.isEmpty() ? Directory.Members.DEFAULT.attributes() : members,
                        !ldap.get("member-names", Boolean.class).orElse(false),
                        ldap.text("group-attribute").orElse("cn")),
                nestedOf(ldap),
                ldap.list("questions", DirectoryQuestion.class));
    }

    /// Null where a user is called as he has called himself.
    private static @Nullable String shownAttribute(Settings ldap) {
        String attribute = ldap.text("name-attribute").orElse(ldap.text("attribute").orElse("uid"));
        return attribute.equals(AS_GIVEN) ? null : attribute;
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

    private static String shown(String text) {
        return text.equals(AS_GIVEN) ? text : attribute(text);
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
