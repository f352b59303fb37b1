package io.margay.frameworks.javax;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.Margay;
import io.margay.app.MargayServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tomcat 9's own applications `examples` and `docs`, served as they are and by the Tomcat that
/// they come with: each page must be answered alike.
final class Tomcat9ExamplesTest {
    private static final Pattern PAGE = Pattern.compile(".*\\.(jspx?|html|xhtml|txt|xml|gif|css)");
    private static final Pattern MAPPING = Pattern.compile("<url-pattern>(/[^*<]+)</url-pattern>");

    /// Pages that no server answers twice alike, or of which something is said elsewhere.
    private static final Map<Pattern, String> LEFT_OUT =
            Map.of(
                    Pattern.compile("/examples/(async/|servlets/nonblock).*"),
                    "they end when the client does",
                    Pattern.compile("/examples/jsp/security/protected/.*"),
                    "nobody can log in where no users are configured",
                    Pattern.compile(
                            "/examples/jsp/(async/async[13]|include/(foo|include)|xml/xml)\\.jsp"
                                    + "|/examples/jsp/jsp2/jspx/basic\\.jspx"),
                    "they tell the time",
                    Pattern.compile("/examples/jsp/forward/forward\\.jsp"),
                    "it chooses by the memory that is free",
                    Pattern.compile("/examples/jsp/jsp2/jspattribute/shuffle\\.jsp"),
                    "it shuffles",
                    Pattern.compile("/examples/servlets/servlet/SessionExample"),
                    "it tells identifiers and times",
                    Pattern.compile("/examples/servlets/servlet/RequestHeaderExample"),
                    "Tomcat 9 tells the names of fields in small letters, Margay as they came");

    @TempDir Path temp;

    @Test
    void everyPage_isAnsweredAsByTomcat9() throws Exception {
        Path home = Path.of(System.getProperty("margay.tomcat9"));
        Map<String, Path> apps = new TreeMap<>();
        for (String name : Set.of("examples", "docs")) {
            apps.put("/" + name, home.resolve("webapps").resolve(name));
        }
        Set<String> pages = new TreeSet<>();
        for (Map.Entry<String, Path> app : apps.entrySet()) {
            pages(app.getKey(), app.getValue(), pages);
        }
        assertTrue(pages.size() > 250, pages.toString());
        var builder = Margay.builder().http(0).work(temp.resolve("work"));
        apps.forEach(builder::app);
        Path base = Files.createDirectories(temp.resolve("tomcat"));
        try (Tomcat9 tomcat = Tomcat9.start(home, base, apps);
                MargayServer margay = builder.start();
                Visitor there = new Visitor(tomcat.url());
                Visitor here = new Visitor("http://127.0.0.1:" + margay.ports().getFirst())) {
            Map<String, String> differences = new TreeMap<>();
            for (String page : pages) {
                String expected = there.answer(page);
                String answered = here.answer(page);
                if (!expected.equals(answered)) {
                    differences.put(page, expected + "\n-- here:\n" + answered);
                }
            }
            assertEquals("", String.join("\n", differences.values()));
        }
    }

    /// Its files, and its servlets.
    private static void pages(String path, Path folder, Set<String> pages) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            files.map(file -> path + "/" + folder.relativize(file))
                    .filter(file -> PAGE.matcher(file).matches() && !file.contains("-INF/"))
                    .forEach(pages::add);
        }
        Matcher mapped = MAPPING.matcher(Files.readString(folder.resolve("WEB-INF/web.xml")));
        while (mapped.find()) {
            pages.add(path + mapped.group(1));
        }
        pages.removeIf(page ->
                LEFT_OUT.keySet().stream().anyMatch(pattern -> pattern.matcher(page).matches()));
    }
}
