package io.margay.compat.tomcat.filter;

import io.margay.server.regex.BoundedPattern;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/// The init-params of one filter, read by type; a wrong one is told with its name, its value and
/// what it may be. Confined to the starting thread.
public final class InitParams {
    private static final System.Logger LOG = System.getLogger(InitParams.class.getName());
    private static final int NUMBER_DIGITS_MAX = 18;

    private final String owner;
    private final Map<String, String> values;
    private final Set<String> known = new TreeSet<>();

    /// @param owner what they belong to, for messages
    public InitParams(String owner, Map<String, String> values) {
        this.owner = owner;
        this.values = new TreeMap<>(values);
    }

    public static InitParams of(FilterConfig config) {
        Map<String, String> values = new TreeMap<>();
        for (String name : Collections.list(config.getInitParameterNames())) {
            values.put(name, config.getInitParameter(name));
        }
        return new InitParams("filter '" + config.getFilterName() + "'", values);
    }

    /// The value without surrounding blanks, null when it was not given.
    public @Nullable String optional(String name) {
        known.add(name);
        String value = values.get(name);
        return value == null ? null : value.strip();
    }

    public String text(String name, String absent) {
        String value = optional(name);
        return value == null ? absent : value;
    }

    public boolean flag(String name, boolean absent) throws ServletException {
        String value = optional(name);
        if (value == null) {
            return absent;
        }
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw wrong(name, "it must be true or false");
        };
    }

    public long number(String name, long absent, long min, long max) throws ServletException {
        String value = optional(name);
        if (value == null) {
            return absent;
        }
        boolean decimal = value.matches("-?[0-9]{1," + NUMBER_DIGITS_MAX + "}");
        long number = decimal ? Long.parseLong(value) : 0;
        if (!decimal || number < min || number > max) {
            throw wrong(name, "it must be a whole number from " + min + " to " + max);
        }
        return number;
    }

    /// The pieces between commas, without blanks and empty ones.
    List<String> list(String name, String absent) {
        List<String> pieces = new ArrayList<>();
        for (String piece : text(name, absent).split(",")) {
            if (!piece.isBlank()) {
                pieces.add(piece.strip());
            }
        }
        return List.copyOf(pieces);
    }

    public @Nullable BoundedPattern pattern(String name) throws ServletException {
        String value = optional(name);
        return value == null ? null : compile(name, value);
    }

    public BoundedPattern compile(String name, String regex) throws ServletException {
        try {
            return BoundedPattern.of(regex, false);
        } catch (PatternSyntaxException e) {
            throw wrong(name, "it is not a regular expression: " + e.getDescription());
        }
    }

    /// All values whose names start with `prefix`, the rest of the name first.
    Map<String, String> startingWith(String prefix) {
        Map<String, String> found = new TreeMap<>();
        values.forEach((name, value) -> {
            if (name.startsWith(prefix)) {
                known.add(name);
                found.put(name.substring(prefix.length()).strip(), value.strip());
            }
        });
        return found;
    }

    public ServletException wrong(String name, String what) {
        return new ServletException(
                owner + ": init-param " + name + "='" + values.get(name) + "': " + what);
    }

    /// Fails for parameters that nobody asked for: where a filter protects something, a slip of the
    /// pen in a name must not take the protection away.
    public void refuseUnknown() throws ServletException {
        Set<String> unknown = unknown();
        if (!unknown.isEmpty()) {
            throw new ServletException(
                    owner + ": no init-param " + String.join(", ", unknown) + "; " + choice());
        }
    }

    void warnOfUnknown() {
        Set<String> unknown = unknown();
        if (!unknown.isEmpty()) {
            LOG.log(
                    Level.WARNING,
                    "{0}: init-param {1} has no effect; {2}",
                    owner,
                    String.join(", ", unknown),
                    choice());
        }
    }

    private Set<String> unknown() {
        Set<String> unknown = new TreeSet<>(values.keySet());
        unknown.removeAll(known);
        return unknown;
    }

    private String choice() {
        return known.isEmpty() ? "it has none" : "there are: " + String.join(", ", known);
    }
}
