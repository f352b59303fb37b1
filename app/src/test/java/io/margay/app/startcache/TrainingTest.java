package io.margay.app.startcache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/// With a script in place of the JVM.
final class TrainingTest {
    @TempDir(cleanup = CleanupMode.ALWAYS)
    Path folder;

    /// @param script has the folder that it works in as its current one
    private Training training(String script, int seconds) throws IOException {
        Path java = folder.resolve("java");
        Files.writeString(java, "#!/bin/sh\n" + script);
        assertTrue(java.toFile().setExecutable(true));
        return new Training(
                List.of(java.toString()),
                List.of("Program"),
                folder.resolve("training-crash.log"),
                seconds,
                true);
    }

    private String why(String script) throws Exception {
        try (Training training = training(script, 5)) {
            return training.run();
        }
    }

    @Test
    void bothProcesses_thatEndWell_leaveACache() throws Exception {
        Path made;
        try (Training training = training("echo $* >>said; : >made.aot\n", 5)) {
            assertNull(training.run());
            made = training.made();
            String said = Files.readString(made.resolveSibling("said"));
            assertTrue(said.contains("AOTMode=record") && said.contains("AOTMode=create"), said);
            assertTrue(Files.exists(made));
        }
        assertFalse(Files.exists(made.getParent()));
    }

    @Test
    void failure_hasItsReason() throws Exception {
        assertEquals("exit code 7: no such class", why("echo no such class; echo; exit 7\n"));
        assertEquals("exit code 1", why("exit 1\n"));
        assertEquals("the JVM has written none", why("exit 0\n"));
        assertEquals(
                "the JVM crashed, see " + folder.resolve("training-crash.log"),
                why("for o; do case $o in -XX:ErrorFile=*) : >\"${o#*=}\" ;; esac; done; exit 6"));
    }

    @Test
    void processorTime_isBounded() throws Exception {
        try (Training training = training("while :; do :; done\n", 1)) {
            assertEquals("it used 1 s of processor time", training.run());
        }
    }

    @Test
    void close_endsWhatRuns() throws Exception {
        Training training = training("echo $$ >pid; exec sleep 1000\n", 5);
        Path pid = training.made().resolveSibling("pid");
        Thread run = Thread.ofVirtual().start(() -> run(training));
        Eventually.holds("it runs", () -> isWritten(pid));
        ProcessHandle process =
                ProcessHandle.of(Long.parseLong(Files.readString(pid).strip())).orElseThrow();
        training.close();
        assertTrue(training.isClosed());
        Eventually.holds("it has ended", () -> !process.isAlive());
        run.join();
    }

    private static void run(Training training) {
        try {
            training.run();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean isWritten(Path file) {
        try {
            return Files.readString(file).endsWith("\n");
        } catch (IOException e) {
            return false;
        }
    }
}
