package io.margay.packages;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/// Programs that a task of the build runs one after the other. Immutable.
///
/// @param folder in which they run
/// @param environment what is added to that of the task
record Commands(Path folder, Map<String, String> environment) {
    Commands {
        environment = Map.copyOf(environment);
    }

    /// Whether a program is on the path, or in the folder that a task has brought it to.
    static boolean has(String program) {
        return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    /// Runs a program to its end.
    ///
    /// @throws IOException also if it fails
    void run(Object... words) throws IOException, InterruptedException {
        Process process = started(words).inheritIO().redirectInput(NOTHING).start();
        require(process, words, "");
    }

    /// What a program prints, without the line breaks at the end.
    ///
    /// @throws IOException also if it fails
    String output(Object... words) throws IOException, InterruptedException {
        Process process =
                started(words)
                        .redirectInput(NOTHING)
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        return said(process, words);
    }

    /// The same, with what it says of errors; only these appear where it fails.
    String quiet(Object... words) throws IOException, InterruptedException {
        return said(started(words).redirectInput(NOTHING).redirectErrorStream(true).start(), words);
    }

    private static final File NOTHING = new File("/dev/null");

    private String said(Process process, Object[] words) throws IOException, InterruptedException {
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        require(process, words, said);
        return said.stripTrailing();
    }

    private static void require(Process process, Object[] words, String said)
            throws IOException, InterruptedException {
        if (process.waitFor() != 0) {
            throw new IOException("failed: " + text(words) + "\n" + said);
        }
    }

    private static String text(Object[] words) {
        return String.join(" ", Arrays.stream(words).map(Object::toString).toList());
    }

    /// A program before it starts, in the folder and with the environment of all.
    ProcessBuilder started(Object... words) {
        List<String> command = Arrays.stream(words).map(Object::toString).toList();
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().putAll(environment);
        return builder;
    }
}
