package io.margay.app.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.Http;
import io.margay.app.MargayProcess;
import io.margay.testkit.FreePort;
import io.margay.testkit.program.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// A process that may open hardly any more files says so.
@Tag("slow")
@EnabledOnOs(OS.LINUX)
final class FewDescriptorsTest {
    @TempDir Path folder;

    private static void limit(long pid, long descriptors) throws Exception {
        Process prlimit =
                new ProcessBuilder(
                                Program.of("prlimit"),
                                "--pid=" + pid,
                                "--nofile=" + descriptors + ":4096")
                        .inheritIO()
                        .start();
        assertTrue(prlimit.waitFor(60, TimeUnit.SECONDS));
        assertEquals(0, prlimit.exitValue());
    }

    private static long open(long pid) throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc", "" + pid, "fd"))) {
            return all.count();
        }
    }

    @Test
    void health_saysWhenHardlyAnyDescriptorIsLeft_andWhenThereAreSomeAgain() throws Exception {
        int port = FreePort.next();
        Files.writeString(
                folder.resolve("margay.yaml"),
                """
                listeners: [{http: 127.0.0.1:0}]
                admin: 127.0.0.1:%d
                work: work
                hosts: [{routes: {/: {files: .}}}]
                """
                        .formatted(port));
        try (MargayProcess process = MargayProcess.start(folder, "run", "margay.yaml")) {
            int _ = process.awaitReady();
            Http admin = new Http(port);
            assertEquals("{\"status\":\"up\"}", admin.get("/health").strip());
            limit(process.pid(), open(process.pid()) + 8);
            String few = admin.get("/health");
            assertTrue(few.contains("\"status\":\"degraded\""), few);
            assertTrue(few.contains("\"descriptorsShort\":true"), few);
            assertEquals(503, admin.status("/health/full"));
            limit(process.pid(), 1024);
            assertEquals("{\"status\":\"up\"}", admin.get("/health").strip());
        }
    }
}
