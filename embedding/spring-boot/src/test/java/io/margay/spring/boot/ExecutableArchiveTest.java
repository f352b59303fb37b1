package io.margay.spring.boot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// An application as Spring Boot packs it, a JAR or WAR with JARs in it, run by `java -jar`.
@Tag("slow")
final class ExecutableArchiveTest {
    private static final Pattern STARTED = Pattern.compile("Margay started on port (\\d+)");

    /// With a tag of a library within the archive.
    private static final String PAGE =
            """
            <%@ taglib prefix="s" uri="http://www.springframework.org/tags"%>\
            ${2 + 2} pages, <s:escapeBody htmlEscape="true"><</s:escapeBody>\
            """;

    @TempDir Path folder;

    @Test
    void war_servesItsFiles_itsPages_andWhatItsLibrariesHave() throws Exception {
        Path war = folder.resolve("app.war");
        try (JarOutputStream out = archive(war, "WarLauncher", "WEB-INF/")) {
            add(out, "note.txt", "a file".getBytes(UTF_8));
            add(out, "page.jsp", PAGE.getBytes(UTF_8));
        }
        try (Running app = new Running(war);
                HttpClient client = HttpClient.newHttpClient()) {
            assertEquals("a file", app.get(client, "/note.txt"));
            assertEquals("4 pages, &lt;", app.get(client, "/page.jsp"));
            assertEquals("from a library", app.get(client, "/sub/nested.txt"));
            assertEquals("from a library", app.get(client, "/resource?path=/sub/nested.txt"));
            assertEquals("a file", app.get(client, "/resource?path=/note.txt"));
            String launcher = "/org/springframework/boot/loader/launch/WarLauncher.class";
            assertEquals("nothing", app.get(client, "/resource?path=" + launcher));
            assertEquals(404, BootRun.get(client, app.root() + launcher).statusCode());
        }
    }

    @Test
    void jar_servesWhatItsLibrariesAndItsClassesHave() throws Exception {
        Path jar = folder.resolve("app.jar");
        try (JarOutputStream out = archive(jar, "JarLauncher", "BOOT-INF/")) {
            add(out, "BOOT-INF/classes/META-INF/resources/own.txt", "of its own".getBytes(UTF_8));
        }
        try (Running app = new Running(jar);
                HttpClient client = HttpClient.newHttpClient()) {
            assertEquals("from a library", app.get(client, "/resource?path=/sub/nested.txt"));
            assertEquals("of its own", app.get(client, "/own.txt"));
        }
    }

    /// An archive with this test's class path and the application in it, and what starts it.
    private static JarOutputStream archive(Path file, String launcher, String inside)
            throws IOException {
        JarOutputStream out = new JarOutputStream(Files.newOutputStream(file));
        String manifest =
                """
                Manifest-Version: 1.0
                Main-Class: org.springframework.boot.loader.launch.%s
                Start-Class: %s
                Spring-Boot-Classes: %sclasses/
                Spring-Boot-Lib: %slib/
                """
                        .formatted(launcher, ExecutableApplication.class.getName(), inside, inside);
        add(out, "META-INF/MANIFEST.MF", manifest.getBytes(UTF_8));
        add(out, inside + "classes/", new byte[0]);
        add(out, inside + "lib/nested.jar", library());
        Set<String> names = new HashSet<>();
        for (String each : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path place = Path.of(each);
            if (place.endsWith("test-classes")) {
                copyApplication(place, out, inside + "classes/");
            } else if (String.valueOf(place.getFileName()).startsWith("spring-boot-loader")) {
                copyLoader(place, out);
            } else if (Files.exists(place)) {
                byte[] bytes = Files.isDirectory(place) ? packed(place) : Files.readAllBytes(place);
                names.add(each);
                add(out, inside + "lib/" + names.size() + ".jar", bytes);
            }
        }
        return out;
    }

    private static byte[] library() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JarOutputStream out = new JarOutputStream(bytes)) {
            // Spring Boot looks for it.
            add(out, "META-INF/resources/", new byte[0]);
            add(out, "META-INF/resources/sub/nested.txt", "from a library".getBytes(UTF_8));
        }
        return bytes.toByteArray();
    }

    private static void copyApplication(Path classes, JarOutputStream out, String to)
            throws IOException {
        String name = ExecutableApplication.class.getName().replace('.', '/');
        for (String type : List.of(name, name + "$Asked")) {
            add(out, to + type + ".class", Files.readAllBytes(classes.resolve(type + ".class")));
        }
    }

    private static void copyLoader(Path loader, JarOutputStream out) throws IOException {
        try (JarFile jar = new JarFile(loader.toFile())) {
            for (JarEntry entry : (Iterable<JarEntry>) jar.stream()::iterator) {
                if (entry.getName().endsWith(".class")
                        || entry.getName().startsWith("META-INF/services/")
                                && !entry.isDirectory()) {
                    add(out, entry.getName(), jar.getInputStream(entry).readAllBytes());
                }
            }
        }
    }

    private static byte[] packed(Path classes) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JarOutputStream out = new JarOutputStream(bytes);
                Stream<Path> files = Files.walk(classes)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                add(out, classes.relativize(file).toString(), Files.readAllBytes(file));
            }
        }
        return bytes.toByteArray();
    }

    /// Not compressed, as the archives in it must be.
    private static void add(JarOutputStream out, String name, byte[] bytes) throws IOException {
        JarEntry entry = new JarEntry(name);
        CRC32 sum = new CRC32();
        sum.update(bytes);
        entry.setMethod(JarEntry.STORED);
        entry.setSize(bytes.length);
        entry.setCrc(sum.getValue());
        out.putNextEntry(entry);
        out.write(bytes);
        out.closeEntry();
    }

    /// A process that serves.
    private static final class Running implements AutoCloseable {
        private final Process process;
        private final int port;
        private final StringBuffer output = new StringBuffer();

        private Running(Path archive) throws IOException {
            process =
                    new ProcessBuilder(
                                    Path.of(System.getProperty("java.home"), "bin/java").toString(),
                                    "-XX:TieredStopAtLevel=1",
                                    "-XX:+UseSerialGC",
                                    "--enable-native-access=ALL-UNNAMED",
                                    "-jar",
                                    archive.toString(),
                                    "--server.address=127.0.0.1",
                                    "--server.port=0")
                            .directory(archive.getParent().toFile())
                            .redirectErrorStream(true)
                            .start();
            BufferedReader lines = process.inputReader(UTF_8);
            port = awaitPort(lines);
            // Whoever writes to a full pipe waits.
            Thread.ofVirtual().start(() -> lines.lines().forEach(this::said));
        }

        private int awaitPort(BufferedReader lines) throws IOException {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                said(line);
                Matcher started = STARTED.matcher(line);
                if (started.find()) {
                    return Integer.parseInt(started.group(1));
                }
            }
            throw new IOException("it has not started:\n" + output);
        }

        private void said(String line) {
            output.append(line).append('\n');
        }

        String root() {
            return "http://127.0.0.1:" + port;
        }

        String get(HttpClient client, String path) throws Exception {
            HttpResponse<String> response = BootRun.get(client, root() + path);
            assertEquals(200, response.statusCode(), output::toString);
            return response.body();
        }

        @Override
        public void close() {
            process.destroyForcibly();
            process.onExit().join();
        }
    }
}
