package io.margay.gateway.directory;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Where a directory is, and how users are found in it, as configured. Immutable.
///
/// @param urls of the same directory, tried in order, as `ldaps://ldap.example`
/// @param tls how TLS is spoken with it
/// @param bind who searches
/// @param search how the entry of a user is found
/// @param nameAttribute of the entry, whose value is the user's name from then on; null = the name
///   that was given
/// @param groupBase below which the groups of a user are; null = users have none
/// @param members how groups name their members
/// @param nested how groups are members of groups
/// @param questions that are asked of each user, for requirements
/// @param timeout of connecting, and of each answer
public record Directory(
        List<String> urls,
        Tls tls,
        Bind bind,
        Search search,
        @Nullable String nameAttribute,
        @Nullable String groupBase,
        Members members,
        Nested nested,
        List<DirectoryQuestion> questions,
        Duration timeout) {
    /// Short enough for who waits, and long enough for a directory that is asked first.
    public static final Duration TIMEOUT_DEFAULT = Duration.ofSeconds(5);

    public Directory {
        urls = List.copyOf(urls);
        questions = List.copyOf(questions);
    }

    /// How TLS is spoken with a directory.
    ///
    /// @param start whether it begins after connecting, by `ldap:`
    /// @param trust PEM file of the authorities that are trusted; null = the JDK's
    /// @param verify whether the certificate of the directory is checked at all
    public record Tls(boolean start, @Nullable Path trust, boolean verify) {
        /// For `ldaps:`, by the JDK's authorities.
        public static final Tls DEFAULT = new Tls(false, null, true);
    }

    /// Who searches. Does not show the password.
    ///
    /// @param name distinguished; null = nobody in particular
    /// @param passwordFile in place of `password`; read each time
    public record Bind(
            @Nullable String name, @Nullable String password, @Nullable Path passwordFile) {
        /// Nobody in particular.
        public static final Bind ANONYMOUS = new Bind(null, null, null);

        @Override
        public String toString() {
            return "Bind[" + name + ", " + (passwordFile == null ? "hidden" : passwordFile) + "]";
        }
    }

    /// How the entry of a user is found.
    ///
    /// @param base below which it is
    /// @param attribute that has the user's name
    /// @param filter that it must fit, too
    /// @param subtree whether it is searched below the first level
    public record Search(String base, String attribute, String filter, boolean subtree) {
        /// What fits every entry.
        public static final String ANY = "(objectClass=*)";
    }

    /// How groups name their members.
    ///
    /// @param attributes of a group that have them
    /// @param byEntry whether these are distinguished names, and not names of users
    /// @param groupName attribute of a group that is its name
    public record Members(List<String> attributes, boolean byEntry, String groupName) {
        /// As groupOfNames and groupOfUniqueNames have it.
        public static final Members DEFAULT =
                new Members(List.of("member", "uniqueMember"), true, "cn");

        public Members {
            attributes = List.copyOf(attributes);
        }
    }

    /// How groups are members of groups.
    ///
    /// @param depth how many groups lie one in the other, besides the outermost; 0 = none
    /// @param attributes of a group that have the groups in it, as distinguished names
    /// @param classes of entries that are groups
    public record Nested(int depth, List<String> attributes, List<String> classes) {
        /// They are none.
        public static final Nested NONE =
                new Nested(
                        0,
                        Members.DEFAULT.attributes(),
                        List.of("groupOfNames", "groupOfUniqueNames"));

        /// The deepest that may be asked for.
        public static final int DEPTH_MAX = 20;

        public Nested {
            attributes = List.copyOf(attributes);
            classes = List.copyOf(classes);
        }
    }

    /// The same that asks other questions.
    public Directory with(List<DirectoryQuestion> others) {
        return new Directory(
                urls,
                tls,
                bind,
                search,
                nameAttribute,
                groupBase,
                members,
                nested,
                others,
                timeout);
    }
}
