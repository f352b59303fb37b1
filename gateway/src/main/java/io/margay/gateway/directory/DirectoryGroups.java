package io.margay.gateway.directory;

import io.margay.server.directory.DirectorySearch;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import javax.naming.InvalidNameException;
import javax.naming.LimitExceededException;
import javax.naming.NameNotFoundException;
import javax.naming.NamingException;
import javax.naming.NoPermissionException;
import javax.naming.directory.Attribute;
import javax.naming.directory.NoSuchAttributeException;
import javax.naming.directory.SearchControls;
import javax.naming.directory.SearchResult;
import javax.naming.ldap.InitialLdapContext;
import javax.naming.ldap.LdapName;
import org.jspecify.annotations.Nullable;

/// The groups of a directory: who is in them, and which are in others. Immutable; waits.
@SuppressWarnings("BanJNDI") // Attributes are read, and no object is made of what is found.
record DirectoryGroups(Directory directory, DirectorySearch searches, DirectoryLimits limits) {
    /// Whether a group, or one in it, has a user. The directory is asked for each member of the
    /// groups in question, whether it is a group, so that they are limited.
    ///
    /// @param entry of the user
    boolean has(InitialLdapContext context, LdapName group, LdapName entry, String name)
            throws NamingException {
        if (isMember(context, group, entry, name)) {
            return true;
        }
        int depths = directory.nested().depth();
        if (depths == 0 || !isGroup(context, group)) {
            return false; // What is no group has members of its own, but no groups in it.
        }
        Set<LdapName> looked = new HashSet<>(Set.of(group));
        List<LdapName> level = List.of(group);
        for (int depth = 0; depth < depths && !level.isEmpty(); depth++) {
            List<LdapName> next = new ArrayList<>();
            for (LdapName outer : level) {
                for (LdapName inner : inside(context, outer, looked)) {
                    if (isMember(context, inner, entry, name)) {
                        return true;
                    }
                    next.add(inner);
                }
            }
            level = next;
        }
        return false;
    }

    private boolean isMember(
            InitialLdapContext context, LdapName group, LdapName entry, String name)
            throws NamingException {
        String value = member(entry, name);
        for (String attribute : directory.members().attributes()) {
            try {
                if (searches.compares(context, group, attribute, value)) {
                    return true;
                }
            } catch (NameNotFoundException | NoPermissionException | NoSuchAttributeException _) {
                // Another attribute may have the members, or another group.
            }
        }
        return false;
    }

    private String member(LdapName entry, String name) {
        return directory.members().byEntry() ? entry.toString() : name;
    }

    /// The groups that a group has as members.
    ///
    /// @param looked at so far, of all groups
    private List<LdapName> inside(InitialLdapContext context, LdapName group, Set<LdapName> looked)
            throws NamingException {
        List<LdapName> found = new ArrayList<>();
        List<String> attributes = directory.nested().attributes();
        for (SearchResult one : entry(context, group, attributes)) {
            for (String name : attributes) {
                Attribute values = one.getAttributes().get(name);
                for (int i = 0; values != null && i < values.size(); i++) {
                    LdapName member = name(values.get(i));
                    if (member == null || !looked.add(member)) {
                        continue;
                    }
                    if (looked.size() > limits.membersMax()) {
                        throw new LimitExceededException(group + " has too many members");
                    }
                    if (isGroup(context, member)) {
                        found.add(member);
                    }
                }
            }
        }
        return found;
    }

    private List<SearchResult> entry(
            InitialLdapContext context, LdapName group, List<String> attributes)
            throws NamingException {
        try {
            return searches.entry(context, group, Directory.Search.ANY, attributes, "");
        } catch (NameNotFoundException | NoPermissionException _) {
            return List.of();
        }
    }

    private static @Nullable LdapName name(Object value) {
        try {
            return new LdapName(String.valueOf(value));
        } catch (InvalidNameException _) {
            return null;
        }
    }

    private boolean isGroup(InitialLdapContext context, LdapName name) throws NamingException {
        StringBuilder filter = new StringBuilder("(|");
        directory.nested().classes().forEach(one -> filter.append("(objectClass=" + one + ")"));
        try {
            return !searches.entry(context, name, filter + ")", List.of(), "").isEmpty();
        } catch (NameNotFoundException | NoPermissionException _) {
            return false;
        }
    }

    /// The names of the groups that a user is in, or is in by groups in them.
    ///
    /// @param entry of the user
    Set<String> of(InitialLdapContext context, LdapName entry, String name) throws NamingException {
        Set<String> groups = new HashSet<>();
        if (directory.groupBase() == null) {
            return groups;
        }
        Set<LdapName> seen = new HashSet<>();
        Set<String> level = Set.of(member(entry, name));
        List<String> attributes = directory.members().attributes();
        for (int depth = 0; depth <= directory.nested().depth() && !level.isEmpty(); depth++) {
            Set<String> next = new LinkedHashSet<>();
            for (String member : level) {
                for (SearchResult one : with(context, attributes, member)) {
                    LdapName group = new LdapName(one.getNameInNamespace());
                    if (seen.size() < limits.groupsMax() && seen.add(group)) {
                        next.add(group.toString());
                        String own = directory.members().groupName();
                        String found = DirectorySearch.value(one.getAttributes(), own);
                        if (found != null) {
                            groups.add(found);
                        }
                    }
                }
            }
            level = next;
            attributes = directory.nested().attributes();
        }
        return groups;
    }

    /// The groups that have a member.
    private List<SearchResult> with(
            InitialLdapContext context, List<String> attributes, String member)
            throws NamingException {
        StringBuilder filter = new StringBuilder("(|");
        attributes.forEach(one -> filter.append('(').append(one).append("={0})"));
        SearchControls controls =
                searches.controls(true, limits.groupsMax(), directory.members().groupName());
        return searches.search(
                context, String.valueOf(directory.groupBase()), filter + ")", controls, member);
    }
}
