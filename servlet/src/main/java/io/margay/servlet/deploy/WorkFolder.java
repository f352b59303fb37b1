package io.margay.servlet.deploy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.zip.CRC32;

/// Where a server keeps what it makes of applications. Thread-safe.
record WorkFolder(Path root) {
    /// A name for an application's files: readable, and unique by context path and source.
    static String key(Path source, String contextPath) {
        String shown = contextPath.isEmpty() ? "ROOT" : contextPath.substring(1);
        CRC32 unique = new CRC32();
        String both = source.toAbsolutePath().normalize() + "|" + contextPath;
        unique.update(both.getBytes(StandardCharsets.UTF_8));
        String plain = shown.replaceAll("[^A-Za-z0-9_-]", "_");
        String cut = plain.substring(0, Math.min(plain.length(), 60));
        return cut + "-" + String.format(Locale.ROOT, "%08x", unique.getValue());
    }

    Path unpacked() {
        return root.resolve("unpacked");
    }

    Path indexes() {
        return root.resolve("indexes");
    }

    /// Pages are kept by what they were translated from: one folder for each content of a WAR.
    Path pages(String key, Path folder) throws IOException {
        Path pages =
                folder.startsWith(unpacked())
                        ? root.resolve("pages").resolve(key).resolve(folder.getFileName())
                        : root.resolve("pages").resolve(key);
        return Files.createDirectories(pages);
    }

    Path sessions(String key) throws IOException {
        return Files.createDirectories(root.resolve("sessions")).resolve(key + ".sessions");
    }

    /// A new scratch folder for one life of an application.
    Path temporary(String key) throws IOException {
        return Files.createTempDirectory(
                Files.createDirectories(root.resolve("temporary")), key + "-");
    }
}
