package io.margay.protocol.http;

import io.margay.protocol.http.PathReading.EncodedSlash;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The one path by which a request is routed, authorised and looked up (Servlet 6.1 §3.5.2): path
/// parameters split off, decoded once, empty and dot segments removed. What could be read in two
/// ways is refused, unless a [PathReading] says which of them holds.
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
    private static final ProtocolError SLASH_NOT_FOUND =
            ProtocolError.of(404, SECTION, "The path holds an encoded slash.");
    private static final ProtocolError ENCODED_DOTS =
            error("The path holds an encoded dot segment.");
    private static final ProtocolError DOTS_WITH_PARAMETER =
            error("The path holds a dot segment with a parameter.");
    private static final ProtocolError EMPTY_WITH_PARAMETER =
            error("The path holds an empty segment with a parameter.");

    private final String raw;
    private final String path;
    private final List<String> parameters;
    private final PathReading reading;
    private final boolean keepsSlashes;
    private final @Nullable ProtocolError error;

    private CanonicalPath(
            String raw,
            String path,
            List<String> parameters,
            PathReading reading,
            boolean keepsSlashes,
            @Nullable ProtocolError error) {
        this.raw = raw;
        this.path = path;
        this.parameters = parameters;
        this.reading = reading;
        this.keepsSlashes = keepsSlashes;
        this.error = error;
    }

    /// Canonicalises a path as it was received, without its query.
    public static CanonicalPath of(String raw) {
        return of(raw, PathReading.STRICT);
    }

    /// The same where something else is said about what servers disagree on.
    public static CanonicalPath of(String raw, PathReading reading) {
        if (isCanonical(raw)) {
            return new CanonicalPath(raw, raw, List.of(), reading, false, null);
        }
        Reader reader = new Reader(raw, reading);
        ProtocolError error = reader.read();
        return error == null
                ? new CanonicalPath(
                        raw,
                        reader.path(),
                        List.copyOf(reader.parameters),
                        reading,
                        reader.keeps,
                        null)
                : new CanonicalPath(raw, "", List.of(), reading, false, error);
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

    /// How it was read.
    public PathReading reading() {
        return reading;
    }

    /// Whether the path has encoded slashes that stay encoded: then each `%` of it begins `%2F` or
    /// `%25`.
    public boolean keepsSlashes() {
        return keepsSlashes;
    }

    /// The path, percent-encoded anew.
    public String encoded() {
        return PercentEncoding.path(path(), keepsSlashes);
    }

    /// Why the request must be refused, with which status, or null.
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
        private final String raw;
        private final PathReading reading;

        /// Whether encoded slashes, of which there is one, stay encoded.
        private final boolean keeps;

        /// Whether other servers may find other segments, and so another parent of `..`.
        private final boolean differs;

        private final List<String> segments = new ArrayList<>();
        private final List<String> parameters = new ArrayList<>();

        Reader(String raw, PathReading reading) {
            this.raw = raw;
            this.reading = reading;
            keeps = reading.keepsSlashes(raw);
            differs = PathReading.matters(raw);
        }

        @Nullable ProtocolError read() {
            if (raw.isEmpty() || raw.charAt(0) != '/') {
                return NOT_ROOTED;
            }
            int from = 1;
            while (true) {
                int end = separator(from);
                boolean last = end == raw.length();
                boolean encoded = !last && raw.charAt(end) != '/';
                ProtocolError error = segment(raw.substring(from, end), encoded, last);
                if (error != null || last) {
                    return error;
                }
                from = end + (raw.charAt(end) == '%' ? 3 : 1);
            }
        }

        /// The index of what ends a segment: a slash, or what is read as one.
        private int separator(int from) {
            int at = from;
            while (at < raw.length()) {
                char c = raw.charAt(at);
                boolean ends =
                        c == '/'
                                || (c == '\\' && reading.backslash())
                                || (c == '%' && isSeparator(at));
                if (ends) {
                    break;
                }
                at++;
            }
            return at;
        }

        private boolean isSeparator(int at) {
            return (reading.slash() == EncodedSlash.DECODE && PathReading.isSlash(raw, at))
                    || (reading.backslash() && PathReading.isBackslash(raw, at));
        }

        /// @param encoded whether what ends it is no slash as it stands
        private @Nullable ProtocolError segment(String segment, boolean encoded, boolean last) {
            int semicolon = segment.indexOf(';');
            boolean hasParameters = semicolon >= 0;
            Decoded name = decode(hasParameters ? segment.substring(0, semicolon) : segment, keeps);
            if (name.error != null) {
                return name.error;
            }
            if (hasParameters) {
                if (encoded) {
                    return SEPARATOR; // Others read it as a part of the parameter.
                }
                String text = segment.substring(semicolon + 1);
                Decoded checked = decode(text, false);
                if (checked.error != null) {
                    return checked.error;
                }
                for (String parameter : text.split(";")) {
                    if (!parameter.isEmpty()) {
                        parameters.add(parameter);
                    }
                }
            }
            return append(name, hasParameters, last);
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
                return keeps && hasDots(text) ? ENCODED_DOTS : null;
            }
            if (segment.encoded || differs) {
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

        /// Whether one who decodes the slashes of a segment would find dot segments.
        private static boolean hasDots(String text) {
            for (String part : text.split("%2F", -1)) {
                if (part.equals(".") || part.equals("..")) {
                    return true;
                }
            }
            return false;
        }

        String path() {
            StringBuilder path = new StringBuilder();
            for (String segment : segments) {
                path.append('/').append(segment);
            }
            return path.isEmpty() ? "/" : path.toString();
        }

        private Decoded decode(String text, boolean keep) {
            boolean encoded = text.indexOf('%') >= 0;
            String decoded = text;
            if (encoded || !isAscii(text)) {
                byte[] bytes = new byte[text.length()];
                int length = percentDecode(text, keep, bytes);
                if (length < 0) {
                    return new Decoded("", true, BAD_ENCODING);
                }
                try {
                    // A new decoder reports malformed input: overlong forms and surrogates too.
                    decoded =
                            StandardCharsets.UTF_8
                                    .newDecoder()
                                    .decode(ByteBuffer.wrap(bytes, 0, length))
                                    .toString();
                } catch (CharacterCodingException e) {
                    return new Decoded("", true, BAD_UTF8);
                }
            }
            return new Decoded(decoded, encoded, suspicious(decoded));
        }

        private static boolean isAscii(String text) {
            return text.chars().allMatch(c -> c < 128);
        }

        /// The number of octets, or -1. Characters of the raw path stand for octets.
        ///
        /// @param keep whether slashes and percent signs stay encoded
        private static int percentDecode(String text, boolean keep, byte[] bytes) {
            int length = 0;
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                if (c > 255) {
                    return -1;
                }
                if (c == '%') {
                    if (i + 2 >= text.length()) {
                        return -1;
                    }
                    int high = Octets.hexValue(text.charAt(i + 1));
                    int low = Octets.hexValue(text.charAt(i + 2));
                    if (high < 0 || low < 0) {
                        return -1;
                    }
                    c = (char) (high << 4 | low);
                    i += 2;
                    if (keep && (c == '/' || c == '%')) {
                        bytes[length++] = '%';
                        bytes[length++] = '2';
                        c = c == '/' ? 'F' : '5';
                    }
                }
                bytes[length++] = (byte) c;
            }
            return length;
        }

        private @Nullable ProtocolError suspicious(String text) {
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                if (Character.isISOControl(c)) {
                    return CONTROL;
                }
                if (c == '/') {
                    return reading.slash() == EncodedSlash.NOT_FOUND ? SLASH_NOT_FOUND : SEPARATOR;
                }
                if (c == '\\') {
                    return SEPARATOR;
                }
            }
            return null;
        }
    }

    private record Decoded(String text, boolean encoded, @Nullable ProtocolError error) {}
}
