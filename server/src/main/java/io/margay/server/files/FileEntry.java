package io.margay.server.files;

import io.margay.protocol.http.EntityTag;
import io.margay.protocol.http.HttpDate;
import io.margay.transport.SharedFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// What is known of a file at one moment, perhaps with its content. Immutable, but for when it was
/// last found unchanged.
final class FileEntry {
    /// A content coding of a precompressed file, or none.
    enum Coding {
        IDENTITY("", ""),
        BROTLI("br", ".br"),
        GZIP("gzip", ".gz");

        final String token;
        final String suffix;

        Coding(String token, String suffix) {
            this.token = token;
            this.suffix = suffix;
        }
    }

    /// The file's own path: no link on the way.
    final Path real;

    final Coding coding;
    final long size;
    final long modifiedNanos;
    final long modifiedSecond;
    final EntityTag etag;
    final String etagText;
    final String lastModified;
    final @Nullable String type;
    final byte @Nullable [] body;

    /// The precompressed variants, best first.
    final FileEntry[] variants;

    /// Those who send the file at the same time need one descriptor together.
    private final SharedFile shared;

    private volatile long checkedNanos;

    FileEntry(
            Path real,
            Coding coding,
            BasicFileAttributes attributes,
            @Nullable String type,
            byte @Nullable [] body,
            FileEntry[] variants,
            long nowNanos) {
        this.real = real;
        this.coding = coding;
        this.type = type;
        this.body = body;
        this.variants = variants;
        size = attributes.size();
        modifiedNanos = attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS);
        modifiedSecond = Math.max(0, attributes.lastModifiedTime().to(TimeUnit.SECONDS));
        String suffix = coding == Coding.IDENTITY ? "" : "-" + coding.token;
        etag =
                EntityTag.strong(
                        Long.toHexString(size) + "-" + Long.toHexString(modifiedNanos) + suffix);
        etagText = etag.toString();
        lastModified = HttpDate.format(modifiedSecond);
        checkedNanos = nowNanos;
        shared = new SharedFile(() -> open(real));
    }

    boolean isFresh(long nowNanos, long freshNanos) {
        return nowNanos - checkedNanos < freshNanos;
    }

    void checked(long nowNanos) {
        checkedNanos = nowNanos;
    }

    boolean describes(BasicFileAttributes attributes) {
        return attributes.isRegularFile()
                && attributes.size() == size
                && attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS) == modifiedNanos;
    }

    /// Opens the file; refuses when it has become a link meanwhile.
    FileChannel open() throws IOException {
        return shared.lease();
    }

    private static FileChannel open(Path real) throws IOException {
        return FileChannel.open(real, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    }

    /// Bytes of memory this entry stands for.
    long weight() {
        long sum = 512L + (body == null ? 0 : body.length);
        for (FileEntry variant : variants) {
            sum += variant.weight();
        }
        return sum;
    }
}
