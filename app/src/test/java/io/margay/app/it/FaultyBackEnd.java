package io.margay.app.it;

import io.margay.testkit.FreePort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;

/// A Margay process with [FaultsServlet], or another servlet, on ports that stay the same when it
/// is killed and started again. Used by one thread, but for its ports.
final class FaultyBackEnd implements ClusterContainer {
    static final String SECRET = "of the faults";

    private final String name;
    private final Path folder;
    private final int http = FreePort.next();
    private final int ajp = FreePort.next();
    private final String options;
    private ServerProcess process;

    FaultyBackEnd(String name, Path parent) throws IOException {
        this(name, parent, "", "", FaultsServlet.class);
    }

    /// @param settings more lines of its configuration
    /// @param options more options of its JVM
    /// @param classes the servlet, and the classes of this package that it needs
    FaultyBackEnd(String name, Path parent, String settings, String options, Class<?>... classes)
            throws IOException {
        this.name = name;
        this.options = options;
        folder = Files.createDirectories(parent.resolve(name));
        makeApplication(folder.resolve("app"), log(), "", classes);
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

    @Override
    public String name() {
        return name;
    }

    @Override
    public int httpPort() {
        return http;
    }

    @Override
    public int port(String scheme) {
        return scheme.equals("ajp") ? ajp : http;
    }

    /// As a member of an upstream.
    String member(String scheme) {
        return "{url: \"%s://127.0.0.1:%d\", name: %s, secret: %s}"
                .formatted(scheme, port(scheme), name, SECRET);
    }

    /// Makes the application of a servlet.
    ///
    /// @param log where it writes what it has run
    /// @param more lines of its descriptor
    /// @param classes the servlet, and the classes of this package that it needs
    static void makeApplication(Path app, Path log, String more, Class<?>... classes)
            throws IOException {
        Path target = Files.createDirectories(app.resolve("WEB-INF/classes/io/margay/app/it"));
        for (Class<?> one : classes) {
            String file = one.getSimpleName() + ".class";
            try (var in = one.getResourceAsStream(file)) {
                Files.write(target.resolve(file), in.readAllBytes());
            }
        }
        Files.writeString(
                app.resolve("WEB-INF/web.xml"),
                """
                <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.1"
                    metadata-complete="true">
                  %s
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
                        .formatted(more, log, classes[0].getName()));
    }

    private Path log() {
        return folder.resolve("runs");
    }

    @Override
    public List<String> runs() throws IOException {
        return Files.readAllLines(log());
    }

    @Override
    public void await() {
        process.awaitMargay();
    }

    boolean isAlive() {
        return ProcessHandle.of(process.pid()).map(ProcessHandle::isAlive).orElse(false);
    }

    /// SIGKILL, and a new process on the same ports.
    void killAndRestart() throws IOException {
        kill();
        start();
    }

    @Override
    public void kill() {
        process.close();
    }

    @Override
    public void start() throws IOException {
        process =
                ServerProcess.margay(
                        folder, Map.of("MARGAY_JAVA_OPTS", options), "run", "margay.yaml");
    }

    @Override
    public void restart() throws IOException, InterruptedException {
        process.terminate();
        process.close();
        start();
    }

    @Override
    public void signal(String signal) throws IOException, InterruptedException {
        process.signal(signal);
    }

    @Override
    public void close() {
        process.close();
    }
}
