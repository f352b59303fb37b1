package io.margay.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ExtensionsTest {
    private static final ClassLoader OWN = ExtensionsTest.class.getClassLoader();
    private static final String SERVICE = "META-INF/services/io.margay.Example";

    @TempDir Path home;

    @Test
    void loader_ofAServerInNoJar_isThatOfItsClasses() {
        assertSame(OWN, Extensions.loader(null, OWN));
    }

    @Test
    void loader_withoutTheFolder_isThatOfTheServer() throws IOException {
        assertSame(OWN, Extensions.loader(home.resolve("margay-server.jar"), OWN));
        Files.createDirectories(home.resolve("extensions"));
        assertSame(OWN, Extensions.loader(home.resolve("margay-server.jar"), OWN));
    }

    @Test
    void loader_withTheFolder_hasItsJarsAndTheServersClasses() throws IOException {
        Path folder = Files.createDirectories(home.resolve("extensions"));
        jar(folder.resolve("one.jar"), SERVICE, "io.margay.One");
        jar(folder.resolve("two.jar"), SERVICE, "io.margay.Two");
        Files.writeString(folder.resolve("three.txt"), "no jar");
        try (URLClassLoader loader =
                (URLClassLoader) Extensions.loader(home.resolve("margay-server.jar"), OWN)) {
            assertEquals(2, loader.getURLs().length);
            assertEquals(2, Collections.list(loader.getResources(SERVICE)).size());
            assertNotNull(loader.getResource("io/margay/server/Extensions.class"));
        }
    }

    private static void jar(Path file, String entry, String text) throws IOException {
        try (OutputStream out = Files.newOutputStream(file);
                JarOutputStream jar = new JarOutputStream(out)) {
            jar.putNextEntry(new ZipEntry(entry));
            jar.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }
}
