package io.margay.servlet.security;

import io.margay.servlet.descriptor.WebAppException;
import io.margay.servlet.xml.DescriptorException;
import io.margay.servlet.xml.DescriptorLimits;
import io.margay.servlet.xml.XmlElement;
import io.margay.servlet.xml.XmlTree;
import java.security.cert.X509Certificate;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Users as `tomcat-users.xml` lists them, with passwords in clear or hashed (see [Password]). A
/// certificate stands for the user who is named as its subject; a user without a password can log
/// in by that alone. Immutable.
public final class UsersFile implements Realm {
    private final Map<String, Entry> users;

    /// Compared with when there is no such user, so that the answer takes as long.
    private final Password decoy;

    private record Entry(User user, Password password) {}

    private UsersFile(Map<String, Entry> users) {
        this.users = Map.copyOf(users);
        this.decoy =
                users.values().stream()
                        .map(Entry::password)
                        .filter(password -> password instanceof Password.Hashed)
                        .findFirst()
                        .orElse(new Password.Clear(""));
    }

    /// Reads a file.
    ///
    /// @param name for messages
    /// @throws WebAppException saying what is wrong with it
    public static UsersFile read(String name, byte[] bytes) {
        XmlElement root;
        try {
            root = XmlTree.read(name, bytes, DescriptorLimits.defaults()).root();
        } catch (DescriptorException e) {
            throw new WebAppException(String.valueOf(e.getMessage()), e);
        }
        Map<String, Set<String>> groups = new HashMap<>();
        for (XmlElement element : root.children()) {
            if (element.name().equals("group")) {
                groups.put(
                        attribute(element, "groupname", "name"),
                        words(element.attributes().get("roles")));
            }
        }
        Map<String, Entry> users = new HashMap<>();
        for (XmlElement element : root.children()) {
            if (element.name().equals("user")) {
                Entry entry = entry(element, groups);
                users.put(entry.user().name(), entry);
            }
        }
        return new UsersFile(users);
    }

    @Override
    public Set<String> roles() {
        Set<String> roles = new HashSet<>();
        users.values().forEach(entry -> roles.addAll(entry.user().roles()));
        return roles;
    }

    private static Entry entry(XmlElement element, Map<String, Set<String>> groups) {
        String name = attribute(element, "username", "name");
        Set<String> roles = new HashSet<>(words(element.attributes().get("roles")));
        for (String group : words(element.attributes().get("groups"))) {
            roles.addAll(groups.getOrDefault(group, Set.of()));
        }
        String kept = element.attributes().get("password");
        try {
            Password password = kept == null ? new Password.None() : Password.of(kept);
            return new Entry(new User(name, roles), password);
        } catch (IllegalArgumentException e) {
            throw problem(element, "the password of " + name + ": " + e.getMessage());
        }
    }

    private static String attribute(XmlElement element, String wanted, String orElse) {
        Map<String, String> attributes = element.attributes();
        String value = attributes.getOrDefault(wanted, attributes.get(orElse));
        if (value == null) {
            throw problem(element, "<" + element.name() + "> lacks " + wanted);
        }
        return value;
    }

    private static WebAppException problem(XmlElement element, String text) {
        return new WebAppException(element.file() + ":" + element.line() + ": " + text);
    }

    private static Set<String> words(@Nullable String list) {
        Set<String> words = new HashSet<>();
        if (list != null) {
            for (String word : list.split(",", -1)) {
                if (!word.isBlank()) {
                    words.add(word.strip());
                }
            }
        }
        return words;
    }

    @Override
    public @Nullable User authenticate(String name, String password) {
        Entry entry = users.get(name);
        if (entry == null || entry.password() instanceof Password.None) {
            boolean _ = decoy.matches(password);
            return null;
        }
        return entry.password().matches(password) ? entry.user() : null;
    }

    @Override
    public @Nullable User user(String name) {
        Entry entry = users.get(name);
        return entry == null ? null : entry.user();
    }

    /// Only of passwords in clear: a hash tells nothing.
    @Override
    public @Nullable Secret secret(String name, String realmName, DigestAlgorithm algorithm) {
        Entry entry = users.get(name);
        return entry != null && entry.password() instanceof Password.Clear(String text)
                ? new Secret(entry.user(), algorithm.hash(name, realmName, text))
                : null;
    }

    @Override
    public @Nullable User authenticate(X509Certificate certificate) {
        Entry entry = users.get(certificate.getSubjectX500Principal().getName());
        if (entry == null) {
            entry = users.get(certificate.getSubjectX500Principal().toString());
        }
        return entry == null ? null : entry.user();
    }
}
