package io.margay.app.script;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.program.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Runs `bin/watched`, by which continuous integration ends what hangs.
@Tag("slow")
@EnabledOnOs(value = OS.LINUX, disabledReason = "it needs tail and stat of GNU")
final class WatchedTest {
    private static final Path CHECKOUT = Path.of(System.getProperty("margay.root", ".."));

    @TempDir Path folder;

    private record Result(int exit, String output) {}

    @BeforeEach
    void copy() throws IOException {
        Files.createDirectory(folder.resolve("bin"));
        for (String script : List.of("watched", "find-jdk")) {
            Path copy =
                    Files.copy(
                            CHECKOUT.resolve("bin").resolve(script),
                            folder.resolve("bin").resolve(script));
            assertTrue(copy.toFile().setExecutable(true));
        }
    }

    private Result run(String seconds, String... command) throws Exception {
        List<String> words = new ArrayList<>(List.of("bin/watched", seconds));
        words.addAll(List.of(command));
        Path output = folder.resolve("output");
        Process process =
                new ProcessBuilder(words)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        process.getOutputStream().close();
        assertTrue(process.waitFor(60, TimeUnit.SECONDS), "still running");
        return new Result(process.exitValue(), Files.readString(output, UTF_8));
    }

    @Test
    void commandThatEnds_isWaitedForAlone() throws Exception {
        Path pid = folder.resolve("pid");
        try {
            // What it leaves running keeps its output open.
            Result result = run("60", "sh", "-c", "echo one; sleep 600 & echo $! >pid; exit 3");
            assertEquals(new Result(3, "one\n"), result);
        } finally {
            ProcessHandle.of(Long.parseLong(Files.readString(pid).strip()))
                    .ifPresent(ProcessHandle::destroy);
        }
    }

    @Test
    void commandThatIsSilent_isShownAndEnded() throws Exception {
        Files.writeString(
                folder.resolve("Silent.java"),
                """
                void main() throws Exception {
                    Thread.sleep(600_000);
                }
                """);
        String java = Path.of(System.getProperty("java.home"), "bin/java").toString();
        String _ = Program.of("pgrep");
        Result result = run("5", "sh", "-c", "echo one; " + java + " Silent.java; echo two");
        assertEquals(124, result.exit());
        assertTrue(result.output().startsWith("one\nnothing written for 5 s"), result.output());
        assertTrue(result.output().contains("at Silent.main("), result.output());
        assertFalse(result.output().lines().anyMatch("two"::equals), result.output());
        assertTrue(
                ProcessHandle.allProcesses()
                        .noneMatch(process ->
                                process.info().arguments().stream()
                                        .flatMap(Stream::of)
                                        .anyMatch("Silent.java"::equals)));
    }
}
