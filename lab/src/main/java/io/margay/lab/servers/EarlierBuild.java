package io.margay.lab.servers;

import io.margay.lab.machine.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Builds another commit of Margay in a folder of its own, `target/before/COMMIT` of the checkout,
/// which stays for the next time. Stateless.
public final class EarlierBuild {
    private static final long BUILD_SECONDS_MAX = 1800;

    /// What `git` shortens a commit to in all that is printed.
    private static final int SHORT = 12;

    private EarlierBuild() {}

    /// Makes it.
    ///
    /// @param what a commit, as git understands it, or the folder of another checkout or
    ///   distribution, which is used as it stands
    /// @param home the checkout
    /// @param says told what goes on
    /// @return its folder, built
    /// @throws IOException if there is no such commit, or it cannot be built
    public static Path of(String what, Path home, Consumer<String> says) throws IOException {
        Path given = Path.of(what).toAbsolutePath().normalize();
        Path folder;
        if (Files.isExecutable(given.resolve("margay"))) {
            folder = given;
        } else {
            folder = unpacked(resolved(what, home), home);
        }
        says.accept("building " + folder + ", unless it is built already");
        // The launcher builds what is missing or stale; the lab itself may have been told not to.
        Tools.run(
                List.of("env", "-u", "MARGAY_NO_BUILD", folder.resolve("margay") + "", "version"),
                folder,
                BUILD_SECONDS_MAX);
        return folder;
    }

    private static String resolved(String what, Path home) throws IOException {
        try {
            return Tools.run(
                    List.of("git", "rev-parse", "--verify", "--quiet", what + "^{commit}"), home);
        } catch (IOException e) {
            throw new IOException(
                    "--before takes a commit of "
                            + home
                            + " or the folder of another checkout, and \""
                            + what
                            + "\" is neither",
                    e);
        }
    }

    /// The sources of a commit, without its history: nothing in the repository changes.
    private static Path unpacked(String commit, Path home) throws IOException {
        Path all = Files.createDirectories(home.resolve("target").resolve("before"));
        Path folder = all.resolve(commit.substring(0, SHORT));
        if (Files.isDirectory(folder)) {
            return folder;
        }
        // An unpacking that is broken off leaves no folder that looks complete.
        Path fresh = Files.createTempDirectory(all, "unpacking-");
        Path archive = fresh.resolve("sources.tar");
        Path sources = Files.createDirectory(fresh.resolve("sources"));
        Tools.run(
                List.of("git", "archive", "--format=tar", "-o", archive.toString(), commit), home);
        Tools.run(List.of("tar", "-xf", archive.toString()), sources);
        Files.move(sources, folder);
        Files.delete(archive);
        Files.delete(fresh);
        return folder;
    }

    /// The commit that a folder was built from, with a word if it has changes; empty for a
    /// distribution.
    public static String commit(Path folder) {
        Optional<Path> parent = Optional.ofNullable(folder.getParent());
        if (parent.filter(it -> it.endsWith(Path.of("target", "before"))).isPresent()) {
            return String.valueOf(folder.getFileName());
        }
        if (!Files.exists(folder.resolve(".git"))) {
            return "";
        }
        return Tools.firstLine(
                "git",
                "-C",
                folder.toString(),
                "describe",
                "--always",
                "--abbrev=" + SHORT,
                "--exclude=*",
                "--dirty= with changes");
    }
}
