package io.margay.lab.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.lab.result.RunResult;
import io.margay.lab.result.Samples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Copies of runs that are kept with a project.
final class PublishedTest {
    @TempDir Path folder;

    @Test
    void copy_hasNoPathOfTheMachine_andItsIndexTheVerdicts() throws IOException {
        Path own = Files.createDirectories(folder.resolve("run"));
        RunResult run =
                Samples.run(
                        Samples.cell("a", 0.5, 0.10, 0.11, 0.10, 0.10, 0.11),
                        Samples.cell("b", 0.5, 0.20, 0.21, 0.20, 0.20, 0.21));
        Path json = own.resolve("result.json");
        run.write(json);
        Files.writeString(
                json, Files.readString(json).replace("./margay lab run", own + "/servers/x.log"));
        Path target = folder.resolve("results");
        Published.copy(json, target);
        assertEquals("", Published.index(target));
        assertFalse(Files.readString(target.resolve("heartbeat.json")).contains(own.toString()));
        assertFalse(Files.readString(target.resolve("heartbeat.html")).contains(own.toString()));
        RunResult copy = RunResult.read(target.resolve("heartbeat.json"));
        assertEquals("servers/x.log heartbeat", copy.command());
        assertEquals(5, copy.scenarios().getFirst().cells().getFirst().good().size());
        String index = Files.readString(target.resolve("README.md"));
        assertTrue(index.contains("- b uses "), index);
        assertTrue(index.contains("[Report](heartbeat.html)"), index);
    }
}
