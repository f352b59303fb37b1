package io.margay.servlet.deploy;

import io.margay.server.files.OwnerOnly;
import io.margay.servlet.settings.ApplicationConversion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.zip.CRC32;

/// Where a server keeps what it makes of applications; each folder is for the server's account
/// alone, also one that an earlier version has left open. Thread-safe.
record WorkFolder(Path root) {
    /// A name for an application's files: readable, and unique by context path and source.
    static String key(WebAppsFolder.Application app) {
        Path source = app.file();
        String contextPath = app.contextPath();
        String shown = contextPath.isEmpty() ? "ROOT" : contextPath.substring(1);
        CRC32 unique = new CRC32();
        String both = source.toAbsolutePath().normalize() + "|" + contextPath;
        if (!app.version().equals(WebAppsFolder.named(source).version())) {
            both += "##" + app.version();
        }
        unique.update(both.getBytes(StandardCharsets.UTF_8));
        String plain = shown.replaceAll("[^A-Za-z0-9_-]", "_");
        String cut = plain.substring(0, Math.min(plain.length(), 60));
        return cut + "-" + String.format(Locale.ROOT, "%08x", unique.getValue());
    }

    Path unpacked() {
        return root.resolve("unpacked");
    }

    /// What has been made of applications for another platform.
    private Path converted() {
        return root.resolve("converted");
    }

    /// Where that is kept of one application.
    ApplicationConversion.Places conversion(String key, boolean unpacked) {
        return new ApplicationConversion.Places(
                converted().resolve(key), converted().resolve("libraries"), unpacked);
    }

    /// Where that is kept of the libraries that applications share.
    ApplicationConversion.Places sharedConversion() {
        return new ApplicationConversion.Places(
                converted().resolve("shared"), converted().resolve("libraries"), false);
    }

    /// Libraries that applications have out of archives.
    Path nested() {
        return root.resolve("nested");
    }

    Path indexes() {
        return root.resolve("indexes");
    }

    /// Makes and closes all folders.
    void prepare() throws IOException {
        for (Path folder :
                List.of(
                        unpacked(),
                        converted(),
                        nested(),
                        indexes(),
                        pages(),
                        sessions(),
                        temporary())) {
            OwnerOnly.closedFolder(folder);
        }
    }

    private Path pages() {
        return root.resolve("pages");
    }

    private Path sessions() {
        return root.resolve("sessions");
    }

    private Path temporary() {
        return root.resolve("temporary");
    }

    /// Pages are kept by what they were translated from: one folder for each content of a WAR.
    Path pages(String key, Path folder) throws IOException {
        Path pages =
                folder.startsWith(unpacked()) || folder.startsWith(converted())
                        ? pages().resolve(key).resolve(folder.getFileName())
                        : pages().resolve(key);
        return Files.createDirectories(pages);
    }

    Path sessions(String key) {
        return sessions().resolve(key + ".sessions");
    }

    /// A new scratch folder for one life of an application.
    Path temporary(String key) throws IOException {
        return Files.createTempDirectory(temporary(), key + "-");
    }
}
