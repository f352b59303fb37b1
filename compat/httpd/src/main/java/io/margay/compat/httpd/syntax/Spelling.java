package io.margay.compat.httpd.syntax;

import java.util.Collection;
import java.util.Locale;

/// Finds what a misspelt word may have been meant to be. Stateless.
public final class Spelling {
    private static final int LETTERS_WRONG_MAX = 2;

    private Spelling() {}

    /// `; did you mean …?`, or nothing.
    public static String hint(String word, Collection<String> known) {
        String best = "";
        int least = LETTERS_WRONG_MAX + 1;
        for (String candidate : known) {
            int distance =
                    distance(word.toLowerCase(Locale.ROOT), candidate.toLowerCase(Locale.ROOT));
            if (distance < least) {
                least = distance;
                best = candidate;
            }
        }
        return best.isEmpty() ? "" : "; did you mean " + best + "?";
    }

    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
