package io.margay.frameworks.javax;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A Tomcat 9 as a process of its own.
final class Tomcat9 implements AutoCloseable {
    private static final long START_SECONDS = 180;

    private static final Pattern PORT =
            Pattern.compile("Starting ProtocolHandler \\[\"[^\"]*-auto-\\d+-(\\d+)\"");

    private final Process process;
    private final Path log;
    private List<Integer> ports = List.of();

    private Tomcat9(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /// @param base an empty folder for it
    /// @param apps folders by context path
    static Tomcat9 start(Path home, Path base, Map<String, Path> apps) throws Exception {
        StringBuilder contexts = new StringBuilder();
        apps.forEach((path, folder) ->
                contexts.append("<Context path=\"%s\" docBase=\"%s\"/>".formatted(path, folder)));
        Files.createDirectories(base.resolve("webapps"));
        settings(home, base);
        Files.writeString(
                base.resolve("conf/server.xml"),
                """
                <Server port="-1"><Service name="Catalina">
                <Connector port="0" address="127.0.0.1"/>
                <Engine name="Catalina" defaultHost="localhost">
                <Host name="localhost" appBase="webapps" autoDeploy="false">%s</Host>
                </Engine></Service></Server>
                """
                        .formatted(contexts));
        return ofBase(home, base);
    }

    /// Copies the settings that Tomcat is shipped with.
    static void settings(Path home, Path base) throws IOException {
        Files.createDirectories(base.resolve("conf"));
        try (Stream<Path> files = Files.list(home.resolve("conf"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.copy(file, base.resolve("conf").resolve(file.getFileName()));
            }
        }
    }

    /// Starts with the settings of a `CATALINA_BASE`, whose connectors have ports that the system
    /// chooses.
    static Tomcat9 ofBase(Path home, Path base) throws Exception {
        Files.createDirectories(base.resolve("temp"));
        Process process =
                new ProcessBuilder(
                                List.of(
                                        Path.of(System.getProperty("java.home"), "bin/java")
                                                .toString(),
                                        "-Xmx768m",
                                        "-Djava.awt.headless=true",
                                        // Spring Boot would silence what the ports are read from.
                                        "-Dorg.springframework.boot.logging.LoggingSystem=none",
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
        Tomcat9 tomcat = new Tomcat9(process, base.resolve("out.log"));
        tomcat.await();
        return tomcat;
    }

    /// It says when all applications have been started.
    private void await() throws Exception {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (System.nanoTime() < until && process.isAlive()) {
            String said = Files.readString(log);
            if (said.contains("Server startup in ")) {
                ports =
                        PORT.matcher(said)
                                .results()
                                .map(found -> Integer.parseInt(found.group(1)))
                                .toList();
                return;
            }
            boolean _ = process.waitFor(200, TimeUnit.MILLISECONDS);
        }
        String said = Files.readString(log);
        close();
        throw new AssertionError(said);
    }

    /// Of its connectors, in their order.
    List<Integer> ports() {
        return ports;
    }

    String url() {
        return "http://127.0.0.1:" + ports.getFirst();
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
