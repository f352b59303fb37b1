package io.margay.app.it;

import io.margay.testkit.program.Kill;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A server as a child process. Its output is read by a thread of its own; everything waits within
/// a bound.
final class ServerProcess implements AutoCloseable {
    private static final long SECONDS_MAX = 120;
    private static final long CLOSE_SECONDS_MAX = 20;

    /// The folder of the cache that the build has made for starts of `./margay` with
    /// [#JAVA_OPTIONS]; empty where a test is run without the build.
    static final Optional<String> CACHE =
            Optional.ofNullable(System.getProperty("margay.it.cache"));

    static final String JAVA_OPTIONS = System.getProperty("margay.it.options", "-Xmx256m");
    private static final Path CHECKOUT =
            Path.of(System.getProperty("margay.root", "..")).toAbsolutePath().normalize();
    private static final Pattern MARGAY_URL = Pattern.compile("margay: https?://[^ /]+:([0-9]+)/");
    private static final Pattern TOMCAT_PORT =
            Pattern.compile("Starting ProtocolHandler \\[\"http-nio-[^\"]*auto-[0-9]+-([0-9]+)\"");

    private static final Pattern TOMCAT_AJP_PORT =
            Pattern.compile("Starting ProtocolHandler \\[\"ajp-nio-[^\"]*auto-[0-9]+-([0-9]+)\"");

    private final Process process;
    private final List<String> output = new CopyOnWriteArrayList<>();
    private final Thread reader;

    private ServerProcess(ProcessBuilder builder) throws IOException {
        process = builder.redirectErrorStream(true).start();
        reader = Thread.ofVirtual().start(this::read);
    }

    /// The root of the checkout that these tests are part of.
    static Path checkout() {
        return CHECKOUT;
    }

    /// Starts `./margay` of the checkout, with the cache that the build has made for it.
    static ServerProcess margay(Path folder, String... words) throws IOException {
        return margay(folder, Map.of(), words);
    }

    /// The same with more variables of the environment.
    static ServerProcess margay(Path folder, Map<String, String> environment, String... words)
            throws IOException {
        Map<String, String> all = new HashMap<>(environment);
        CACHE.ifPresent(cache -> {
            all.put("MARGAY_NO_CACHE", "");
            all.put("MARGAY_CACHE_DIR", cache);
        });
        return script(CHECKOUT.resolve("margay"), folder, all, words);
    }

    /// Starts a `margay` script, in the current directory `folder`, without a cache. Options of the
    /// JVM in the environment follow [#JAVA_OPTIONS].
    static ServerProcess script(
            Path script, Path folder, Map<String, String> environment, String... words)
            throws IOException {
        // Where the tests were started with signals ignored (nohup), a JVM would not hear them.
        List<String> command = new ArrayList<>(List.of("env", "--default-signal=HUP,INT,TERM"));
        command.add(script.toString());
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("MARGAY"));
        builder.environment().put("MARGAY_NO_BUILD", "1");
        builder.environment().put("MARGAY_JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("MARGAY_NO_CACHE", "1");
        builder.environment().putAll(environment);
        builder.environment()
                .merge("MARGAY_JAVA_OPTS", JAVA_OPTIONS, (more, first) -> first + " " + more);
        return new ServerProcess(builder);
    }

    /// Starts another server, in the current directory `folder`.
    static ServerProcess other(Path folder, String... words) throws IOException {
        return new ServerProcess(new ProcessBuilder(words).directory(folder.toFile()));
    }

    /// Starts Tomcat, configured as delivered but for the port, which the system chooses, with
    /// HTTP/2 beside HTTP/1.1 and the example application alone.
    static ServerProcess tomcat(Path home, Path folder) throws IOException {
        return tomcat(home, folder, "");
    }

    /// The same with more connectors.
    static ServerProcess tomcat(Path home, Path folder, String connectors) throws IOException {
        Files.createDirectories(folder.resolve("conf"));
        Files.copy(home.resolve("conf/web.xml"), folder.resolve("conf/web.xml"));
        Files.writeString(
                folder.resolve("conf/server.xml"),
                """
                <Server port="-1">
                  <Service name="Catalina">
                    <Connector port="0" address="127.0.0.1" protocol="HTTP/1.1">
                      <UpgradeProtocol className="org.apache.coyote.http2.Http2Protocol"/>
                    </Connector>
                    %s
                    <Engine name="Catalina" defaultHost="localhost">
                      <Host name="localhost" appBase="%s" autoDeploy="false"/>
                    </Engine>
                  </Service>
                </Server>
                """
                        .formatted(connectors, home.resolve("webapps")));
        return tomcatBase(home, folder);
    }

    /// Starts Tomcat with the settings of a `CATALINA_BASE`.
    ///
    /// @param options of its JVM
    static ServerProcess tomcatBase(Path home, Path folder, String... options) throws IOException {
        for (String name : List.of("logs", "temp", "work")) {
            Files.createDirectories(folder.resolve(name));
        }
        Path bin = home.resolve("bin");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(JAVA_OPTIONS.split(" ")));
        command.addAll(List.of(options));
        command.addAll(
                List.of(
                        "-Dcatalina.home=" + home,
                        "-Dcatalina.base=" + folder,
                        "-Djava.io.tmpdir=" + folder.resolve("temp"),
                        "-cp",
                        bin.resolve("bootstrap.jar") + ":" + bin.resolve("tomcat-juli.jar"),
                        "org.apache.catalina.startup.Bootstrap",
                        "start"));
        return new ServerProcess(new ProcessBuilder(command).directory(folder.toFile()));
    }

    private void read() {
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                output.add(line);
            }
        } catch (IOException e) {
            output.add("reading failed: " + e);
        }
    }

    /// Waits for a line that contains the text.
    void awaitLine(String wanted) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_MAX);
        while (output.stream().noneMatch(line -> line.contains(wanted))) {
            if (System.nanoTime() - end > 0 || (!process.isAlive() && !reader.isAlive())) {
                throw new AssertionError("\"" + wanted + "\" was not seen: " + this);
            }
            LockSupport.parkNanos(10_000_000L);
        }
    }

    /// Waits until something listens at the port of this machine.
    void awaitPort(int port) {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_MAX);
        while (true) {
            try (Socket socket = new Socket()) {
                socket.connect(address, 1000);
                return;
            } catch (IOException e) {
                if (System.nanoTime() - end > 0 || !process.isAlive()) {
                    throw new AssertionError("nothing at port " + port + ": " + this, e);
                }
                LockSupport.parkNanos(10_000_000L);
            }
        }
    }

    /// Waits until Margay serves; the port of its first listener.
    int awaitMargay() {
        awaitLine("margay: ready in ");
        return port(MARGAY_URL);
    }

    /// Waits until Tomcat serves; the port.
    int awaitTomcat() {
        awaitLine("Server startup in ");
        return port(TOMCAT_PORT);
    }

    /// The port of Tomcat's AJP13 connector, once it serves.
    int tomcatAjpPort() {
        return port(TOMCAT_AJP_PORT);
    }

    /// The port of the first line that the pattern finds.
    int port(Pattern pattern) {
        return ports(pattern).stream()
                .findFirst()
                .orElseThrow(() -> new AssertionError("no port: " + this));
    }

    /// The ports of all lines that the pattern finds, in their order.
    List<Integer> ports(Pattern pattern) {
        return output.stream()
                .map(pattern::matcher)
                .filter(Matcher::find)
                .map(found -> Integer.parseInt(found.group(1)))
                .toList();
    }

    /// The process.
    ProcessHandle handle() {
        return process.toHandle();
    }

    /// Ends the server as a service manager does, by SIGTERM; its exit code.
    int terminate() throws InterruptedException {
        process.toHandle().destroy(); // Process.destroy would close its output, too.
        return awaitExit();
    }

    /// The process id.
    long pid() {
        return process.pid();
    }

    /// Sends a signal, such as STOP.
    void signal(String signal) throws IOException, InterruptedException {
        Kill.send(signal, process.pid());
    }

    /// Waits for the end; the exit code.
    int awaitExit() throws InterruptedException {
        if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
            throw new AssertionError("still running: " + this);
        }
        reader.join(TimeUnit.SECONDS.toMillis(SECONDS_MAX));
        return process.exitValue();
    }

    /// What it has written so far.
    List<String> output() {
        return List.copyOf(output);
    }

    @Override
    public String toString() {
        return String.join("\n", output);
    }

    /// Ends it and the processes that it has started: in good order, or by force when that takes
    /// too long.
    void endAll() {
        List<ProcessHandle> children = process.descendants().toList();
        process.toHandle().destroy();
        try {
            process.onExit().get(CLOSE_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            output.add("does not end: " + e);
        }
        children.forEach(ProcessHandle::destroyForcibly);
        close();
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().orTimeout(SECONDS_MAX, TimeUnit.SECONDS).join();
    }
}
