package io.margay.app;

import io.margay.testkit.program.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// MariaDB of the system, with data of its own in a temporary folder, on a loopback port.
public final class MariaDb implements AutoCloseable {
    private static final String USER = "shop";
    private static final String PASSWORD = "s3cret";

    private final DatabaseProcess process;

    private MariaDb(DatabaseProcess process) {
        this.process = process;
    }

    public static MariaDb start() throws IOException, InterruptedException {
        MariaDb server = new MariaDb(new DatabaseProcess("mariadb"));
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

    private Path file(String name) {
        return process.folder().resolve(name);
    }

    private void initialise() throws IOException, InterruptedException {
        Files.writeString(
                file("init.sql"),
                """
                CREATE DATABASE IF NOT EXISTS shop;
                CREATE USER IF NOT EXISTS %1$s@'127.0.0.1' IDENTIFIED BY '%2$s';
                GRANT ALL ON shop.* TO %1$s@'127.0.0.1';
                """
                        .formatted(USER, PASSWORD));
        process.make(
                command(
                        "mariadb-install-db",
                        "--no-defaults",
                        "--auth-root-authentication-method=normal",
                        "--skip-test-db",
                        "--datadir=" + file("data")));
    }

    /// Runs it, the first time or again.
    public void run() throws IOException {
        process.run(
                command(
                        "mariadbd",
                        "--no-defaults",
                        "--datadir=" + file("data"),
                        "--init-file=" + file("init.sql"),
                        "--bind-address=127.0.0.1",
                        "--port=" + process.port(),
                        "--socket=" + file("socket"),
                        "--pid-file=" + file("pid"),
                        "--skip-name-resolve",
                        "--innodb-flush-log-at-trx-commit=2",
                        "--innodb-buffer-pool-size=32M"),
                "ready for connections");
    }

    private static List<String> command(String program, String... arguments) {
        List<String> command = new ArrayList<>(List.of(Program.of(program)));
        command.addAll(List.of(arguments));
        if (DatabaseProcess.isRoot()) {
            command.add("--user=root");
        }
        return command;
    }

    /// With user and password. Has it do something that only its administrator may.
    public void asRoot(String sql) throws IOException, InterruptedException {
        Process client =
                new ProcessBuilder(
                                Program.of("mariadb"),
                                "--no-defaults",
                                "--socket=" + file("socket"),
                                "--user=root",
                                "--execute=" + sql)
                        .inheritIO()
                        .start();
        if (client.waitFor() != 0) {
            throw new IOException("refused: " + sql);
        }
    }

    /// Where its tables are.
    public Path tables() {
        return file("data").resolve("shop");
    }

    public int port() {
        return process.port();
    }

    public String url() {
        return url(port());
    }

    /// By another port that leads to it.
    public String url(int port) {
        return "jdbc:mariadb://127.0.0.1:%d/shop?user=%s&password=%s&sslMode=disable"
                .formatted(port, USER, PASSWORD);
    }

    /// Ends it at once, with all connections; what was committed stays, for it is the machine that
    /// would have to fail for a loss.
    public void stop() throws IOException {
        process.stop("KILL");
    }

    @Override
    public void close() {
        process.close();
    }
}
