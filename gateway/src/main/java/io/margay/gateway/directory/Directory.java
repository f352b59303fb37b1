package io.margay.gateway.directory;

import io.margay.server.directory.DirectoryAccess;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Where a directory is, and how users are found in it, as configured. Immutable.
///
/// @param access how it is reached
/// @param search how the entry of a user is found
/// @param nameAttribute of the entry, whose value is the user's name from then on; null = the name
///   that was given
/// @param groupBase below which the groups of a user are; null = users have none
/// @param members how groups name their members
/// @param nested how groups are members of groups
/// @param questions that are asked of each user, for requirements
public record Directory(
        DirectoryAccess access,
        Search search,
        @Nullable String nameAttribute,
        @Nullable String groupBase,
        Members members,
        Nested nested,
        List<DirectoryQuestion> questions) {
    public Directory {
        questions = List.copyOf(questions);
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
}
