package io.margay.app.upgrade;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The command that has started this process, to be given again: what lies on the disk by then is
/// what starts. Stateless.
final class NewProcess {
    private static final Path OWN = Path.of("/proc/self/cmdline");

    private NewProcess() {}

    /// The launcher as it was called, so that a symbolic link may lead elsewhere by now, with its
    /// words; or where there is none, the JVM with all of its options.
    ///
    /// @param other words in place of those of this process; empty = the same
    static List<String> command(List<String> other) throws IOException {
        String all = Files.readString(OWN, StandardCharsets.UTF_8);
        return command(
                Arrays.asList(all.split("\0")), System.getProperty("margay.launcher", ""), other);
    }

    /// @param own the words of this process
    /// @param launcher a path; empty = there is none
    static List<String> command(List<String> own, String launcher, List<String> other) {
        int words = own.indexOf(MAIN) + 1;
        if (words == 0) {
            return own;
        }
        List<String> command =
                new ArrayList<>(launcher.isEmpty() ? own.subList(0, words) : List.of(launcher));
        command.addAll(other.isEmpty() ? own.subList(words, own.size()) : other);
        return command;
    }

    private static final String MAIN = "io.margay.app.command.Main";
}
