package io.margay.transport.tls.certificate;

import io.margay.transport.TlsConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What shows that a file has changed. Immutable.
///
/// @param size -1 for a file that cannot be looked at
public record FileStamp(long size, long modifiedMillis, @Nullable Object fileKey) {
    /// The stamps of files.
    public static Map<Path, FileStamp> of(Iterable<Path> files) {
        Map<Path, FileStamp> found = new HashMap<>();
        files.forEach(file -> found.put(file, of(file)));
        return found;
    }

    /// Those of the files of certificates; none where they are in no file: they are read again when
    /// somebody asks for it.
    public static Map<Path, FileStamp> ofCertificates(List<TlsConfig.Certificate> certificates) {
        Map<Path, FileStamp> found = new HashMap<>();
        for (TlsConfig.Certificate one : certificates) {
            if (one.source() == null) {
                found.put(one.cert(), of(one.cert()));
                found.put(one.key(), of(one.key()));
                add(found, one.chain());
                add(found, one.ocsp());
            }
        }
        return found;
    }

    private static void add(Map<Path, FileStamp> found, @Nullable Path file) {
        if (file != null) {
            found.put(file, of(file));
        }
    }

    private static FileStamp of(Path file) {
        try {
            BasicFileAttributes a = Files.readAttributes(file, BasicFileAttributes.class);
            return new FileStamp(a.size(), a.lastModifiedTime().toMillis(), a.fileKey());
        } catch (IOException e) {
            return new FileStamp(-1, 0, null);
        }
    }
}
