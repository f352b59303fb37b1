package io.margay.app.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.app.Pem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A `CATALINA_BASE` with three hosts, served by Tomcat and by `./margay tomcat` from the same
/// files: each request of `tomcat-base/requests.txt` must be answered alike.
final class TomcatBaseIT {
    /// What requests.txt calls the ports of the connectors, in their order.
    private static final List<Integer> PORTS = List.of(80, 443, 8080, 8090);

    /// Requests whose answers differ, each with the reason. One that does not differ any more fails
    /// the test, too.
    private static final Map<String, String> EXCEPTIONS =
            Map.ofEntries(
                    Map.entry(
                            "http://main.example/folder/%2e%2e/notes.txt",
                            "front ends and servers read encoded dots differently: refused"),
                    Map.entry(
                            "-d a=%C3%A9 http://main.example/echo.jsp",
                            "a form without an encoding is in UTF-8, as browsers send them and "
                                    + "as a query is; Tomcat reads the body as ISO-8859-1"),
                    Map.entry(
                            "http://main.example/a%2Fb",
                            "is refused by both; what cannot be read as a path has an answer of "
                                    + "plain text"),
                    Map.entry(
                            "http://main.example:8090/no{such",
                            "is refused by both; what cannot be read as a path has an answer of "
                                    + "plain text"),
                    Map.entry(
                            "http://main.example/who.jsp?a=b|c",
                            "is refused by both; what cannot be read as a path has an answer of "
                                    + "plain text"),
                    Map.entry(
                            "http://closed.example/",
                            "is refused by both; the valve of a host has a page here, in Tomcat "
                                    + "nothing"),
                    Map.entry(
                            "http://closed.example/no-such-page",
                            "is refused by both; the valve of a host has a page here, in Tomcat "
                                    + "nothing"),
                    Map.entry(
                            "http://errors.example/none",
                            "a page that no application shows names no encoding"),
                    Map.entry(
                            "http://errors.example/a/fail.jsp?status=503",
                            "Tomcat has no page to show once a page has asked for its writer"),
                    Map.entry(
                            "-0 http://main.example/hints.jsp",
                            "interim responses are none for clients of HTTP/1.0 (RFC 9110 §15.2)"),
                    Map.entry(
                            "http://main.example/no-entry/notes.txt",
                            "is refused by both; a rule answers in plain text"),
                    Map.entry(
                            "http://main.example/gone",
                            "is refused by both; a rule answers in plain text"));

    private final Path home = Path.of(System.getProperty("margay.tomcat", "tomcat"));

    @TempDir Path folder;

    @Test
    void base_isServedAsByTomcat() throws Exception {
        Path base = folder.toRealPath().resolve("base");
        TomcatBeside.copy(
                ServerProcess.checkout().resolve("app/src/test/resources/tomcat-base"), base);
        Pem _ = Pem.make(base.resolve("conf"), "site"); // It leaves site.p12, too.
        List<String> requests =
                Files.readAllLines(base.resolve("requests.txt")).stream()
                        .filter(line -> !line.isBlank() && !line.startsWith("#"))
                        .toList();
        TomcatBeside beside = TomcatBeside.of(home, base, folder, PORTS, requests);
        beside.assertAlike(EXCEPTIONS);
        assertEquals(List.of(), beside.told(), "everything in the files is honoured");
    }
}
