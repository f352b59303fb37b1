package io.margay.app;

import io.margay.testkit.Folders;
import io.margay.testkit.FreePort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// MariaDB of the system, with data of its own in a temporary folder, on a loopback port.
final class MariaDb implements AutoCloseable {
    private static final String USER = "shop";
    private static final String PASSWORD = "s3cret";
    private static final long SECONDS_MAX = 60;

    private final Path folder;
    private final int port;
    private Process process;

    private MariaDb(Path folder, int port) {
        this.folder = folder;
        this.port = port;
    }

    static MariaDb start() throws IOException, InterruptedException {
        MariaDb server = new MariaDb(Files.createTempDirectory("margay-mariadb-"), FreePort.next());
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
        Files.writeString(
                folder.resolve("init.sql"),
                """
                CREATE DATABASE IF NOT EXISTS shop;
                CREATE USER IF NOT EXISTS %1$s@'127.0.0.1' IDENTIFIED BY '%2$s';
                GRANT ALL ON shop.* TO %1$s@'127.0.0.1';
                """
                        .formatted(USER, PASSWORD));
        Process made =
                command(
                        "mariadb-install-db",
                        "--no-defaults",
                        "--auth-root-authentication-method=normal",
                        "--skip-test-db",
                        "--datadir=" + folder.resolve("data"));
        if (!made.waitFor(SECONDS_MAX, TimeUnit.SECONDS) || made.exitValue() != 0) {
            made.destroyForcibly();
            throw new AssertionError("mariadb-install-db: " + log());
        }
    }

    /// Runs it, the first time or again.
    void run() throws IOException {
        Files.deleteIfExists(folder.resolve("log"));
        process =
                command(
                        "mariadbd",
                        "--no-defaults",
                        "--datadir=" + folder.resolve("data"),
                        "--init-file=" + folder.resolve("init.sql"),
                        "--bind-address=127.0.0.1",
                        "--port=" + port,
                        "--socket=" + folder.resolve("socket"),
                        "--pid-file=" + folder.resolve("pid"),
                        "--skip-name-resolve",
                        "--innodb-flush-log-at-trx-commit=2",
                        "--innodb-buffer-pool-size=32M");
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_MAX);
        while (!log().contains("ready for connections")) {
            if (System.nanoTime() - end > 0 || !process.isAlive()) {
                throw new AssertionError("mariadbd does not start: " + log());
            }
            LockSupport.parkNanos(10_000_000L);
        }
    }

    private Process command(String program, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(program(program).toString()));
        command.addAll(List.of(arguments));
        if ("root".equals(System.getProperty("user.name"))) {
            command.add("--user=root");
        }
        return new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
    }

    private static Path program(String name) {
        for (String place : List.of("/usr/sbin", "/usr/bin", "/usr/local/bin")) {
            Path file = Path.of(place, name);
            if (Files.isExecutable(file)) {
                return file;
            }
        }
        throw new AssertionError("MariaDB is missing: install the package mariadb-server");
    }

    private String log() throws IOException {
        Path log = folder.resolve("log");
        return Files.exists(log) ? Files.readString(log) : "no log";
    }

    /// With user and password.
    String url() {
        return "jdbc:mariadb://127.0.0.1:%d/shop?user=%s&password=%s&sslMode=disable"
                .formatted(port, USER, PASSWORD);
    }

    /// Ends it at once, with all connections; what was committed stays, for it is the machine that
    /// would have to fail for a loss.
    void stop() {
        if (process != null) {
            process.destroyForcibly();
            process.onExit().orTimeout(SECONDS_MAX, TimeUnit.SECONDS).join();
        }
    }

    @Override
    public void close() {
        stop();
        Folders.delete(folder);
    }
}
