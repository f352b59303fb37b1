package io.margay.app.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.cli.Arguments;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What `check` says of sources of members.
final class MembersCheckTest {
    @TempDir Path folder;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int check() throws Exception {
        Path file =
                Files.writeString(
                        folder.resolve("margay.yaml"),
                        """
                        listeners: [{http: 8080}]
                        hosts: [{routes: {/*: {gateway: shop}}}]
                        upstreams: {shop: {members: {file: shop.members}}}
                        """);
        Arguments arguments = Arguments.parse(CheckCommand.COMMAND, List.of(file.toString()));
        try (PrintStream toOut = new PrintStream(out, true, UTF_8);
                PrintStream toErr = new PrintStream(err, true, UTF_8)) {
            return new CheckCommand(arguments, Map.of(), toOut, toErr).run();
        }
    }

    @Test
    void file_thatIsNotThereYet_isTold() throws Exception {
        assertEquals(ExitCode.DONE, check());
        assertTrue(out.toString(UTF_8).contains("shop.members does not exist"), out::toString);
    }

    @Test
    void file_thatIsBroken_isAnErrorWithItsLine() throws Exception {
        Files.writeString(folder.resolve("shop.members"), "http://a\nhttp://b heavy");
        assertEquals(ExitCode.FAILED, check());
        String said = err.toString(UTF_8);
        assertTrue(said.contains("upstream shop: file "), said);
        assertTrue(said.contains("line 2: \"heavy\" is not an option of a member"), said);
    }

    @Test
    void file_thatIsWhole_isNoError() throws Exception {
        Files.writeString(folder.resolve("shop.members"), "http://a");
        assertEquals(ExitCode.DONE, check());
        assertEquals("", err.toString(UTF_8));
    }
}
