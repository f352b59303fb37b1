package io.margay.compat.tomcat.rewrite;

import io.margay.server.regex.BoundedPattern;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import org.jspecify.annotations.Nullable;

/// A `RewriteRule` with its conditions. Immutable.
///
/// @param not whether the pattern must not match
/// @param target null = the path stays as it is
/// @param flags by their short names, with their values
record RewriteRule(
        BoundedPattern pattern,
        boolean not,
        List<RewriteCondition> conditions,
        @Nullable RewriteText target,
        Map<String, String> flags) {
    /// The flags that are honoured, and what they are called besides.
    private static final Map<String, String> LONG =
            Map.ofEntries(
                    Map.entry("chain", "C"),
                    Map.entry("forbidden", "F"),
                    Map.entry("gone", "G"),
                    Map.entry("host", "H"),
                    Map.entry("last", "L"),
                    Map.entry("nocase", "NC"),
                    Map.entry("noescape", "NE"),
                    Map.entry("nosubreq", "NS"),
                    Map.entry("qsappend", "QSA"),
                    Map.entry("qsdiscard", "QSD"),
                    Map.entry("redirect", "R"),
                    Map.entry("skip", "S"),
                    Map.entry("ornext", "OR"));

    private static final Set<String> KNOWN =
            Set.of("B", "C", "F", "G", "H", "L", "NC", "NE", "NS", "QSA", "QSD", "R", "S");

    RewriteRule {
        conditions = List.copyOf(conditions);
        flags = Map.copyOf(flags);
    }

    /// The short name of a flag.
    static String flag(String name) {
        return LONG.getOrDefault(name, name);
    }

    /// Reads one.
    ///
    /// @throws IllegalArgumentException when it cannot be one, or is not honoured
    static RewriteRule of(
            String pattern,
            String target,
            Map<String, String> flags,
            List<RewriteCondition> conditions,
            Map<String, RewriteMap> maps) {
        for (String flag : flags.keySet()) {
            if (!KNOWN.contains(flag)) {
                throw new IllegalArgumentException("the flag [" + flag + "] is not supported");
            }
        }
        boolean not = pattern.startsWith("!");
        RewriteText text = target.equals("-") ? null : RewriteText.of(target, maps);
        boolean answers = flags.containsKey("F") || flags.containsKey("G");
        boolean path = text == null || text.startsWith("/") || text.startsWithReference();
        if (!path && !answers && !flags.containsKey("R") && !flags.containsKey("H")) {
            throw new IllegalArgumentException(
                    "\"" + target + "\" is not a path; an address elsewhere needs the flag [R]");
        }
        if (flags.containsKey("R") && status(flags.get("R")) < 0) {
            throw new IllegalArgumentException(
                    "[R=" + flags.get("R") + "] is not a status of a redirect");
        }
        if (flags.containsKey("S") && !String.valueOf(flags.get("S")).matches("[0-9]{1,4}")) {
            throw new IllegalArgumentException("[S] needs the number of rules");
        }
        return new RewriteRule(
                BoundedPattern.of(not ? pattern.substring(1) : pattern, flags.containsKey("NC")),
                not,
                conditions,
                text,
                flags);
    }

    private static int status(@Nullable String word) {
        return switch (word) {
            case null -> -1;
            case "", "temp" -> 302;
            case "permanent" -> 301;
            case "seeother" -> 303;
            case "301", "302", "303", "307", "308" -> Integer.parseInt(word);
            default -> -1;
        };
    }

    boolean has(String flag) {
        return flags.containsKey(flag);
    }

    /// The status of its redirect.
    int redirect() {
        return status(flags.get("R"));
    }

    /// How many rules are passed over after it.
    int skip() {
        return has("S") ? Integer.parseInt(flags.getOrDefault("S", "0")) : 0;
    }

    /// What it makes of a subject; null = it is not for this request.
    ///
    /// @param subject the path, or the host with the flag H
    @Nullable String of(String subject, RewriteRequest request) {
        MatchResult rule = pattern.match(subject);
        if ((rule != null) == not) {
            return null;
        }
        MatchResult last = null;
        boolean any = false;
        for (RewriteCondition condition : conditions) {
            if (!any) {
                RewriteCondition.Result result = condition.of(request, rule, last);
                any = result.holds();
                last = any && result.match() != null ? result.match() : last;
            }
            if (!condition.orNext()) {
                if (!any) {
                    return null;
                }
                any = false;
            }
        }
        return target == null ? subject : target.of(request, rule, last, has("B"));
    }
}
