package io.margay.app;

import io.margay.testkit.Folders;
import io.margay.testkit.FreePort;
import io.margay.testkit.program.Kill;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The process of a database of the system, with a temporary folder and a loopback port of its own.
/// Used by one thread; everything waits within a bound.
final class DatabaseProcess implements AutoCloseable {
    private static final long SECONDS_MAX = 60;
    private static final long END_SECONDS_MAX = 10;
    private static final long POLL_NANOS = 10_000_000L;

    private final Path folder;
    private final int port;
    private @Nullable Process process;

    /// @param name of its folder
    DatabaseProcess(String name) throws IOException {
        folder = Files.createTempDirectory("margay-" + name + "-");
        port = FreePort.next();
    }

    static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    Path folder() {
        return folder;
    }

    int port() {
        return port;
    }

    /// Runs a program that makes its data.
    void make(List<String> command) throws IOException, InterruptedException {
        Process made = start(command);
        if (!made.waitFor(SECONDS_MAX, TimeUnit.SECONDS) || made.exitValue() != 0) {
            made.destroyForcibly();
            throw new AssertionError(command.getFirst() + ": " + log());
        }
    }

    /// Runs it, the first time or again.
    ///
    /// @param ready what its log says when it serves
    void run(List<String> command, String ready) throws IOException {
        Files.deleteIfExists(folder.resolve("log"));
        Process started = start(command);
        process = started;
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_MAX);
        while (!log().contains(ready)) {
            if (System.nanoTime() - end > 0 || !started.isAlive()) {
                throw new AssertionError(command.getFirst() + " does not start: " + log());
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    private Process start(List<String> command) throws IOException {
        return new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
    }

    private String log() throws IOException {
        Path log = folder.resolve("log");
        return Files.exists(log) ? Files.readString(log) : "no log";
    }

    /// Ends it at once, with all connections; what was committed stays.
    ///
    /// @param signal that has it end so
    void stop(String signal) throws IOException {
        Process running = process;
        if (running == null || !running.isAlive()) {
            return;
        }
        try {
            send(signal, running);
            if (!running.waitFor(END_SECONDS_MAX, TimeUnit.SECONDS)) {
                running.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// One that has ended by itself meanwhile needs no signal.
    private static void send(String signal, Process running)
            throws IOException, InterruptedException {
        try {
            Kill.send(signal, running.pid());
        } catch (IOException e) {
            if (!running.waitFor(1, TimeUnit.SECONDS)) {
                throw e;
            }
        }
    }

    /// Ends what [#stop] has not ended, and removes the folder.
    @Override
    public void close() {
        Process running = process;
        if (running != null) {
            running.destroyForcibly();
            running.onExit().orTimeout(SECONDS_MAX, TimeUnit.SECONDS).join();
        }
        Folders.delete(folder);
    }
}
