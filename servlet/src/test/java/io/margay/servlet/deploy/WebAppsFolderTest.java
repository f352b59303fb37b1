package io.margay.servlet.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WebAppsFolderTest {
    @TempDir Path temp;

    private WebAppsFolder read(String... names) throws IOException {
        for (String name : names) {
            if (name.endsWith("/")) {
                Files.createDirectories(temp.resolve(name));
            } else {
                Files.writeString(temp.resolve(name), "");
            }
        }
        return WebAppsFolder.read(temp);
    }

    private static Map<String, String> paths(WebAppsFolder folder) {
        return folder.applications().stream()
                .collect(
                        Collectors.toMap(
                                app -> app.file().getFileName().toString(),
                                app -> app.contextPath() + " " + app.version()));
    }

    @Test
    void names_asTomcatNamesThem_becomeContextPaths() throws IOException {
        assertEquals(
                Map.of(
                        "ROOT.war", " ",
                        "shop.war", "/shop ",
                        "a#b.war", "/a/b ",
                        "folder", "/folder ",
                        "v##2.war", "/v 2",
                        "a#c##1.0", "/a/c 1.0",
                        "BIG.WAR", "/BIG "),
                paths(
                        read(
                                "ROOT.war",
                                "shop.war",
                                "a#b.war",
                                "folder/",
                                "v##2.war",
                                "a#c##1.0/",
                                "BIG.WAR")));
    }

    @Test
    void rootWithVersion_isTheRoot() throws IOException {
        assertEquals(Map.of("ROOT##7.war", " 7"), paths(read("ROOT##7.war")));
    }

    @Test
    void folder_besideItsWar_isTakenForTheCopy() throws IOException {
        WebAppsFolder folder = read("shop.war", "shop/");
        assertEquals(Map.of("shop.war", "/shop "), paths(folder));
        assertTrue(folder.skipped().getFirst().contains("unpacked copy of shop.war"));
    }

    @Test
    void versions_several_areAllDeployed() throws IOException {
        WebAppsFolder folder = read("v##2.war", "v##10.war", "v.war");
        assertEquals(
                List.of("", "10", "2"),
                folder.applications().stream().map(WebAppsFolder.Application::version).toList());
        assertTrue(folder.skipped().isEmpty());
    }

    @Test
    void baseName_ofPathAndVersion_isReadBackAsThem() {
        for (String path : List.of("", "/a", "/a/b")) {
            for (String version : List.of("", "2")) {
                Path war = Path.of(WebAppsFolder.baseName(path, version) + ".war");
                WebAppsFolder.Application read = WebAppsFolder.named(war);
                assertEquals(path, read.contextPath());
                assertEquals(version, read.version());
            }
        }
    }

    @Test
    void otherFiles_areSkippedWithAWord() throws IOException {
        WebAppsFolder folder = read(".hidden/", "readme.txt", "a##/", "x#.war", "a%2e.war");
        assertEquals(Map.of("a##", "/a "), paths(folder));
        assertEquals(4, folder.skipped().size(), folder.skipped()::toString);
    }

    @Test
    void folder_absent_isOneClearError() {
        Path absent = temp.resolve("absent");
        String message =
                assertThrows(DeploymentException.class, () -> WebAppsFolder.read(absent))
                        .getMessage();
        assertTrue(message.startsWith(absent + ": cannot be read"), message);
    }

    @Test
    void looksLikeOne_forAnApplication_isFalse() throws IOException {
        assertTrue(WebAppsFolder.looksLikeOne(temp));
        Files.createDirectories(temp.resolve("WEB-INF"));
        assertFalse(WebAppsFolder.looksLikeOne(temp));
    }
}
