package io.margay.packages;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Folders that packages are made of, and the programs that copy, change and pack them.
final class Folders {
    /// When everything in a package was changed last: equal contents give equal packages. A release
    /// says so by `SOURCE_DATE_EPOCH`.
    static final Instant CHANGED =
            Optional.ofNullable(System.getenv("SOURCE_DATE_EPOCH"))
                    .map(seconds -> Instant.ofEpochSecond(Long.parseLong(seconds)))
                    .orElse(Instant.parse("2026-01-01T00:00:00Z"));

    private Folders() {}

    /// A folder without anything in it.
    static Path empty(Path folder) throws IOException, InterruptedException {
        run("rm", "-rf", folder.toString());
        return Files.createDirectories(folder);
    }

    /// Copies a folder, links and permissions included.
    static void copy(Path from, Path to) throws IOException, InterruptedException {
        Files.createDirectories(to);
        run("cp", "-R", "-P", "-p", from + "/.", to.toString());
    }

    /// Writes `name` of `folder` as an archive, the same for equal contents.
    ///
    /// @param owners whether files keep their owners; else they are root's
    static Path tar(Path folder, String name, boolean owners, Path archive)
            throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("tar", "-C", folder.toString()));
        if (!owners) {
            words.addAll(List.of("--owner=0", "--group=0"));
        }
        words.addAll(List.of("--sort=name", "--numeric-owner", "--mtime=" + CHANGED));
        words.addAll(List.of("-cf", archive.toString(), name));
        run(words.toArray(String[]::new));
        return archive;
    }

    /// The same, compressed.
    static Path pack(Path folder, String name, boolean owners, Path archive)
            throws IOException, InterruptedException {
        Path tar =
                tar(folder, name, owners, archive.resolveSibling(archive.getFileName() + ".tar"));
        run("gzip", "-n", "-f", tar.toString());
        return Files.move(Path.of(tar + ".gz"), archive, StandardCopyOption.REPLACE_EXISTING);
    }

    /// Has everything in a folder changed at [#CHANGED].
    static void settle(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : all.filter(file -> !Files.isSymbolicLink(file)).toList()) {
                Files.setLastModifiedTime(file, FileTime.from(CHANGED));
            }
        }
    }

    /// Bytes of the files in a folder.
    static long bytes(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                    .mapToLong(Folders::size)
                    .sum();
        }
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// What a program prints on its standard output.
    ///
    /// @throws IOException also if it fails
    static String output(String... words) throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException("failed: " + String.join(" ", List.of(words)));
        }
        return said;
    }

    /// The SHA-256 of a file.
    static String digest(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return digest(in);
        }
    }

    /// The SHA-256 of all that can be read.
    static String digest(InputStream in) throws IOException {
        try {
            DigestInputStream digesting =
                    new DigestInputStream(in, MessageDigest.getInstance("SHA-256"));
            digesting.transferTo(OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(digesting.getMessageDigest().digest());
        } catch (NoSuchAlgorithmException e) {
            throw new UncheckedIOException(new IOException(e));
        }
    }

    /// Runs a program to its end.
    ///
    /// @throws IOException also if it fails
    static void run(String... words) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(words).inheritIO().start();
        if (process.waitFor() != 0) {
            throw new IOException("failed: " + String.join(" ", List.of(words)));
        }
    }
}
