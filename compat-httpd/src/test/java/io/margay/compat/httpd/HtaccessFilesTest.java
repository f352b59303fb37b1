package io.margay.compat.httpd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.margay.gateway.access.FolderFile;
import io.margay.gateway.access.FolderOverrides;
import io.margay.gateway.rules.RuleLimits;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
        HtaccessFiles files =
                new HtaccessFiles(
                        List.of(".htaccess"), List.of(), RuleLimits.defaults(), () -> now);
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

    @Test
    void file_thatIsAsItWas_isNotReadAgain(@TempDir Path folder) throws Exception {
        Files.writeString(folder.resolve(".htaccess"), "Require all granted\n");
        HtaccessFiles files =
                new HtaccessFiles(
                        List.of(".htaccess"), List.of(), RuleLimits.defaults(), () -> now);
        FolderFile first = files.of(folder.toString(), ALLOWED);
        now += TimeUnit.SECONDS.toNanos(2);
        assertSame(first, files.of(folder.toString(), ALLOWED));
    }
}
