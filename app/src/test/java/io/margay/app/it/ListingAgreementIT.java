package io.margay.app.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.MargayServer;
import io.margay.app.config.MargayConfig;
import io.margay.app.deploy.DeployProgress;
import io.margay.app.migrate.GatewayConfig;
import io.margay.compat.account.AccountLine.Verdict;
import io.margay.compat.httpd.GatewayFiles;
import io.margay.compat.httpd.plan.GatewayPlan;
import io.margay.testkit.Folders;
import io.margay.testkit.FreePort;
import io.margay.testkit.HttpdProcess;
import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Pages that list folders, from Apache httpd and from Margay, of the same folder by the same
/// files: they are equal to the octet.
final class ListingAgreementIT {
    private static final List<String> MODULES =
            List.of(
                    "mpm_event",
                    "authn_core",
                    "authz_core",
                    "authz_host",
                    "alias",
                    "dir",
                    "mime",
                    "autoindex");

    private static final List<String> REQUESTS =
            List.of(
                    "/",
                    "/sub/",
                    "/sub/deeper/",
                    "/?C=N;O=D",
                    "/?C=M;O=A",
                    "/?C=M;O=D",
                    "/?C=S",
                    "/?C=S;O=D",
                    "/?C=D;O=A",
                    "/?C=D;O=D",
                    "/?F=0",
                    "/?F=1",
                    "/?F=2",
                    "/?C=X",
                    "/?C=N&O=D",
                    "/?V=1",
                    "/?P=*.txt",
                    "/?P=*.txt;C=S;O=D;F=2",
                    "/?P=%3Cb",
                    "/?",
                    "/sub/?C=N;O=D");

    private Path folder;

    @BeforeEach
    void files() throws IOException {
        folder = Files.createTempDirectory("margay-listing");
        Path root = folder.resolve("www");
        Files.createDirectories(root.resolve("sub/deeper"));
        Files.createDirectories(folder.resolve("logs"));
        Files.createDirectories(root.resolve("Another folder"));
        write(root, "a.txt", 5, 1);
        write(root, "b & <c>.html", 17, 2);
        write(root, "d\"e'f.txt", 0, 3);
        write(root, "big.tar.gz", 123_456, 4);
        write(root, "v9.zip", 10_000, 5);
        write(root, "v10.zip", 972, 6);
        write(root, "v010.zip", 973, 7);
        write(root, "UPPER.TXT", 1024, 8);
        write(root, "a colon:b", 1, 9);
        write(root, "größe.txt", 9999, 10);
        write(root, "averyveryverylongnameofafilethatiscut.jpg", 1_048_576, 11);
        write(root, "100%.css", 3_000_000, 12);
        write(root, "secret.key", 5, 13);
        write(root, "README", 5, 14);
        write(root, "old.bak", 5, 15);
        Files.createSymbolicLink(root.resolve("link.txt"), Path.of("a.txt"));
        Files.createSymbolicLink(root.resolve("linked"), Path.of("sub"));
        Files.createSymbolicLink(root.resolve("dangling"), Path.of("nothing"));
        Files.writeString(root.resolve("HEADER.html"), "<h2>The header</h2>\n");
        Files.writeString(root.resolve("FOOTER.txt"), "a <plain> & text\n");
        write(root.resolve("sub"), "one.txt", 1, 1);
        Files.setLastModifiedTime(root.resolve("HEADER.html"), FileTime.from(time(20)));
        Files.setLastModifiedTime(root.resolve("FOOTER.txt"), FileTime.from(time(21)));
        for (String name : List.of("sub/deeper", "sub", "Another folder")) {
            Files.setLastModifiedTime(root.resolve(name), FileTime.from(time(30)));
        }
    }

    private static Instant time(int minute) {
        return Instant.parse("2024-03-04T05:00:00Z").plusSeconds(minute * 60L);
    }

    private static void write(Path folder, String name, int length, int minute) throws IOException {
        Path file = Files.write(folder.resolve(name), new byte[length]);
        Files.setLastModifiedTime(file, FileTime.from(time(minute)));
    }

    @AfterEach
    void remove() throws IOException {
        Folders.delete(folder);
    }

    private String conf(String lines) {
        return """
        DocumentRoot "DIR/www"
        TypesConfig /dev/null
        AddType text/html .html
        AddType text/plain .txt
        AddType image/jpeg .jpg
        AddType text/css .css
        <Directory "DIR/www">
        Options Indexes FollowSymLinks
        AllowOverride All
        Require all granted
        LINES
        </Directory>
        <Files secret.key>
        Require all denied
        </Files>
        """
                .replace("LINES", lines)
                .replace("DIR", folder.toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "IndexOptions FancyIndexing",
                "IndexOptions FancyIndexing HTMLTable",
                "IndexOptions HTMLTable",
                "IndexOptions FancyIndexing FoldersFirst VersionSort IgnoreCase NameWidth=*",
                "IndexOptions FancyIndexing HTMLTable FoldersFirst NameWidth=* DescriptionWidth=*",
                "IndexOptions FancyIndexing SuppressIcon SuppressLastModified",
                "IndexOptions FancyIndexing SuppressSize SuppressDescription SuppressRules",
                "IndexOptions FancyIndexing HTMLTable SuppressIcon SuppressLastModified",
                "IndexOptions FancyIndexing HTMLTable SuppressSize SuppressDescription"
                        + " SuppressRules",
                "IndexOptions FancyIndexing SuppressColumnSorting",
                "IndexOptions FancyIndexing IgnoreClient",
                "IndexOptions FancyIndexing UseOldDateFormat XHTML Charset=UTF-8",
                "IndexOptions FancyIndexing HTMLTable XHTML Type=text/html",
                "IndexOptions FancyIndexing NameWidth=10 DescriptionWidth=12\n"
                        + "AddDescription \"a rather long text <b>about</b> &amp; texts\" *.txt",
                "IndexOptions FancyIndexing HTMLTable\n"
                        + "AddDescription \"a rather long text <b>about</b> &amp; texts\" *.txt\n"
                        + "AddDescription \"named\" README\nAddDescription \"below\" /sub",
                "IndexOptions FancyIndexing HTMLTable VersionSort NameWidth=* DescriptionWidth=*"
                        + " Charset=UTF-8\nAddIconByEncoding (CMP,/icons/compressed.gif) x-gzip\n"
                        + "AddIconByType (TXT,/icons/text.gif) text/*\n"
                        + "AddIconByType (IMG,/icons/image2.gif) image/*\n"
                        + "AddIcon /icons/tar.gif .tar\nAddIcon /icons/compressed.gif .zip .gz\n"
                        + "AddIcon /icons/back.gif ..\nAddIcon /icons/hand.right.gif README\n"
                        + "AddIcon /icons/folder.gif ^^DIRECTORY^^\n"
                        + "AddIcon /icons/blank.gif ^^BLANKICON^^\n"
                        + "DefaultIcon /icons/unknown.gif\nReadmeName README.html\n"
                        + "HeaderName HEADER.html\n"
                        + "IndexIgnore .??* *~ *# HEADER* README* RCS CVS *,v *,t",
                "IndexOptions FancyIndexing IconsAreLinks IconHeight IconWidth=30\n"
                        + "AddIcon /icons/folder.gif ^^DIRECTORY^^\n"
                        + "AddIcon /icons/blank.gif ^^BLANKICON^^\nAddAlt \"TEXT\" .txt\n"
                        + "AddAltByType \"PICTURE\" image/jpeg\nDefaultIcon /icons/unknown.gif",
                "IndexOptions FancyIndexing HTMLTable IconsAreLinks IconHeight=10\n"
                        + "AddIcon /icons/folder.gif ^^DIRECTORY^^\n"
                        + "DefaultIcon /icons/unknown.gif",
                "IndexOptions FancyIndexing\nIndexOrderDefault Descending Date\n"
                        + "IndexIgnore *.bak .. sub",
                "IndexOptions FancyIndexing HTMLTable\nIndexStyleSheet \"/list.css\"\n"
                        + "IndexHeadInsert \"<meta name='x'>\"\nAddIcon /a.gif .txt\n"
                        + "AddDescription \"x\" *.txt",
                "IndexOptions FancyIndexing\nIndexStyleSheet \"/list.css\"",
                "IndexStyleSheet \"/list.css\"",
                "IndexOptions FancyIndexing\nHeaderName HEADER.html\nReadmeName FOOTER.txt",
                "HeaderName FOOTER.txt\nReadmeName HEADER.html",
                "IndexOptions SuppressHTMLPreamble\nHeaderName HEADER.html\nReadmeName"
                        + " HEADER.html",
                "HeaderName /HEADER.html\nReadmeName nothing.html",
                "HeaderName secret.key",
                "IndexOptions +FancyIndexing -HTMLTable",
                "IndexOptions FancyIndexing\nIndexOptions +HTMLTable\nIndexOptions"
                        + " -SuppressSize",
                "IndexOptions None",
                "Options -Indexes",
                "Options Indexes\nIndexOptions FancyIndexing",
            })
    void lists_areTheSame(String lines) throws Exception {
        compare(conf(lines));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "IndexOptions FancyIndexing\nIndexIgnore *.bak\n",
                "Options -Indexes\n",
                "IndexOptions +HTMLTable\nAddIcon /icons/x.gif .txt\nIndexIgnoreReset ON\n",
                "Options +Indexes\nHeaderName /HEADER.html\n",
            })
    void lists_byFilesInFolders_areTheSame(String lines) throws Exception {
        Files.writeString(folder.resolve("www/sub/.htaccess"), lines);
        compare(
                conf(
                        "IndexOptions FancyIndexing\nIndexIgnore *.zip *.txt\n"
                                + "AddIcon /icons/y.gif .txt"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/sub", "/"})
    void lists_bySectionsOfPaths_areTheSame(String path) throws Exception {
        compare(
                conf("")
                        + "\n<Location "
                        + path
                        + ">\nIndexOptions FancyIndexing\nAddIcon /x.gif .txt\n"
                        + "AddDescription \"text\" *.txt\nIndexIgnore *.bak\n</Location>\n");
    }

    private void compare(String conf) throws Exception {
        for (Path part : List.of(folder, folder.resolve("www"), folder.resolve("logs"))) {
            Files.setPosixFilePermissions(part, PosixFilePermissions.fromString("rwxrwxrwx"));
        }
        int theirs = FreePort.next();
        int ours = FreePort.next();
        Files.writeString(folder.resolve("httpd.conf"), conf + "Listen 127.0.0.1:" + theirs + "\n");
        Path own = Files.writeString(folder.resolve("own.conf"), conf + "Listen 127.0.0.1:" + ours);
        GatewayPlan plan = GatewayFiles.read(List.of(own), Map.of());
        assertFalse(plan.isWrong(), () -> plan.failures().toString());
        assertTrue(
                plan.account().stream().noneMatch(line -> line.verdict() == Verdict.CHANGED),
                () -> plan.account().toString());
        MargayConfig config =
                GatewayConfig.of(plan, List.of())
                        .withWork(folder.resolve("work"))
                        .withDrain(Duration.ZERO);
        try (HttpdProcess _ = HttpdProcess.start(folder, MODULES, "Include httpd.conf\n", theirs);
                MargayServer _ = MargayServer.start(config, DeployProgress.NONE)) {
            StringBuilder expected = new StringBuilder();
            StringBuilder found = new StringBuilder();
            for (String request : REQUESTS) {
                expected.append(request).append(": ").append(ask(theirs, request)).append('\n');
                found.append(request).append(": ").append(ask(ours, request)).append('\n');
            }
            assertEquals(expected.toString(), found.toString());
        }
    }

    /// A folder that is not listed is forbidden to httpd, and not there here.
    private static String ask(int port, String target) throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        try (RawHttpClient client = RawHttpClient.connect(address)) {
            client.send("GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n");
            RawHttpClient.Response response = client.response();
            return response.status() != 200
                    ? "none"
                    : response.field("Content-Type")
                            + "\n"
                            + new String(response.body(), StandardCharsets.ISO_8859_1);
        }
    }
}
