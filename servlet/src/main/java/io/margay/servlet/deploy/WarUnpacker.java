package io.margay.servlet.deploy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.Enumeration;
import java.util.UUID;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/// Unpacks WARs into a work folder, each content once: the folder is named after the application
/// and the archive's digest, filled under another name and renamed when complete, so that what has
/// the name is whole. The WAR is closed before this returns. Thread-safe.
///
/// @param folder where unpacked applications live; made when needed
record WarUnpacker(Path folder, WarLimits limits) {
    /// Below this size no ratio is looked at: small files of blanks are common.
    private static final long RATIO_FREE_BYTES = 100L << 20;

    /// The folder with the content of `war`.
    ///
    /// @param key the application's name, fit for a file name
    Path unpack(Path war, String key) {
        ZipDirectory directory;
        try {
            directory = ZipDirectory.read(war, limits);
        } catch (IOException e) {
            throw unreadable(war, e);
        }
        String fault = WarCheck.fault(directory.entries(), limits);
        if (fault == null) {
            fault = overlap(war, directory);
        }
        if (fault != null) {
            throw new DeploymentException(
                    war
                            + ": refused, because its "
                            + fault
                            + ". Nothing was unpacked. Build the WAR again with a trusted tool.");
        }
        Path target = folder.resolve(key).resolve(directory.digest().substring(0, 32));
        if (Files.isDirectory(target)) {
            return target;
        }
        Path partial = target.resolveSibling(".partial-" + UUID.randomUUID());
        try {
            Files.createDirectories(partial);
            extract(war, partial);
            move(partial, target);
            return target;
        } catch (IOException e) {
            throw unreadable(war, e);
        } finally {
            Folders.deleteQuietly(partial);
        }
    }

    /// Entries that share their bytes make the smallest bombs.
    private static @Nullable String overlap(Path war, ZipDirectory directory) {
        long compressed = 0;
        for (ZipDirectory.Entry entry : directory.entries()) {
            if (entry.compressedBytes() != 0xffff_ffffL) {
                compressed += entry.compressedBytes();
            }
        }
        long size;
        try {
            size = Files.size(war);
        } catch (IOException e) {
            throw unreadable(war, e);
        }
        return compressed > size ? "entries overlap (they say to be larger than the file)" : null;
    }

    private void extract(Path war, Path target) throws IOException {
        long ratioBytes =
                Math.max(RATIO_FREE_BYTES, Math.multiplyExact(Files.size(war), limits.ratioMax()));
        long left = Math.min(limits.totalBytesMax(), ratioBytes);
        byte[] buffer = new byte[64 << 10];
        try (ZipFile zip = new ZipFile(war.toFile())) {
            Enumeration<? extends ZipEntry> entries = zip.entries();
            while (entries.hasMoreElements()) {
                ZipEntry entry = entries.nextElement();
                Path path = target.resolve(entry.getName()).normalize();
                if (!path.startsWith(target)) {
                    throw new ZipException("entry leads out of the application");
                }
                if (entry.isDirectory()) {
                    Files.createDirectories(path);
                    continue;
                }
                Files.createDirectories(path.getParent());
                left -= copy(zip, entry, path, buffer, left);
            }
        }
    }

    private long copy(ZipFile zip, ZipEntry entry, Path path, byte[] buffer, long left)
            throws IOException {
        long max = Math.min(left, limits.entryBytesMax());
        long total = 0;
        CRC32 crc = new CRC32();
        try (InputStream in = zip.getInputStream(entry);
                OutputStream out = Files.newOutputStream(path)) {
            int count;
            while ((count = in.read(buffer)) >= 0) {
                total += count;
                if (total > max) {
                    throw new ZipException(
                            "unpacked it is larger than allowed (entryBytesMax "
                                    + limits.entryBytesMax()
                                    + ", totalBytesMax "
                                    + limits.totalBytesMax()
                                    + ", ratioMax "
                                    + limits.ratioMax()
                                    + "), at entry "
                                    + WarCheck.printable(entry.getName()));
                }
                crc.update(buffer, 0, count);
                out.write(buffer, 0, count);
            }
        }
        if (crc.getValue() != entry.getCrc()) {
            throw new ZipException(
                    "entry " + WarCheck.printable(entry.getName()) + " is damaged (CRC)");
        }
        if (entry.getTime() > 0) {
            Files.setLastModifiedTime(path, FileTime.fromMillis(entry.getTime()));
        }
        return total;
    }

    /// Another deployment of the same content may have been faster, which is as good.
    private static void move(Path partial, Path target) throws IOException {
        try {
            Files.move(partial, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileAlreadyExistsException
                | DirectoryNotEmptyException
                | AtomicMoveNotSupportedException e) {
            if (!Files.isDirectory(target)) {
                throw e;
            }
        } catch (FileSystemException e) {
            if (!Files.isDirectory(target)) {
                throw e;
            }
        }
    }

    private static DeploymentException unreadable(Path war, IOException e) {
        String remedy;
        if (!Files.exists(war)) {
            remedy = "there is no such file. Correct the path.";
        } else if (!Files.isReadable(war)) {
            remedy = "it may not be read. Give the user that runs the server read permission.";
        } else {
            remedy =
                    reason(e)
                            + ". Copy or build the WAR again, and look for space in the work"
                            + " folder.";
        }
        return new DeploymentException(war + ": cannot be unpacked: " + remedy, e);
    }

    private static String reason(IOException e) {
        String message = e.getMessage();
        return message == null || message.isBlank() ? e.getClass().getSimpleName() : message;
    }
}
