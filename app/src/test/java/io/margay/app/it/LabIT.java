package io.margay.app.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `./margay lab run` with Margay itself, as short as it goes.
final class LabIT {
    @TempDir Path folder;

    /// Without Margay's cache, which would take half a minute to make, and without the second
    /// compiler in any of its processes, for none is there long enough.
    private ServerProcess lab(String rounds) throws Exception {
        return ServerProcess.script(
                ServerProcess.checkout().resolve("margay"),
                folder,
                Map.of("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1"),
                "lab",
                "run",
                "heartbeat",
                "--scenarios",
                "direct",
                "--servers",
                "margay:nio",
                "--warmup",
                "0",
                "--seconds",
                "0.3",
                "--rounds",
                rounds,
                "--out",
                "out");
    }

    /// Processes, other than this one's own children, that were started for the run's folder.
    private boolean nothingIsLeft() {
        try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
            return all.noneMatch(
                    it -> it.info().commandLine().orElse("").contains(folder.toString()));
        }
    }

    @Test
    void run_measuresAndWritesItsReport() throws Exception {
        try (ServerProcess lab = lab("1")) {
            assertEquals(0, lab.awaitExit(), lab.toString());
            String json = Files.readString(folder.resolve("out/result.json"));
            assertTrue(json.contains("\"errors\" : { }"), json);
            assertTrue(json.contains("\"server\" : \"margay:nio\""), json);
            String html = Files.readString(folder.resolve("out/report.html"));
            assertTrue(html.contains("Margay, nio"), html);
            assertTrue(
                    lab.output().stream().anyMatch(it -> it.matches("  margay:nio .* 1 of 1")),
                    lab.toString());
            assertTrue(nothingIsLeft());
        }
    }

    @Test
    void interruptedRun_keepsWhatWasMeasured_andStopsEverything() throws Exception {
        try (ServerProcess lab = lab("500")) {
            lab.awaitLine("round 1 ");
            lab.terminate();
            String json = Files.readString(folder.resolve("out/result.json"));
            assertTrue(json.contains("\"interrupted\" : true"), json);
            assertTrue(json.contains("\"number\" : 1"), json);
            assertTrue(Files.exists(folder.resolve("out/report.html")));
            assertTrue(nothingIsLeft());
        }
    }
}
