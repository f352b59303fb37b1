package io.margay.lab.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// One process of a cluster, which can be started again on the same ports. Its calls are guarded by
/// itself.
final class Member {
    private static final int CONNECT_MILLIS = 500;
    private static final int REPLY_MILLIS = 2_000;
    private static final String STATUS_LINE = "HTTP/1.1 200";
    private static final long LOG_CHARACTERS = 2_000;

    private final String name;
    private final int port;
    private final Path folder;
    private final List<String> command;
    private final Map<String, String> environment;
    private @Nullable Process process;
    private boolean ended;

    /// @param port that it listens at when it is ready
    Member(
            String name,
            int port,
            Path folder,
            List<String> command,
            Map<String, String> environment) {
        this.name = name;
        this.port = port;
        this.folder = folder;
        this.command = List.copyOf(command);
        this.environment = Map.copyOf(environment);
    }

    String name() {
        return name;
    }

    int port() {
        return port;
    }

    private Path log() {
        return folder.resolve(name + ".log");
    }

    /// Starts it, unless it has been told to end.
    synchronized void start() throws IOException {
        if (ended) {
            return;
        }
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()));
        builder.environment().keySet().removeIf(key -> key.startsWith("MARGAY"));
        builder.environment().putAll(environment);
        Process started = builder.start();
        process = started;
        started.getOutputStream().close();
    }

    synchronized boolean isAlive() {
        return process != null && process.isAlive();
    }

    /// Its number; -1 before it has been started.
    synchronized long pid() {
        return process == null ? -1 : process.pid();
    }

    /// How it ended, once it has.
    synchronized int exitCode() {
        return process == null ? -1 : process.exitValue();
    }

    /// Whether it listens.
    boolean answers() {
        try (Socket socket = new Socket()) {
            socket.connect(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MILLIS);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /// Whether it answers a path with 200, as a gateway does that has a container to ask.
    boolean serves(String path) {
        try (Socket socket = new Socket()) {
            socket.connect(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MILLIS);
            socket.setSoTimeout(REPLY_MILLIS);
            String request = "GET " + path + " HTTP/1.0\r\nHost: localhost\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            byte[] begin = socket.getInputStream().readNBytes(STATUS_LINE.length());
            return new String(begin, StandardCharsets.US_ASCII).matches("HTTP/1\\.[01] 200");
        } catch (IOException e) {
            return false;
        }
    }

    /// What it has written last.
    String end() throws IOException {
        if (!Files.exists(log())) {
            return "";
        }
        String text = Files.readString(log(), StandardCharsets.ISO_8859_1);
        return text.substring((int) Math.max(0, text.length() - LOG_CHARACTERS));
    }

    /// Asks it to end; it is not started again.
    synchronized void ask() {
        ended = true;
        if (process != null) {
            process.destroy();
        }
    }

    /// Waits until it has ended, and ends it by force when that takes too long.
    void awaitEnd(long seconds) {
        Process asked;
        synchronized (this) {
            asked = process;
        }
        if (asked == null) {
            return;
        }
        try {
            if (!asked.waitFor(seconds, TimeUnit.SECONDS)) {
                asked.destroyForcibly();
                boolean _ = asked.waitFor(seconds, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            asked.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
