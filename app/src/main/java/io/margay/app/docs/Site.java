package io.margay.app.docs;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/// The Markdown of a checkout or a distribution as pages in HTML that need no server: links are
/// relative, and search runs in the browser. Confined to one thread.
final class Site {
    private static final List<String> PARTS = List.of("site.css", "site.js");

    private final Path home;

    /// By their source.
    private final Map<Path, SitePage> pages = new LinkedHashMap<>();

    private Site(Path home) {
        this.home = home;
    }

    /// Reads all pages.
    ///
    /// @param home the folder that `docs` is in
    static Site of(Path home) throws IOException {
        Site site = new Site(home.normalize());
        Path docs = site.home.resolve("docs");
        if (!Files.exists(docs.resolve("README.md"))) {
            throw new IOException(docs + " has no README.md");
        }
        try (Stream<Path> top = Files.list(site.home);
                Stream<Path> inside = Files.walk(docs)) {
            for (Path file :
                    Stream.concat(top.sorted(), inside.sorted())
                            .filter(each -> each.toString().endsWith(".md"))
                            .toList()) {
                site.pages.put(file, SitePage.read(file, site.path(file)));
            }
        }
        return site;
    }

    /// Where a page lies in the site: what is in `docs` at the top, beside what is above it.
    private String path(Path file) {
        String name = slashed(home.relativize(file)).replaceFirst("\\.md$", "");
        return name.startsWith("docs/")
                ? name.substring("docs/".length()).replaceFirst("(^|/)README$", "$1index") + ".html"
                : name.toLowerCase(Locale.ROOT) + ".html";
    }

    static String slashed(Path path) {
        return path.toString().replace('\\', '/');
    }

    Path home() {
        return home;
    }

    List<SitePage> pages() {
        return List.copyOf(pages.values());
    }

    /// The page that is rendered from a file.
    Map<Path, SitePage> bySource() {
        return pages;
    }

    /// Writes everything; a file that is the same already is left as it is, and others in the
    /// folder are not touched.
    ///
    /// @return how many pages there are
    int write(Path folder) throws IOException {
        Navigation navigation = Navigation.of(this);
        SearchIndex index = new SearchIndex();
        PageFrame frame = new PageFrame(resource("page.html"));
        List<Path> linked = new ArrayList<>();
        for (SitePage page : pages.values()) {
            PageLinks links = new PageLinks(this, page);
            links.rewrite();
            linked.addAll(links.files());
            index.add(page, navigation.section(page));
            put(folder, page.path(), bytes(frame.of(page, navigation)));
        }
        for (Path file : linked) {
            copy(file, folder);
        }
        for (String name : PARTS) {
            put(folder, name, bytes(resource(name)));
        }
        put(folder, "logo.svg", bytes(resource("/io/margay/app/console/logo.svg")));
        put(folder, "search-index.js", bytes(index.script()));
        return pages.size();
    }

    /// Copies a site that is written already.
    ///
    /// @return how many pages it has
    static int copySite(Path from, Path to) throws IOException {
        int count = 0;
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String name = slashed(from.relativize(file));
                put(to, name, Files.readAllBytes(file));
                count += name.endsWith(".html") ? 1 : 0;
            }
        }
        return count;
    }

    /// Where a file that a page links to lies in the site. Browsers show a file without an ending
    /// as text.
    String place(Path file) {
        String name = slashed(home.relativize(file));
        if (name.startsWith("docs/")) {
            return name.substring("docs/".length());
        }
        return "files/" + name + (name.matches(".*\\.[a-z0-9]+$") ? "" : ".txt");
    }

    private void copy(Path file, Path folder) throws IOException {
        put(folder, place(file), Files.readAllBytes(file));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /// Readers never see half of a file.
    private static void put(Path folder, String name, byte[] content) throws IOException {
        Path file = folder.resolve(name);
        if (Files.exists(file) && Arrays.equals(Files.readAllBytes(file), content)) {
            return;
        }
        Path parent = file.toAbsolutePath().getParent();
        Files.createDirectories(parent);
        Path next = Files.createTempFile(parent, ".next", "");
        Files.write(next, content);
        next.toFile().setReadable(true, false);
        Files.move(next, file, StandardCopyOption.REPLACE_EXISTING);
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = Site.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IOException(name + " is missing in the program");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
