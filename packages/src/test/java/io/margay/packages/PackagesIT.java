package io.margay.packages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import io.margay.testkit.Eventually;
import io.margay.testkit.FreePort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Installs each package as far as a machine without other machines allows, and starts it: the
/// archive unpacked, the image's file system with a root of its own and little memory, Debian's
/// package by `dpkg` in a view of this system that nothing outside sees; RPM's is unpacked and
/// compared with it. Needs root.
@Timeout(600)
final class PackagesIT {
    private static final Path MADE = Path.of(System.getProperty("margay.packages"));
    private static final long IMAGE_BYTES_MAX = 250L << 20;
    private static final long MEMORY_MAX = 256L << 20;

    /// What the names of caches end in: of both kinds of servers, and of applications alone.
    private static final String BOTH = "";

    private static final String APPLICATIONS = "-applications";

    @TempDir Path folder;

    private static Path made(String glob) throws IOException {
        try (var files = Files.newDirectoryStream(MADE, glob)) {
            List<Path> found = new ArrayList<>();
            files.forEach(found::add);
            assertEquals(1, found.size(), glob);
            return found.getFirst();
        }
    }

    private static void report(Path file, StartedServer server) throws Exception {
        System.out.printf(
                "%s  %d MiB  start %s%n",
                file.getFileName(), Files.size(file) >> 20, server.startTime());
    }

    @Test
    void archive_runsWhereThereIsNoJava() throws Exception {
        try (StartedServer server = unpackedAndStarted(made("*-linux-*64.tar.gz"))) {
            assertEquals(0, server.stop(), server.toString());
        }
    }

    /// In another folder than that in which the cache was made.
    @Test
    void archiveWithCache_startsWithIt() throws Exception {
        try (StartedServer server = unpackedAndStarted(made("*-linux-*-cache.tar.gz"))) {
            assertClassesComeFrom(folder, BOTH, server.java());
            assertEquals(0, server.stop(), server.toString());
        }
    }

    private StartedServer unpackedAndStarted(Path archive) throws Exception {
        Folders.run("tar", "-C", folder.toString(), "-xzf", archive.toString());
        Path home = folder.resolve(archive.getFileName().toString().replaceAll("-linux-.*", ""));
        List<String> words =
                List.of("env", "-i", "PATH=/usr/bin:/bin", home + "/margay", "run", "--http", "0");
        StartedServer server = new StartedServer(folder, words);
        assertEquals(200, server.get("/heartbeat/heartbeat.jsp"), server.toString());
        assertTrue(server.java().info().command().orElseThrow().startsWith(home.toString()));
        report(archive, server);
        return server;
    }

    /// The cache is named on the command line, and is mapped: the JVM has not refused it.
    ///
    /// @param kind the ending of its name before `.aot`: a cache of another kind costs time
    private static void assertClassesComeFrom(Path folder, String kind, ProcessHandle java)
            throws IOException {
        String name = "[^\0]*/margay-[0-9a-f]+" + kind + "\\.aot\0";
        Pattern option = Pattern.compile("-XX:AOTCache=" + Pattern.quote("" + folder) + name);
        String arguments = Files.readString(Path.of("/proc", "" + java.pid(), "cmdline"));
        assertTrue(option.matcher(arguments).find(), arguments);
        String maps = Files.readString(Path.of("/proc", "" + java.pid(), "maps"));
        assertTrue(maps.lines().anyMatch(line -> line.endsWith(kind + ".aot")), maps);
    }

    @Test
    void image_servesAsAnotherUser_inLittleMemory_withItsCache() throws Exception {
        Path archive = made("*-image-*-cache.tar");
        Path root = unpacked(archive);
        assertTrue(Folders.bytes(root) <= IMAGE_BYTES_MAX, Folders.bytes(root) + " bytes");
        int port = FreePort.next();
        String mounted =
                """
                echo $$ > "$0/cgroup.procs"
                mount -t proc proc "$1/proc"
                mount --bind /dev "$1/dev"
                mount --bind /sys "$1/sys"
                exec chroot --userspec=10001:10001 "$1" /bin/env -i PATH=/opt/margay:/bin \
                    HTTP_PORT=%d MARGAY_JAVA_OPTS=%s /opt/margay/margay run /etc/margay/margay.yaml
                """
                        .formatted(port, ContainerImage.JAVA_OPTIONS);
        Files.createDirectories(root.resolve("sys"));
        Path limited = Files.createDirectory(Path.of("/sys/fs/cgroup/memory/margay-" + port));
        try (StartedServer server =
                new StartedServer(
                        folder,
                        List.of(
                                "unshare",
                                "--mount",
                                "sh",
                                "-ec",
                                mounted,
                                limited.toString(),
                                root.toString()))) {
            Files.writeString(limited.resolve("memory.limit_in_bytes"), "" + MEMORY_MAX);
            assertEquals(200, server.get("/"), server.toString());
            ProcessHandle java = server.java();
            assertClassesComeFrom(Path.of("/opt/margay/cache"), BOTH, java);
            String status = Files.readString(Path.of("/proc", "" + java.pid(), "status"));
            assertTrue(status.contains("Uid:\t10001\t10001"), status);
            report(archive, server);
            assertEquals(0, server.stop(), server.toString());
        } finally {
            Eventually.holds("its processes are gone", () -> limited.toFile().delete());
        }
    }

    /// Scanners find the system's packages as `dpkg` has them, and its release.
    @Test
    void image_saysWhatItIsMadeOf() throws Exception {
        Path root = unpacked(made("*-image-*-cache.tar"));
        assertTrue(Files.readString(root.resolve("usr/lib/os-release")).contains("ID=debian"));
        String status = Files.readString(root.resolve("var/lib/dpkg/status"));
        for (String name : List.of("libc6", "libssl3t64", "busybox-static")) {
            assertTrue(
                    status.contains("Package: " + name + "\nStatus: install ok installed"), name);
            List<String> files =
                    Files.readAllLines(root.resolve("var/lib/dpkg/info/" + name + ".list"));
            assertEquals("/.", files.getFirst(), name);
        }
        assertTrue(Files.exists(root.resolve("opt/margay/NOTICE")));
        assertBillIsWhole(root.resolve("opt/margay"));
    }

    /// Every jar is in the bill of materials, with its digest.
    private static void assertBillIsWhole(Path program) throws Exception {
        assertBillIsWhole(program, program.resolve("sbom.cdx.json"));
    }

    private static void assertBillIsWhole(Path program, Path bill) throws Exception {
        String text = Files.readString(bill);
        int jars = 0;
        try (var all = Files.walk(program.resolve("lib"))) {
            for (Path jar : all.filter(file -> file.toString().endsWith(".jar")).toList()) {
                jars++;
                assertTrue(text.contains("\"" + Folders.digest(jar) + "\""), jar.toString());
            }
        }
        assertTrue(jars > 50, jars + " jars");
        assertTrue(text.contains("\"name\":\"openjdk\""), "Java");
    }

    @Test
    void rpm_hasWhatTheDebianPackageHas() throws Exception {
        Path rpm = made("*.rpm");
        Path root = Files.createDirectory(folder.resolve("rpm"));
        Folders.run("sh", "-c", "rpm2archive - <\"$0\" | tar -xzC \"$1\"", "" + rpm, "" + root);
        Path other = Files.createDirectory(folder.resolve("deb"));
        Folders.run("dpkg-deb", "--extract", "" + made("*.deb"), "" + other);
        for (String place : List.of("usr/lib/margay", "etc", "usr/share/doc/margay/docs")) {
            Folders.run("diff", "-r", "" + root.resolve(place), "" + other.resolve(place));
        }
        assertBillIsWhole(
                root.resolve("usr/lib/margay"), root.resolve("usr/share/doc/margay/sbom.cdx.json"));
        String scripts = Folders.output("rpm", "-qp", "--scripts", "" + rpm);
        assertTrue(scripts.contains("install-system-units margay.service"), scripts);
        assertTrue(scripts.contains("/usr/lib/margay/bin/make-cache"), scripts);
        String configuration = Folders.output("rpm", "-qp", "--configfiles", "" + rpm);
        assertTrue(configuration.contains("/etc/margay/margay.yaml"), configuration);
        String java = Folders.output("" + root.resolve("usr/lib/margay/margay"), "version");
        assertTrue(java.startsWith("margay "), java);
    }

    /// The file system that the layers of an image make.
    private Path unpacked(Path archive) throws Exception {
        Path layout = Files.createDirectory(folder.resolve("layout"));
        Path root = Files.createDirectory(folder.resolve("root"));
        Folders.run("tar", "-C", layout.toString(), "-xf", archive.toString());
        Object[] index = JSON.std.arrayFrom(layout.resolve("manifest.json").toFile());
        for (Object layer : (List<?>) ((Map<?, ?>) index[0]).get("Layers")) {
            Path blob = layout.resolve(layer.toString());
            Folders.run("tar", "-C", root.toString(), "-xpzf", blob.toString());
        }
        return root;
    }

    @Test
    void debianPackage_isInstalledServesAndGoes() throws Exception {
        Path deb = made("*.deb");
        int port = FreePort.next();
        String script =
                """
                mount -t tmpfs none "$0"
                mkdir "$0/upper" "$0/work" "$0/root"
                mount -t overlay overlay "$0/root" \
                    -o "lowerdir=/,upperdir=$0/upper,workdir=$0/work"
                mount -t proc proc "$0/root/proc"
                mount --bind /dev "$0/root/dev"
                mount -t tmpfs none "$0/root/run"
                cp "$1" "$0/root/tmp/margay.deb"
                chroot "$0/root" sh -ec '
                    apt-get -qq install -y --no-install-recommends adduser >/dev/null 2>&1 || true
                    dpkg --install /tmp/margay.deb
                    id margay
                    dpkg --verify margay
                    dpkg-query --show -f "\\${Conffiles}" margay | grep -q /etc/logrotate.d/margay
                    zcat /usr/share/doc/margay/changelog.Debian.gz | grep -q margay
                    test "$(stat -c %%U:%%G:%%a /var/log/margay)" = margay:adm:750
                    margay check /etc/margay/margay.yaml
                    test "$(stat -c %%U /var/cache/margay/*%s.aot)" = margay
                    cd /var/lib/margay
                    HTTP_PORT=%d MARGAY_CACHE_DIR=/var/cache/margay setpriv --reuid margay \
                        --regid margay --clear-groups \
                        $(sed -n s/^ExecStart=//p /lib/systemd/system/margay.service)
                    dpkg --purge margay
                    test ! -e /usr/lib/margay && test ! -e /etc/margay/margay.yaml && \\
                        test ! -e /var/log/margay && echo purged
                '
                """
                        .formatted(APPLICATIONS, port);
        try (StartedServer server =
                new StartedServer(
                        folder,
                        List.of(
                                "unshare",
                                "--mount",
                                "sh",
                                "-ec",
                                script,
                                folder.toString(),
                                deb.toString()))) {
            assertEquals(200, server.get("/"), server.toString());
            String command = server.java().info().command().orElseThrow();
            assertTrue(command.endsWith("/usr/lib/margay/java/bin/java"), command);
            assertClassesComeFrom(Path.of("/var/cache/margay"), APPLICATIONS, server.java());
            report(deb, server);
            assertEquals(0, server.stop(), server.toString());
            assertTrue(server.toString().endsWith("purged"), server.toString());
            assertFalse(Files.exists(Path.of("/usr/lib/margay")));
        }
    }
}
