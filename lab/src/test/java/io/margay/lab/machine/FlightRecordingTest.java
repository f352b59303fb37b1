package io.margay.lab.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.lab.json.JsonRecords;
import io.margay.testkit.Eventually;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Samples and collections of another JVM, which works and fills its heap.
@EnabledOnOs(OS.LINUX) // as the event is
final class FlightRecordingTest {
    private static final String BUSY =
            """
            public class Busy {
                static byte[] last;
                static void fill() {
                    for (int i = 0; i < 1_000; i++) last = new byte[9_999];
                }
                public static void main(String[] words) {
                    System.out.println("busy");
                    for (long i = 0; last == null || last.length > 0; i++) {
                        fill();
                    }
                }
            }
            """;

    @TempDir Path folder;

    @Test
    void jvmThatIsBusy_isSampled() throws Exception {
        Path home = Path.of(System.getProperty("java.home"));
        Path source = Files.writeString(folder.resolve("Busy.java"), BUSY);
        Process process =
                new ProcessBuilder(home + "/bin/java", "-Xmx32m", source.toString()).start();
        try (BufferedReader said = process.inputReader()) {
            assertEquals("busy", said.readLine());
            assertEquals(
                    OptionalLong.of(process.pid()),
                    FlightRecording.jvm(List.of(List.of(1L), List.of(process.pid()))));
            Profile profile;
            try (FlightRecording recording = FlightRecording.begin(home, process.pid(), folder)) {
                Duration enough = used(process).plusSeconds(1);
                Eventually.holds(
                        "it has worked for a second",
                        Duration.ofMinutes(1),
                        () -> used(process).compareTo(enough) > 0);
                profile = recording.profile();
            }
            // What has been ended already is ended once; what has not, by its end of scope.
            try (FlightRecording _ = FlightRecording.begin(home, process.pid(), folder)) {
                assertTrue(process.isAlive());
            }
            try (FlightRecording second = FlightRecording.begin(home, process.pid(), folder)) {
                assertTrue(Files.size(second.end()) > 0);
            }
            assertTrue(profile.stacks().samples() > 10, profile::toString);
            assertTrue(profile.stacks().toString().contains("Busy.fill"), profile::toString);
            assertTrue(profile.collections().count() > 0, profile::toString);
            assertEquals(profile, JsonRecords.record(Profile.class, JsonRecords.tree(profile)));
        } finally {
            process.destroyForcibly();
        }
    }

    private static Duration used(Process process) {
        return process.info().totalCpuDuration().orElseThrow();
    }
}
