package io.margay.server.files;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Whether a folder or file is still the one that is served, as a reload asks.
final class FoldersInPlaceTest {
    @TempDir Path temp = Path.of("");

    @BeforeEach
    void build() throws IOException {
        Files.createDirectories(temp.resolve("sites/one"));
        Files.writeString(temp.resolve("sites/one/file"), "one");
        Files.createDirectories(temp.resolve("others/one"));
        Files.writeString(temp.resolve("others/one/file"), "other");
        Files.createSymbolicLink(temp.resolve("linked"), temp.resolve("sites"));
        Files.createSymbolicLink(temp.resolve("link"), temp.resolve("sites/one"));
        Files.createSymbolicLink(temp.resolve("linkToFile"), temp.resolve("sites/one/file"));
    }

    private StaticFiles files(String path) throws IOException {
        return new StaticFiles(StaticFilesConfig.of(temp.resolve(path), ""), new Random(1));
    }

    private static boolean isInPlace(StaticFiles files) {
        return files.isWhereItWas(new StaticFiles.Parents());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sites/one",
                "sites/one/.",
                "sites/one/../one",
                "sites/one/file",
                "linked/one",
                "linked/one/file",
                "link",
                "link/file",
                "linkToFile"
            })
    void unchanged_isInPlace_untilItHasGone(String path) throws IOException {
        StaticFiles files = files(path);
        assertTrue(isInPlace(files));
        Files.move(temp.resolve("sites"), temp.resolve("moved"));
        assertFalse(isInPlace(files));
    }

    @ParameterizedTest
    @ValueSource(strings = {"linked/one", "linked/one/file"})
    void linkAbove_thatLeadsElsewhere_isNoticed(String path) throws IOException {
        StaticFiles files = files(path);
        Files.delete(temp.resolve("linked"));
        Files.createSymbolicLink(temp.resolve("linked"), temp.resolve("others"));
        assertFalse(isInPlace(files));
    }

    @ParameterizedTest
    @ValueSource(strings = {"link", "link/file"})
    void link_thatLeadsElsewhere_isNoticed(String path) throws IOException {
        StaticFiles files = files(path);
        Files.delete(temp.resolve("link"));
        Files.createSymbolicLink(temp.resolve("link"), temp.resolve("others/one"));
        assertFalse(isInPlace(files));
    }

    @Test
    void fileInPlaceOfAFolder_andLinkInPlaceOfAFile_areNoticed() throws IOException {
        StaticFiles folder = files("sites/one");
        StaticFiles file = files("others/one/file");
        Files.move(temp.resolve("sites/one"), temp.resolve("moved"));
        Files.writeString(temp.resolve("sites/one"), "a file");
        assertFalse(isInPlace(folder));
        Files.delete(temp.resolve("others/one/file"));
        Files.createSymbolicLink(temp.resolve("others/one/file"), temp.resolve("moved/file"));
        assertFalse(isInPlace(file));
    }
}
