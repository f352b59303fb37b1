package io.margay.app.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The site of this checkout, as files. What is read of its HTML is read without the renderer.
@Tag("slow")
final class SiteTest {
    private static final Pattern LINK = Pattern.compile("<[a-z]+ [^>]*?(?:href|src)=\"([^\"]+)\"");
    private static final Pattern ID = Pattern.compile("<[a-z0-9]+[^>]*? id=\"([^\"]+)\"");
    private static final Pattern FETCHED =
            Pattern.compile("<(?!a )[a-z]+ [^>]*?(?:href|src)=\"[a-z]+:");
    private static final Pattern INDEXED = Pattern.compile("\\[(\\d+),\"([^\"]*)\",\"");

    @TempDir static Path folder;

    private static final Map<Path, String> PAGES = new TreeMap<>();
    private static final Map<Path, Set<String>> IDS = new TreeMap<>();

    @BeforeAll
    static void site_isWritten() throws IOException {
        Site.of(Document.ROOT).write(folder);
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(each -> each.toString().endsWith(".html")).toList()) {
                String html = Files.readString(file);
                PAGES.put(file, html);
                IDS.put(file, Set.copyOf(found(ID, html)));
            }
        }
    }

    private static List<String> found(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(match -> match.group(1)).toList();
    }

    @Test
    void documents_areAllPages_withTheirHeadings() throws IOException {
        List<String> missing = new ArrayList<>();
        List<Document> documents = Document.all();
        for (Document document : documents) {
            String name = document.toString();
            String path =
                    name.startsWith("docs/")
                            ? name.substring(5).replace("README.md", "index.md")
                            : name.toLowerCase(Locale.ROOT);
            Set<String> ids = IDS.get(folder.resolve(path.replaceFirst("md$", "html")));
            if (ids == null || !ids.containsAll(document.anchors())) {
                missing.add(name);
            }
        }
        assertEquals(List.of(), missing);
        assertEquals(documents.size(), PAGES.size());
        assertTrue(PAGES.size() > 60, PAGES.size() + " pages");
    }

    @Test
    void links_leadToWhatIsThere() {
        List<String> wrong = new ArrayList<>();
        int links = 0;
        for (Map.Entry<Path, String> page : PAGES.entrySet()) {
            for (String link : found(LINK, page.getValue())) {
                if (!link.matches("[a-z]+:.*")) {
                    links++;
                    if (!leadsSomewhere(page.getKey(), link)) {
                        wrong.add(folder.relativize(page.getKey()) + ": " + link);
                    }
                }
            }
        }
        assertEquals(List.of(), wrong);
        assertTrue(links > 5000, links + " links");
    }

    private static boolean leadsSomewhere(Path from, String link) {
        String[] parts = link.split("#", 2);
        Path file = parts[0].isEmpty() ? from : from.resolveSibling(parts[0]).normalize();
        if (!Files.isRegularFile(file)) {
            return false;
        }
        return parts.length == 1 || IDS.getOrDefault(file, Set.of()).contains(parts[1]);
    }

    @Test
    void ids_areGivenOnce_andNothingComesFromElsewhere() {
        List<String> wrong = new ArrayList<>();
        PAGES.forEach((file, html) -> {
            List<String> ids = found(ID, html);
            Set<String> once = new HashSet<>();
            ids.stream().filter(id -> !once.add(id)).forEach(id -> wrong.add(file + ": #" + id));
            if (FETCHED.matcher(html).find() || !html.contains("default-src 'none'")) {
                wrong.add(file + " may load something from elsewhere");
            }
        });
        assertEquals(List.of(), wrong);
    }

    /// A release is made twice and must be the same to the byte.
    @Test
    void attributes_haveAnOrder() {
        String order = "<div aria-label=\"Table\" class=\"scroll\" role=\"group\" tabindex=\"0\">";
        List<Path> wrong = new ArrayList<>();
        PAGES.forEach((file, html) -> {
            if (html.replace(order, "").contains("class=\"scroll\"")) {
                wrong.add(file);
            }
        });
        assertEquals(List.of(), wrong);
        assertTrue(PAGES.values().stream().anyMatch(html -> html.contains(order)));
    }

    @Test
    void menu_hasTheSectionsOfTheIndex_andEachPageOnce() throws IOException {
        String html = Files.readString(folder.resolve("guide/tls.html"));
        String menu = html.substring(html.indexOf("<nav id=\"site-pages\""));
        assertEquals(
                List.of("Guide", "Reference", "Design", "Measurements", "Project"),
                found(Pattern.compile("<summary>([^<]+)"), menu));
        List<String> links = found(LINK, menu);
        assertEquals(links.size(), Set.copyOf(links).size(), links.toString());
        assertTrue(menu.contains("<a href=\"../guide/tls.html\" aria-current=\"page\">TLS</a>"));
    }

    @Test
    void index_ofTheSearch_namesEachPageAndPlacesThatExist() throws IOException {
        String script = Files.readString(folder.resolve("search-index.js"));
        String[] halves = script.split("window.margayParts = ", 2);
        List<String> paths = found(Pattern.compile("\\[\"([^\"]+\\.html)\",\""), halves[0]);
        assertEquals(PAGES.size(), paths.size());
        List<String> wrong = new ArrayList<>();
        int places = 0;
        Matcher place = INDEXED.matcher(halves[1]);
        while (place.find()) {
            String path = paths.get(Integer.parseInt(place.group(1)));
            String fragment = place.group(2).isEmpty() ? "" : "#" + place.group(2);
            places++;
            if (!leadsSomewhere(folder.resolve("index.html"), path + fragment)) {
                wrong.add(path + fragment);
            }
        }
        assertEquals(List.of(), wrong);
        assertTrue(places > PAGES.size() * 3, places + " places");
    }
}
