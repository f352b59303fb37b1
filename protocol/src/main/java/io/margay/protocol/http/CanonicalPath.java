package io.margay.protocol.http;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The one path by which a request is routed, authorised and looked up (Servlet 6.1 §3.5.2): path
/// parameters split off, decoded once, empty and dot segments removed. What could be read in two
/// ways is refused.
///
/// Immutable.
public final class CanonicalPath {
    private static final String SECTION = "Servlet 6.1 §3.5.2";
    private static final ProtocolError NOT_ROOTED = error("The path does not start with a slash.");
    private static final ProtocolError ABOVE_ROOT = error("The path leads above the root.");
    private static final ProtocolError BAD_ENCODING =
            error("The path holds a malformed percent-encoding.");
    private static final ProtocolError BAD_UTF8 = error("The path is not valid UTF-8.");
    private static final ProtocolError CONTROL = error("The path holds a control character.");
    private static final ProtocolError SEPARATOR =
            error("The path holds an encoded slash or a backslash.");
    private static final ProtocolError ENCODED_DOTS =
            error("The path holds an encoded dot segment.");
    private static final ProtocolError DOTS_WITH_PARAMETER =
            error("The path holds a dot segment with a parameter.");
    private static final ProtocolError EMPTY_WITH_PARAMETER =
            error("The path holds an empty segment with a parameter.");

    private final String raw;
    private final String path;
    private final List<String> parameters;
    private final @Nullable ProtocolError error;

    private CanonicalPath(
            String raw, String path, List<String> parameters, @Nullable ProtocolError error) {
        this.raw = raw;
        this.path = path;
        this.parameters = parameters;
        this.error = error;
    }

    /// Canonicalises a path as it was received, without its query.
    public static CanonicalPath of(String raw) {
        if (isCanonical(raw)) {
            return new CanonicalPath(raw, raw, List.of(), null);
        }
        Reader reader = new Reader();
        ProtocolError error = reader.read(raw);
        return error == null
                ? new CanonicalPath(raw, reader.path(), List.copyOf(reader.parameters), null)
                : new CanonicalPath(raw, "", List.of(), error);
    }

    /// The path as received.
    public String raw() {
        return raw;
    }

    /// The canonical path: it starts with `/`, is decoded, and has no `.`, `..` or empty segment,
    /// but for an empty last one.
    ///
    /// @throws IllegalStateException when there is an [#error]
    public String path() {
        if (error != null) {
            throw new IllegalStateException(error.text());
        }
        return path;
    }

    /// Why the request must be refused with 400, or null.
    public @Nullable ProtocolError error() {
        return error;
    }

    /// All path parameters in order, such as `jsessionid=1234`, percent-encoded as received.
    public List<String> parameters() {
        return parameters;
    }

    /// The value of the last path parameter of that name, as received, or null.
    public @Nullable String parameter(String name) {
        for (int i = parameters.size() - 1; i >= 0; i--) {
            String parameter = parameters.get(i);
            int length = name.length();
            if (parameter.length() > length
                    && parameter.charAt(length) == '='
                    && parameter.startsWith(name)) {
                return parameter.substring(length + 1);
            }
        }
        return null;
    }

    @Override
    public String toString() {
        return error == null ? path : raw + " (" + error.text() + ")";
    }

    /// Whether the path needs no work, as nearly all do.
    private static boolean isCanonical(String raw) {
        if (raw.isEmpty() || raw.charAt(0) != '/') {
            return false;
        }
        char previous = 0;
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (c <= ' ' || c >= 127 || c == '%' || c == ';' || c == '\\' || c == '#' || c == '?') {
                return false;
            }
            if (previous == '/' && (c == '/' || c == '.')) {
                return false;
            }
            previous = c;
        }
        return true;
    }

    private static ProtocolError error(String text) {
        return ProtocolError.of(400, SECTION, text);
    }

    /// Works through the segments; confined to one call.
    private static final class Reader {
        private final List<String> segments = new ArrayList<>();
        private final List<String> parameters = new ArrayList<>();

        @Nullable ProtocolError read(String raw) {
            if (raw.isEmpty() || raw.charAt(0) != '/') {
                return NOT_ROOTED;
            }
            int from = 1;
            while (true) {
                int slash = raw.indexOf('/', from);
                boolean last = slash < 0;
                ProtocolError error =
                        segment(raw.substring(from, last ? raw.length() : slash), last);
                if (error != null || last) {
                    return error;
                }
                from = slash + 1;
            }
        }

        private @Nullable ProtocolError segment(String raw, boolean last) {
            int semicolon = raw.indexOf(';');
            boolean hasParameters = semicolon >= 0;
            Decoded segment = decode(hasParameters ? raw.substring(0, semicolon) : raw);
            if (segment.error != null) {
                return segment.error;
            }
            if (hasParameters) {
                String text = raw.substring(semicolon + 1);
                Decoded checked = decode(text);
                if (checked.error != null) {
                    return checked.error;
                }
                for (String parameter : text.split(";")) {
                    if (!parameter.isEmpty()) {
                        parameters.add(parameter);
                    }
                }
            }
            return append(segment, hasParameters, last);
        }

        private @Nullable ProtocolError append(
                Decoded segment, boolean hasParameters, boolean last) {
            String text = segment.text;
            if (text.isEmpty()) {
                if (last) {
                    segments.add(text);
                }
                return hasParameters && !last ? EMPTY_WITH_PARAMETER : null;
            }
            boolean parent = text.equals("..");
            if (!parent && !text.equals(".")) {
                segments.add(text);
                return null;
            }
            if (segment.encoded) {
                return ENCODED_DOTS;
            }
            if (hasParameters) {
                return DOTS_WITH_PARAMETER;
            }
            if (parent) {
                if (segments.isEmpty()) {
                    return ABOVE_ROOT;
                }
                segments.removeLast();
            }
            return null;
        }

        String path() {
            StringBuilder path = new StringBuilder();
            for (String segment : segments) {
                path.append('/').append(segment);
            }
            return path.isEmpty() ? "/" : path.toString();
        }

        private static Decoded decode(String raw) {
            boolean encoded = raw.indexOf('%') >= 0;
            String text = raw;
            if (encoded || !isAscii(raw)) {
                byte[] bytes = new byte[raw.length()];
                int length = percentDecode(raw, bytes);
                if (length < 0) {
                    return new Decoded("", true, BAD_ENCODING);
                }
                try {
                    // A new decoder reports malformed input: overlong forms and surrogates too.
                    text =
                            StandardCharsets.UTF_8
                                    .newDecoder()
                                    .decode(ByteBuffer.wrap(bytes, 0, length))
                                    .toString();
                } catch (CharacterCodingException e) {
                    return new Decoded("", true, BAD_UTF8);
                }
            }
            return new Decoded(text, encoded, suspicious(text));
        }

        private static boolean isAscii(String raw) {
            return raw.chars().allMatch(c -> c < 128);
        }

        /// The number of octets, or -1. Characters of the raw path stand for octets.
        private static int percentDecode(String raw, byte[] bytes) {
            int length = 0;
            for (int i = 0; i < raw.length(); i++) {
                char c = raw.charAt(i);
                if (c > 255) {
                    return -1;
                }
                if (c == '%') {
                    if (i + 2 >= raw.length()) {
                        return -1;
                    }
                    int high = Octets.hexValue(raw.charAt(i + 1));
                    int low = Octets.hexValue(raw.charAt(i + 2));
                    if (high < 0 || low < 0) {
                        return -1;
                    }
                    c = (char) (high << 4 | low);
                    i += 2;
                }
                bytes[length++] = (byte) c;
            }
            return length;
        }

        private static @Nullable ProtocolError suspicious(String text) {
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                if (Character.isISOControl(c)) {
                    return CONTROL;
                }
                if (c == '/' || c == '\\') {
                    return SEPARATOR;
                }
            }
            return null;
        }
    }

    private record Decoded(String text, boolean encoded, @Nullable ProtocolError error) {}
}
