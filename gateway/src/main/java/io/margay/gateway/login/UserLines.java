package io.margay.gateway.login;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The lines of files of users, `name:password`, and of groups, `group: name name`. Immutable.
final class UserLines {
    /// A line of a file of `htdigest`.
    private static final Pattern DIGEST =
            Pattern.compile("([^:#][^:]*:[^:]*):([0-9a-fA-F]{32})\\s*");

    private final Map<String, String> passwords;

    /// Verified where there is no such user, so that the answer takes as long; null without users.
    private final @Nullable String decoy;

    private UserLines(Map<String, String> passwords, @Nullable String decoy) {
        this.passwords = Map.copyOf(passwords);
        this.decoy = decoy;
    }

    /// Reads a file of users; of a name that is there twice the first counts. What stands behind a
    /// second colon is a comment.
    static UserLines users(String text, LoginLimits limits) {
        Map<String, String> passwords = new HashMap<>();
        String decoy = null;
        for (String line : text.lines().toList()) {
            int colon = line.indexOf(':');
            if (colon <= 0 || line.startsWith("#")) {
                continue;
            }
            int end = line.indexOf(':', colon + 1);
            String stored =
                    line.substring(colon + 1, end < 0 ? line.length() : end).stripTrailing();
            boolean known = PasswordHash.isKnown(stored, limits);
            String _ = passwords.putIfAbsent(line.substring(0, colon), known ? stored : "");
            decoy = decoy == null && known ? stored : decoy;
        }
        return new UserLines(passwords, decoy);
    }

    /// The names of users whose passwords are of no known form, in clear for instance.
    List<String> unusable() {
        List<String> names = new ArrayList<>();
        passwords.forEach((name, stored) -> {
            if (stored.isEmpty()) {
                names.add(name);
            }
        });
        return names.stream().sorted().toList();
    }

    /// Whether a password is a user's.
    boolean matches(Credentials given) {
        String stored = passwords.getOrDefault(given.octets(), "");
        if (stored.isEmpty()) {
            if (decoy != null) {
                boolean _ = PasswordHash.matches(given.password(), decoy);
            }
            return false;
        }
        return PasswordHash.matches(given.password(), stored);
    }

    /// Reads a file of `htdigest`, `name:realm:hash`: the hashes by `name:realm`; the first of a
    /// name counts.
    static Map<String, String> digests(String text) {
        Map<String, String> digests = new HashMap<>();
        for (String line : text.lines().toList()) {
            Matcher digest = DIGEST.matcher(line);
            if (digest.matches()) {
                String _ =
                        digests.putIfAbsent(
                                digest.group(1), digest.group(2).toLowerCase(Locale.ROOT));
            }
        }
        return digests;
    }

    /// Reads a file of groups: the groups of each user.
    static Map<String, Set<String>> groups(String text) {
        Map<String, Set<String>> groups = new HashMap<>();
        for (String line : text.lines().toList()) {
            int colon = line.indexOf(':');
            if (colon <= 0 || line.startsWith("#")) {
                continue;
            }
            String group = line.substring(0, colon).strip().toLowerCase(Locale.ROOT);
            for (String name : line.substring(colon + 1).strip().split("\\s+")) {
                groups.computeIfAbsent(name, _ -> new HashSet<>()).add(group);
            }
        }
        return groups;
    }
}
