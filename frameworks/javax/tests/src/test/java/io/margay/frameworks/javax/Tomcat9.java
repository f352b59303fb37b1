package io.margay.frameworks.javax;

import io.margay.testkit.FreePort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// A Tomcat 9 as a process of its own.
final class Tomcat9 implements AutoCloseable {
    private static final long START_SECONDS = 180;

    private final Process process;
    private final int port;

    private Tomcat9(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /// @param base an empty folder for it
    /// @param apps folders by context path
    static Tomcat9 start(Path home, Path base, Map<String, Path> apps) throws Exception {
        int port = FreePort.next();
        StringBuilder contexts = new StringBuilder();
        apps.forEach((path, folder) ->
                contexts.append("<Context path=\"%s\" docBase=\"%s\"/>".formatted(path, folder)));
        Files.createDirectories(base.resolve("conf"));
        Files.createDirectories(base.resolve("temp"));
        Files.createDirectories(base.resolve("webapps"));
        try (Stream<Path> files = Files.list(home.resolve("conf"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.copy(file, base.resolve("conf").resolve(file.getFileName()));
            }
        }
        Files.writeString(
                base.resolve("conf/server.xml"),
                """
                <Server port="-1"><Service name="Catalina">
                <Connector port="%d" address="127.0.0.1"/>
                <Engine name="Catalina" defaultHost="localhost">
                <Host name="localhost" appBase="webapps" autoDeploy="false">%s</Host>
                </Engine></Service></Server>
                """
                        .formatted(port, contexts));
        Process process =
                new ProcessBuilder(
                                List.of(
                                        Path.of(System.getProperty("java.home"), "bin/java")
                                                .toString(),
                                        "-Xmx768m",
                                        "-Djava.awt.headless=true",
                                        "--add-opens=java.base/java.lang=ALL-UNNAMED",
                                        "--add-opens=java.base/java.io=ALL-UNNAMED",
                                        "--add-opens=java.base/java.util=ALL-UNNAMED",
                                        "-Dcatalina.home=" + home,
                                        "-Dcatalina.base=" + base,
                                        "-Djava.io.tmpdir=" + base.resolve("temp"),
                                        "-cp",
                                        home.resolve("bin/bootstrap.jar")
                                                + ":"
                                                + home.resolve("bin/tomcat-juli.jar"),
                                        "org.apache.catalina.startup.Bootstrap",
                                        "start"))
                        .redirectErrorStream(true)
                        .redirectOutput(base.resolve("out.log").toFile())
                        .start();
        Tomcat9 tomcat = new Tomcat9(process, port);
        tomcat.await(base.resolve("out.log"));
        return tomcat;
    }

    /// Its connector is bound when all applications have been started.
    private void await(Path log) throws Exception {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (System.nanoTime() < until && process.isAlive()) {
            try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return;
            } catch (IOException e) {
                process.waitFor(200, TimeUnit.MILLISECONDS);
            }
        }
        String said = Files.readString(log);
        close();
        throw new AssertionError(said);
    }

    String url() {
        return "http://127.0.0.1:" + port;
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
