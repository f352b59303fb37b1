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
    static List<String> command() throws IOException {
        String all = Files.readString(OWN, StandardCharsets.UTF_8);
        return command(Arrays.asList(all.split("\0")), System.getProperty("margay.launcher", ""));
    }

    /// @param own the words of this process
    /// @param launcher a path; empty = there is none
    static List<String> command(List<String> own, String launcher) {
        int main = own.indexOf(MAIN);
        if (launcher.isEmpty() || main < 0) {
            return own;
        }
        List<String> command = new ArrayList<>(List.of(launcher));
        command.addAll(own.subList(main + 1, own.size()));
        return command;
    }

    private static final String MAIN = "io.margay.app.command.Main";
}
