package io.margay.app.it;

import io.margay.testkit.FreePort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A Margay process with [FaultsServlet], or another servlet, on ports that stay the same when it
/// is killed and started again. Used by one thread, but for its ports.
final class FaultyBackEnd implements AutoCloseable {
    static final String SECRET = "of the faults";

    private final String name;
    private final Path folder;
    private final int http = FreePort.next();
    private final int ajp = FreePort.next();
    private ServerProcess process;

    FaultyBackEnd(String name, Path parent) throws IOException {
        this(name, parent, "", FaultsServlet.class);
    }

    /// @param settings more lines of its configuration
    /// @param classes the servlet, and the classes of this package that it needs
    FaultyBackEnd(String name, Path parent, String settings, Class<?>... classes)
            throws IOException {
        this.name = name;
        folder = Files.createDirectories(parent.resolve(name));
        Path target = folder.resolve("app/WEB-INF/classes/io/margay/app/it");
        Files.createDirectories(target);
        for (Class<?> one : classes) {
            String file = one.getSimpleName() + ".class";
            try (var in = one.getResourceAsStream(file)) {
                Files.write(target.resolve(file), in.readAllBytes());
            }
        }
        Files.writeString(
                folder.resolve("app/WEB-INF/web.xml"),
                """
                <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.1"
                    metadata-complete="true">
                  <context-param>
                    <param-name>log</param-name>
                    <param-value>%s</param-value>
                  </context-param>
                  <servlet>
                    <servlet-name>faults</servlet-name>
                    <servlet-class>%s</servlet-class>
                    <load-on-startup>1</load-on-startup>
                  </servlet>
                  <servlet-mapping>
                    <servlet-name>faults</servlet-name>
                    <url-pattern>/*</url-pattern>
                  </servlet-mapping>
                </web-app>
                """
                        .formatted(log(), classes[0].getName()));
        Files.writeString(
                folder.resolve("margay.yaml"),
                """
                listeners:
                  - {http: 127.0.0.1:%d}
                  - {ajp: 127.0.0.1:%d, secret: %s}
                hosts: [{routes: {/app: {app: app}}}]
                work: work
                %s
                """
                        .formatted(http, ajp, SECRET, settings));
        Files.writeString(log(), "", StandardOpenOption.CREATE);
        start();
    }

    String name() {
        return name;
    }

    int port(String scheme) {
        return scheme.equals("ajp") ? ajp : http;
    }

    /// As a member of an upstream.
    String member(String scheme) {
        return "{url: \"%s://127.0.0.1:%d\", name: %s, secret: %s}"
                .formatted(scheme, port(scheme), name, SECRET);
    }

    private Path log() {
        return folder.resolve("runs");
    }

    /// The ids of all POST requests that it has run.
    List<String> runs() throws IOException {
        return Files.readAllLines(log());
    }

    void await() {
        process.awaitMargay();
    }

    /// SIGKILL, and a new process on the same ports.
    void killAndRestart() throws IOException {
        kill();
        start();
    }

    /// SIGKILL.
    void kill() {
        process.close();
    }

    /// A new process on the same ports.
    void start() throws IOException {
        process = ServerProcess.margay(folder, "run", "margay.yaml");
    }

    /// SIGTERM, the end in good order, and a new process on the same ports.
    void restart() throws IOException, InterruptedException {
        process.terminate();
        process.close();
        start();
    }

    /// Sends a signal, such as STOP.
    void signal(String signal) throws IOException, InterruptedException {
        Process kill =
                new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start();
        if (!kill.waitFor(10, TimeUnit.SECONDS) || kill.exitValue() != 0) {
            throw new IOException("no signal " + signal);
        }
    }

    @Override
    public void close() {
        process.close();
    }
}
