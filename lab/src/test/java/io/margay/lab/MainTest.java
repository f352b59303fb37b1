package io.margay.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `margay lab` as it is typed: what it lists, and what it answers to mistakes.
@Tag("slow")
final class MainTest {
    @TempDir Path folder = Path.of("");

    /// A distribution without applications.
    @BeforeEach
    void applications() throws IOException {
        Files.createDirectories(folder.resolve("examples/webapps"));
    }

    /// What an action printed and how it ended.
    private record Ended(int code, String out, String err) {}

    private Ended run(String... words) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code =
                Main.run(
                        List.of(words),
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8),
                        Map.of("PATH", System.getenv("PATH")),
                        folder);
        return new Ended(
                code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    @Test
    void list_namesPresetsAndServers() {
        Ended ended = run("list");
        assertEquals(0, ended.code, ended.err);
        for (String name :
                List.of(
                        "frontends-cpu",
                        "frontends-max",
                        "heartbeat",
                        "connectors",
                        "static-pages",
                        "network-heavy",
                        "files",
                        "http2",
                        "http3",
                        "handshakes-ec",
                        "storms",
                        "boot",
                        "dispatch",
                        "limit",
                        "sessions",
                        "mine",
                        "margay:native",
                        "before:native",
                        "tomcat7:bio",
                        "boot:margay",
                        "boot:margay-native",
                        "boot:undertow",
                        "httpd:mod_jk/")) {
            assertTrue(ended.out.contains("\n  " + name), name + " is missing in\n" + ended.out);
        }
    }

    @Test
    void help_ofTheLabAndOfEachAction_namesWhatThereIs() {
        String help = run("--help").out;
        for (String action :
                List.of(
                        "run",
                        "start",
                        "warmup",
                        "applications",
                        "pressure",
                        "profile",
                        "handshakes",
                        "trials",
                        "tools",
                        "cluster",
                        "list",
                        "compare",
                        "report",
                        "publish")) {
            assertTrue(help.contains("\n  " + action + " "), help);
            assertEquals(0, run(action, "--help").code, action);
        }
        assertTrue(run("run", "--help").out.contains("--before"), "an option of run");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`` | needs one of run, start, warmup, applications, pressure, profile",
                "reprot | did you mean \"report\"",
                "run | needs a preset",
                "run hartbeat | did you mean \"heartbeat\"",
                "run heartbeat --scenarios dircet | did you mean \"direct\"",
                "run heartbeat --servers tomcta:nio | did you mean \"tomcat:nio\"",
                "run ab | --before says which commit",
                "run mine | needs --app",
                "run mine --app nowhere.war | nowhere.war does not exist",
                "run heartbeat --app x.war | belongs to the preset",
                "run heartbeat --rounds many | 'many' is not",
                "run heartbeat --rounds 0 | --rounds must be a number from 1 to 1000, not 0",
                "run heartbeat --minute 3 | did you mean \"--minutes\"",
                "compare one.json | B.json",
                "trials heartbeat | needs one of aa, ten",
                "profile --server tomcta:nio | did you mean \"tomcat:nio\"",
                "pressure --rounds 0 | --rounds is at least 1",
                "cluster --containers 0 | --containers is at least 1",
                "cluster --gateways 10 | --gateways is at most 9",
                "cluster --sessions file | Invalid value for option '--sessions'"
            })
    void mistake_isAnsweredWithWhatIsPossible(String line, String hint) {
        Ended ended = run(line.isEmpty() ? new String[0] : line.strip().split(" "));
        assertEquals(2, ended.code, ended.err);
        assertTrue(ended.err.contains(hint), ended.err);
        assertTrue(ended.err.contains("--help\" says what is possible"), ended.err);
    }

    @Test
    void report_ofAFileThatIsNone_saysSo() throws IOException {
        Path file = Files.writeString(folder.resolve("other.json"), "{\"format\": 1");
        Ended ended = run("report", file.toString());
        assertEquals(1, ended.code);
        assertTrue(ended.err.contains("other.json"), ended.err);
        assertTrue(ended.err.contains("line 1"), ended.err);
    }

    /// Where the port is taken nothing is started, and nothing is left.
    @Test
    void portInUse_isNamed() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = String.valueOf(taken.getLocalPort());
            String out = folder.resolve("out").toString();
            Ended ended = run("run", "aa", "--out", out, "--servers", "known:a", "--port", port);
            assertEquals(1, ended.code, ended.err);
            assertTrue(ended.out.contains("port " + port + " is in use"), ended.out);
            try (Stream<ProcessHandle> handles = ProcessHandle.allProcesses()) {
                assertTrue(
                        handles.noneMatch(it ->
                                it.info()
                                        .commandLine()
                                        .orElse("")
                                        .contains("CalibrationServer " + port)));
            }
        }
    }
}
