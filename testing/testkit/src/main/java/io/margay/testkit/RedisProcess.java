package io.margay.testkit;

import io.margay.testkit.program.Kill;
import io.margay.testkit.program.Program;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A `redis-server` of the system, or what the environment's `REDIS_SERVER` or `VALKEY_SERVER`
/// names, on a loopback port, which keeps nothing over its end unless it is told to. Used by one
/// thread; everything waits within a bound.
public final class RedisProcess implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int TRIES_MAX = 3;
    private static final long POLL_NANOS = 5_000_000L;

    private final String program;
    private final Path folder;
    private final int port;
    private final List<String> options;

    /// Its configuration, which it may rewrite; null where it has none.
    private final @Nullable Path configuration;

    private final Duration patience;
    private @Nullable Process process;

    private RedisProcess(
            String program,
            Path folder,
            int port,
            Duration patience,
            boolean rewrites,
            List<String> options) {
        this.program = program;
        this.folder = folder;
        this.configuration = rewrites ? folder.resolve("redis.conf") : null;
        this.port = port;
        this.patience = patience;
        this.options = options;
    }

    /// Starts one.
    ///
    /// @param options as on its command line, as `--requirepass`, `secret`
    public static RedisProcess start(String... options) throws IOException {
        for (int tries = 1; ; tries++) {
            try {
                return startAt(FreePort.next(), options);
            } catch (AssertionError e) {
                // The bus of a cluster has a port 10000 above, which may be somebody's.
                String text = String.valueOf(e.getMessage());
                if (tries == TRIES_MAX || !text.contains("Address already in use")) {
                    throw e;
                }
            }
        }
    }

    /// Starts one that is what it was when it starts again, as servers that sentinels watch are:
    /// what it is told to be is written into its configuration.
    public static RedisProcess startThatRewrites(String... options) throws IOException {
        return startWithin(
                program(System.getenv()), PATIENCE, FreePort.next(), true, List.of(options));
    }

    /// The same on a port.
    public static RedisProcess startAt(int port, String... options) throws IOException {
        return startWithin(PATIENCE, port, options);
    }

    /// The same within a time; what was begun is ended if it does not answer by then.
    public static RedisProcess startWithin(Duration patience, int port, String... options)
            throws IOException {
        boolean sentinel = List.of(options).contains("--sentinel");
        return startWithin(program(System.getenv()), patience, port, sentinel, List.of(options));
    }

    /// Starts one by name.
    ///
    /// @param program one of [#programs]
    public static RedisProcess startOf(String program, String... options) throws IOException {
        String named = named(program, System.getenv());
        return startWithin(named, PATIENCE, FreePort.next(), false, List.of(options));
    }

    private static RedisProcess startWithin(
            String program, Duration patience, int port, boolean rewrites, List<String> options)
            throws IOException {
        RedisProcess server =
                new RedisProcess(
                        program,
                        Files.createTempDirectory("margay-redis-"),
                        port,
                        patience,
                        rewrites,
                        options);
        boolean started = false;
        try {
            server.run();
            started = true;
            return server;
        } finally {
            if (!started) {
                server.close();
            }
        }
    }

    /// What is run: another one by `REDIS_SERVER`, or a `valkey-server` by `VALKEY_SERVER`.
    ///
    /// @param environment of this process
    public static String program(Map<String, String> environment) {
        String redis = environment.getOrDefault("REDIS_SERVER", "");
        String named = redis.isEmpty() ? environment.getOrDefault("VALKEY_SERVER", "") : redis;
        return named.isEmpty() ? "redis-server" : named;
    }

    /// A `redis-server` and a `valkey-server`, as far as there are any: tests of each are skipped
    /// only where there is neither.
    public static List<String> programs() {
        Map<String, String> environment = System.getenv();
        List<String> found =
                Stream.of("redis-server", "valkey-server")
                        .filter(each -> Program.find(named(each, environment)).isPresent())
                        .toList();
        return found.isEmpty() ? List.of("redis-server") : found;
    }

    /// What is run by that name: another one by `REDIS_SERVER` or `VALKEY_SERVER`.
    private static String named(String program, Map<String, String> environment) {
        String variable = program.replace('-', '_').toUpperCase(Locale.ROOT);
        String other = environment.getOrDefault(variable, "");
        return other.isEmpty() ? program : other;
    }

    /// Starts it, the first time or again.
    public void run() throws IOException {
        List<String> command = new ArrayList<>(List.of(Program.of(program)));
        if (configuration != null) {
            command.add(configuration.toString());
            if (!Files.exists(configuration)) {
                Files.createFile(configuration);
            }
        }
        command.addAll(List.of("--bind", "127.0.0.1", "--port", String.valueOf(port)));
        command.addAll(List.of("--dir", folder.toString()));
        if (!options.contains("--sentinel")) {
            command.addAll(List.of("--save", "", "--appendonly", "no"));
        }
        command.addAll(options);
        Process started =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("log").toFile())
                        .start();
        process = started;
        long end = System.nanoTime() + patience.toNanos();
        while (!answers()) {
            if (System.nanoTime() > end || !started.isAlive()) {
                throw new AssertionError(
                        command.getFirst()
                                + " does not start: "
                                + Files.readString(folder.resolve("log")));
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    private boolean answers() {
        try {
            return !command("PING").isEmpty();
        } catch (IOException e) {
            return false;
        }
    }

    public int port() {
        return port;
    }

    /// Has it do one command, over a connection of its own without TLS and without a login.
    ///
    /// @return what it answers, as it comes
    public String command(String line) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(5000);
            socket.getOutputStream().write((line + "\r\n").getBytes(StandardCharsets.US_ASCII));
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    /// Has it stand still, with its connections open.
    public void freeze() throws IOException {
        signal("STOP");
    }

    /// Has it go on.
    public void thaw() throws IOException {
        signal("CONT");
    }

    private void signal(String signal) throws IOException {
        try {
            Kill.send(signal, Objects.requireNonNull(process).pid());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Ends it at once, with all connections.
    public void stop() {
        Process running = process;
        if (running == null) {
            return;
        }
        running.destroyForcibly();
        try {
            boolean _ = running.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        stop();
        Folders.delete(folder);
    }
}
