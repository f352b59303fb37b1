package io.margay.app.yaml;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/// Guesses which valid word a wrong one was meant to be.
public final class Nearest {
    private Nearest() {}

    /// The candidate that differs in the fewest letters, if any is near: a quarter of its letters,
    /// two at least. One that begins with the word is near too.
    public static Optional<String> of(String word, Collection<String> candidates) {
        String wanted = word.toLowerCase(Locale.ROOT);
        String best = null;
        int bestDistance = Integer.MAX_VALUE;
        for (String candidate : candidates) {
            int distance = distance(wanted, candidate.toLowerCase(Locale.ROOT));
            if (wanted.length() >= 3 && candidate.startsWith(wanted)) {
                distance = Math.min(distance, 2);
            }
            if (distance < bestDistance) {
                bestDistance = distance;
                best = candidate;
            }
        }
        if (best == null || bestDistance > Math.max(2, best.length() / 4)) {
            return Optional.empty();
        }
        // A short word that shares no letter is no slip of the fingers.
        return bestDistance < Math.max(best.length(), wanted.length())
                ? Optional.of(best)
                : Optional.empty();
    }

    /// `; did you mean "x"?`, or the whole choice when none is near.
    public static String hint(String word, Collection<String> candidates) {
        return of(word, candidates)
                .map(near -> "; did you mean \"" + near + "\"?")
                .orElseGet(() ->
                        candidates.isEmpty()
                                ? ""
                                : "; valid are: " + String.join(", ", candidates));
    }

    /// Insertions, deletions, replacements and swaps of neighbours that make `a` into `b`.
    private static int distance(String a, String b) {
        int[][] cost = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    cost[i][j] = i + j;
                    continue;
                }
                int replaced = cost[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                int least = Math.min(replaced, Math.min(cost[i - 1][j], cost[i][j - 1]) + 1);
                boolean swapped =
                        i > 1
                                && j > 1
                                && a.charAt(i - 1) == b.charAt(j - 2)
                                && a.charAt(i - 2) == b.charAt(j - 1);
                cost[i][j] = swapped ? Math.min(least, cost[i - 2][j - 2] + 1) : least;
            }
        }
        return cost[a.length()][b.length()];
    }
}
