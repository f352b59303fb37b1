package io.margay.server.files;

import io.margay.protocol.http.AcceptEncoding;
import io.margay.protocol.http.ByteRanges;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.Preconditions;
import io.margay.server.exchange.Exchange;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// What a request gets of a file: which variant, and how much of it (RFC 9110 §12.5.3, §13, §14).
/// Immutable.
///
/// @param found the file that the path names
/// @param file the variant that the client takes best
/// @param ranges what is sent of it
public record FileResponse(
        FileEntry found, FileEntry file, Kind kind, List<ByteRanges.Range> ranges) {
    /// What is sent.
    public enum Kind {
        /// Everything.
        WHOLE,
        /// One range.
        PART,
        /// Several ranges.
        PARTS,
        /// 304.
        NOT_MODIFIED,
        /// 412.
        PRECONDITION_FAILED,
        /// 416.
        UNSATISFIABLE
    }

    public FileResponse {
        ranges = List.copyOf(ranges);
    }

    /// The answer to a request.
    ///
    /// @param request its fields, at least those that ask for a variant, a condition or a range
    public static FileResponse of(FileEntry found, String method, Fields request) {
        return of(found, method, request, false);
    }

    /// @param whole whether it is sent without ranges and codings
    static FileResponse of(FileEntry found, String method, Fields request, boolean whole) {
        FileEntry file = whole ? found : variant(found, request);
        long second = found.modifiedSecond();
        return switch (Preconditions.evaluate(method, request, file.tag(), second)) {
            case NOT_MODIFIED -> new FileResponse(found, file, Kind.NOT_MODIFIED, List.of());
            case PRECONDITION_FAILED ->
                    new FileResponse(found, file, Kind.PRECONDITION_FAILED, List.of());
            case PROCEED -> {
                // An empty file has no range, but players and clients that resume always ask.
                boolean ranged = !whole && method.equals("GET") && file.length() > 0;
                String range = ranged ? request.get("range") : null;
                yield range == null || !Preconditions.rangeApplies(request, file.tag(), second)
                        ? new FileResponse(found, file, Kind.WHOLE, List.of())
                        : part(found, file, ByteRanges.of(range, file.length()));
            }
        };
    }

    private static FileResponse part(FileEntry found, FileEntry file, ByteRanges wanted) {
        Kind kind =
                switch (wanted.kind()) {
                    case WHOLE -> Kind.WHOLE;
                    case UNSATISFIABLE -> Kind.UNSATISFIABLE;
                    case PARTIAL -> wanted.ranges().size() == 1 ? Kind.PART : Kind.PARTS;
                };
        return new FileResponse(found, file, kind, wanted.ranges());
    }

    private static FileEntry variant(FileEntry found, Fields request) {
        FileEntry best = found;
        int quality = 0;
        List<FileEntry> variants = found.variants();
        for (int i = 0; i < variants.size(); i++) {
            FileEntry candidate = variants.get(i);
            String coding = Objects.requireNonNull(candidate.coding());
            int offered = AcceptEncoding.quality(request, coding);
            if (offered > quality) {
                best = candidate;
                quality = offered;
            }
        }
        return best;
    }

    /// The only range.
    public ByteRanges.Range range() {
        return ranges.getFirst();
    }

    /// The media type of what is sent, where it is the file's; or null.
    public @Nullable String type() {
        return kind == Kind.WHOLE || kind == Kind.PART ? found.type() : null;
    }

    /// Gives the fields that tell of the file and of what is sent, but for its media type.
    public void describe(BiConsumer<String, String> fields) {
        if (!found.variants().isEmpty()) {
            fields.accept("Vary", "Accept-Encoding");
        }
        fields.accept("ETag", file.tagText());
        String lastModified = found.lastModified();
        if (lastModified != null) {
            fields.accept("Last-Modified", lastModified);
        }
        fields.accept("Accept-Ranges", "bytes");
        if (kind == Kind.NOT_MODIFIED || kind == Kind.PRECONDITION_FAILED) {
            return;
        }
        String coding = file.coding();
        if (coding != null && kind != Kind.UNSATISFIABLE) {
            fields.accept("Content-Encoding", coding);
        }
        switch (kind) {
            case PART -> fields.accept("Content-Range", range().contentRange(file.length()));
            case UNSATISFIABLE -> fields.accept("Content-Range", "bytes */" + file.length());
            default -> {}
        }
    }

    /// Whether [#send] can answer: the content is in memory, or none is needed, and it is no error.
    public boolean isReady() {
        return switch (kind) {
            case NOT_MODIFIED -> true;
            case WHOLE, PART -> file.content() != null;
            case PARTS, PRECONDITION_FAILED, UNSATISFIABLE -> false;
        };
    }

    /// Answers from memory, on any thread, without waiting.
    public void send(Exchange exchange) throws IOException {
        FieldList fields = exchange.fields();
        describe(fields::add);
        String type = type();
        if (type != null) {
            fields.add("Content-Type", type);
        }
        if (kind == Kind.NOT_MODIFIED) {
            exchange.status(304);
            exchange.end();
            return;
        }
        byte[] content = Objects.requireNonNull(file.content());
        boolean part = kind == Kind.PART;
        int from = part ? (int) range().first() : 0;
        int length = part ? (int) range().length() : content.length;
        if (part) {
            exchange.status(206);
        }
        if (length == 0 || exchange.request().isHead()) {
            fields.add("Content-Length", Integer.toString(length));
            exchange.end();
        } else {
            exchange.endConstant(content, from, length);
        }
    }
}
