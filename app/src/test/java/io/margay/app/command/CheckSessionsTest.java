package io.margay.app.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.cli.Arguments;
import io.margay.testkit.Archives;
import io.margay.testkit.FreePort;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What `check` says of the engine that keeps sessions.
@Tag("slow")
final class CheckSessionsTest {
    private static final String ENGINE =
            """
            package p;
            import io.margay.servlet.session.engine.*;
            import java.lang.reflect.Proxy;
            import java.util.Set;
            public class Shelf implements SessionEngineProvider {
                public Set<String> names() { return Set.of("shelf"); }
                public SessionEngine open(EngineSettings settings) {
                    return (SessionEngine) Proxy.newProxyInstance(
                        Shelf.class.getClassLoader(),
                        new Class<?>[] {SessionEngine.class},
                        (self, method, arguments) -> null);
                }
            }
            """;

    @TempDir Path folder;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int check(String sessions, String more) throws Exception {
        Files.createDirectories(folder.resolve("files"));
        Path file = folder.resolve("margay.yaml");
        Files.writeString(
                file,
                """
                hosts: [{routes: {/: {files: files}}}]
                sessions: {%s, key: what the servers share and nobody else knows}
                %s
                """
                        .formatted(sessions, more));
        return new CheckCommand(
                        Arguments.parse(CheckCommand.COMMAND, List.of(file.toString())),
                        Map.of(),
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8))
                .run();
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void engine_ofALibrary_isFound() throws Exception {
        Path _ =
                Archives.in(folder)
                        .classes("", List.of(), "p.Shelf", ENGINE)
                        .text(
                                "META-INF/services/"
                                        + "io.margay.servlet.session.engine.SessionEngineProvider",
                                "p.Shelf")
                        .to(folder.resolve("lib/shelf.jar"));
        assertEquals(
                0,
                check("store: shelf, url: \"shelf:1\"", "deploy: {libraries: lib}"),
                () -> err.toString(StandardCharsets.UTF_8));
        assertEquals(folder.resolve("margay.yaml") + ": no errors\n", out());
    }

    @Test
    void engineThatIsAway_isSaidAndNoError() throws Exception {
        int port = FreePort.next();
        assertEquals(0, check("store: valkey, url: \"redis://127.0.0.1:" + port + "\"", ""));
        assertTrue(out().contains("sessions: valkey does not answer: "), this::out);
        assertEquals(
                0, check("store: jdbc, url: \"jdbc:h2:tcp://127.0.0.1:" + port + "/none\"", ""));
        assertTrue(out().contains("sessions: jdbc does not answer: "), this::out);
    }

    @Test
    void database_thatAnswers_isAskedForNothing() throws Exception {
        String url = "jdbc:h2:mem:check" + System.nanoTime();
        JdbcDataSource database = new JdbcDataSource();
        database.setURL(url);
        try (var connection = database.getConnection()) {
            assertEquals(0, check("store: jdbc, url: \"" + url + "\"", ""));
            assertEquals(folder.resolve("margay.yaml") + ": no errors\n", out());
            try (var tables = connection.getMetaData().getTables(null, null, "MARGAY%", null)) {
                assertEquals(false, tables.next());
            }
        }
    }
}
