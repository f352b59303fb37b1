package io.margay.compat.tomcat.javax;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.compat.tomcat.application.AppServer;
import io.margay.testkit.Archives;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What `margay convert` writes.
@Tag("slow")
final class WarConversionTest {
    @TempDir Path temp;

    @Test
    void convertedWar_isServedAsItIs() throws Exception {
        byte[] library = Files.readAllBytes(OldApplication.library(temp));
        Path war =
                OldApplication.files(temp, 3)
                        .bytes("WEB-INF/lib/library.jar", library)
                        .to(temp.resolve("old.war"));
        byte[] before = Files.readAllBytes(war);
        Path converted = temp.resolve("new.war");
        List<String> progress = new ArrayList<>();
        String account =
                new WarConversion(() -> 0, (done, total, _) -> progress.add(done + "/" + total))
                        .convert(war, converted);
        assertArrayEquals(before, Files.readAllBytes(war));
        assertTrue(
                account != null && account.contains("1 libraries converted, 0 found converted"),
                account);
        assertEquals("1/" + progress.size(), progress.getFirst());
        assertEquals(progress.size() + "/" + progress.size(), progress.getLast());
        try (AppServer server =
                AppServer.start(
                        converted, "/app", temp.resolve("work"), UnaryOperator.identity())) {
            assertNull(server.deployment().conversion());
            assertEquals(
                    "hello b GET c",
                    server.get("/page.jsp").body().strip().replaceAll("\\s+", " "));
            assertEquals("true from the descriptor", server.get("/old").body());
            assertEquals("[class lib.Annotated] /app/found", server.get("/found").body());
        }
    }

    /// As OSGi launchers, plug-ins and archives of several libraries have them.
    @Test
    void libraries_anywhereBelowWebInf_areConverted() throws Exception {
        byte[] library = Files.readAllBytes(OldApplication.library(temp));
        Path outer =
                Archives.in(temp).bytes("lib/inner.jar", library).to(temp.resolve("outer.jar"));
        Path war =
                Archives.in(temp)
                        .bytes("WEB-INF/resources/bundles/a.jar", library)
                        .bytes("WEB-INF/lib/outer.jar", Files.readAllBytes(outer))
                        .text("WEB-INF/data/no.jar", "javax.servlet, but no archive")
                        .bytes("downloads/b.jar", library)
                        .to(temp.resolve("old.war"));
        Path converted = temp.resolve("new.war");
        new WarConversion(() -> 0, (_, _, _) -> {}).convert(war, converted);
        Path work = Files.createDirectory(temp.resolve("unpacked"));
        try (ZipFile zip = new ZipFile(converted.toFile())) {
            for (String name :
                    List.of(
                            "WEB-INF/resources/bundles/a.jar",
                            "WEB-INF/lib/outer.jar",
                            "WEB-INF/data/no.jar",
                            "downloads/b.jar")) {
                Path file = work.resolve(name.replace('/', '_'));
                Files.copy(zip.getInputStream(zip.getEntry(name)), file);
            }
        }
        try (ZipFile zip = new ZipFile(work.resolve("WEB-INF_lib_outer.jar").toFile())) {
            Files.copy(
                    zip.getInputStream(zip.getEntry("lib/inner.jar")), work.resolve("inner.jar"));
        }
        assertEquals(List.of(), oldClasses(work.resolve("WEB-INF_resources_bundles_a.jar")));
        assertEquals(List.of(), oldClasses(work.resolve("inner.jar")));
        assertArrayEquals(library, Files.readAllBytes(work.resolve("downloads_b.jar")));
        assertEquals(
                "javax.servlet, but no archive",
                Files.readString(work.resolve("WEB-INF_data_no.jar")));
        assertTrue(oldClasses(work.resolve("downloads_b.jar")).size() > 0);
    }

    /// The classes of a library that refer to Servlet for Java EE.
    private static List<String> oldClasses(Path library) throws IOException {
        List<String> found = new ArrayList<>();
        try (ZipFile zip = new ZipFile(library.toFile())) {
            for (ZipEntry entry : Collections.list(zip.entries())) {
                byte[] content = zip.getInputStream(entry).readAllBytes();
                if (entry.getName().endsWith(".class")
                        && new String(content, StandardCharsets.ISO_8859_1)
                                .contains("javax/servlet/")) {
                    found.add(entry.getName());
                }
            }
        }
        return found;
    }

    @Test
    void warWithoutJavax_isNotWritten() throws Exception {
        Path war =
                Archives.in(temp).text("index.html", "about javax.servlet.").to(temp.resolve("w"));
        Path converted = temp.resolve("new.war");
        assertNull(new WarConversion(() -> 0, (_, _, _) -> {}).convert(war, converted));
        try (Stream<Path> files = Files.list(temp)) {
            assertEquals(List.of("w"), files.map(file -> file.getFileName().toString()).toList());
        }
    }
}
