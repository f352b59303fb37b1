package io.margay.lab.hostile;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The lab's end of [HostileClients]. Confined to one thread, but for [#close].
public final class HostileProcess implements AutoCloseable {
    private final Process process;
    private final BufferedReader out;
    private final HostileKind kind;
    private long again;

    /// Starts it, and waits until all that are held are connected.
    ///
    /// @param prefix words before the command, such as those that pin it to a core
    /// @param count connections, or requests
    /// @param log where its standard error goes
    public HostileProcess(
            List<String> prefix, HostileKind kind, int port, int count, String path, Path log)
            throws IOException {
        this.kind = kind;
        List<String> command = new ArrayList<>(prefix);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(
                List.of(
                        "-XX:+UseSerialGC",
                        "-Xmx512m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        HostileClients.class.getName(),
                        kind.name(),
                        String.valueOf(port),
                        String.valueOf(count),
                        path));
        process =
                new ProcessBuilder(command)
                        .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                        .start();
        out = process.inputReader(StandardCharsets.US_ASCII);
        if (kind.isSlow()) {
            String _ = await("ready");
        }
    }

    private String await(String word) throws IOException {
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            if (line.startsWith("again ")) {
                again = Long.parseLong(line.substring(6));
            } else if (line.startsWith(word)) {
                return line.substring(word.length()).strip();
            }
        }
        throw new IOException("the clients of " + kind + " have ended before they were " + word);
    }

    /// Waits until it has done what was asked.
    ///
    /// @return how it went, in words
    public String awaitEnd() throws IOException {
        return await("ended");
    }

    /// How many were thrown out and came again, as it has said so far.
    public long again() throws IOException {
        while (out.ready()) {
            String line = out.readLine();
            if (line != null && line.startsWith("again ")) {
                again = Long.parseLong(line.substring(6));
            }
        }
        return again;
    }

    /// Ends it. Thread-safe.
    @Override
    public void close() {
        process.destroy();
    }
}
