package io.margay.servlet.files;

import io.margay.protocol.http.EntityTag;
import io.margay.protocol.http.HttpDate;
import io.margay.servlet.resource.WebResource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What is known of a file of the application, with everything that a response says about it.
/// Immutable, but for the time of the last look. Thread-safe.
final class KnownFile {
    private final WebResource resource;
    private final @Nullable String coding;
    private final byte @Nullable [] content;
    private final List<KnownFile> variants;
    private final EntityTag tag;
    private final String tagText;
    private final @Nullable String lastModified;
    private volatile long seenNanos;

    /// @param coding its content coding, null for none
    /// @param content the whole of it, kept as it is; null when it is sent from the file system
    /// @param variants the same file in content codings, best first
    KnownFile(
            WebResource resource,
            @Nullable String coding,
            byte @Nullable [] content,
            List<KnownFile> variants,
            long nowNanos) {
        this.resource = resource;
        this.coding = coding;
        this.content = content;
        this.variants = List.copyOf(variants);
        long millis = resource.lastModifiedMillis();
        tag =
                EntityTag.strong(
                        Long.toHexString(resource.length())
                                + "-"
                                + Long.toHexString(millis)
                                + (coding == null ? "" : "-" + coding));
        tagText = tag.toString();
        lastModified = millis > 0 ? HttpDate.format(Math.floorDiv(millis, 1000L)) : null;
        seenNanos = nowNanos;
    }

    WebResource resource() {
        return resource;
    }

    @Nullable String coding() {
        return coding;
    }

    /// The whole content, not to be changed; null when it is sent from the file system.
    byte @Nullable [] content() {
        return content;
    }

    List<KnownFile> variants() {
        return variants;
    }

    EntityTag tag() {
        return tag;
    }

    String tagText() {
        return tagText;
    }

    /// The value of `Last-Modified`, or null when the time is not known.
    @Nullable String lastModified() {
        return lastModified;
    }

    /// Seconds since the epoch, or -1 when the time is not known.
    long modifiedSecond() {
        long millis = resource.lastModifiedMillis();
        return millis > 0 ? Math.floorDiv(millis, 1000L) : -1;
    }

    /// Bytes of content in memory, of the variants too.
    long weight() {
        long bytes = content == null ? 0 : content.length;
        for (KnownFile variant : variants) {
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

    /// Whether another look has found the same file.
    boolean isSameAs(WebResource other) {
        return resource.length() == other.length()
                && resource.lastModifiedMillis() == other.lastModifiedMillis()
                && resource.path().equals(other.path());
    }
}
