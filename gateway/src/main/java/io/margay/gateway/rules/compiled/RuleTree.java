package io.margay.gateway.rules.compiled;

import io.margay.gateway.rules.GatewayRule.PathMatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Finds which rules of a list can take a path at all, in their order, by the text with which the
/// paths of each must begin. A rule that it leaves out would not have taken the path; one that it
/// names still has to be asked. Immutable.
///
/// The beginnings stand sorted, and each knows the longest other one that it begins with. The
/// greatest that is not above a path is found by halving; it, or the first of those it begins with
/// that the path begins with, is the longest beginning of the path, and all others follow from it.
final class RuleTree {
    /// Fewer rules are asked one after the other.
    private static final int RULES_MIN = 16;

    private static final String META_AFTER = "*+?{";

    /// Sorted, each once.
    private final String[] beginnings;

    /// Position of the longest other beginning with which each begins; -1 = none.
    private final int[] above;

    /// The rules of each, in ascending order.
    private final int[][] rules;

    /// Those that say nothing of how a path begins.
    private final int[] always;

    private RuleTree(TreeMap<String, List<Integer>> byBeginning, List<Integer> always) {
        this.always = ints(always);
        beginnings = byBeginning.keySet().toArray(new String[0]);
        above = new int[beginnings.length];
        rules = new int[beginnings.length][];
        int at = 0;
        for (List<Integer> of : byBeginning.values()) {
            rules[at] = ints(of);
            int up = at - 1;
            while (up >= 0 && !beginnings[at].startsWith(beginnings[up])) {
                up = above[up];
            }
            above[at++] = up;
        }
    }

    private static int[] ints(List<Integer> of) {
        return of.stream().mapToInt(Integer::intValue).toArray();
    }

    /// That of a list of rules; null where there are few, or where none says how a path begins.
    static @Nullable RuleTree of(List<PathMatch> matches) {
        TreeMap<String, List<Integer>> byBeginning = new TreeMap<>();
        List<Integer> always = new ArrayList<>();
        for (int i = 0; i < matches.size(); i++) {
            String beginning = beginning(matches.get(i));
            (beginning.isEmpty()
                            ? always
                            : byBeginning.computeIfAbsent(beginning, _ -> new ArrayList<>()))
                    .add(i);
        }
        return matches.size() < RULES_MIN || byBeginning.isEmpty()
                ? null
                : new RuleTree(byBeginning, always);
    }

    /// With what each path begins that a rule takes.
    private static String beginning(PathMatch match) {
        return switch (match) {
            case PathMatch.Prefix(String path) -> path;
            case PathMatch.Glob(String pattern) -> {
                int end = 0;
                while (end < pattern.length() && "*?".indexOf(pattern.charAt(end)) < 0) {
                    end++;
                }
                yield pattern.substring(0, end);
            }
            case PathMatch.Regex(String regex, boolean anyCase, boolean not) ->
                    anyCase || not ? "" : beginning(regex);
        };
    }

    /// With what is found where an expression begins with `^` and has neither choices nor flags.
    private static String beginning(String regex) {
        if (!regex.startsWith("^") || regex.indexOf('|') >= 0 || regex.contains("(?")) {
            return "";
        }
        int end = 1;
        while (end < regex.length() && isPlain(regex.charAt(end))) {
            end++;
        }
        if (end > 1 && end < regex.length() && META_AFTER.indexOf(regex.charAt(end)) >= 0) {
            end--; // what follows is about the last character
        }
        return regex.substring(1, end);
    }

    private static boolean isPlain(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '/'
                || c == '_'
                || c == '-';
    }

    /// Position of the longest beginning of a path; -1 = it has none.
    int find(String path) {
        int found = Arrays.binarySearch(beginnings, path);
        int at = found >= 0 ? found : -found - 2;
        while (at >= 0 && !path.startsWith(beginnings[at])) {
            at = above[at];
        }
        return at;
    }

    /// The first rule from a position on that may take a path.
    ///
    /// @param longest what [#find] says of the path
    /// @return [Integer#MAX_VALUE] when there is none
    int next(int from, int longest) {
        int first = first(always, from);
        for (int at = longest; at >= 0; at = above[at]) {
            first = Math.min(first, first(rules[at], from));
        }
        return first;
    }

    private static int first(int[] sorted, int from) {
        int found = Arrays.binarySearch(sorted, from);
        int at = found >= 0 ? found : -found - 1;
        return at < sorted.length ? sorted[at] : Integer.MAX_VALUE;
    }
}
