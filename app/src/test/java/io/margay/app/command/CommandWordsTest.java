package io.margay.app.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.cli.Command;
import io.margay.app.cli.Option;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What the program says of words alone, before it touches anything: without a process for each.
@Timeout(60)
final class CommandWordsTest {
    /// @param code the exit code
    private record Said(int code, String out, String err) {}

    private static Said run(String... words) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Main main =
                new Main(
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8),
                        Map.of());
        int code = main.run(List.of(words));
        return new Said(
                code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    private static void assertWrong(String err, String... words) {
        Said said = run(words);
        assertEquals(ExitCode.WRONG_USAGE, said.code(), said.err());
        assertEquals(err, said.err());
    }

    @Test
    void help_ofEveryCommand_isComplete() {
        for (Command command : Main.COMMANDS) {
            Said said = run(command.name(), "--help");
            assertEquals(ExitCode.DONE, said.code());
            assertEquals("", said.err());
            for (Option option : command.options()) {
                assertTrue(said.out().contains(option.name()), said.out());
            }
            assertTrue(said.out().contains("Examples:\n  margay " + command.name()), said.out());
        }
    }

    @Test
    void help_ofTheProgram_namesTheCommandsOfThisVersion() {
        Said said = run("--help");
        assertEquals(ExitCode.DONE, said.code());
        for (String command :
                List.of("run", "gateway", "check", "migrate", "convert", "lab", "version")) {
            assertTrue(said.out().contains("\n  " + command), said.out());
        }
    }

    @Test
    void help_ofTheProgram_hasEachExitCode() {
        String help = run("--help").out();
        for (int code :
                List.of(
                        ExitCode.DONE,
                        ExitCode.FAILED,
                        ExitCode.WRONG_USAGE,
                        ExitCode.SERVER_ENDED)) {
            assertTrue(help.matches("(?s).*\n  " + code + " {10,}\\S.*"), help);
        }
    }

    @Test
    void version_isAnOptionToo() {
        assertEquals(run("version"), run("--version"));
        assertEquals(ExitCode.DONE, run("--version").code());
    }

    @Test
    void usage_thatIsWrong_namesTheNearest() {
        String see = "\n\"margay run --help\" lists commands and options.\n";
        assertWrong(
                "margay: \"run\" has no option --htpp; did you mean \"--http\"?" + see,
                "run",
                "--htpp",
                "80");
        assertWrong(
                "margay: --transport is one of blocking, nio, native, not \"nativ\"; did you mean"
                        + " native?"
                        + see,
                "run",
                "--transport",
                "nativ");
        assertWrong(
                "margay: --http \"99999\" is not valid: a port is a number from 0 to 65535" + see,
                "run",
                "--http",
                "99999");
        assertWrong(
                "margay: \"rnu\" is not a command; did you mean \"run\"?\n"
                        + "\"margay --help\" lists commands and options.\n",
                "rnu");
    }

    @Test
    void option_withoutWhatItNeeds_isRefused() {
        for (String[] words :
                new String[][] {
                    {"run", "--cert", "x"},
                    {"run", "--https", "8443"},
                    {"run", "--static", "x"},
                    {"run", "--access-log-format", "json"},
                    {"run", "--context", "/x"},
                    {"run", "--ajp", "8009"},
                    {"run", "--admin", "9990"},
                    {"run", "--log", "loud"},
                    {"gateway"},
                    {"migrate"},
                    {"convert", "old.war"},
                    {"lab"},
                    {"check"},
                    {"acme"},
                    {"acme", "renew"},
                    {"version", "now"},
                    {"docs", "guide"},
                    {"docs", "--http", "0", "--to", "x"},
                    {}
                }) {
            Said said = run(words);
            assertEquals(ExitCode.WRONG_USAGE, said.code(), said.err());
            assertTrue(!said.err().isEmpty(), "nothing is said");
            assertTrue(!said.err().contains("\tat "), said.err());
        }
    }
}
