package io.margay.gateway.access;

import io.margay.gateway.access.handler.FileHandlers;
import io.margay.gateway.access.match.SectionMatch;
import io.margay.gateway.directory.Directory;
import io.margay.gateway.login.AuthService;
import io.margay.gateway.login.Login;
import io.margay.gateway.login.OpenIdClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// A section with what it says, and the sections in it. Immutable.
///
/// @param files about names of files, of those that this one is about
/// @param conditional about requests of which something holds, of those that this one is about
public record AccessSection(
        SectionMatch match,
        AccessRules rules,
        List<AccessSection> files,
        List<AccessSection> conditional) {
    /// Says nothing.
    public static final AccessSection NONE =
            new AccessSection(
                    new SectionMatch.Everything(), AccessRules.NONE, List.of(), List.of());

    public AccessSection {
        files = List.copyOf(files);
        conditional = List.copyOf(conditional);
    }

    /// Whether it says nothing, nor does one in it.
    public boolean isEmpty() {
        boolean silent = rules.isNone() || rules.equals(AccessRules.NONE);
        return silent && files.isEmpty() && conditional.isEmpty();
    }

    /// Whether it, or one in it, may make a program of a file, give it another type, or list
    /// folders.
    boolean judgesFiles() {
        return !rules.handlers().equals(FileHandlers.NONE)
                || !rules.types().isPlain()
                || rules.listing().isOn()
                || files.stream().anyMatch(AccessSection::judgesFiles)
                || conditional.stream().anyMatch(AccessSection::judgesFiles);
    }

    /// The same that says nothing of pages itself.
    public AccessSection withoutPages() {
        return new AccessSection(match, rules.withoutPages(), files, conditional);
    }

    /// Adds names of fields that services give which are asked here.
    void reserve(Set<String> names) {
        if (rules.login().users() instanceof Login.Users.OfService(AuthService service)) {
            names.addAll(service.reserved());
        }
        files.forEach(inner -> inner.reserve(names));
        conditional.forEach(inner -> inner.reserve(names));
    }

    /// Adds the clients of OpenID providers at which users log in here.
    void clients(Set<OpenIdClient> to) {
        if (rules.login().users() instanceof Login.Users.OfProvider(OpenIdClient client)) {
            to.add(client);
        }
        files.forEach(inner -> inner.clients(to));
        conditional.forEach(inner -> inner.clients(to));
    }

    /// Adds the directories whose users log in here.
    void directories(Set<Directory> to) {
        if (rules.login().users() instanceof Login.Users.InDirectory(Directory directory)) {
            to.add(directory);
        }
        files.forEach(inner -> inner.directories(to));
        conditional.forEach(inner -> inner.directories(to));
    }

    /// One that says what this one and then a later one say.
    public AccessSection then(AccessSection later) {
        return new AccessSection(
                match,
                rules.then(later.rules),
                joined(files, later.files),
                joined(conditional, later.conditional));
    }

    /// Those of both, in this order.
    static <T> List<T> joined(List<T> first, List<T> second) {
        if (first.isEmpty() || second.isEmpty()) {
            return first.isEmpty() ? second : first;
        }
        List<T> all = new ArrayList<>(first);
        all.addAll(second);
        return all;
    }
}
