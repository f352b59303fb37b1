package io.margay.app.it;

import io.margay.testkit.FreePort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// H2 as a process of its own, which keeps one database in a file. Used by one thread.
final class H2Server implements ClusterEngine {
    private final Path folder;
    private final Path driver;
    private final int port = FreePort.next();
    private ServerProcess process;

    /// @param table statements that make its tables
    H2Server(Path folder, String table) throws IOException, InterruptedException {
        this.folder = Files.createDirectories(folder);
        driver = find();
        start();
        Path script = Files.writeString(folder.resolve("table.sql"), table);
        try (ServerProcess made =
                ServerProcess.other(
                        folder,
                        java(),
                        "-cp",
                        driver.toString(),
                        "org.h2.tools.RunScript",
                        "-url",
                        url(),
                        "-user",
                        "sa",
                        "-script",
                        script.toString())) {
            if (made.awaitExit() != 0) {
                throw new IOException("no table: " + made);
            }
        }
    }

    /// The driver that one of the example applications has.
    private static Path find() throws IOException {
        Path libraries =
                ServerProcess.checkout().resolve("examples/target/webapps/guestbook/WEB-INF/lib");
        try (Stream<Path> all = Files.list(libraries)) {
            return all.filter(it -> it.getFileName().toString().startsWith("h2"))
                    .findFirst()
                    .orElseThrow(() -> new IOException("no H2 in " + libraries));
        }
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    Path driver() {
        return driver;
    }

    String url() {
        return "jdbc:h2:tcp://127.0.0.1:" + port + "/./sessions";
    }

    private void start() throws IOException {
        process =
                ServerProcess.other(
                        folder,
                        java(),
                        "-Xmx256m",
                        "-cp",
                        driver.toString(),
                        "org.h2.tools.Server",
                        "-tcp",
                        "-tcpPort",
                        String.valueOf(port),
                        "-ifNotExists",
                        "-baseDir",
                        folder.toString());
        process.awaitPort(port);
    }

    @Override
    public boolean canSuffer(ClusterFault fault) {
        return fault == ClusterFault.ENGINE;
    }

    /// SIGKILL, and a new process with what the file has.
    @Override
    public void suffer(ClusterFault fault, int container, Meanwhile meanwhile) throws IOException {
        process.close();
        start();
    }

    @Override
    public void close() {
        process.close();
    }
}
