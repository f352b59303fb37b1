package io.margay.app.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A start loads no class of what is not used: each would be paid for at each start.
final class StartClassesIT {
    /// Java Flight Recorder, JMX, readers of YAML and JSON, telemetry, and the protocols, keys and
    /// engines that nobody has asked for.
    private static final Pattern UNUSED =
            Pattern.compile(
                    "jdk\\.jfr\\.(internal|events)\\..*"
                            + "|io\\.margay\\..*\\.(RequestEvent|AttemptEvent|SessionCallEvent)"
                            + "|(com\\.sun\\.jmx|sun\\.management|org\\.snakeyaml|com\\.fasterxml"
                            + "|io\\.opentelemetry|io\\.prometheus|org\\.bouncycastle|org\\.xbill"
                            + "|redis|org\\.shredzone|com\\.nimbusds|org\\.glassfish\\.tyrus"
                            + "|javax\\.net\\.ssl|org\\.eclipse\\.jdt|org\\.objectweb)\\..*");

    @TempDir Path folder;

    @Test
    void start_untilAServletAnswers_loadsNothingOfWhatIsOff() throws Exception {
        Path page = Files.createDirectories(folder.resolve("app/WEB-INF")).resolveSibling("a.txt");
        Files.writeString(page, "served");
        Path log = folder.resolve("classes.txt");
        Map<String, String> options =
                Map.of("MARGAY_JAVA_OPTS", "-Xlog:class+load:file=" + log + ":none");
        Path margay = ServerProcess.checkout().resolve("margay");
        try (ServerProcess server =
                ServerProcess.script(margay, folder, options, "run", "app", "--http", "0")) {
            Browser browser = new Browser(server.awaitMargay());
            for (int i = 0; i < 2; i++) { // The end of the first comes before the second.
                assertEquals("served", browser.get("/a.txt").body());
            }
            server.terminate();
        }
        List<String> loaded =
                Files.readAllLines(log).stream().map(line -> line.split(" ", 2)[0]).toList();
        assertTrue(loaded.contains("io.margay.server.sight.Sight"), loaded.toString());
        List<String> unused =
                loaded.stream().filter(name -> UNUSED.matcher(name).matches()).toList();
        assertEquals(List.of(), unused);
    }
}
