package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `margay lab` as it is typed: what it lists, and what it answers to mistakes.
final class LabCommandTest {
    @TempDir Path folder = Path.of("");

    private MargayProcess run(int code, String... words) throws Exception {
        try (MargayProcess process = MargayProcess.start(folder, words)) {
            assertEquals(code, process.awaitExit(), process.toString());
            return process;
        }
    }

    @Test
    void list_namesPresetsAndServers() throws Exception {
        String out = String.join("\n", run(0, "lab", "list").out());
        for (String name :
                List.of(
                        "frontends-cpu",
                        "frontends-max",
                        "heartbeat",
                        "connectors",
                        "static-pages",
                        "network-heavy",
                        "mine",
                        "margay:native",
                        "tomcat7:bio",
                        "httpd:mod_jk/")) {
            assertTrue(out.contains("\n  " + name), name + " is missing in\n" + out);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "lab | needs one of list, run, compare, report",
                "lab rnu | did you mean \"run\"",
                "lab run | needs a preset",
                "lab run hartbeat | did you mean \"heartbeat\"",
                "lab run heartbeat --scenarios dircet | did you mean \"direct\"",
                "lab run heartbeat --servers tomcta:nio | did you mean \"tomcat:nio\"",
                "lab run ab | --before says which commit",
                "lab run mine | needs --app",
                "lab run mine --app nowhere.war | nowhere.war does not exist",
                "lab run heartbeat --app x.war | belongs to the preset",
                "lab run heartbeat --rounds many | --rounds must be a number",
                "lab compare one.json | takes 2 file(s)"
            })
    void mistake_isAnsweredWithWhatIsPossible(String line, String hint) throws Exception {
        String err = String.join("\n", run(2, line.strip().split(" ")).err());
        assertTrue(err.contains(hint), err);
    }

    @Test
    void report_ofAFileThatIsNone_saysSo() throws Exception {
        Path file = Files.writeString(folder.resolve("other.json"), "{\"format\": 1");
        String err = String.join("\n", run(1, "lab", "report", file.toString()).err());
        assertTrue(err.contains("other.json"), err);
        assertTrue(err.contains("line 1"), err);
    }

    /// Where the port is taken nothing is started, and nothing is left.
    @Test
    void portInUse_isNamed() throws Exception {
        Path root = Path.of(System.getProperty("margay.root", "..")).toAbsolutePath().normalize();
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                MargayProcess process =
                        MargayProcess.startWith(
                                folder,
                                List.of("-Dmargay.home=" + root),
                                "lab",
                                "run",
                                "aa",
                                "--out",
                                folder.resolve("out").toString(),
                                "--servers",
                                "known:a",
                                "--port",
                                String.valueOf(taken.getLocalPort()))) {
            assertEquals(1, process.awaitExit(), process.toString());
            String all = String.join("\n", process.out());
            assertTrue(all.contains("port " + taken.getLocalPort() + " is in use"), all);
            try (Stream<ProcessHandle> handles = ProcessHandle.allProcesses()) {
                assertTrue(
                        handles.noneMatch(it ->
                                it.info()
                                        .commandLine()
                                        .orElse("")
                                        .contains("CalibrationServer " + taken.getLocalPort())));
            }
        }
    }
}
