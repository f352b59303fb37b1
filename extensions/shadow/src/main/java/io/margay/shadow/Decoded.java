package io.margay.shadow;

import io.margay.gateway.mirror.SeenAnswer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;

/// Content of an answer as it was before it was compressed. Stateless.
final class Decoded {
    private Decoded() {}

    /// @param most bytes
    /// @return null when it was not kept whole, is compressed in a way that is not known here, or
    ///   is more than that
    static byte @Nullable [] content(SeenAnswer answer, int most) throws IOException {
        if (!answer.content().isKept()) {
            return null;
        }
        String coding = answer.fields().get("Content-Encoding");
        String word = coding == null ? "identity" : coding.strip().toLowerCase(Locale.ROOT);
        InputStream raw = new ByteArrayInputStream(answer.content().kept());
        return switch (word) {
            case "", "identity" -> answer.content().kept();
            case "gzip", "x-gzip" -> read(new GZIPInputStream(raw), most);
            case "deflate" -> read(new InflaterInputStream(raw), most);
            default -> null;
        };
    }

    private static byte @Nullable [] read(InputStream decoding, int most) throws IOException {
        try (decoding) {
            byte[] bytes = decoding.readNBytes(most + 1);
            return bytes.length > most ? null : bytes;
        }
    }
}
