package io.margay.app.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// A start loads no class and opens no jar of what is not used: each would be paid for at each
/// start.
final class StartClassesIT {
    /// Java Flight Recorder, JMX, readers of YAML and JSON, telemetry, and the protocols, keys and
    /// engines that nobody has asked for.
    private static final Pattern UNUSED =
            Pattern.compile(
                    "jdk\\.jfr\\.(internal|events)\\..*"
                            + "|io\\.margay\\..*\\.(RequestEvent|AttemptEvent|SessionCallEvent)"
                            + "|(com\\.sun\\.jmx|sun\\.management|org\\.snakeyaml|com\\.fasterxml"
                            + "|io\\.opentelemetry|io\\.prometheus|org\\.bouncycastle|org\\.xbill"
                            + "|redis|org\\.shredzone|com\\.nimbusds|org\\.glassfish\\.tyrus"
                            + "|javax\\.net\\.ssl|org\\.eclipse\\.jdt|org\\.objectweb)\\..*");

    /// The jars of the class path, each of which the JDK opens.
    private static final int JARS_MAX = 46;

    /// What the JVM loads of the cache of applications, and what a start adds.
    private static final int CLASSES_MAX = 6_000;

    @TempDir Path folder;

    @Test
    void start_untilAServletAnswers_loadsNothingOfWhatIsOff() throws Exception {
        Path page = Files.createDirectories(folder.resolve("app/WEB-INF")).resolveSibling("a.txt");
        Files.writeString(page, "served");
        Path log = folder.resolve("classes.txt");
        Map<String, String> options =
                Map.of("MARGAY_JAVA_OPTS", "-Xlog:class+load:file=" + log + ":none");
        Path margay = ServerProcess.checkout().resolve("margay");
        try (ServerProcess server =
                ServerProcess.script(margay, folder, options, "run", "app", "--http", "0")) {
            Browser browser = new Browser(server.awaitMargay());
            for (int i = 0; i < 2; i++) { // The end of the first comes before the second.
                assertEquals("served", browser.get("/a.txt").body());
            }
            server.terminate();
        }
        List<String> loaded =
                Files.readAllLines(log).stream().map(line -> line.split(" ", 2)[0]).toList();
        assertTrue(loaded.contains("io.margay.server.sight.Sight"), loaded.toString());
        List<String> unused =
                loaded.stream().filter(name -> UNUSED.matcher(name).matches()).toList();
        assertEquals(List.of(), unused);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void start_untilAPageIsServed_opensNoJarOfAnExtension() throws Exception {
        Path page = Files.createDirectories(folder.resolve("app/WEB-INF")).resolveSibling("a.txt");
        Files.writeString(page, "served");
        try (ServerProcess server = ServerProcess.margay(folder, "run", "app", "--http", "0")) {
            assertEquals("served", new Browser(server.awaitMargay()).get("/a.txt").body());
            List<Path> jars = openJars(server.pid());
            Path lib = ServerProcess.checkout().resolve("app/target/lib");
            assertEquals(
                    List.of(), jars.stream().filter(jar -> !lib.equals(jar.getParent())).toList());
            assertTrue(!jars.isEmpty() && jars.size() <= JARS_MAX, jars.size() + " jars are open");
        }
    }

    @Test
    void startWithTheCache_loadsOnlyTheClassesOfItsKind() throws Exception {
        Assumptions.assumeTrue(ServerProcess.CACHE.isPresent(), "the build makes the caches");
        Path page = Files.createDirectories(folder.resolve("app/WEB-INF")).resolveSibling("a.txt");
        Files.writeString(page, "served");
        Files.writeString(
                folder.resolve("gateway.yaml"),
                """
                listeners: [{http: "127.0.0.1:0"}]
                hosts: [{routes: {/*: {gateway: "http://127.0.0.1:9"}}}]
                """);
        List<String> applications = loaded("applications", "run", "app", "--http", "0");
        assertTrue(applications.size() < CLASSES_MAX, applications.size() + " classes");
        List<String> gateway = loaded("gateway", "run", "gateway.yaml");
        assertTrue(gateway.size() < CLASSES_MAX, gateway.size() + " classes");
        String pages = "org.apache.jasper.servlet.JasperInitializer";
        assertTrue(applications.contains(pages) && !gateway.contains(pages));
        String member = "io.margay.gateway.balance.Peer";
        assertTrue(gateway.contains(member) && !applications.contains(member));
    }

    private List<String> loaded(String kind, String... words) throws Exception {
        Path log = folder.resolve(kind + ".txt");
        Map<String, String> environment =
                Map.of("JDK_JAVA_OPTIONS", "-Xlog:class+load:file=" + log + ":none");
        try (ServerProcess server = ServerProcess.margay(folder, environment, words)) {
            server.awaitMargay();
            String[] used = server.handle().info().arguments().orElseThrow();
            assertTrue(
                    Stream.of(used).anyMatch(word -> word.endsWith("-" + kind + ".aot")),
                    String.join(" ", used));
            server.terminate();
        }
        return Files.readAllLines(log).stream().map(line -> line.split(" ", 2)[0]).toList();
    }

    private static List<Path> openJars(long pid) throws IOException {
        List<Path> jars = new ArrayList<>();
        try (Stream<Path> open = Files.list(Path.of("/proc", String.valueOf(pid), "fd"))) {
            for (Path each : open.toList()) {
                try {
                    jars.add(Files.readSymbolicLink(each));
                } catch (NoSuchFileException _) {
                    // Closed since.
                }
            }
        }
        return jars.stream().filter(file -> file.toString().endsWith(".jar")).distinct().toList();
    }
}
