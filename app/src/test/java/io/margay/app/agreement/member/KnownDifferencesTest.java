package io.margay.app.agreement.member;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Why answers may differ from httpd's without a line that `check` names is said on the page about
/// httpd's files: every reason, and no other.
final class KnownDifferencesTest {
    private static final Path PAGE =
            Path.of(System.getProperty("margay.root", ".."))
                    .resolve("docs/reference/gateway-compat.md");

    private static final String FROM = "or for one of these reasons";
    private static final String TO = "\n## ";

    @Test
    void reasons_areThoseOfThePage() throws IOException {
        String page = Files.readString(PAGE);
        int from = page.indexOf(FROM);
        String section = page.substring(from, page.indexOf(TO, from));
        Map<String, List<String>> said = new TreeMap<>();
        for (String kind : section.split("\n- ", -1)) {
            String text = kind.strip().replaceAll("\\s+", " ");
            int colon = text.indexOf(": ");
            if (!text.startsWith(FROM)) {
                said.put(
                        text.substring(0, 1).toLowerCase(Locale.ROOT) + text.substring(1, colon),
                        List.of(text.substring(colon + 2, text.length() - 1).split("; ", -1)));
            }
        }
        assertEquals(new TreeMap<>(KnownDifferences.texts()), said);
    }
}
