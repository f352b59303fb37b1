package io.margay.app.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.config.MargayConfig;
import io.margay.app.config.file.ConfigFile;
import io.margay.gateway.shield.Shield;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What `check` says of shields that cannot verify bots.
final class ShieldCheckTest {
    @TempDir Path folder;

    @Test
    void shield_thatCannotLookUp_isTold_unlessItHasNoBots() throws IOException {
        Path file =
                Files.writeString(
                        folder.resolve("margay.yaml"),
                        """
                        listeners: [{http: 8080}]
                        hosts:
                          - {name: a.example, shield: {}, routes: {}}
                          - {name: b.example, shield: {bots: []}, routes: {}}
                          - {routes: {}}
                        """);
        MargayConfig config = ConfigFile.read(file, Map.of()).get();
        List<String> found = CheckCommand.shields(file, config, false);
        assertEquals(1, found.size(), found::toString);
        assertTrue(found.getFirst().contains("a.example verifies no bots"), found::toString);
        assertEquals(List.of(), CheckCommand.shields(file, config, true));
        assertTrue(Shield.verifiesBots(), "as distributed");
    }
}
