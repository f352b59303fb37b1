package io.margay.lab.servers;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Finds the name that a mistyped one was meant to be. Stateless.
public final class NearestName {
    private NearestName() {}

    /// `; did you mean "heartbeat"?`, or all names when none comes near.
    public static String hint(String typed, List<String> names) {
        return nearest(typed, names)
                .map(name -> "; did you mean \"" + name + "\"?")
                .orElse("; there are " + String.join(", ", names));
    }

    static Optional<String> nearest(String typed, List<String> names) {
        int allowed = Math.max(1, typed.length() / 3);
        return names.stream()
                .filter(name ->
                        distance(typed, name) <= allowed
                                || (typed.length() > 2 && name.startsWith(typed)))
                .min(Comparator.comparingInt(name -> distance(typed, name)));
    }

    /// Insertions, deletions and replacements between two names, without case.
    private static int distance(String first, String second) {
        String a = first.toLowerCase(Locale.ROOT);
        String b = second.toLowerCase(Locale.ROOT);
        int[] before = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            before[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] row = new int[b.length() + 1];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                row[j] = Math.min(Math.min(row[j - 1], before[j]) + 1, before[j - 1] + change);
            }
            before = row;
        }
        return before[b.length()];
    }
}
