package io.margay.app.config.file.login;

import static io.margay.app.config.binding.Forms.*;

import io.margay.app.config.binding.Binding;
import io.margay.app.config.binding.Draft;
import io.margay.app.config.binding.Form;
import io.margay.app.config.binding.Keys;
import io.margay.gateway.directory.Directory;
import io.margay.gateway.directory.Directory.Members;
import io.margay.gateway.directory.Directory.Nested;
import io.margay.gateway.directory.Directory.Search;
import io.margay.gateway.directory.DirectoryQuestion;
import io.margay.server.directory.DirectoryAccess;
import java.net.URI;
import java.util.List;

/// The key `ldap` of `login`: users are in a directory. Stateless.
public final class DirectoryKeys {
    /// For a user who is called as he has called himself.
    private static final String AS_GIVEN = "as given";

    /// The name of an attribute is that by which users are searched for.
    private static final String AS_SEARCHED = "";

    private static final Form<String> ATTRIBUTE =
            matching("an attribute", DirectoryKeys::isAttribute);
    private static final Form<List<String>> ATTRIBUTES = list("attributes", ATTRIBUTE, 1);

    public static final Form<DirectoryQuestion> QUESTION =
            parsed(
                    "`attribute NAME=VALUE`, `group DN`, `user NAME`, `dn DN` or `filter (…)`",
                    DirectoryQuestion::parse,
                    DirectoryQuestion::text);

    private static final Keys<DirectoryAccess> ACCESS =
            DirectoryAccessKeys.keys(
                    text("a URL, as in ldaps://ldap.example", DirectoryKeys::url), readable());

    private static final Keys<Search> SEARCH =
            Binding.of("a search", new Search("-", "uid", Search.ANY, true))
                    .form("attribute", ATTRIBUTE)
                    .form(
                            "filter",
                            matching(
                                    "a filter, as in (objectClass=person)",
                                    text -> text.startsWith("(") && text.endsWith(")"),
                                    "it stands in parentheses"))
                    .keys(
                            """
                            base <a name> [required]: The entry below which users are.
                            attribute: Attribute of a user's entry with the login name.
                            filter: Filter that a user's entry must also match.
                            subtree: Also searches for users below the first level.
                            """);

    private static final Keys<Members> MEMBERS =
            Binding.of("the members of groups", Members.DEFAULT)
                    .form("member-attributes", ATTRIBUTES)
                    .form("member-names", flag().as(names -> !names, entries -> !entries))
                    .form("group-attribute", ATTRIBUTE)
                    .keys(
                            """
                            member-attributes (attributes): Attributes of a group that list its
                              members.
                            member-names (byEntry): They hold user names, not distinguished names.
                            group-attribute (groupName): Attribute of a group with its name.
                            """);

    private static final Keys<Nested> NESTED =
            Binding.of("groups in groups", Nested.NONE)
                    .form("nested-depth", whole(0, Nested.DEPTH_MAX))
                    .form("nested-attributes", ATTRIBUTES)
                    .form(
                            "nested-classes",
                            list("classes", matching("a class", DirectoryKeys::isAttribute), 1))
                    .keys(
                            """
                            nested-depth (depth): How deep nested groups are followed.
                            nested-attributes (attributes): Attributes of a group that list nested
                              groups as distinguished names.
                            nested-classes (classes): Object classes of groups.
                            """);

    public static final Keys<Directory> DIRECTORY =
            Binding.of(
                            "a directory",
                            new Directory(
                                    ACCESS.defaults(),
                                    SEARCH.defaults(),
                                    AS_SEARCHED,
                                    null,
                                    Members.DEFAULT,
                                    Nested.NONE,
                                    List.of()),
                            DirectoryKeys::made)
                    .part("access", ACCESS)
                    .part("search", SEARCH)
                    .form(
                            "name-attribute",
                            matching(
                                    "an attribute, or `as given`",
                                    text -> text.equals(AS_GIVEN) || isAttribute(text)),
                            DirectoryKeys::shown,
                            (to, name) ->
                                    to.set("nameAttribute", name.equals(AS_GIVEN) ? null : name))
                    .keys(
                            """
                            name-attribute [`attribute`]: Attribute with the name used from then on:
                              directories accept ADA for ada.
                            group-base <a name> [users have no groups]: The entry below which groups
                              are, which are roles, too.
                            """)
                    .part("members", MEMBERS)
                    .part("nested", NESTED)
                    .form("questions", list("questions", QUESTION, 0))
                    .keys(
                            """
                            questions: Queries evaluated for each user, for `require` by `ldap`.
                            """);

    private DirectoryKeys() {}

    private static Directory made(Draft<Directory> of) {
        Directory directory = of.build();
        if (AS_SEARCHED.equals(directory.nameAttribute())) {
            of.set("nameAttribute", directory.search().attribute());
        }
        return of.build();
    }

    private static String shown(Directory directory) {
        String name = directory.nameAttribute();
        return name == null
                ? AS_GIVEN
                : name.equals(directory.search().attribute()) ? AS_SEARCHED : name;
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

    private static boolean isAttribute(String text) {
        return text.matches("[A-Za-z][A-Za-z0-9;.-]*");
    }
}
