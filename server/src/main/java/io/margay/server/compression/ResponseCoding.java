package io.margay.server.compression;

import io.margay.protocol.http.AcceptEncoding;
import io.margay.protocol.http.EntityTag;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.HttpVersion;
import io.margay.server.exchange.Exchange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Which coding a response gets, and what its head says of that (RFC 9110 §8.4, §12.5.3).
/// Stateless.
final class ResponseCoding {
    private static final int NO_CONTENT = 204;
    private static final int RESET_CONTENT = 205;
    private static final int PARTIAL = 206;
    private static final int NOT_MODIFIED = 304;

    /// What is computed over the content as it was.
    static final List<String> DIGESTS =
            List.of("Content-MD5", "Digest", "Content-Digest", "Repr-Digest");

    private ResponseCoding() {}

    /// A coding, and how it is to be done.
    record Choice(Coding coding, CompressionConfig config) {}

    /// Chooses for a response whose head is about to be sent; `Vary` is added where the choice
    /// depends on what the client accepts.
    ///
    /// @param length of the content, negative when it is not known
    static @Nullable Choice choose(Exchange exchange, Compression compression, long length) {
        int status = exchange.status();
        FieldList fields = exchange.fields();
        if (status == NOT_MODIFIED) {
            notModified(exchange, compression);
            return null;
        }
        if (status == NO_CONTENT
                || status == RESET_CONTENT
                || status == PARTIAL
                || isSettled(fields)) {
            return null;
        }
        CompressionConfig config = compression.of(exchange, fields.get("Content-Type"));
        if (config == null || config.codings().isEmpty()) {
            return null;
        }
        Fields asked = exchange.request().fields();
        boolean refused = AcceptEncoding.quality(asked, "identity") == 0;
        if (length == 0 || (length > 0 && length < config.minBytes() && !refused)) {
            return null;
        }
        vary(fields);
        Coding coding = best(asked, config.codings());
        // HTTP/1.0 has no chunks, and its clients and proxies no notion of codings.
        return coding == null || exchange.request().version() == HttpVersion.HTTP_1_0
                ? null
                : new Choice(coding, config);
    }

    /// Whether the content must remain as it is.
    private static boolean isSettled(FieldList fields) {
        String coded = fields.get("Content-Encoding");
        if (coded != null && !coded.equalsIgnoreCase("identity")) {
            return true;
        }
        if (fields.contains("Content-Range") || fields.contains("Upgrade")) {
            return true;
        }
        for (String line : fields.all("Cache-Control")) {
            if (holds(line, "no-transform")) {
                return true;
            }
        }
        for (int i = 0; i < DIGESTS.size(); i++) {
            if (fields.contains(DIGESTS.get(i))) {
                return true;
            }
        }
        return false;
    }

    private static @Nullable Coding best(Fields asked, List<Coding> codings) {
        Coding best = null;
        int quality = 0;
        for (int i = 0; i < codings.size(); i++) {
            int offered = AcceptEncoding.quality(asked, codings.get(i).token());
            if (offered > quality && Encoders.isAvailable(codings.get(i))) {
                best = codings.get(i);
                quality = offered;
            }
        }
        return best == null || AcceptEncoding.named(asked, "identity") > quality ? null : best;
    }

    /// Says in the head that the content is coded.
    static void describe(FieldList fields, Coding coding) {
        fields.set("Content-Encoding", coding.token());
        fields.remove("Content-Length");
        // Parts of the coded content cannot be had.
        fields.remove("Accept-Ranges");
        String tag = fields.get("ETag");
        if (tag != null && !tag.startsWith("W/")) {
            fields.set("ETag", "W/" + tag);
        }
    }

    private static void vary(FieldList fields) {
        for (String line : fields.all("Vary")) {
            if (holds(line, "accept-encoding") || holds(line, "*")) {
                return;
            }
        }
        fields.add("Vary", "Accept-Encoding");
    }

    private static boolean holds(String list, String member) {
        for (String one : list.split(",", -1)) {
            if (one.strip().equalsIgnoreCase(member)) {
                return true;
            }
        }
        return false;
    }

    /// What a client has of the coded content is as valid as the content: it gets the fields that
    /// it had got with it (RFC 9110 §15.4.5).
    private static void notModified(Exchange exchange, Compression compression) {
        FieldList fields = exchange.fields();
        String type = fields.get("Content-Type");
        if (type != null && compression.of(exchange, type) == null) {
            return;
        }
        vary(fields);
        EntityTag tag = EntityTag.parse(String.valueOf(fields.get("ETag")));
        if (tag == null || tag.weak()) {
            return;
        }
        EntityTag weak = EntityTag.weak(tag.opaque());
        for (String line : exchange.request().fields().all("If-None-Match")) {
            List<EntityTag> known = EntityTag.parseList(line);
            if (known != null && known.contains(weak)) {
                fields.set("ETag", weak.toString());
                return;
            }
        }
    }
}
