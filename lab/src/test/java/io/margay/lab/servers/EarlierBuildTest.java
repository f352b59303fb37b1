package io.margay.lab.servers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.lab.machine.Tools;
import io.margay.testkit.program.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A repository of two commits, whose launcher builds by writing a file.
final class EarlierBuildTest {
    private static final String LAUNCHER =
            """
            #!/bin/sh
            [ -z "$MARGAY_NO_BUILD" ] || exit 1
            echo built > "${0%/*}/built"
            echo "margay VERSION"
            """;

    @TempDir Path home;
    private String first = "";

    @BeforeEach
    void twoCommits() throws IOException {
        git("init", "-q");
        commit("one");
        first = git("rev-parse", "HEAD");
        commit("two");
    }

    private void commit(String version) throws IOException {
        Path launcher = home.resolve("margay");
        Files.writeString(launcher, LAUNCHER.replace("VERSION", version));
        Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwxr-xr-x"));
        git("add", "margay");
        git("-c", "user.name=lab", "-c", "user.email=lab@localhost", "commit", "-q", "-m", version);
    }

    private String git(String... words) throws IOException {
        List<String> command = new ArrayList<>(List.of(Program.of("git")));
        command.addAll(List.of(words));
        return Tools.run(command, home);
    }

    @Test
    void commit_isBuiltInAFolderOfItsOwn() throws IOException {
        Path built = EarlierBuild.of(first.substring(0, 7), home, _ -> {});
        assertEquals(home.resolve("target/before/" + first.substring(0, 12)), built);
        assertTrue(Files.readString(built.resolve("margay")).contains("margay one"));
        assertTrue(Files.exists(built.resolve("built")));
        assertTrue(Files.readString(home.resolve("margay")).contains("margay two"));
        assertEquals(first.substring(0, 12), EarlierBuild.commit(built));
    }

    @Test
    void folder_isUsedAsItStands() throws IOException {
        assertEquals(home, EarlierBuild.of(home.toString(), home, _ -> {}));
        String commit = git("rev-parse", "HEAD").substring(0, 12);
        assertEquals(commit, EarlierBuild.commit(home));
        Files.writeString(home.resolve("margay"), "# changed");
        assertEquals(commit + " with changes", EarlierBuild.commit(home));
    }

    @Test
    void whatIsNeither_isNamed() {
        var e = assertThrows(IOException.class, () -> EarlierBuild.of("nothing", home, _ -> {}));
        assertTrue(String.valueOf(e.getMessage()).contains("\"nothing\" is neither"));
    }
}
