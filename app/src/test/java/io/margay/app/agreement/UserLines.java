package io.margay.app.agreement;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Lines about users who log in, made by chance. Confined to one thread.
final class UserLines {
    private static final List<String> REQUIREMENTS =
            List.of(
                    "valid-user",
                    "valid-user",
                    "user ada",
                    "user bob eve",
                    "group admins",
                    "group nobody Others");

    private static final List<String> NEGATIVE = List.of("user bob", "group admins", "valid-user");

    private static final List<String> LOGINS =
            List.of(
                    "AuthType Basic",
                    "AuthType None",
                    "AuthName other",
                    "AuthName \"An \\\"other\\\" name\"",
                    "AuthUserFile @DIR@/users2",
                    "AuthUserFile @DIR@/nothere",
                    "AuthGroupFile @DIR@/groups2",
                    "AuthBasicProvider file",
                    "AuthzSendForbiddenOnFailure On");

    /// Null where nobody logs in.
    private final @Nullable RandomGenerator chance;

    UserLines(@Nullable RandomGenerator chance) {
        this.chance = chance;
    }

    /// How users log in wherever nothing else is said, now and then with something missing.
    List<String> login() {
        List<String> lines = new ArrayList<>();
        if (chance == null) {
            return lines;
        }
        lines.add("AuthType Basic");
        lines.add("AuthName \"Staff only\"");
        lines.add("AuthUserFile @DIR@/users");
        lines.add("AuthGroupFile @DIR@/groups");
        if (chance.nextInt(6) == 0) {
            lines.remove(chance.nextInt(lines.size()));
        }
        if (chance.nextInt(4) > 0) {
            lines.add("Require all granted");
        }
        boolean path = chance.nextBoolean();
        lines.addFirst(path ? "<Location />" : "<Directory \"@DIR@\">");
        lines.add(path ? "</Location>" : "</Directory>");
        return lines;
    }

    /// What a section says of it.
    List<String> logins() {
        List<String> lines = new ArrayList<>();
        while (chance != null && chance.nextInt(4) == 0) {
            lines.add(AccessProbes.one(chance, LOGINS));
        }
        return lines;
    }

    String requirement(String other) {
        return chance != null && chance.nextBoolean()
                ? AccessProbes.one(chance, REQUIREMENTS)
                : other;
    }

    String negative(String other) {
        return chance != null && chance.nextBoolean() ? AccessProbes.one(chance, NEGATIVE) : other;
    }
}
