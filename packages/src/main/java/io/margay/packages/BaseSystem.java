package io.margay.packages;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;

/// What a process of the image finds beside Java: the C library, OpenSSL, a shell. Taken from the
/// packages of the Debian that the image is made on, so that a rebuild brings their security fixes.
final class BaseSystem {
    private static final List<String> PACKAGES =
            List.of(
                    "libc6",
                    "zlib1g",
                    // The TLS engine: its name depends on the release.
                    "libssl3|libssl3t64",
                    "busybox-static");

    /// Who runs the server: a number, so that Kubernetes sees that it is not root.
    static final int USER = 10001;

    private BaseSystem() {}

    /// @param scratch takes the downloaded packages
    static void install(Path root, Path scratch) throws IOException, InterruptedException {
        // As Debian has it; packages unpack into what the links lead to.
        for (String name : List.of("bin", "lib", "lib64", "sbin")) {
            Files.createDirectories(root.resolve("usr").resolve(name));
            Files.createSymbolicLink(root.resolve(name), Path.of("usr", name));
        }
        for (String name : PACKAGES) {
            unpack(download(name, scratch), root);
        }
        trim(root);
        Folders.run("chroot", root.toString(), "/bin/busybox", "--install", "-s", "/bin");
        Path etc = Files.createDirectories(root.resolve("etc"));
        Files.writeString(
                etc.resolve("passwd"),
                "root:x:0:0:root:/:/bin/sh\nmargay:x:%d:%d::/var/lib/margay:/bin/sh\n"
                        .formatted(USER, USER));
        Files.writeString(etc.resolve("group"), "root:x:0:\nmargay:x:%d:\n".formatted(USER));
        Path tmp = Files.createDirectories(root.resolve("tmp"));
        Folders.run("chmod", "1777", tmp.toString());
        for (String name : List.of("proc", "dev", "var")) {
            Files.createDirectories(root.resolve(name));
        }
    }

    private static Path download(String names, Path scratch)
            throws IOException, InterruptedException {
        for (String name : names.split("\\|")) {
            Path folder = Folders.empty(scratch.resolve(name));
            // apt-get downloads as a user of its own, who has to write there.
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
            Process apt =
                    new ProcessBuilder("apt-get", "-qq", "download", name)
                            .directory(folder.toFile())
                            .redirectErrorStream(true)
                            .redirectOutput(folder.resolve("log").toFile())
                            .start();
            if (apt.waitFor() == 0) {
                try (Stream<Path> files = Files.list(folder)) {
                    return files.filter(file -> file.toString().endsWith(".deb"))
                            .findFirst()
                            .orElseThrow();
                }
            }
        }
        throw new IOException(
                "no package "
                        + names
                        + ": an image is made on Debian or Ubuntu, after apt-get update");
    }

    private static void unpack(Path deb, Path root) throws IOException, InterruptedException {
        // tar keeps the links to folders, which dpkg-deb --extract would replace.
        Process data =
                new ProcessBuilder("dpkg-deb", "--fsys-tarfile", deb.toString())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        Process tar =
                new ProcessBuilder(
                                "tar",
                                "-C",
                                root.toString(),
                                "--keep-directory-symlink",
                                "-xf",
                                "-")
                        .redirectInput(ProcessBuilder.Redirect.PIPE)
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        try (var in = data.getInputStream();
                var out = tar.getOutputStream()) {
            in.transferTo(out);
        }
        if (data.waitFor() != 0 || tar.waitFor() != 0) {
            throw new IOException(deb + " cannot be unpacked");
        }
    }

    /// Leaves out what nobody reads in an image; what each package's licence is stays.
    private static void trim(Path root) throws IOException, InterruptedException {
        for (String name : List.of("usr/share/man", "usr/share/lintian", "usr/lib/*/gconv")) {
            Folders.run("sh", "-c", "rm -rf \"$0\"/" + name, root.toString());
        }
    }
}
