package io.margay.protocol.http1;

import static io.margay.protocol.http.Octets.isFieldValue;
import static io.margay.protocol.http.Octets.isToken;

import io.margay.protocol.http.Fields;
import io.margay.protocol.http.Octets;
import io.margay.protocol.http.ProtocolError;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The machine that finds the field lines of a head or trailer section (RFC 9112 §5).
///
/// Confined to its decoder's thread. It keeps offsets relative to the section's first byte, so the
/// buffer may move between calls, and it looks at each byte once.
///
/// ```
/// LINE  --tchar--> NAME --":"--> OWS --other--> VALUE --CR--> LINE_LF --LF--> LINE
/// LINE  --CR--> END_LF --LF--> done
/// ```
final class FieldSection {
    private static final int LINE = 0;
    private static final int NAME = 1;
    private static final int OWS = 2;
    private static final int VALUE = 3;
    private static final int LINE_LF = 4;
    private static final int END_LF = 5;
    private static final int DONE = 6;

    private static final int INTS_PER_FIELD = 4;
    private static final int USUAL_FIELDS = 16;

    private final int fieldsMax;
    private final int fieldBytesMax;
    private final ProtocolError tooLarge;
    private final ProtocolError tooMany;

    private int[] spans = new int[USUAL_FIELDS * INTS_PER_FIELD];
    private int count;
    private int state;
    private int at;
    private int nameFrom;
    private int nameTo;
    private int valueFrom;
    private @Nullable ProtocolError error;

    /// @param fieldBytesMax bytes that one line may have
    FieldSection(int fieldsMax, int fieldBytesMax, ProtocolError tooLarge, ProtocolError tooMany) {
        this.fieldsMax = fieldsMax;
        this.fieldBytesMax = fieldBytesMax;
        this.tooLarge = tooLarge;
        this.tooMany = tooMany;
    }

    void reset() {
        count = 0;
        state = LINE;
        at = 0;
        error = null;
    }

    /// Goes on in `bytes[from,to)`, which begins with the section's first byte.
    ///
    /// @param bytesMax bytes the section may have
    /// @return whether the section is complete; if not, [#error] tells whether more may help
    boolean scan(byte[] bytes, int from, int to, int bytesMax) {
        int end = (int) Math.min(to, (long) from + bytesMax);
        int p = from + at;
        while (error == null && state != DONE && p < end) {
            if (state == LINE) {
                p = scanLineStart(bytes, from, p);
            }
            if (state == NAME) {
                p = scanName(bytes, from, p, end);
            }
            if (state == OWS) {
                while (p < end && (bytes[p] == ' ' || bytes[p] == '\t')) {
                    p++;
                }
                if (p < end) {
                    valueFrom = p - from;
                    state = VALUE;
                }
            }
            if (state == VALUE) {
                p = scanValue(bytes, from, p, end);
            }
            if (state >= LINE_LF && p < end && error == null) {
                state = state == LINE_LF ? LINE : DONE;
                if (bytes[p++] != '\n') {
                    error = Http1Error.BAD_LINE_END;
                }
            }
        }
        at = p - from;
        if (error == null && state != DONE && end < to) {
            error = tooLarge;
        }
        return error == null && state == DONE;
    }

    private int scanLineStart(byte[] bytes, int from, int p) {
        byte b = bytes[p];
        if (b == '\r') {
            state = END_LF;
            return p + 1;
        }
        if (count == fieldsMax) {
            error = tooMany;
        } else if (b == ' ' || b == '\t') {
            error = Http1Error.FOLDED_FIELD;
        } else {
            nameFrom = p - from;
            state = NAME;
        }
        return p;
    }

    private int scanName(byte[] bytes, int from, int start, int end) {
        int p = start;
        while (p < end && isToken(bytes[p])) {
            p++;
        }
        if (p < end) {
            nameTo = p - from;
            if (bytes[p++] != ':' || nameTo == nameFrom) {
                error = Http1Error.BAD_FIELD_NAME;
            } else {
                state = OWS;
            }
        }
        return p;
    }

    private int scanValue(byte[] bytes, int from, int start, int end) {
        int p = Octets.skipPrintable(bytes, start, end);
        while (p < end && isFieldValue(bytes[p])) {
            p++;
        }
        if (p < end) {
            add(bytes, from, p);
            state = LINE_LF;
            if (p - from - nameFrom > fieldBytesMax) {
                error = tooLarge;
            } else if (bytes[p++] != '\r') {
                error = badValueEnd(bytes[p - 1]);
            }
        }
        return p;
    }

    private static ProtocolError badValueEnd(byte b) {
        return b == '\n' ? Http1Error.BAD_LINE_END : Http1Error.BAD_FIELD_VALUE;
    }

    private void add(byte[] bytes, int from, int valueEnd) {
        int trimmed = valueEnd;
        while (trimmed > from + valueFrom
                && (bytes[trimmed - 1] == ' ' || bytes[trimmed - 1] == '\t')) {
            trimmed--;
        }
        int slot = count++ * INTS_PER_FIELD;
        if (slot == spans.length) {
            spans = Arrays.copyOf(spans, spans.length * 2);
        }
        spans[slot] = nameFrom;
        spans[slot + 1] = nameTo;
        spans[slot + 2] = valueFrom;
        spans[slot + 3] = trimmed - from;
    }

    /// Why the section is malformed, or null.
    @Nullable ProtocolError error() {
        return error;
    }

    /// Bytes looked at so far: the section's length when it is complete.
    int length() {
        return at;
    }

    int count() {
        return count;
    }

    int nameFrom(int index) {
        return spans[index * INTS_PER_FIELD];
    }

    int nameTo(int index) {
        return spans[index * INTS_PER_FIELD + 1];
    }

    int valueFrom(int index) {
        return spans[index * INTS_PER_FIELD + 2];
    }

    int valueTo(int index) {
        return spans[index * INTS_PER_FIELD + 3];
    }

    /// The lines, over an own copy of exactly the section's bytes.
    Fields toFields(byte[] bytes, int from) {
        if (count == 0) {
            return Fields.EMPTY;
        }
        int used = valueTo(count - 1);
        return Fields.ofSpans(
                Arrays.copyOfRange(bytes, from, from + used),
                Arrays.copyOf(spans, count * INTS_PER_FIELD),
                count);
    }
}
