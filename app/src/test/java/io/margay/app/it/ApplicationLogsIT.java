package io.margay.app.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.Archives;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `WEB-INF/classes/logging.properties`: Tomcat and Margay serve the same applications of the same
/// base, and write the same messages to the same files, so that each message is there twice.
final class ApplicationLogsIT {
    private static final String OF_SERVER =
            """
            handlers = 1server.org.apache.juli.FileHandler, java.util.logging.ConsoleHandler
            .handlers = 1server.org.apache.juli.FileHandler, java.util.logging.ConsoleHandler
            1server.org.apache.juli.FileHandler.directory = ${catalina.base}/logs
            1server.org.apache.juli.FileHandler.prefix = server
            1server.org.apache.juli.FileHandler.rotatable = false
            probe.level = FINE
            """;

    private static final String OF_ONE =
            """
            handlers = org.apache.juli.FileHandler, 2deep.org.apache.juli.FileHandler
            .handlers = org.apache.juli.FileHandler
            org.apache.juli.FileHandler.directory = ${catalina.base}/logs
            org.apache.juli.FileHandler.prefix = ${classloader.webappName}-${classloader.hostName}
            org.apache.juli.FileHandler.rotatable = false
            2deep.org.apache.juli.FileHandler.directory = ${catalina.base}/logs
            2deep.org.apache.juli.FileHandler.prefix = deep
            2deep.org.apache.juli.FileHandler.rotatable = false
            probe.level = WARNING
            probe.deep.level = FINER
            probe.deep.handlers = 2deep.org.apache.juli.FileHandler
            """;

    private static final String OF_TWO =
            """
            handlers = 7two.org.apache.juli.AsyncFileHandler
            7two.org.apache.juli.AsyncFileHandler.level = CONFIG
            7two.org.apache.juli.AsyncFileHandler.directory = ${catalina.base}/logs
            7two.org.apache.juli.AsyncFileHandler.prefix = two
            7two.org.apache.juli.AsyncFileHandler.rotatable = false
            .level = ALL
            """;

    private static final String LIBRARY =
            """
            package probe.lib;
            public class Shared {
                public static void log(String text) {
                    java.util.logging.Logger.getLogger("probe.lib").warning(text);
                }
            }
            """;

    private static final Pattern MESSAGE =
            Pattern.compile(" (SEVERE|WARNING|INFO|CONFIG|FINE|FINER) \\[.*(message-\\S+)");

    private final Path home = Path.of(System.getProperty("margay.tomcat", "tomcat"));
    private final List<String> requests = new ArrayList<>();

    @TempDir Path folder;
    private Path base;

    @BeforeEach
    void base() throws IOException {
        base = folder.toRealPath().resolve("base");
        Files.createDirectories(base.resolve("conf"));
        Files.createDirectories(base.resolve("lib"));
        Files.createDirectories(base.resolve("logs"));
        Files.writeString(base.resolve("conf/server.xml"), TomcatBeside.ONE_HOST);
        Files.writeString(base.resolve("conf/logging.properties"), OF_SERVER);
        Files.copy(home.resolve("conf/web.xml"), base.resolve("conf/web.xml"));
        Path _ =
                Archives.in(folder)
                        .classes("", List.of(), "probe.lib.Shared", LIBRARY)
                        .to(base.resolve("lib/probe.jar"));
    }

    /// An application whose page logs at every level, by all ways.
    private void application(String name, String logging) {
        Archives app =
                Archives.in(folder)
                        .text(
                                "page.jsp",
                                """
                                <%@ page import="java.util.logging.*" %><%
                                String[] names = {"probe.a", "probe.deep.b", "other"};
                                for (String of : names) {
                                    Logger logger = Logger.getLogger(of);
                                    for (Level level : new Level[] {Level.SEVERE, Level.WARNING,
                                            Level.INFO, Level.CONFIG, Level.FINE, Level.FINER}) {
                                        logger.log(level, "message-NAME-" + of + "-" + level);
                                    }
                                }
                                System.getLogger("probe.system").log(
                                        System.Logger.Level.WARNING, "message-NAME-system");
                                probe.lib.Shared.log("message-NAME-shared");
                                application.log("message-NAME-context");
                                %>logged
                                """
                                        .replace("NAME", name));
        if (!logging.isEmpty()) {
            app = app.text("WEB-INF/classes/logging.properties", logging);
        }
        Path _ = app.toFolder(base.resolve("webapps").resolve(name));
        requests.add("http://localhost/" + name + "/page.jsp");
    }

    /// How often each message is in each file.
    private Map<String, Integer> messages() throws IOException {
        Map<String, Integer> found = new TreeMap<>();
        try (Stream<Path> files = Files.list(base.resolve("logs"))) {
            for (Path file : files.sorted().toList()) {
                for (String line : Files.readAllLines(file)) {
                    Matcher matcher = MESSAGE.matcher(line);
                    if (matcher.find()) {
                        String message = matcher.group(1) + " " + matcher.group(2);
                        found.merge(file.getFileName() + " " + message, 1, Integer::sum);
                    }
                }
            }
        }
        return found;
    }

    @Test
    void records_ofApplications_goToTheFilesTheyGoToInTomcat() throws Exception {
        application("one", OF_ONE);
        application("two", OF_TWO);
        application("none", "");
        application("silent", "probe.level = ALL\n");
        TomcatBeside beside =
                TomcatBeside.of(
                        home,
                        base,
                        folder,
                        List.of(80),
                        requests,
                        "-Djava.util.logging.manager=org.apache.juli.ClassLoaderLogManager",
                        "-Djava.util.logging.config.file=" + settings());
        beside.assertAlike(Map.of());
        Map<String, Integer> messages = messages();
        StringBuilder alone = new StringBuilder();
        messages.forEach((message, count) -> {
            if (count != 2) {
                alone.append(count).append(" x ").append(message).append('\n');
            }
        });
        assertEquals("", alone.toString());
        for (String wanted :
                List.of(
                        "one-localhost.log WARNING message-one-probe.a-WARNING",
                        "one-localhost.log INFO message-one-other-INFO",
                        "one-localhost.log WARNING message-one-system",
                        "one-localhost.log WARNING message-one-shared",
                        "one-localhost.log INFO message-one-context",
                        "deep.log FINER message-one-probe.deep.b-FINER",
                        "two.log CONFIG message-two-other-CONFIG",
                        "two.log WARNING message-two-shared",
                        "server.log FINE message-none-probe.a-FINE",
                        "server.log WARNING message-none-shared")) {
            assertTrue(messages.containsKey(wanted), wanted + " is not in " + messages);
        }
        assertTrue(
                messages.keySet().stream().noneMatch(message -> message.contains("-silent-")),
                messages::toString);
        assertEquals(1, silent(beside.output()));
    }

    private Path settings() {
        return base.resolve("conf/logging.properties");
    }

    private static long silent(List<String> output) {
        return output.stream()
                .filter(line -> line.contains("silent"))
                .filter(line -> line.contains("logging.properties: no handlers are named"))
                .count();
    }

    @Test
    void check_tellsOfTheApplicationThatLogsNothing_andOptionsOfTheJvmGoFirst() throws Exception {
        application("one", OF_ONE);
        application("silent", "probe.level = ALL\n");
        try (ServerProcess check = ServerProcess.margay(folder, "check", base.toString())) {
            assertEquals(0, check.awaitExit(), check.toString());
            assertEquals(1, silent(check.output()), check.toString());
        }
        Map<String, String> options =
                Map.of("MARGAY_JAVA_OPTS", "-Djava.util.logging.config.file=" + settings());
        try (ServerProcess check =
                ServerProcess.margay(folder, options, "check", base.toString())) {
            assertEquals(0, check.awaitExit(), check.toString());
            assertEquals(
                    2,
                    check.output().stream()
                            .filter(line -> line.contains("logging.properties: is not read: java"))
                            .count(),
                    check.toString());
        }
    }
}
