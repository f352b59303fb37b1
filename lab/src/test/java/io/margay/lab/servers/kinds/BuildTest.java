package io.margay.lab.servers.kinds;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.lab.machine.Tools;
import io.margay.lab.servers.LabEnvironment;
import io.margay.lab.servers.LabServer;
import io.margay.lab.servers.MavenPeers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a launcher is told that writes it down.
final class BuildTest {
    private static final String LAUNCHER =
            """
            #!/bin/sh
            echo "$1 $MARGAY_CACHE_DIR $MARGAY_JAVA_OPTS" >> "${0%/*}/told"
            """;

    @TempDir Path home;
    private Path caches = Path.of("");
    private Path told = Path.of("");

    @BeforeEach
    void launcher() throws IOException {
        caches = home.resolve("caches");
        told = home.resolve("told");
        write(LAUNCHER);
    }

    private void write(String program) throws IOException {
        Path launcher = Files.writeString(home.resolve("margay"), program);
        Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private LabEnvironment here() {
        Tools tools = Tools.ofThisMachine(System.getenv());
        return new LabEnvironment(
                home,
                Optional.empty(),
                home,
                home,
                Path.of(System.getProperty("java.home")),
                List.of("-Xmx64m"),
                tools,
                new MavenPeers(home, tools),
                Optional.empty());
    }

    @Test
    void everyMargayOfThisCheckout_hasItsCacheMade_forTheOptionsItIsStartedWith()
            throws IOException {
        LabEnvironment caching = here().caching(caches);
        int servers = 0;
        for (LabServer server : Catalog.all().servers()) {
            if (server.name().matches("(margay|gateway):.*")) {
                Files.deleteIfExists(told);
                server.fetch(caching);
                assertEquals(
                        "cache " + caches + " -Xmx64m\n", Files.readString(told), server.name());
                servers++;
            }
        }
        assertTrue(servers >= 5, "servers: " + servers);
        Map<String, String> environment = Build.environment(caching);
        assertEquals(caches.toString(), environment.get("MARGAY_CACHE_DIR"));
        assertFalse(environment.containsKey("MARGAY_NO_CACHE"));
    }

    @Test
    void withoutCache_noneIsMade_norUsed() throws IOException {
        Build.HERE.makeCache(here());
        assertFalse(Files.exists(told));
        Map<String, String> environment = Build.environment(here());
        assertEquals("1", environment.get("MARGAY_NO_CACHE"));
        assertFalse(environment.containsKey("MARGAY_CACHE_DIR"));
    }

    /// The servers find no cache, and have none made: what has failed is noted beside it.
    @Test
    void cacheThatCannotBeMade_doesNotEndTheRun() throws IOException {
        write("#!/bin/sh\necho \"$1\" >> \"${0%/*}/told\"\nexit 2\n");
        Build.HERE.makeCache(here().caching(caches));
        assertEquals("cache\n", Files.readString(told));
    }
}
