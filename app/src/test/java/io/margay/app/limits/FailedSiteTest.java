package io.margay.app.limits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.margay.app.TestSite;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.StartException;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.site.Site;
import io.margay.server.exchange.MemoryBudget;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A configuration that cannot be served leaves nothing behind.
final class FailedSiteTest {
    @TempDir Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cache: {disk: {folder: file/kept, size: 1MiB}}",
                "access-log: {file: file/access.log}"
            })
    void cachesOfAFailedSite_giveTheirMemoryBack(String key) throws Exception {
        Files.writeString(folder.resolve("file"), "not a folder");
        Path file =
                Files.writeString(
                        folder.resolve("margay.yaml"),
                        """
                        hosts:
                          - {name: a, cache: {min-uses: 2}, routes: {}}
                          - {name: b, %s, routes: {}}
                        work: work
                        """
                                .formatted(key));
        MargayConfig config = ConfigFile.read(file, Map.of()).get();
        MemoryBudget memory = new MemoryBudget(64 << 20);
        assertThrows(StartException.class, () -> TestSite.of(config, Site.NONE, memory));
        assertEquals(0, memory.held());
    }
}
