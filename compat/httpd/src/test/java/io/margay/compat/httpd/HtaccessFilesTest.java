package io.margay.compat.httpd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.margay.compat.httpd.access.OverrideClasses;
import io.margay.gateway.access.FolderFile;
import io.margay.gateway.access.FolderOverrides;
import io.margay.gateway.access.HostAccess;
import io.margay.gateway.rules.RuleLimits;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HtaccessFilesTest {
    private static final FolderOverrides ALLOWED = new FolderOverrides(Set.of("authconfig"), null);

    private long now;

    @Test
    void file_changedInPlaceWithTheSameSizeAndTime_isReadAgain(@TempDir Path folder)
            throws Exception {
        assumeTrue(folder.getFileSystem().supportedFileAttributeViews().contains("unix"));
        Path file = Files.writeString(folder.resolve(".htaccess"), "Require all granted\n");
        FileTime modified = Files.getLastModifiedTime(file);
        Object changed = Files.getAttribute(file, "unix:ctime");
        HtaccessFiles files = files();
        FolderFile open = files.of(folder.toString(), ALLOWED);
        assertEquals(0, open.refusal());
        do {
            Files.writeString(file, "Require all  denied\n");
            Files.setLastModifiedTime(file, modified);
        } while (changed.equals(Files.getAttribute(file, "unix:ctime")));
        assertEquals(modified, Files.getLastModifiedTime(file));
        now += TimeUnit.SECONDS.toNanos(2);
        assertNotEquals(open, files.of(folder.toString(), ALLOWED));
    }

    /// What httpd has in the server's own files alone; some of it reads or shows any file.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "RewriteEngine on\nRewriteMap x txt:/etc/passwd\nRewriteRule ^ /y?${x:root} [R]",
                "Alias /x /etc",
                "DocumentRoot /etc",
                "ProxyPass /x http://127.0.0.1/",
                "<Directory /etc>\nRequire all granted\n</Directory>",
                "<Location />\nRequire all granted\n</Location>",
                "<IfModule mod_alias.c>\nAlias /x /etc\n</IfModule>",
                "AllowOverride All",
                "CustomLog /tmp/x common",
                "Include /etc/passwd",
                "Define X /etc/passwd",
                "Require expr file('/etc/passwd') =~ /root/",
                "SSLRequire file(\"/etc/passwd\") =~ m/root/",
                "RewriteEngine on\n"
                        + "RewriteCond expr \"file('/etc/passwd') =~ /a/\"\n"
                        + "RewriteRule x y",
            })
    void line_thatReadsAnyFile_closesTheFolder_cve2026_24072(String lines, @TempDir Path folder)
            throws Exception {
        FolderOverrides listed =
                new FolderOverrides(
                        OverrideClasses.ALL, Set.of("rewritemap", "alias", "<location"));
        assertEquals(500, read(lines, folder, listed).refusal());
    }

    /// What is not understood is ignored where it limits nothing; no expression reads a file.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Header set X \"expr=%{file:/etc/passwd}\"",
                "RequestHeader set X \"expr=%{file:/etc/passwd}\"",
                "SetEnvIfExpr \"file('/etc/passwd') =~ /root/\" X=1",
                "SetEnvIfExpr \"filesize('/etc/passwd') > 1\" X=1",
                "<If \"file('/etc/passwd') =~ /root/\">\nRequire all granted\n</If>",
                "<If \"%{file:/etc/passwd} =~ /root/\">\nHeader set X y\n</If>",
            })
    void expression_thatReadsAFile_isIgnored_cve2026_44119_59797(String lines, @TempDir Path folder)
            throws Exception {
        FolderOverrides all = new FolderOverrides(OverrideClasses.ALL, null);
        FolderFile said = read(lines, folder, all);
        assertNull(said.changes());
        assertEquals(read("# nothing", folder, all).section(), said.section());
    }

    private FolderFile read(String lines, Path folder, FolderOverrides allowed) throws Exception {
        Files.writeString(folder.resolve(".htaccess"), lines + "\n");
        return files().of(folder.toString(), allowed);
    }

    @Test
    void file_thatIsAsItWas_isNotReadAgain(@TempDir Path folder) throws Exception {
        Files.writeString(folder.resolve(".htaccess"), "Require all granted\n");
        HtaccessFiles files = files();
        FolderFile first = files.of(folder.toString(), ALLOWED);
        now += TimeUnit.SECONDS.toNanos(2);
        assertSame(first, files.of(folder.toString(), ALLOWED));
    }

    /// The names of peers are made of their URLs, and these two have the same.
    @Test
    void peer_thatIsCalledAsThatOfAnotherFolder_closesTheFolder(@TempDir Path folder)
            throws Exception {
        FolderOverrides all = new FolderOverrides(OverrideClasses.ALL, null);
        HtaccessFiles files = files();
        for (String one : List.of("127.0.0.1:9", "127.0.0.1-9")) {
            Path inner = Files.createDirectory(folder.resolve(one));
            Files.writeString(
                    inner.resolve(".htaccess"),
                    "RewriteEngine on\nRewriteRule ^x$ http://" + one + "/ [P]\n");
        }
        assertEquals(0, files.of(folder.resolve("127.0.0.1:9").toString(), all).refusal());
        assertEquals(500, files.of(folder.resolve("127.0.0.1-9").toString(), all).refusal());
    }

    private HtaccessFiles files() {
        return new HtaccessFiles(
                List.of(".htaccess"),
                List.of(),
                HostAccess.NONE.passing(),
                RuleLimits.defaults(),
                () -> now);
    }
}
