package io.margay.compat.tomcat.application;

import io.margay.servlet.descriptor.WebAppException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The attributes of a `Realm` or `CredentialHandler`, taken one by one, so that those that nobody
/// takes can be named. Confined to the deploying thread.
final class RealmAttributes {
    /// A name of a table or column, as it may stand in a statement.
    private static final Pattern IDENTIFIER =
            Pattern.compile("[\\p{L}_][\\p{L}\\p{N}_$]*(\\.[\\p{L}_][\\p{L}\\p{N}_$]*+)*+");

    private final Map<String, String> left;
    private final String element;
    private final String place;

    RealmAttributes(Map<String, String> attributes, String element, String place) {
        left = new TreeMap<>(attributes);
        this.element = element;
        this.place = place;
        ignore(
                "className",
                "allRolesMode",
                "realmPath",
                "stripRealmForGss",
                "transportGuaranteeRedirectStatus",
                "validate");
    }

    String place() {
        return place;
    }

    /// Takes attributes that change nothing here.
    void ignore(String... names) {
        left.keySet().removeAll(List.of(names));
    }

    /// Takes all.
    void forget() {
        left.clear();
    }

    /// Those that nobody has taken.
    String left() {
        return String.join(", ", left.keySet());
    }

    boolean has(String name) {
        return left.containsKey(name);
    }

    @Nullable String text(String name) {
        String value = left.remove(name);
        return value == null || value.isEmpty() ? null : value;
    }

    String text(String name, String byDefault) {
        String value = text(name);
        return value == null ? byDefault : value;
    }

    String required(String name) {
        String value = text(name);
        if (value == null) {
            throw new WebAppException(place + ": " + element + ": " + name + " is missing");
        }
        return value;
    }

    String identifier(String name) {
        String value = required(name);
        if (!IDENTIFIER.matcher(value).matches()) {
            throw wrong(name, value, "the name of a table or column");
        }
        return value;
    }

    boolean flag(String name, boolean byDefault) {
        String value = text(name);
        return switch (value) {
            case null -> byDefault;
            case "true" -> true;
            case "false" -> false;
            default -> throw wrong(name, value, "true or false");
        };
    }

    int number(String name, int byDefault) {
        String value = text(name);
        if (value == null) {
            return byDefault;
        }
        if (!value.matches("[0-9]{1,9}")) {
            throw wrong(name, value, "a whole number");
        }
        return Integer.parseInt(value);
    }

    WebAppException wrong(String name, String value, String wanted) {
        return new WebAppException(
                place + ": " + element + ": " + name + "='" + value + "' must be " + wanted);
    }
}
