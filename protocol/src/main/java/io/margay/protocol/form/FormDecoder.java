package io.margay.protocol.form;

import io.margay.protocol.http.Octets;
import io.margay.protocol.http.ProtocolError;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Decodes `application/x-www-form-urlencoded` text: query strings and form bodies.
///
/// Confined to one thread. Several texts may be given to one decoder, such as query and body; the
/// limit counts them together.
public final class FormDecoder {
    /// Pairs that one request may have, against collision and memory attacks; Tomcat's default.
    public static final int PAIRS_MAX = 1000;

    private static final String SECTION = "URL Standard, application/x-www-form-urlencoded";
    private static final ProtocolError BAD_ENCODING =
            ProtocolError.of(400, SECTION, "A parameter holds a malformed percent-encoding.");
    private static final ProtocolError BAD_CHARSET =
            ProtocolError.of(400, SECTION, "A parameter is not valid in its character encoding.");
    private static final ProtocolError TOO_MANY =
            ProtocolError.of(413, SECTION, "There are too many parameters.");

    /// One decoded parameter.
    public record Pair(String name, String value) {}

    private final Charset charset;
    private final int pairsMax;
    private final boolean firstOnly;
    private final List<Pair> pairs = new ArrayList<>();
    private @Nullable ProtocolError error;

    /// A decoder without pairs.
    public FormDecoder(Charset charset, int pairsMax) {
        this(charset, pairsMax, false);
    }

    /// A decoder without pairs.
    ///
    /// @param firstOnly whether pairs beyond `pairsMax` are left out, rather than an error
    public FormDecoder(Charset charset, int pairsMax, boolean firstOnly) {
        this.charset = charset;
        this.pairsMax = pairsMax;
        this.firstOnly = firstOnly;
    }

    /// Decodes a query string as received; each character stands for an octet.
    ///
    /// @return whether all is well so far; see [#error]
    public boolean decode(String query) {
        byte[] bytes = query.getBytes(StandardCharsets.ISO_8859_1);
        return decode(bytes, 0, bytes.length);
    }

    /// Decodes a whole form body.
    ///
    /// @return whether all is well so far; see [#error]
    public boolean decode(byte[] bytes, int from, int to) {
        int start = from;
        while (start < to && error == null && !(firstOnly && pairs.size() == pairsMax)) {
            int end = start;
            int equals = -1;
            while (end < to && bytes[end] != '&') {
                if (bytes[end] == '=' && equals < 0) {
                    equals = end;
                }
                end++;
            }
            if (end > start) {
                pair(bytes, start, equals < 0 ? end : equals, end);
            }
            start = end + 1;
        }
        return error == null;
    }

    private void pair(byte[] bytes, int from, int nameTo, int to) {
        if (pairs.size() == pairsMax) {
            error = TOO_MANY;
            return;
        }
        String name = text(bytes, from, nameTo);
        String value = nameTo == to ? "" : text(bytes, nameTo + 1, to);
        if (error == null) {
            pairs.add(new Pair(name, value));
        }
    }

    private String text(byte[] bytes, int from, int to) {
        boolean plain = true;
        for (int p = from; p < to && plain; p++) {
            plain = bytes[p] > 0 && bytes[p] != '%' && bytes[p] != '+';
        }
        if (plain) {
            return new String(bytes, from, to - from, StandardCharsets.US_ASCII);
        }
        byte[] octets = new byte[to - from];
        int length = 0;
        for (int p = from; p < to; p++) {
            int octet = bytes[p];
            if (octet == '+') {
                octet = ' ';
            } else if (octet == '%') {
                octet = to - p > 2 ? escape(bytes, p) : -1;
                if (octet < 0) {
                    error = BAD_ENCODING;
                    return "";
                }
                p += 2;
            }
            octets[length++] = (byte) octet;
        }
        try {
            return charset.newDecoder().decode(ByteBuffer.wrap(octets, 0, length)).toString();
        } catch (CharacterCodingException e) {
            error = BAD_CHARSET;
            return "";
        }
    }

    private static int escape(byte[] bytes, int percent) {
        int high = Octets.hexValue(bytes[percent + 1]);
        int low = Octets.hexValue(bytes[percent + 2]);
        return high < 0 || low < 0 ? -1 : high << 4 | low;
    }

    /// The pairs so far, in order.
    public List<Pair> pairs() {
        return List.copyOf(pairs);
    }

    /// What was wrong, after [#decode] gave false; the pairs before it are kept.
    public ProtocolError error() {
        if (error == null) {
            throw new IllegalStateException("there is no error");
        }
        return error;
    }
}
