package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.config.file.ConfigFile;
import io.margay.lab.machine.Tools;
import io.margay.lab.servers.LabEnvironment;
import io.margay.lab.servers.LabServer;
import io.margay.lab.servers.MavenPeers;
import io.margay.lab.servers.Setting;
import io.margay.lab.servers.kinds.Catalog;
import io.margay.lab.site.Certificate;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The lab does not know Margay, so what it writes for Margay is read here.
final class LabConfigurationsTest {
    @TempDir Path folder;

    @Test
    void hostsThatLookAtSomething_areReadWithoutAProblem() throws Exception {
        Tools tools = Tools.ofThisMachine(System.getenv());
        Path java = Path.of(System.getProperty("java.home"));
        LabEnvironment here =
                new LabEnvironment(
                        folder,
                        Optional.empty(),
                        folder,
                        folder,
                        java,
                        List.of(),
                        tools,
                        new MavenPeers(folder, tools),
                        Optional.empty());
        Certificate certificate = Certificate.in(folder, java, true);
        int servers = 0;
        for (LabServer server : Catalog.all().servers()) {
            if (server.name().startsWith("margay:edge-")) {
                Path own = Files.createDirectory(folder.resolve(String.valueOf(servers++)));
                server.prepare(
                        new Setting(
                                here,
                                own,
                                folder,
                                1,
                                2,
                                3,
                                "secret",
                                "route",
                                certificate,
                                List.of()));
                ConfigFile.Result read = ConfigFile.read(own.resolve("margay.yaml"), Map.of());
                assertEquals(List.of(), read.problems(), server.name());
            }
        }
        assertTrue(servers >= 5, "servers: " + servers);
    }
}
