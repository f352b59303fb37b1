package io.margay.packages;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Packages of Debian's stable release for any kind of machine, by an `apt-get` that knows nothing
/// of the system that it runs on. The servers of packages are those of this system; signatures are
/// checked with its keys.
final class DebianArchive {
    /// The number of the release.
    static final String RELEASE = "13";

    private static final String SUITE = "trixie";
    private static final Path KEYS = Path.of("/usr/share/keyrings/debian-archive-keyring.gpg");
    private static final Pattern SERVER =
            Pattern.compile(
                    "(?m)^(?:URIs: *|deb (?:\\[[^]]*] )?)(https?://\\S+?/debian)/?(?:\\s|$)");
    private static final String SERVER_ELSE = "http://deb.debian.org/debian";

    private final Path folder;
    private final Path configuration;

    /// A package that is part of an image.
    ///
    /// @param control its control file
    record Unpacked(String control) {
        String field(String name) {
            Matcher line = Pattern.compile("(?m)^" + name + ": *(.*)$").matcher(control);
            return line.find() ? line.group(1) : "";
        }
    }

    /// @param folder where lists and packages are kept
    DebianArchive(Path folder, Target target) throws IOException, InterruptedException {
        this.folder = Folders.empty(folder);
        configuration = folder.resolve("apt.conf");
        for (String each : List.of("lists/partial", "cache/archives/partial")) {
            Files.createDirectories(folder.resolve(each));
        }
        // apt-get downloads as a user of its own, who has to write there.
        for (String each : List.of("lists/partial", "cache/archives/partial")) {
            Files.setPosixFilePermissions(
                    folder.resolve(each), PosixFilePermissions.fromString("rwxrwxrwx"));
        }
        String server = server();
        Files.writeString(
                folder.resolve("sources.list"),
                """
                deb [signed-by=%2$s] %1$s %3$s main
                deb [signed-by=%2$s] %1$s %3$s-updates main
                deb [signed-by=%2$s] %1$s-security %3$s-security main
                """
                        .formatted(server, KEYS, SUITE));
        Files.writeString(
                configuration,
                """
                APT::Architecture "%2$s";
                APT::Architectures {"%2$s";};
                APT::Install-Recommends "false";
                APT::Sandbox::User "root";
                Acquire::Languages "none";
                Dir::Etc::sourcelist "%1$s/sources.list";
                Dir::Etc::sourceparts "/dev/null";
                Dir::Etc::preferencesparts "/dev/null";
                Dir::State::lists "%1$s/lists";
                Dir::State::status "/dev/null";
                Dir::Cache "%1$s/cache";
                """
                        .formatted(folder.toAbsolutePath(), target.debian));
        apt("update");
    }

    private static String server() throws IOException {
        for (String name : List.of("sources.list.d/debian.sources", "sources.list")) {
            Path file = Path.of("/etc/apt", name);
            if (Files.exists(file)) {
                Matcher found = SERVER.matcher(Files.readString(file));
                if (found.find()) {
                    return found.group(1);
                }
            }
        }
        return SERVER_ELSE;
    }

    private void apt(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("apt-get", "-qq", "-y"));
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("APT_CONFIG", configuration.toString());
        Path log = folder.resolve("log");
        builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        if (builder.start().waitFor() != 0) {
            throw new IOException(
                    "failed: " + String.join(" ", command) + "\n" + Files.readString(log));
        }
    }

    /// Downloads packages, and what they depend on.
    ///
    /// @return their files, sorted
    List<Path> fetch(List<String> names) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("install", "--download-only"));
        words.addAll(names);
        apt(words.toArray(String[]::new));
        try (Stream<Path> files = Files.list(folder.resolve("cache/archives"))) {
            return files.filter(file -> file.toString().endsWith(".deb")).sorted().toList();
        }
    }
}
