package io.margay.app;

import io.margay.testkit.program.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// PostgreSQL of the system, with a cluster of its own in a temporary folder, on a loopback port.
/// It runs as `postgres` where the tests run as root, whom it refuses.
public final class PostgreSql implements AutoCloseable {
    public static final String USER = "shop";
    public static final String PASSWORD = "s3cret";

    private final DatabaseProcess process;

    private PostgreSql(DatabaseProcess process) {
        this.process = process;
    }

    public static PostgreSql start() throws IOException, InterruptedException {
        PostgreSql server = new PostgreSql(new DatabaseProcess("postgres"));
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
        Path folder = process.folder();
        Path password = Files.writeString(folder.resolve("password"), PASSWORD + "\n");
        own(folder);
        own(password);
        process.make(
                command(
                        "initdb",
                        "--no-sync",
                        "--auth=scram-sha-256",
                        "--username=" + USER,
                        "--pwfile=" + password,
                        "--encoding=UTF8",
                        "--locale=C",
                        "--pgdata=" + folder.resolve("data")));
    }

    /// Gives a file to the user as whom it runs.
    public static void own(Path file) throws IOException {
        if (DatabaseProcess.isRoot()) {
            var users = file.getFileSystem().getUserPrincipalLookupService();
            Files.setOwner(file, users.lookupPrincipalByName("postgres"));
        }
    }

    /// Runs it, the first time or again.
    public void run() throws IOException {
        process.run(
                command(
                        "postgres",
                        "-F",
                        "-D",
                        process.folder().resolve("data").toString(),
                        "-h",
                        "127.0.0.1",
                        "-p",
                        String.valueOf(process.port()),
                        "-k",
                        ""),
                "ready to accept connections");
    }

    private static List<String> command(String program, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        if (DatabaseProcess.isRoot()) {
            command.addAll(
                    List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"));
        }
        command.add(program(program).toString());
        command.addAll(List.of(arguments));
        return command;
    }

    private static Path program(String name) throws IOException {
        Path versions = Path.of("/usr/lib/postgresql");
        if (Files.isDirectory(versions) && !Program.isHidden("postgresql")) {
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
        throw Program.missing(name, "postgresql");
    }

    public Path folder() {
        return process.folder();
    }

    public int port() {
        return process.port();
    }

    public String url() {
        return "jdbc:postgresql://127.0.0.1:" + process.port() + "/postgres";
    }

    /// Ends it at once (SIGQUIT), with all connections; what was committed stays.
    public void stop() throws IOException {
        process.stop("QUIT");
    }

    @Override
    public void close() throws IOException {
        stop();
        process.close();
    }
}
