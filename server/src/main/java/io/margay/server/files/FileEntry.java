package io.margay.server.files;

import io.margay.protocol.http.EntityTag;
import io.margay.protocol.http.HttpDate;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What is known of a file, with everything that a response says about it. Immutable, but for the
/// time of the last look. Thread-safe.
public final class FileEntry {
    /// A content coding of a file that lies beside another, compressed.
    enum Coding {
        BROTLI("br", ".br"),
        ZSTANDARD("zstd", ".zst"),
        GZIP("gzip", ".gz");

        final String token;
        final String suffix;

        Coding(String token, String suffix) {
            this.token = token;
            this.suffix = suffix;
        }
    }

    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final StoredFile file;
    private final @Nullable String coding;
    private final @Nullable String type;
    private final byte @Nullable [] content;
    private final List<FileEntry> variants;
    private final EntityTag tag;
    private final String tagText;
    private final @Nullable String lastModified;
    private volatile long seenNanos;

    /// @param coding its content coding, null for none
    /// @param type its media type, null for none
    /// @param content the whole of it, kept as it is; null when it is sent from the file system
    /// @param variants the same file in content codings, best first
    FileEntry(
            StoredFile file,
            @Nullable String coding,
            @Nullable String type,
            byte @Nullable [] content,
            List<FileEntry> variants,
            long nowNanos) {
        this.file = file;
        this.coding = coding;
        this.type = type;
        this.content = content;
        this.variants = List.copyOf(variants);
        tag =
                EntityTag.strong(
                        Long.toHexString(file.length())
                                + "-"
                                + Long.toHexString(file.modifiedNanos())
                                + (coding == null ? "" : "-" + coding));
        tagText = tag.toString();
        long second = modifiedSecond();
        lastModified = second < 0 ? null : HttpDate.format(second);
        seenNanos = nowNanos;
    }

    /// The same with another media type, or none.
    FileEntry typed(@Nullable String other) {
        return Objects.equals(other, type)
                ? this
                : new FileEntry(file, coding, other, content, variants, seenNanos);
    }

    /// The file itself.
    public StoredFile file() {
        return file;
    }

    /// Bytes of its content.
    public long length() {
        return file.length();
    }

    /// Its content coding, or null.
    public @Nullable String coding() {
        return coding;
    }

    /// The value of `Content-Type`, or null.
    public @Nullable String type() {
        return type;
    }

    /// The whole content, not to be changed; null when it is sent from the file system.
    public byte @Nullable [] content() {
        return content;
    }

    List<FileEntry> variants() {
        return variants;
    }

    EntityTag tag() {
        return tag;
    }

    /// The value of `ETag`.
    public String tagText() {
        return tagText;
    }

    /// The value of `Last-Modified`, or null when the time is not known.
    public @Nullable String lastModified() {
        return lastModified;
    }

    /// Seconds since the epoch, or -1 when the time is not known.
    long modifiedSecond() {
        long nanos = file.modifiedNanos();
        return nanos > 0 ? nanos / NANOS_PER_SECOND : -1;
    }

    /// Bytes of content in memory, of the variants too.
    long weight() {
        long bytes = content == null ? 0 : content.length;
        for (FileEntry variant : variants) {
            bytes += variant.weight();
        }
        return bytes;
    }

    boolean seenWithin(long nanos, long nowNanos) {
        return nowNanos - seenNanos < nanos;
    }

    void seen(long nowNanos) {
        seenNanos = nowNanos;
    }
}
