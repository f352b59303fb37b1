package io.margay.servlet.descriptor;

import io.margay.servlet.xml.DescriptorException;
import io.margay.servlet.xml.Origin;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/// Collects what is wrong with the declarations of one application, so that all of it is reported
/// at once. Confined to the deploying thread.
final class Problems {
    /// More than this tell an administrator nothing new.
    private static final int REPORTED_MAX = 50;

    private final List<String> errors = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    void error(Origin origin, String what) {
        add(errors, origin + ": " + what);
    }

    void warning(Origin origin, String what) {
        add(warnings, origin + ": " + what);
    }

    private static void add(List<String> list, String text) {
        if (list.size() < REPORTED_MAX) {
            list.add(text);
        }
    }

    List<String> warnings() {
        return List.copyOf(warnings);
    }

    void throwIfAny() {
        if (!errors.isEmpty()) {
            throw new DescriptorException(errors);
        }
    }

    /// The candidate nearest to `name` for a "did you mean", or an empty text.
    static String nearest(String name, Collection<String> candidates) {
        String best = "";
        int bestDistance = Math.max(2, name.length() / 3) + 1;
        for (String candidate : candidates) {
            int distance = distance(name, candidate);
            if (distance < bestDistance) {
                bestDistance = distance;
                best = candidate;
            }
        }
        return best;
    }

    /// Levenshtein distance.
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int above = row[j];
                int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(change, Math.min(above, row[j - 1]) + 1);
                diagonal = above;
            }
        }
        return row[b.length()];
    }
}
