package io.margay.app.tidy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.margay.gateway.shield.Shield;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// Records that have a secret do not show it: what is printed of settings, in logs and in the
/// message of an exception, is what `toString` says.
final class SecretsTest {
    private static final Pattern RECORD =
            Pattern.compile("\\brecord (\\w+)\\s*\\(([^{]*?)\\)\\s*(?:implements [^{]*)?\\{");

    /// Text that is secret by its name; arrays do not show what is in them.
    private static final Pattern SECRET =
            Pattern.compile("String\\s+\\w*(?i:secret|password|token|hmac|credential)\\s*(?:,|$)");

    /// Records with a secret that show it.
    private static List<String> showing(String source) {
        List<String> found = new ArrayList<>();
        Matcher at = RECORD.matcher(source);
        while (at.find()) {
            if (SECRET.matcher(at.group(2)).find()
                    && !body(source, at.end()).contains("String toString()")) {
                found.add(at.group(1));
            }
        }
        return found;
    }

    private static String body(String source, int from) {
        int depth = 1;
        int end = from;
        while (depth > 0 && end < source.length()) {
            char c = source.charAt(end++);
            depth += c == '{' ? 1 : c == '}' ? -1 : 0;
        }
        return source.substring(from, end);
    }

    @Test
    void recordsWithSecrets_doNotShowThem() {
        List<String> found = new ArrayList<>();
        SourceTree.texts()
                .forEach((path, text) -> {
                    if (path.contains("src/main/java") && !path.startsWith("lab/")) {
                        showing(text).forEach(record -> found.add(path + ": " + record));
                    }
                });
        assertEquals(List.of(), found);
    }

    @Test
    void recordThatShowsItsSecret_isFound() {
        assertEquals(List.of("A"), showing("record A(int a, @Nullable String bindPassword) {}"));
        assertEquals(List.of(), showing("record A(String passwordFile) {}"));
        assertEquals(
                List.of(), showing("record A(String secret) { public String toString() {x} }"));
    }

    @Test
    void secretOfAShield_isNotShown() {
        Shield.Means means =
                new Shield.Means(() -> 0, () -> 0, () -> 0, new SplittableRandom(), "very-secret");
        assertFalse(means.toString().contains("very-secret"));
    }
}
