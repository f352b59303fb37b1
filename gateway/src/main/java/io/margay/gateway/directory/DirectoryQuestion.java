package io.margay.gateway.directory;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What a directory is asked of a user, once the password is right, since a requirement depends on
/// it. Immutable.
public sealed interface DirectoryQuestion {
    /// As it is written, by which the answer is known.
    String text();

    /// Whether the user has a name: `user NAME`. The directory knows how names are compared.
    record Named(String name) implements DirectoryQuestion {
        @Override
        public String text() {
            return "user " + name;
        }
    }

    /// Whether the user has a value of an attribute: `attribute NAME=VALUE`.
    record Has(String attribute, String value) implements DirectoryQuestion {
        @Override
        public String text() {
            return "attribute " + attribute + "=" + value;
        }
    }

    /// Whether the user is a member of a group: `group DN`.
    record Member(String group) implements DirectoryQuestion {
        @Override
        public String text() {
            return "group " + group;
        }
    }

    /// Whether the user is an entry: `dn DN`.
    record Is(String name) implements DirectoryQuestion {
        @Override
        public String text() {
            return "dn " + name;
        }
    }

    /// Whether the user fits a filter: `filter (…)`.
    record Fits(String filter) implements DirectoryQuestion {
        @Override
        public String text() {
            return "filter " + filter;
        }
    }

    /// How one is written.
    Pattern TEXT =
            Pattern.compile(
                    "(?:(user|group|dn) (.+)|attribute ([A-Za-z][A-Za-z0-9;.-]*)=(.+)"
                            + "|filter (\\(.+\\)))");

    /// Reads one.
    ///
    /// @throws IllegalArgumentException when it is malformed
    static DirectoryQuestion parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("it is none");
        }
        String kind = matcher.group(1);
        if (kind != null) {
            String name = matcher.group(2);
            return switch (kind) {
                case "user" -> new Named(name);
                case "group" -> new Member(name);
                default -> new Is(name);
            };
        }
        return matcher.group(3) != null
                ? new Has(matcher.group(3), matcher.group(4))
                : new Fits(matcher.group(5));
    }
}
