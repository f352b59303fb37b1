package io.margay.app.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.config.file.ConfigFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What packages, manifests and the Helm chart say to a server, and of which version they are.
final class ReleasedFilesTest {
    private static final Path PACKAGES = Document.ROOT.resolve("packages");
    private static final Path MANIFESTS = PACKAGES.resolve("kubernetes/margay.yaml");
    private static final Path ADMIN =
            Document.ROOT.resolve("app/src/main/java/io/margay/app/admin/AdminHandler.java");
    private static final Pattern EMBEDDED =
            Pattern.compile("(?m)^ {2}margay\\.yaml: \\|\n((?: {4}.*\n| *\n)+)");
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Z_]+)");
    private static final Pattern PROBE = Pattern.compile("httpGet: \\{path: ([^,]+), port: admin}");

    @TempDir Path folder;

    @Test
    void configurationsOfPackages_areValid() throws IOException {
        for (String name : List.of("margay.yaml", "image.yaml")) {
            assertValid(Files.readString(PACKAGES.resolve("src/main/packages").resolve(name)));
        }
    }

    @Test
    void configurationsOfManifests_areValid() throws IOException {
        Matcher embedded = EMBEDDED.matcher(Files.readString(MANIFESTS));
        int tried = 0;
        while (embedded.find()) {
            tried++;
            assertValid(embedded.group(1).stripIndent());
        }
        assertEquals(2, tried, "a server's and a gateway's");
    }

    private void assertValid(String text) throws IOException {
        Map<String, String> variables = new HashMap<>();
        Matcher variable = VARIABLE.matcher(text);
        while (variable.find()) {
            boolean port = variable.group(1).endsWith("PORT");
            variables.put(variable.group(1), port ? "8080" : "text-of-more-than-32-characters-0");
        }
        Path file = Files.writeString(folder.resolve("margay.yaml"), text);
        List<String> problems = new ArrayList<>();
        ConfigFile.read(file, variables)
                .problems()
                .forEach(problem -> problems.add(problem.toString()));
        problems.removeIf(problem -> problem.endsWith(" does not exist"));
        assertEquals(List.of(), problems, text);
    }

    @Test
    void probesOfManifests_askWhatTheServerAnswers() throws IOException {
        String handler = Files.readString(ADMIN);
        Matcher probe = PROBE.matcher(Files.readString(MANIFESTS));
        int probes = 0;
        while (probe.find()) {
            probes++;
            assertTrue(handler.contains('"' + probe.group(1) + '"'), probe.group());
        }
        assertEquals(6, probes, "three of a server, three of a gateway");
    }

    @Test
    void chart_isOfTheVersionOfTheBuild() throws IOException {
        Matcher version =
                Pattern.compile("(?m)^ {2}<version>(.*)</version>$")
                        .matcher(Files.readString(Document.ROOT.resolve("pom.xml")));
        assertTrue(version.find());
        List<String> lines = Files.readAllLines(PACKAGES.resolve("kubernetes/margay/Chart.yaml"));
        assertTrue(lines.contains("version: " + version.group(1)), "version");
        assertTrue(lines.contains("appVersion: " + version.group(1)), "appVersion");
    }

    /// The drain of a server ends before Kubernetes and systemd end it.
    @Test
    void timesToStop_areLongerThanTheDrain() throws IOException {
        String manifests = Files.readString(MANIFESTS);
        Matcher drain = Pattern.compile("drain(?:-delay)?: ([0-9]+)s").matcher(manifests);
        int server = 0;
        for (int i = 0; i < 2; i++) {
            assertTrue(drain.find());
            server += Integer.parseInt(drain.group(1));
        }
        Matcher grace =
                Pattern.compile("terminationGracePeriodSeconds: ([0-9]+)").matcher(manifests);
        assertTrue(grace.find());
        assertTrue(Integer.parseInt(grace.group(1)) > server, grace.group());
    }
}
