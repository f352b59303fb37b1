package io.margay.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ArgumentsTest {
    private static final Command RUN =
            new Command(
                    "run",
                    "runs",
                    "[FILE...]",
                    List.of("Details."),
                    List.of(
                            Option.of("--http", "PORT", "The port."),
                            Option.many("--static", "/path=DIR", "Files."),
                            Option.flag("--debug", "More.")),
                    List.of(new Command.Example("margay run x", "Runs x.")));

    private static Arguments parse(String... words) throws UsageException {
        return Arguments.parse(RUN, List.of(words));
    }

    private static String failure(String... words) {
        return String.valueOf(assertThrows(UsageException.class, () -> parse(words)).getMessage());
    }

    @Test
    void options_inAnyOrder_areRead() throws UsageException {
        Arguments arguments = parse("a", "--http", "80", "b", "--static=/x=y", "--static", "/z=w");
        assertEquals(List.of("a", "b"), arguments.operands());
        assertEquals(Optional.of("80"), arguments.value("--http"));
        assertEquals(List.of("/x=y", "/z=w"), arguments.all("--static"));
        assertTrue(!arguments.has("--debug"));
    }

    @Test
    void words_afterDoubleDash_areOperands() throws UsageException {
        assertEquals(List.of("--http", "-"), parse("--", "--http", "-").operands());
    }

    @Test
    void unknownOption_namesTheNearest() {
        assertEquals(
                "\"run\" has no option --htpp; did you mean \"--http\"?", failure("--htpp", "80"));
        assertTrue(failure("--zzzzzzzz").contains("--http, --static, --debug"));
    }

    @Test
    void option_withoutItsValue_isRefused() {
        assertEquals("the option --http PORT needs a value", failure("--http"));
        assertEquals("the option --http PORT needs a value", failure("--http", "--debug"));
    }

    @Test
    void option_withValueItDoesNotTake_isRefused() {
        assertEquals("the option --debug takes no value", failure("--debug=1"));
    }

    @Test
    void option_givenTwice_isRefused() {
        assertEquals("the option --http was given twice", failure("--http", "1", "--http", "2"));
    }

    @Test
    void help_namesEveryOption() {
        String help = Help.of(RUN);
        for (Option option : RUN.options()) {
            assertTrue(help.contains(option.name()), help);
        }
        assertTrue(help.lines().allMatch(line -> line.length() <= 80), help);
    }

    @Test
    void helpOfTheProgram_withLongOperands_keepsItsColumns() {
        Command.Example example = new Command.Example("margay convert A B", "Converts A.");
        Command convert =
                new Command(
                        "convert",
                        "writes the one as the other",
                        "OLD.war NEW.war",
                        List.of(),
                        List.of(Option.HELP),
                        List.of(example));
        String help = Help.of(List.of(RUN, convert), "a server");
        String column = " ".repeat(22);
        assertTrue(help.contains("\n  run [FILE...]       runs\n"), help);
        assertTrue(help.contains("OLD.war NEW.war\n" + column + "writes the one as"), help);
        assertTrue(help.lines().allMatch(line -> line.length() <= 80), help);
    }
}
