package io.margay.lab.machine;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// The programs of this machine. Immutable.
///
/// @param folders where programs are looked for
public record Tools(List<Path> folders) {
    private static final long RUN_SECONDS_MAX = 300;

    /// Those on the search path, and where Debian keeps servers.
    public static Tools ofThisMachine(Map<String, String> environment) {
        List<Path> folders = new ArrayList<>();
        for (String folder : environment.getOrDefault("PATH", "").split(File.pathSeparator)) {
            if (!folder.isEmpty()) {
                folders.add(Path.of(folder));
            }
        }
        folders.addAll(List.of(Path.of("/usr/sbin"), Path.of("/usr/local/sbin"), Path.of("/sbin")));
        return new Tools(List.copyOf(folders));
    }

    /// Where a program is.
    public Optional<Path> find(String program) {
        return folders.stream()
                .map(folder -> folder.resolve(program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /// Where a program is, that was found to be there before.
    ///
    /// @throws IOException if it is no longer
    public Path get(String program) throws IOException {
        return find(program).orElseThrow(() -> new IOException(program + " is not installed"));
    }

    /// Runs a program to its end, and gives what it prints on both outputs.
    ///
    /// @throws IOException if it fails, with the end of what it printed
    public static String run(List<String> command, Path folder) throws IOException {
        return run(command, folder, RUN_SECONDS_MAX);
    }

    /// The same with its own bound for how long the program may take.
    public static String run(List<String> command, Path folder, long secondsMax)
            throws IOException {
        return run(command, folder, Map.of(), secondsMax);
    }

    /// The same with more in its environment.
    public static String run(
            List<String> command, Path folder, Map<String, String> environment, long secondsMax)
            throws IOException {
        Path output = Files.createTempFile("margay-lab", ".out");
        try {
            ProcessBuilder builder =
                    new ProcessBuilder(command)
                            .directory(folder.toFile())
                            .redirectErrorStream(true)
                            .redirectOutput(output.toFile());
            builder.environment().putAll(environment);
            Process process = builder.start();
            process.getOutputStream().close();
            try {
                if (!process.waitFor(secondsMax, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                    throw new IOException(command.getFirst() + " did not end in time");
                }
            } catch (InterruptedException e) {
                process.destroyForcibly();
                Thread.currentThread().interrupt();
                throw new IOException(command.getFirst() + " was interrupted", e);
            }
            String text = Files.readString(output).strip();
            if (process.exitValue() != 0) {
                List<String> lines = text.lines().toList();
                String end =
                        String.join(
                                "\n", lines.subList(Math.max(0, lines.size() - 8), lines.size()));
                throw new IOException(
                        "%s failed with exit code %d:%n%s"
                                .formatted(command.getFirst(), process.exitValue(), end));
            }
            return text;
        } finally {
            Files.deleteIfExists(output);
        }
    }

    /// The first line a program prints; nothing if it fails.
    public static String firstLine(String... command) {
        try {
            return run(List.of(command), Path.of(".")).lines().findFirst().orElse("");
        } catch (IOException e) {
            return "";
        }
    }
}
