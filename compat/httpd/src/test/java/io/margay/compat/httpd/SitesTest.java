package io.margay.compat.httpd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.compat.httpd.plan.GatewayPlan;
import io.margay.testkit.CorpusFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Configurations of whole sites, in the manner of those who run them: what the account says of
/// each is named there, and nothing else is served otherwise than by httpd, or not at all.
final class SitesTest {
    private static final Path SITES =
            Path.of(
                    System.getProperty("margay.root", ".."),
                    "compat/httpd/src/test/resources/sites");

    @TempDir Path folder;

    static List<CorpusFile> sites() {
        return CorpusFile.all(SITES);
    }

    @Test
    void sites_areAtLeastTwenty() {
        assertTrue(sites().size() >= 20, () -> sites().toString());
    }

    @ParameterizedTest
    @MethodSource("sites")
    void account_namesWhatIsOtherwise_andNothingElse(CorpusFile site) throws IOException {
        Map<String, String> values =
                Map.of(
                        "LISTEN", "8080",
                        "A_AJP", "8009",
                        "B_AJP", "8019",
                        "A_HTTP", "8081",
                        "B_HTTP", "8082",
                        "DIR", folder.toString());
        GatewayPlan plan = GatewayFiles.read(site.write(folder, values), Map.of());
        List<String> said =
                plan.failures().stream()
                        .map(line ->
                                line.verdict().name().toLowerCase(Locale.ROOT)
                                        + " "
                                        + line.directive())
                        .toList();
        assertEquals(
                String.join("\n", site.lines("account", values)),
                String.join("\n", said),
                () -> plan.failures().toString());
    }
}
