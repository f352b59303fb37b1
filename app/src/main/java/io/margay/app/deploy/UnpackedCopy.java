package io.margay.app.deploy;

import io.margay.servlet.deploy.WebAppsFolder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/// The folder beside a WAR into which Tomcat has unpacked it. Tomcat serves the folder, and here
/// the WAR is served: somebody who has edited files in the folder must know. Stateless.
public final class UnpackedCopy {
    /// Files that are compared: in more than that a difference may stay unseen.
    private static final int FILES_MAX = 20_000;

    private UnpackedCopy() {}

    /// What is different in the folder, with the remedy; null = nothing, or there is no such
    /// folder.
    public static @Nullable String edited(Path war) {
        Path folder = war.resolveSibling(WebAppsFolder.baseName(war));
        if (folder.equals(war) || !Files.isDirectory(folder)) {
            return null;
        }
        List<String> different = new ArrayList<>();
        try (ZipFile zip = new ZipFile(war.toFile());
                Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).limit(FILES_MAX).toList()) {
                String name = folder.relativize(file).toString().replace('\\', '/');
                if (!name.equals("META-INF/war-tracker") && !isSame(file, zip, name)) {
                    different.add(name);
                }
            }
        } catch (IOException e) {
            return folder + ": cannot be compared with " + war.getFileName() + ": " + e;
        }
        if (different.isEmpty()) {
            return null;
        }
        different.sort(null);
        int count = different.size();
        return folder
                + ": not served, for "
                + war.getFileName()
                + " is, and "
                + (count == 1 ? "one file differs: " : count + " files differ, the first is ")
                + different.getFirst()
                + ". Move the WAR away to have the folder served, or the folder to have the WAR.";
    }

    private static boolean isSame(Path file, ZipFile zip, String name) throws IOException {
        ZipEntry entry = zip.getEntry(name);
        return entry != null
                && entry.getSize() == Files.size(file)
                && (entry.getLastModifiedTime().toMillis()
                                == Files.getLastModifiedTime(file).toMillis()
                        || entry.getCrc() == crc(file));
    }

    private static long crc(Path file) throws IOException {
        CRC32 crc = new CRC32();
        byte[] buffer = new byte[8192];
        try (InputStream in = Files.newInputStream(file)) {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                crc.update(buffer, 0, n);
            }
        }
        return crc.getValue();
    }
}
