package io.margay.app.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.it.PageList.Page;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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
                    "OPTIONS /examples/servlets/servlet/HelloWorldExample",
                    "the HttpServlet of the API names TRACE; Tomcat has one of its own",
                    "GET /examples/servlets/servlet/RequestHeaderExample"
                            + " [Accept: application/json]",
                    "calls org.apache.tomcat.util.json.JSONFilter, a class of Tomcat's inside",
                    "GET /examples/jsp/security/protected/index.jsp",
                    "FORM login is not there yet; access is refused",
                    "POST /examples/jsp/security/protected/j_security_check"
                            + " \"j_username=nobody&j_password=wrong\"",
                    "FORM login is not there yet; access is refused");

    private static final int REQUESTS_AT_ONCE = 4;

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
            Map<String, String> differences = compare(list, one, other);
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

    /// Where the answers part, by request. Requests of one jar are made in order.
    private static Map<String, String> compare(PageList list, AskedServer one, AskedServer other)
            throws Exception {
        Map<String, List<Page>> series = new LinkedHashMap<>();
        for (Page page : list.pages()) {
            String name = page.jar == null ? "page " + series.size() : "jar " + page.jar;
            series.computeIfAbsent(name, key -> new ArrayList<>()).add(page);
        }
        Map<String, String> differences = new TreeMap<>();
        try (ExecutorService executor = Executors.newFixedThreadPool(REQUESTS_AT_ONCE)) {
            List<Future<Map<String, String>>> compared = new ArrayList<>();
            for (List<Page> pages : series.values()) {
                compared.add(executor.submit(() -> compare(pages, one, other)));
            }
            for (Future<Map<String, String>> each : compared) {
                differences.putAll(each.get());
            }
        }
        return differences;
    }

    private static Map<String, String> compare(List<Page> pages, AskedServer one, AskedServer other)
            throws InterruptedException, ExecutionException {
        Map<String, String> differences = new TreeMap<>();
        for (Page page : pages) {
            Future<String> first = one.ask(page);
            Future<String> second = other.ask(page);
            String expected = first.get();
            String actual = second.get();
            if (!expected.equals(actual)) {
                differences.put(page.toString(), firstDifference(expected, actual));
            }
        }
        return differences;
    }

    private static String firstDifference(String expected, String actual) {
        List<String> a = List.of(expected.split("\n", -1));
        List<String> b = List.of(actual.split("\n", -1));
        int i = 0;
        while (i < a.size() && i < b.size() && a.get(i).equals(b.get(i))) {
            i++;
        }
        return "\n  Tomcat: "
                + (i < a.size() ? a.get(i) : "(ends)")
                + "\n  Margay: "
                + (i < b.size() ? b.get(i) : "(ends)");
    }
}
