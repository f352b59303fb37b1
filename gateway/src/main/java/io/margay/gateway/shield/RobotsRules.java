package io.margay.gateway.shield;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What a robots.txt forbids to whom (RFC 9309). Immutable.
final class RobotsRules {
    /// Lines with rules; each request of a crawler is compared with all of its group.
    static final int RULES_MAX = 2_000;

    /// Names of crawlers; the `User-Agent` of each request is compared with all.
    static final int NAMES_MAX = 2_000;

    private static final String ANYONE = "*";

    /// A byte order mark, which some editors write.
    private static final String MARK = "\uFEFF";

    /// What browsers say too, so that no crawler is named by it.
    private static final Set<String> OF_BROWSERS =
            Set.of("mozilla", "applewebkit", "gecko", "chrome", "safari", "firefox", "version");

    private final Map<String, List<Rule>> groups;

    /// A line of a group.
    ///
    /// @param pieces of its path, decoded, between the asterisks
    /// @param isWhole whether the path ends with the last piece
    /// @param length of the line's path: the longest that matches decides
    private record Rule(boolean allows, List<String> pieces, boolean isWhole, int length) {
        static Rule of(boolean allows, String path) {
            boolean isWhole = path.endsWith("$");
            String text = isWhole ? path.substring(0, path.length() - 1) : path;
            return new Rule(allows, split(text), isWhole, path.length());
        }

        boolean matches(String target) {
            if (!target.startsWith(pieces.getFirst())) {
                return false;
            }
            int at = pieces.getFirst().length();
            for (int i = 1; i < pieces.size(); i++) {
                String piece = pieces.get(i);
                boolean isLast = isWhole && i == pieces.size() - 1;
                int found =
                        isLast
                                ? target.endsWith(piece) ? target.length() - piece.length() : -1
                                : target.indexOf(piece, at);
                if (found < at) {
                    return false;
                }
                at = found + piece.length();
            }
            return !isWhole || at == target.length();
        }
    }

    private RobotsRules(Map<String, List<Rule>> groups) {
        this.groups = groups;
    }

    /// Reads a file; lines that are not rules are skipped, as RFC 9309 has it.
    ///
    /// @throws IllegalArgumentException when there are too many rules
    static RobotsRules of(String text) {
        Map<String, List<Rule>> groups = new TreeMap<>();
        Set<String> agents = new HashSet<>();
        boolean named = false;
        int count = 0;
        String content = text.startsWith(MARK) ? text.substring(MARK.length()) : text;
        for (String line : content.split("\\R", -1)) {
            int colon = line.indexOf(':');
            String key = colon < 0 ? "" : line.substring(0, colon).strip();
            String rest = colon < 0 ? "" : line.substring(colon + 1);
            int comment = rest.indexOf('#');
            String value = (comment < 0 ? rest : rest.substring(0, comment)).strip();
            boolean allows = key.equalsIgnoreCase("allow");
            if (key.equalsIgnoreCase("user-agent")) {
                if (!named) {
                    agents.clear();
                }
                named = true;
                agents.add(product(value));
                groups.computeIfAbsent(product(value), _ -> new ArrayList<>());
                if (groups.size() > NAMES_MAX) {
                    throw new IllegalArgumentException("more than " + NAMES_MAX + " names");
                }
            } else if (allows || key.equalsIgnoreCase("disallow")) {
                named = false;
                if (++count > RULES_MAX) {
                    throw new IllegalArgumentException("more than " + RULES_MAX + " rules");
                }
                Rule rule = Rule.of(allows, value);
                for (String agent : value.isEmpty() ? Set.<String>of() : agents) {
                    groups.getOrDefault(agent, new ArrayList<>()).add(rule);
                }
            }
        }
        return new RobotsRules(groups);
    }

    /// The name by which a crawler finds its group.
    private static String product(String value) {
        String name = value.strip().toLowerCase(Locale.ROOT);
        int end = 0;
        while (end < name.length() && name.charAt(end) != '/' && name.charAt(end) > ' ') {
            end++;
        }
        String product = name.substring(0, end);
        return OF_BROWSERS.contains(product) ? "" : product;
    }

    /// Splits a path at its asterisks, then decodes: an encoded one is a literal (RFC 9309 §2.2.3).
    private static List<String> split(String path) {
        int query = path.indexOf('?');
        int end = query < 0 ? path.length() : query;
        List<String> pieces = new ArrayList<>();
        for (String piece : path.substring(0, end).split("\\*", -1)) {
            pieces.add(decoded(piece));
        }
        if (query >= 0) {
            String[] more = plain(path.substring(query)).split("\\*", -1);
            String last = pieces.removeLast();
            for (int i = 0; i < more.length; i++) {
                pieces.add((i == 0 ? last : "") + more[i].replace("%2A", "*"));
            }
        }
        return List.copyOf(pieces);
    }

    private static String decoded(String path) {
        try {
            return URLDecoder.decode(path.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return path;
        }
    }

    /// A query as it is compared: only the signs that mean something in rules are alike, whether or
    /// not they are encoded.
    private static String plain(String query) {
        return query.replace("%2a", "%2A").replace("%24", "$");
    }

    /// Whether a crawler may not ask for something.
    ///
    /// @param agent its `User-Agent`
    /// @param target decoded path, with its query
    /// @param isTold whether it has fetched the file: only then the group of all is meant for it
    boolean forbids(@Nullable String agent, String target, boolean isTold) {
        int query = target.indexOf('?');
        String asked =
                query < 0
                        ? target
                        : target.substring(0, query)
                                + plain(target.substring(query)).replace("%2A", "*");
        List<Rule> group = group(agent == null ? "" : agent.toLowerCase(Locale.ROOT), isTold);
        boolean allows = true;
        int longest = -1;
        for (Rule rule : group) {
            boolean decides =
                    rule.length > longest || (rule.length == longest && rule.allows && !allows);
            if (decides && rule.matches(asked)) {
                allows = rule.allows;
                longest = rule.length;
            }
        }
        return !allows;
    }

    /// Of the groups whose names a client has in its `User-Agent`, that of the longest.
    private List<Rule> group(String agent, boolean isTold) {
        String best = "";
        for (String name : groups.keySet()) {
            if (name.length() > best.length() && !name.equals(ANYONE) && isIn(name, agent)) {
                best = name;
            }
        }
        boolean isNamed = !best.isEmpty();
        return isNamed || isTold
                ? groups.getOrDefault(isNamed ? best : ANYONE, List.of())
                : List.of();
    }

    private static boolean isIn(String name, String agent) {
        for (int at = agent.indexOf(name); at >= 0; at = agent.indexOf(name, at + 1)) {
            int end = at + name.length();
            boolean begins = at == 0 || !Character.isLetterOrDigit(agent.charAt(at - 1));
            if (begins
                    && (end == agent.length() || !Character.isLetterOrDigit(agent.charAt(end)))) {
                return true;
            }
        }
        return false;
    }
}
