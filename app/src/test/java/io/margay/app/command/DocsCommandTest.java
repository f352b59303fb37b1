package io.margay.app.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.MargayProcess;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `margay docs` as a process, in a checkout of two pages.
@Tag("slow")
final class DocsCommandTest {
    @TempDir Path folder;

    private Path home;

    @BeforeEach
    void checkout() throws Exception {
        home = Files.createDirectories(folder.resolve("home"));
        Files.createDirectories(home.resolve("docs/guide"));
        Files.writeString(home.resolve("pom.xml"), "<project/>");
        Files.writeString(
                home.resolve("docs/README.md"),
                "# Documentation\n\n## Guide: how\n\n[First](guide/first.md) [gone](none.txt)\n");
        Files.writeString(
                home.resolve("docs/guide/first.md"),
                "# First\n\n| a |\n|---|\n| b |\n\n> [!WARNING]\n> Take care.\n");
    }

    private MargayProcess docs(String... words) throws Exception {
        List<String> all = new ArrayList<>(List.of("docs"));
        all.addAll(List.of(words));
        return MargayProcess.startWith(
                folder, List.of("-Dmargay.home=" + home), all.toArray(String[]::new));
    }

    @Test
    void docs_areServedOnLoopback_untilASignal() throws Exception {
        try (MargayProcess server = docs("--http", "0");
                HttpClient client = HttpClient.newHttpClient()) {
            int port = server.awaitReady();
            assertTrue(server.err().stream().anyMatch(line -> line.contains("http://127.0.0.1:")));
            HttpResponse<String> page = get(client, port, "/guide/first.html");
            assertEquals(200, page.statusCode());
            assertTrue(page.body().contains("<h1 id=\"first\">First</h1>"), page.body());
            assertTrue(page.body().contains("<td>b</td>"), page.body());
            assertTrue(page.body().contains("markdown-alert-warning"), page.body());
            assertTrue(page.body().contains(">Warning</p>"), page.body());
            String policy = page.headers().firstValue("content-security-policy").orElse("");
            assertTrue(policy.startsWith("default-src 'none'; script-src 'self'"), policy);
            String index = get(client, port, "/").body();
            assertTrue(index.contains("<a href=\"guide/first.html\">First</a> gone"), index);
            assertEquals(200, get(client, port, "/search-index.js").statusCode());
            assertEquals(404, get(client, port, "/none.html").statusCode());
            server.signal("TERM");
            assertEquals(0, server.awaitExit(), server.toString());
        }
        assertFalse(Files.exists(folder.resolve("work")), "reading leaves nothing");
    }

    /// As packages have it, where the sources of the pages lie elsewhere.
    @Test
    void pagesOfADistribution_areWrittenAsTheyAre() throws Exception {
        Path packed = Files.createDirectories(home.resolve("site/guide"));
        Files.writeString(packed.resolve("first.html"), "<h1>First</h1>");
        Files.writeString(home.resolve("site/index.html"), "<h1>All</h1>");
        Files.writeString(home.resolve("site/site.js"), "");
        Files.delete(home.resolve("docs/README.md"));
        Path target = folder.resolve("public");
        try (MargayProcess written = docs("--to", target.toString())) {
            assertEquals(0, written.awaitExit(), written.toString());
            assertEquals(List.of(target + ": 2 pages"), written.out());
        }
        assertEquals("<h1>First</h1>", Files.readString(target.resolve("guide/first.html")));
    }

    private static HttpResponse<String> get(HttpClient client, int port, String path)
            throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + port + path);
        return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    }

    @Test
    void docs_areWrittenToAFolder_orItIsSaidThatThereAreNone() throws Exception {
        Path target = folder.resolve("public");
        try (MargayProcess written = docs("--to", target.toString())) {
            assertEquals(0, written.awaitExit(), written.toString());
            assertEquals(List.of(target + ": 2 pages"), written.out());
        }
        assertTrue(Files.exists(target.resolve("guide/first.html")));
        Files.delete(home.resolve("pom.xml"));
        try (MargayProcess none = docs("--http", "0")) {
            assertEquals(1, none.awaitExit(), none.toString());
            assertEquals(
                    List.of(
                            "margay: there is no documentation here: "
                                    + home.resolve("site")
                                    + " is missing"),
                    none.err());
        }
    }
}
