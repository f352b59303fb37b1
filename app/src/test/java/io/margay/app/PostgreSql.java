package io.margay.app;

import io.margay.testkit.Folders;
import io.margay.testkit.FreePort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/// PostgreSQL of the system, with a cluster of its own in a temporary folder, on a loopback port.
/// It runs as `postgres` where the tests run as root, whom it refuses.
final class PostgreSql implements AutoCloseable {
    static final String USER = "shop";
    static final String PASSWORD = "s3cret";

    private static final long SECONDS_MAX = 60;

    private final Path folder;
    private final int port;
    private Process process;

    private PostgreSql(Path folder, int port) {
        this.folder = folder;
        this.port = port;
    }

    static PostgreSql start() throws IOException, InterruptedException {
        PostgreSql server =
                new PostgreSql(Files.createTempDirectory("margay-postgres-"), FreePort.next());
        boolean started = false;
        try {
            server.initialise();
            server.run();
            started = true;
            return server;
        } finally {
            if (!started) {
                server.close();
            }
        }
    }

    private void initialise() throws IOException, InterruptedException {
        Path password = Files.writeString(folder.resolve("password"), PASSWORD + "\n");
        if (isRoot()) {
            var owner =
                    folder.getFileSystem()
                            .getUserPrincipalLookupService()
                            .lookupPrincipalByName("postgres");
            Files.setOwner(folder, owner);
            Files.setOwner(password, owner);
        }
        Process made =
                command(
                        "initdb",
                        "--no-sync",
                        "--auth=scram-sha-256",
                        "--username=" + USER,
                        "--pwfile=" + password,
                        "--encoding=UTF8",
                        "--locale=C",
                        "--pgdata=" + folder.resolve("data"));
        if (!made.waitFor(SECONDS_MAX, TimeUnit.SECONDS) || made.exitValue() != 0) {
            made.destroyForcibly();
            throw new AssertionError("initdb: " + log());
        }
    }

    /// Runs it, the first time or again.
    void run() throws IOException {
        Files.deleteIfExists(folder.resolve("log"));
        process =
                command(
                        "postgres",
                        "-F",
                        "-D",
                        folder.resolve("data").toString(),
                        "-h",
                        "127.0.0.1",
                        "-p",
                        String.valueOf(port),
                        "-k",
                        "");
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_MAX);
        while (!log().contains("ready to accept connections")) {
            if (System.nanoTime() - end > 0 || !process.isAlive()) {
                throw new AssertionError("postgres does not start: " + log());
            }
            LockSupport.parkNanos(10_000_000L);
        }
    }

    private Process command(String program, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        if (isRoot()) {
            command.addAll(
                    List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"));
        }
        command.add(program(program).toString());
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
    }

    private static Path program(String name) throws IOException {
        Path versions = Path.of("/usr/lib/postgresql");
        if (Files.isDirectory(versions)) {
            try (Stream<Path> found = Files.list(versions)) {
                var newest =
                        found.map(version -> version.resolve("bin").resolve(name))
                                .filter(Files::isExecutable)
                                .max(Comparator.naturalOrder());
                if (newest.isPresent()) {
                    return newest.get();
                }
            }
        }
        throw new AssertionError("PostgreSQL is missing: install the package postgresql");
    }

    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    private String log() throws IOException {
        Path log = folder.resolve("log");
        return Files.exists(log) ? Files.readString(log) : "no log";
    }

    String url() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
    }

    /// Ends it at once (SIGQUIT), with all connections; what was committed stays.
    void stop() throws IOException {
        if (process == null) {
            return;
        }
        try {
            new ProcessBuilder("kill", "-QUIT", String.valueOf(process.pid())).start().waitFor();
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() throws IOException {
        stop();
        Folders.delete(folder);
    }
}
