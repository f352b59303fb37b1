package io.margay.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The program at the head of the page on embedding does what the page says.
@Tag("slow")
final class EmbeddingPageTest {
    @TempDir Path folder;

    @Test
    void program_ofThePage_serves() throws Exception {
        Path page =
                Path.of(System.getProperty("margay.root", "..")).resolve("docs/guide/embedding.md");
        String text = Files.readString(page);
        int begin = text.indexOf("```java\n") + "```java\n".length();
        String program = text.substring(begin, text.indexOf("```", begin));
        assertTrue(program.lines().filter(line -> !line.isBlank()).count() <= 12, program);
        Path source = Files.writeString(folder.resolve("Hello.java"), program);
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:TieredStopAtLevel=1",
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                System.getProperty("java.class.path"),
                                source.toString())
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .start();
        try (BufferedReader output = process.inputReader();
                HttpClient client = HttpClient.newHttpClient()) {
            String line = String.valueOf(output.readLine());
            assertTrue(line.startsWith("http://"), line);
            var request = HttpRequest.newBuilder(URI.create(line)).build();
            assertEquals("hello", client.send(request, BodyHandlers.ofString()).body().strip());
            assertTrue(process.isAlive());
        } finally {
            process.destroy();
            assertTrue(process.waitFor(20, TimeUnit.SECONDS));
        }
        try (var files = Files.list(folder)) {
            assertEquals(List.of(source), files.toList());
        }
    }
}
