package io.margay.packages;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/// What a process of the image finds beside Java: the C library, OpenSSL, a shell. Taken from the
/// packages of Debian's stable release, so that a rebuild brings their security fixes, and recorded
/// as `dpkg` does, so that scanners know what is there.
final class BaseSystem {
    private static final List<String> PACKAGES =
            List.of("base-files", "libc6", "zlib1g", "libssl3t64", "busybox-static");

    private static final String STATUS = "var/lib/dpkg/status";
    private static final String INFO = "var/lib/dpkg/info";

    /// BusyBox has the names of its programs in its own file, each with a zero after it, from these
    /// on.
    private static final String FIRST_APPLETS = "[\0[[\0";

    /// Who runs the server: a number, so that Kubernetes sees that it is not root.
    static final int USER = 10001;

    private BaseSystem() {}

    /// @param scratch takes the downloaded packages
    /// @param more packages that Java wants
    static List<DebianArchive.Unpacked> install(
            Path root, Path scratch, Target target, Iterable<String> more)
            throws IOException, InterruptedException {
        // As Debian has it; packages unpack into what the links lead to.
        for (String name : List.of("bin", "lib", "lib64", "sbin")) {
            Files.createDirectories(root.resolve("usr").resolve(name));
            Files.createSymbolicLink(root.resolve(name), Path.of("usr", name));
        }
        List<String> wanted = new ArrayList<>(PACKAGES);
        more.forEach(wanted::add);
        Files.createDirectories(root.resolve(INFO));
        List<DebianArchive.Unpacked> unpacked = new ArrayList<>();
        for (Path deb : new DebianArchive(scratch, target).fetch(wanted)) {
            unpack(deb, root);
            unpacked.add(record(deb, root));
        }
        trim(root);
        programs(root);
        Path etc = Files.createDirectories(root.resolve("etc"));
        Files.writeString(
                etc.resolve("passwd"),
                "root:x:0:0:root:/:/bin/sh\nmargay:x:%d:%d::/var/lib/margay:/bin/sh\n"
                        .formatted(USER, USER));
        Files.writeString(etc.resolve("group"), "root:x:0:\nmargay:x:%d:\n".formatted(USER));
        Path tmp = Files.createDirectories(root.resolve("tmp"));
        Folders.run("chmod", "1777", tmp.toString());
        for (String name : List.of("proc", "dev", "sys", "var")) {
            Files.createDirectories(root.resolve(name));
        }
        return unpacked;
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

    /// Has `dpkg`, and what reads its files, know of a package.
    private static DebianArchive.Unpacked record(Path deb, Path root)
            throws IOException, InterruptedException {
        String control = Folders.output("dpkg-deb", "--field", deb.toString());
        var unpacked = new DebianArchive.Unpacked(control);
        String entry =
                control.replaceFirst("(?m)^(Package: .*)$", "$1\nStatus: install ok installed");
        Files.writeString(
                root.resolve(STATUS),
                entry.strip() + "\n\n",
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
        Path info = root.resolve(INFO);
        String files =
                Folders.output("sh", "-c", "dpkg-deb --fsys-tarfile \"$0\" | tar -t", "" + deb);
        Files.writeString(
                info.resolve(unpacked.field("Package") + ".list"),
                files.replaceAll("(?m)^\\./?", "/")
                        .replaceAll("(?m)(?<=.)/$", "")
                        .replaceFirst("^/\n", "/.\n"));
        String name = unpacked.field("Package") + ".md5sums";
        Files.writeString(
                info.resolve(name),
                Folders.output(
                        "sh",
                        "-c",
                        "dpkg-deb --ctrl-tarfile \"$0\" | tar -xO ./md5sums 2>/dev/null || true",
                        "" + deb));
        return unpacked;
    }

    /// Leaves out what nobody reads in an image; what each package's licence is stays.
    private static void trim(Path root) throws IOException, InterruptedException {
        for (String name :
                List.of(
                        "usr/share/man",
                        "usr/share/lintian",
                        "usr/share/locale",
                        "usr/lib/*/gconv")) {
            Folders.run("sh", "-c", "rm -rf \"$0\"/" + name, root.toString());
        }
    }

    /// A link for each program of BusyBox, whose list it has in itself: it may be of another kind
    /// of machine, which cannot be asked.
    private static void programs(Path root) throws IOException {
        Path bin = root.resolve("usr/bin");
        String content = Files.readString(bin.resolve("busybox"), StandardCharsets.ISO_8859_1);
        int begin = content.indexOf(FIRST_APPLETS);
        int end = content.indexOf("\0\0", begin);
        if (begin < 0 || end < 0) {
            throw new IOException("busybox does not say which programs it has");
        }
        for (String name : content.substring(begin, end).split("\0")) {
            Path link = bin.resolve(name);
            if (!Files.exists(link, LinkOption.NOFOLLOW_LINKS)) {
                Files.createSymbolicLink(link, Path.of("busybox"));
            }
        }
    }
}
