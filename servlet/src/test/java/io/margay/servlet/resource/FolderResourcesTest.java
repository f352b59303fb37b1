package io.margay.servlet.resource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.Archives;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FolderResourcesTest {
    @TempDir Path temp;
    private Path app;
    private Path first;
    private Path second;

    @BeforeEach
    void build() throws IOException {
        app =
                Archives.in(temp)
                        .text("index.html", "index")
                        .text("a/b.txt", "b")
                        .text("WEB-INF/web.xml", "<web-app/>")
                        .toFolder(temp.resolve("app"));
        first =
                Archives.in(temp)
                        .text("META-INF/resources/index.html", "shadowed")
                        .text("META-INF/resources/lib/x y&ü.js", "first")
                        .text("META-INF/resources/a/c.txt", "c")
                        .text("META-INF/resources/WEB-INF/tags/t.tag", "t")
                        .text("META-INF/resources/WEB-INF/classes/A.class", "no")
                        .text("META-INF/resources/../escape.txt", "no")
                        .text("other.txt", "no")
                        .to(temp.resolve("first.jar"));
        second =
                Archives.in(temp)
                        .text("META-INF/resources/lib/x y&ü.js", "second")
                        .to(temp.resolve("second.jar"));
    }

    private FolderResources resources() throws IOException {
        return new FolderResources(app, List.of(first, second));
    }

    private static String text(WebResource resource) throws IOException {
        try (InputStream in = resource.open()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void get_inFolderAndLibraries_findsTheFirstInOrder() throws IOException {
        try (FolderResources resources = resources()) {
            assertEquals("index", text(resources.get("/index.html")));
            assertEquals("first", text(resources.get("/lib/x y&ü.js")));
            assertEquals("c", text(resources.get("/a/c.txt")));
            assertEquals("t", text(resources.get("/WEB-INF/tags/t.tag")));
            assertEquals(app.toRealPath().resolve("a/b.txt"), resources.get("/a/b.txt").file());
            assertNull(resources.get("/lib/x y&ü.js").file());
            assertEquals(5, resources.get("/lib/x y&ü.js").length());
        }
    }

    @Test
    void url_ofAnythingFound_opensIt() throws IOException {
        try (FolderResources resources = resources()) {
            for (String path : List.of("/index.html", "/lib/x y&ü.js")) {
                try (InputStream in = resources.get(path).url().openStream()) {
                    assertEquals(
                            text(resources.get(path)),
                            new String(in.readAllBytes(), StandardCharsets.UTF_8));
                }
            }
        }
    }

    @Test
    void folder_withAndWithoutSlash_isFound() throws IOException {
        try (FolderResources resources = resources()) {
            for (String path : List.of("/", "/a", "/a/", "/lib", "/lib/")) {
                assertTrue(resources.get(path).isFolder(), path);
                assertEquals(-1, resources.get(path).length());
            }
            assertNull(resources.get("/index.html/"));
        }
    }

    @Test
    void list_mergesFolderAndLibraries() throws IOException {
        try (FolderResources resources = resources()) {
            assertEquals(Set.of("/WEB-INF/", "/a/", "/index.html", "/lib/"), resources.list("/"));
            assertEquals(Set.of("/a/b.txt", "/a/c.txt"), resources.list("/a"));
            assertEquals(Set.of("/a/b.txt", "/a/c.txt"), resources.list("/a/"));
            assertEquals(Set.of("/WEB-INF/web.xml", "/WEB-INF/tags/"), resources.list("/WEB-INF/"));
            assertNull(resources.list("/nothing"));
            assertNull(resources.list("/index.html"));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "index.html",
                "//index.html",
                "/a//b.txt",
                "/./index.html",
                "/a/../index.html",
                "/../app/index.html",
                "/..",
                "/.",
                "/a/..",
                "/a\\b.txt",
                "\\index.html",
                "/index.html\u0000",
                "/index.html\u0000.jsp",
                "/a/b.txt\n",
                "/INDEX.HTML",
                "/web-inf/web.xml",
                "/WEB-INF/classes/A.class",
                "/escape.txt",
                "/other.txt",
                "/META-INF/resources/index.html",
                "/index.html.",
                "/index.html ",
                "/a/b.txt/.",
            })
    void get_anyOtherPath_findsNothing(String path) throws IOException {
        try (FolderResources resources = resources()) {
            assertNull(resources.get(path));
        }
    }

    @Test
    void link_outOfTheApplicationOrWithinIt_isNotFollowed() throws IOException {
        Path secret = Files.writeString(temp.resolve("secret.txt"), "secret");
        Files.createSymbolicLink(app.resolve("out.txt"), secret);
        Files.createSymbolicLink(app.resolve("up"), temp);
        Files.createSymbolicLink(app.resolve("open"), app.resolve("WEB-INF"));
        try (FolderResources resources = resources()) {
            assertNull(resources.get("/out.txt"));
            assertNull(resources.get("/up/secret.txt"));
            assertNull(resources.get("/up"));
            assertNull(resources.get("/open/web.xml"));
            assertEquals(Set.of("/WEB-INF/", "/a/", "/index.html", "/lib/"), resources.list("/"));
            assertNull(resources.list("/up"));
        }
    }

    @Test
    void folder_itselfBehindALink_isServed() throws IOException {
        Path link = Files.createSymbolicLink(temp.resolve("current"), app);
        try (FolderResources resources = new FolderResources(link, List.of())) {
            assertNotNull(resources.get("/a/b.txt"));
        }
    }

    /// CVE-2024-50379: a name that differs in case must find nothing, whatever the file system
    /// says.
    @Test
    void cve202450379_nameInOtherCase_findsNothing() throws IOException {
        try (FolderResources resources = resources()) {
            assertNull(resources.get("/A/B.TXT"));
            assertNull(resources.get("/lib/X Y&ü.JS"));
        }
    }

    @Test
    void file_thatAppearsLater_isFound() throws IOException {
        try (FolderResources resources = resources()) {
            assertNull(resources.get("/new.txt"));
            Files.writeString(app.resolve("new.txt"), "new");
            assertEquals("new", text(resources.get("/new.txt")));
            assertFalse(resources.get("/new.txt").isFolder());
        }
    }
}
