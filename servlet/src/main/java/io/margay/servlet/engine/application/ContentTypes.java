package io.margay.servlet.engine.application;

import io.margay.protocol.http.FieldParameters;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The content types that an application has set, read once each: most set the same few for every
/// response. Thread-safe.
public final class ContentTypes {
    private static final int KEPT_MAX = 64;
    private static final int KEPT_LENGTH_MAX = 128;

    /// A content type whose charset is told apart, where it has one.
    ///
    /// @param mediaType the type with its other parameters
    public record Parts(String mediaType, @Nullable String charset) {}

    private final ConcurrentHashMap<String, Parts> known = new ConcurrentHashMap<>();

    public Parts of(String type) {
        Parts parts = known.get(type);
        if (parts == null) {
            parts = read(type);
            if (type.length() <= KEPT_LENGTH_MAX && known.size() < KEPT_MAX) {
                known.put(type, parts);
            }
        }
        return parts;
    }

    private static Parts read(String type) {
        FieldParameters parsed = type.indexOf(';') < 0 ? null : FieldParameters.parse(type);
        String charset = parsed == null ? null : parsed.parameter("charset");
        return charset == null
                ? new Parts(type.strip(), null)
                : new Parts(withoutCharset(type), charset);
    }

    private static String withoutCharset(String type) {
        StringBuilder kept = new StringBuilder();
        for (String part : type.split(";")) {
            String text = part.strip();
            if (text.isEmpty() || text.regionMatches(true, 0, "charset", 0, 7)) {
                continue;
            }
            kept.append(kept.isEmpty() ? "" : ";").append(text);
        }
        return kept.toString();
    }
}
