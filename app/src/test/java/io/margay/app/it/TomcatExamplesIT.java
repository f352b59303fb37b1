package io.margay.app.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tomcat's own `examples` application, served by `./margay run` and by the Tomcat it comes with:
/// each request of `examples/tomcat-pages.txt` must be answered alike, and its WebSocket endpoints
/// must say the same.
final class TomcatExamplesIT {
    /// Requests whose answers may differ, each with the reason. One that does not differ any more
    /// fails the test, too.
    private static final Map<String, String> EXCEPTIONS =
            Map.of(
                    "GET /examples/servlets/servlet/RequestHeaderExample"
                            + " [Accept: application/json]",
                    "calls org.apache.tomcat.util.json.JSONFilter, a class of Tomcat's inside",
                    "GET /examples/jsp/security/protected/index.jsp",
                    "FORM login is not there yet; access is refused",
                    "POST /examples/jsp/security/protected/j_security_check"
                            + " \"j_username=nobody&j_password=wrong\"",
                    "FORM login is not there yet; access is refused");

    private final Path home = Path.of(System.getProperty("margay.tomcat", "tomcat"));

    @TempDir Path folder;

    @Test
    void everyPage_isAnsweredAsByTomcat() throws Exception {
        assertTrue(Files.isDirectory(home), home + " is unpacked by the build");
        PageList list =
                PageList.read(ServerProcess.checkout().resolve("examples/tomcat-pages.txt"));
        try (ServerProcess tomcat = ServerProcess.tomcat(home, folder.resolve("tomcat"));
                ServerProcess margay =
                        ServerProcess.margay(
                                folder, "run", home.resolve("webapps").toString(), "--http", "0");
                AskedServer one = new AskedServer(list, tomcat.awaitTomcat());
                AskedServer other = new AskedServer(list, margay.awaitMargay())) {
            assertEquals(
                    TomcatSockets.talk(tomcat.awaitTomcat()),
                    TomcatSockets.talk(margay.awaitMargay()));
            Map<String, String> differences = PageComparison.differences(list, one, other);
            TreeSet<String> unexpected = new TreeSet<>();
            differences.forEach((page, difference) -> {
                if (!EXCEPTIONS.containsKey(page)) {
                    unexpected.add(page + difference);
                }
            });
            assertEquals("", String.join("\n", unexpected));
            TreeSet<String> alike = new TreeSet<>(EXCEPTIONS.keySet());
            alike.removeAll(differences.keySet());
            assertEquals(List.of(), List.copyOf(alike), "exceptions that are none any more");
            assertEquals(0, margay.terminate(), margay.toString());
        }
    }
}
