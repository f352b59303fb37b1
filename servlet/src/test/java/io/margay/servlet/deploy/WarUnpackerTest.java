package io.margay.servlet.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.Archives;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class WarUnpackerTest {
    private static final byte[] ENTRY_MARK = {'P', 'K', 1, 2};

    @TempDir Path temp;

    private Path work() {
        return temp.resolve("work");
    }

    private WarUnpacker unpacker(WarLimits limits) {
        return new WarUnpacker(work(), limits);
    }

    private String refusal(Path war, WarLimits limits) {
        String message =
                assertThrows(DeploymentException.class, () -> unpacker(limits).unpack(war, "app"))
                        .getMessage();
        assertTrue(message.startsWith(war.toString()), message);
        assertNothingLeft();
        return message;
    }

    private String refusal(Path war) {
        return refusal(war, WarLimits.defaults());
    }

    private void assertNothingLeft() {
        if (!Files.exists(work())) {
            return;
        }
        try (Stream<Path> files = Files.walk(work())) {
            assertEquals(List.of(), files.filter(Files::isRegularFile).toList());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private Path war(String... names) {
        Archives archives = Archives.in(temp).text("index.html", "hello");
        for (String name : names) {
            archives.text(name, name.endsWith("/") ? "" : "x");
        }
        return archives.to(temp.resolve("app.war"));
    }

    /// Replaces a text by one of the same length wherever it stands.
    private static void patch(Path file, byte[] from, byte[] to) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        for (int at = 0; at + from.length <= bytes.length; at++) {
            if (Arrays.equals(bytes, at, at + from.length, from, 0, from.length)) {
                System.arraycopy(to, 0, bytes, at, to.length);
            }
        }
        Files.write(file, bytes);
    }

    private static void patch(Path file, String from, String to) throws IOException {
        patch(file, from.getBytes(StandardCharsets.UTF_8), to.getBytes(StandardCharsets.UTF_8));
    }

    /// Sets bytes of the last entry in the table of contents.
    private static void patchLastEntry(Path file, int offset, int... values) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        int at = bytes.length - ENTRY_MARK.length;
        while (!Arrays.equals(bytes, at, at + 4, ENTRY_MARK, 0, 4)) {
            at--;
        }
        for (int i = 0; i < values.length; i++) {
            bytes[at + offset + i] = (byte) values[i];
        }
        Files.write(file, bytes);
    }

    @Test
    void war_good_isUnpackedOnceWithItsTimes() throws IOException {
        Path war = war("WEB-INF/web.xml", "a/b/c.txt");
        Path folder = unpacker(WarLimits.defaults()).unpack(war, "app");
        assertEquals("x", Files.readString(folder.resolve("a/b/c.txt")));
        Path touched = Files.writeString(folder.resolve("mark"), "");
        assertEquals(folder, unpacker(WarLimits.defaults()).unpack(war, "app"));
        assertTrue(Files.exists(touched), "an unchanged WAR is not unpacked again");
    }

    @Test
    void war_changed_isUnpackedElsewhere() throws IOException {
        Path war = war("a");
        Path first = unpacker(WarLimits.defaults()).unpack(war, "app");
        Path changed = Archives.in(temp).text("index.html", "jello").to(war);
        Path second = unpacker(WarLimits.defaults()).unpack(changed, "app");
        assertNotEquals(first, second);
        assertEquals("jello", Files.readString(second.resolve("index.html")));
    }

    @Test
    void war_unpacked_isNotHeldOpen() throws IOException {
        Path war = war("a");
        unpacker(WarLimits.defaults()).unpack(war, "app");
        Path descriptors = Path.of("/proc/self/fd");
        if (Files.isDirectory(descriptors)) {
            try (Stream<Path> open = Files.list(descriptors)) {
                assertFalse(open.anyMatch(fd -> war.equals(target(fd))));
            }
        }
        Files.delete(war);
    }

    private static Path target(Path link) {
        try {
            return Files.readSymbolicLink(link);
        } catch (IOException e) {
            return link;
        }
    }

    @Test
    void war_unpackedByManyAtOnce_isWholeForAll() throws Exception {
        String[] names = IntStream.range(0, 200).mapToObj(i -> "f" + i).toArray(String[]::new);
        Path war = war(names);
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<Future<Path>> all =
                    IntStream.range(0, 8)
                            .mapToObj(_ ->
                                    threads.submit(() ->
                                            unpacker(WarLimits.defaults()).unpack(war, "app")))
                            .toList();
            for (Future<Path> one : all) {
                try (Stream<Path> files = Files.list(one.get())) {
                    assertEquals(201, files.count());
                }
            }
        }
    }

    /// CVE-2009-2693: an entry leads out of the folder.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "../evil.jsp",
                "a/../../evil.jsp",
                "a/..",
                "../",
                "..",
                "WEB-INF/../../../etc/passwd",
                "/etc/passwd",
                "//host/share",
                "..\\evil.jsp",
                "a\\b",
                "C:/evil",
                "C:evil",
                "a//b",
                "./a",
                "a/./b",
                "a\u0000b",
                "a\nb",
                "a\u009bb",
            })
    void cve20092693_entryThatLeadsOut_refusesTheWholeWar(String name) {
        assertTrue(refusal(war(name)).contains("refused, because its entry"));
    }

    /// CVE-2009-2902: a WAR named so that work is done outside the work folder.
    @ParameterizedTest
    @ValueSource(strings = {"...war", "..war", "#..#x.war", "a#..#b.war", "a##.war.war", "%2e.war"})
    void cve20092902_warNamedToTraverse_isNotDeployed(String name) throws IOException {
        Path folder = Files.createDirectories(temp.resolve("webapps"));
        Files.write(folder.resolve(name), new byte[0]);
        WebAppsFolder read = WebAppsFolder.read(folder);
        for (WebAppsFolder.Application application : read.applications()) {
            assertFalse(
                    Path.of(application.contextPath()).normalize().toString().contains(".."),
                    application::toString);
            assertFalse(application.contextPath().contains("/."), application::toString);
            assertFalse(application.contextPath().contains("%"), application::toString);
        }
    }

    @Test
    void entry_symbolicLink_isRefused() throws IOException {
        Path war = war("link");
        patchLastEntry(war, 4, 20, 3);
        patchLastEntry(war, 38, 0, 0, 0xff, 0xa1);
        assertTrue(refusal(war).contains("entry \"link\" is a symbolic link"));
    }

    @Test
    void entry_device_isRefused() throws IOException {
        Path war = war("device");
        patchLastEntry(war, 4, 20, 3);
        patchLastEntry(war, 38, 0, 0, 0xff, 0x61);
        assertTrue(refusal(war).contains("neither a file nor a folder"));
    }

    /// What old builds write for a folder of which they know no mode: -1.
    @ParameterizedTest
    @ValueSource(strings = {"META-INF/maven/", "page.html"})
    void entry_whoseModeIsUnknown_isUnpacked(String name) throws IOException {
        Path war = war(name);
        patchLastEntry(war, 4, 20, 3);
        patchLastEntry(war, 38, 0x10, 0, 0xff, 0xff);
        assertTrue(Files.exists(unpacker(WarLimits.defaults()).unpack(war, "app").resolve(name)));
    }

    @Test
    void entry_encrypted_isRefused() throws IOException {
        Path war = war("secret");
        patchLastEntry(war, 8, 9, 8);
        assertTrue(refusal(war).contains("is encrypted"));
    }

    @Test
    void entry_twice_isRefused() throws IOException {
        Path war = war("one.jsp", "two.jsp");
        patch(war, "two.jsp", "one.jsp");
        assertTrue(refusal(war).contains("entry \"one.jsp\" occurs twice"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"INDEX.html", "Index.HTML", "\u0131ndex.html"})
    void entry_clashingByCase_isRefused(String name) {
        String message = refusal(war(name));
        assertTrue(message.contains("differs only in case"), message);
    }

    @Test
    void folder_clashingByCase_isRefused() {
        assertTrue(refusal(war("WEB-INF/a", "web-inf/b")).contains("differs only in case"));
    }

    @Test
    void entry_clashingByUnicodeForm_isRefused() {
        assertTrue(refusal(war("\u00e9", "e\u0301")).contains("differs only in case"));
    }

    @Test
    void entry_belowAFile_isRefused() {
        assertTrue(refusal(war("a", "a/b")).contains("lies below a file"));
        assertTrue(refusal(war("b/c", "b")).contains("both a file and a folder"));
    }

    @Test
    void entries_moreThanAllowed_areRefusedByName() {
        WarLimits limits = new WarLimits(2, 1000, 1000, 100, 100, 10_000);
        assertTrue(refusal(war("a", "b", "c"), limits).contains("entriesMax"));
    }

    @Test
    void entry_largerThanAllowed_isRefusedByName() {
        WarLimits limits = new WarLimits(10, 1000, 10_000, 100, 100, 10_000);
        Path war = Archives.in(temp).bytes("big", new byte[1001]).to(temp.resolve("app.war"));
        assertTrue(refusal(war, limits).contains("entryBytesMax"));
    }

    @Test
    void entries_largerTogetherThanAllowed_areRefusedByName() {
        WarLimits limits = new WarLimits(10, 1000, 1500, 100, 100, 10_000);
        Path war =
                Archives.in(temp)
                        .bytes("a", new byte[800])
                        .bytes("b", new byte[800])
                        .to(temp.resolve("app.war"));
        assertTrue(refusal(war, limits).contains("totalBytesMax 1500"));
    }

    @Test
    void entry_thatExpandsAThousandfold_isRefusedByRatio() {
        Path war =
                Archives.in(temp).bytes("zeros", new byte[120 << 20]).to(temp.resolve("app.war"));
        assertTrue(refusal(war).contains("ratioMax"));
    }

    @Test
    void entries_thatShareTheirBytes_areRefused() throws IOException {
        Path war = war("a");
        patchLastEntry(war, 20, 0xff, 0xff, 0xff, 0x00);
        assertTrue(refusal(war).contains("entries overlap"));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 10, 21, 60, 150})
    void war_cutOff_isOneClearError(int left) throws IOException {
        Path war = war("a", "b", "c");
        byte[] bytes = Files.readAllBytes(war);
        Files.write(war, Arrays.copyOf(bytes, Math.min(left, bytes.length - 1)));
        String message = refusal(war);
        assertTrue(message.contains("Copy or build the WAR again"), message);
    }

    @Test
    void war_withDamagedContent_isOneClearError() throws IOException {
        byte[] noise = new byte[5000];
        new java.util.Random(1).nextBytes(noise);
        Path war = Archives.in(temp).bytes("noise", noise).to(temp.resolve("app.war"));
        byte[] bytes = Files.readAllBytes(war);
        Arrays.fill(bytes, 1000, 1400, (byte) 7);
        Files.write(war, bytes);
        assertTrue(refusal(war).contains("cannot be unpacked"));
    }

    @Test
    void war_absent_isOneClearError() {
        assertTrue(refusal(temp.resolve("nothing.war")).contains("there is no such file"));
    }

    @Test
    void war_cutAndFlippedAnywhere_neverFailsOtherwise() throws IOException {
        byte[] good = Files.readAllBytes(war("a/b", "WEB-INF/web.xml"));
        Path war = temp.resolve("fuzz.war");
        java.util.Random random = new java.util.Random(7);
        for (int round = 0; round < 600; round++) {
            byte[] bytes = good.clone();
            for (int i = 0; i <= random.nextInt(3); i++) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            Files.write(war, bytes);
            try {
                Path folder = unpacker(WarLimits.defaults()).unpack(war, "fuzz" + round);
                assertTrue(folder.startsWith(work()));
            } catch (DeploymentException e) {
                assertTrue(e.getMessage().startsWith(war.toString()), e::getMessage);
            }
        }
        try (Stream<Path> all = Files.list(temp)) {
            assertEquals(
                    List.of("app.war", "fuzz.war", "work"),
                    all.map(path -> path.getFileName().toString()).sorted().toList());
        }
    }
}
