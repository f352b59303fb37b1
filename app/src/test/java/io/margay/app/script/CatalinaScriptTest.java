package io.margay.app.script;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Runs `bin/catalina.sh` and its kin in a distribution made for the purpose, whose `margay` is a
/// script that says how it was called, and serves by sleeping.
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "they are POSIX shell scripts")
final class CatalinaScriptTest {
    private static final Path CHECKOUT = Path.of(System.getProperty("margay.root", ".."));

    /// Ends at SIGTERM, unless the folder has a file that says otherwise.
    private static final String MARGAY =
            """
            #!/bin/sh
            printf 'process %s\\n' $$
            printf 'argument %s\\n' "$@"
            printf 'options %s\\n' "$MARGAY_JAVA_OPTS"
            printf 'java %s\\n' "$JAVA_HOME"
            printf 'setenv %s\\n' "$MARGAY_SETENV"
            [ "$1" = tomcat ] && [ -f "$2/serve" ] || exit 0
            [ ! -f "$2/deaf" ] || trap '' TERM
            while :; do sleep 0.1; done
            """;

    @TempDir Path temporary;
    private Path home = Path.of("");
    private Path base = Path.of("");

    @BeforeEach
    void makeDistribution() throws IOException {
        Path real = temporary.toRealPath();
        home = Files.createDirectories(real.resolve("a place/margay 1"));
        base = Files.createDirectories(real.resolve("the base"));
        Files.createDirectories(home.resolve("bin"));
        Files.createDirectories(base.resolve("bin"));
        for (String script : List.of("catalina.sh", "startup.sh", "shutdown.sh")) {
            Files.copy(CHECKOUT.resolve("bin/" + script), home.resolve("bin/" + script));
            executable(home.resolve("bin/" + script));
        }
        executable(Files.writeString(home.resolve("margay"), MARGAY));
    }

    @AfterEach
    void end() throws IOException {
        Path pid = base.resolve("the.pid");
        if (Files.exists(pid) && !Files.readString(pid).isBlank()) {
            process(Files.readString(pid)).ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    private static Optional<ProcessHandle> process(String pid) {
        return ProcessHandle.of(Long.parseLong(pid.strip())).filter(ProcessHandle::isAlive);
    }

    private static void executable(Path file) {
        assertTrue(file.toFile().setExecutable(true));
    }

    private record Result(long pid, int exit, String output) {}

    private Result run(Map<String, String> environment, String script, String... words)
            throws Exception {
        List<String> command = new ArrayList<>(List.of(home.resolve("bin/" + script).toString()));
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.directory(temporary.toFile()).redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().put("PATH", System.getenv("PATH"));
        builder.environment().put("CATALINA_BASE", base.toString());
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertTrue(process.waitFor(30, TimeUnit.SECONDS), "it does not end");
        return new Result(process.pid(), process.exitValue(), output);
    }

    private Map<String, String> withPid() {
        return Map.of("CATALINA_PID", base.resolve("the.pid").toString());
    }

    @Test
    void run_becomesTheServer_withTheOptionsOfSetenv() throws Exception {
        Files.writeString(
                base.resolve("bin/setenv.sh"),
                "CATALINA_OPTS=\"$CATALINA_OPTS -Xmx$((500 + 12))m\"\nJAVA_HOME=/opt/jdk\n");
        Result result =
                run(Map.of("CATALINA_OPTS", "-Da=b", "JAVA_OPTS", "-Dc=*"), "catalina.sh", "run");
        assertEquals(0, result.exit());
        assertTrue(result.output().contains("process " + result.pid() + "\n"), "signals reach it");
        assertTrue(result.output().contains("argument tomcat\nargument " + base + "\n"));
        assertTrue(result.output().contains("options -Dc=* -Da=b -Xmx512m"), result.output());
        assertTrue(result.output().contains("java /opt/jdk\n"), result.output());
    }

    @Test
    void setenvOfTheHome_countsWhereTheBaseHasNone() throws Exception {
        Files.writeString(home.resolve("bin/setenv.sh"), "JAVA_OPTS=-Dof=home\n");
        String ofHome = run(Map.of(), "catalina.sh", "run").output();
        assertTrue(ofHome.contains("-Dof=home") && ofHome.contains("setenv \n"), ofHome);
        Files.writeString(base.resolve("bin/setenv.sh"), "JAVA_OPTS=-Dof=base\n");
        String ofBase = run(Map.of(), "catalina.sh", "run").output();
        assertTrue(ofBase.contains("options -Dof=base") && ofBase.contains("setenv run\n"), ofBase);
    }

    @Test
    void configtestAndVersion_takeTheOptionsOfEveryJvmOnly() throws Exception {
        Map<String, String> options = Map.of("CATALINA_OPTS", "-Da=b", "JAVA_OPTS", "-Dc=d");
        String checked = run(options, "catalina.sh", "configtest").output();
        assertTrue(checked.contains("argument check\nargument " + base + "\n"), checked);
        assertTrue(checked.contains("-Dc=d"), checked);
        assertFalse(checked.contains("-Da=b"), checked);
        assertTrue(
                run(Map.of(), "catalina.sh", "version").output().contains("argument --version\n"));
        assertEquals(1, run(Map.of(), "catalina.sh", "juggle").exit());
    }

    @Test
    void startupAndShutdown_serveInTheBackgroundUntilTheEnd() throws Exception {
        Files.createFile(base.resolve("serve"));
        Result started = run(withPid(), "startup.sh");
        assertEquals(0, started.exit(), started.output());
        String pid = Files.readString(base.resolve("the.pid"));
        assertTrue(process(pid).isPresent());
        Path out = base.resolve("logs/catalina.out");
        Eventually.holds("its output", () -> read(out).contains("process " + pid.strip()));
        Result second = run(withPid(), "catalina.sh", "start");
        assertEquals(1, second.exit());
        assertTrue(second.output().contains("is running already"), second.output());
        Result stopped = run(withPid(), "shutdown.sh", "20");
        assertEquals(0, stopped.exit(), stopped.output());
        assertTrue(process(pid).isEmpty());
        assertFalse(Files.exists(base.resolve("the.pid")));
        assertEquals(1, run(withPid(), "shutdown.sh").exit(), "nothing runs");
    }

    private static String read(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void stop_ofOneThatDoesNotEnd_killsWhenForced() throws Exception {
        Files.createFile(base.resolve("serve"));
        Files.createFile(base.resolve("deaf"));
        assertEquals(0, run(withPid(), "catalina.sh", "start").exit());
        Path out = base.resolve("logs/catalina.out");
        Eventually.holds("its output", () -> read(out).contains("java "));
        String pid = Files.readString(base.resolve("the.pid"));
        Result patient = run(withPid(), "catalina.sh", "stop", "1");
        assertEquals(1, patient.exit());
        assertTrue(patient.output().contains("has not ended yet"), patient.output());
        assertTrue(process(pid).isPresent());
        Result forced = run(withPid(), "catalina.sh", "stop", "1", "-force");
        assertEquals(0, forced.exit(), forced.output());
        assertTrue(process(pid).isEmpty());
        assertFalse(Files.exists(base.resolve("the.pid")));
    }

    @Test
    void stop_withoutPidFile_asksTheServerByItsWorkFolder() throws Exception {
        String output = run(Map.of(), "catalina.sh", "stop").output();
        assertTrue(
                output.contains(
                        "argument stop\nargument --work\nargument " + base + "/work/margay\n"),
                output);
        assertEquals(1, run(Map.of(), "catalina.sh", "stop", "-force").exit());
    }
}
