package io.margay.gateway.attempt;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// How long a request has waited for a thread of the peer, as a Margay says it in `Server-Timing`
/// (W3C, 2023): `total;dur=12.003, queued;dur=3.100`. Stateless.
public final class QueueTime {
    private static final String FIRST = "total;dur=";
    private static final String NAME = "queued;dur=";
    private static final int CHARS_MAX = 1_000;
    private static final int WHOLE_DIGITS_MAX = 9;
    private static final int PART_DIGITS = 3;
    private static final long NANOS_PER_UNIT = 1_000;

    private QueueTime() {}

    /// The same of the last of several fields: those before it are of the application itself.
    public static long last(List<String> fields) {
        return nanos(fields.isEmpty() ? null : fields.getLast());
    }

    /// Nanoseconds; 0 where the field is a Margay's and does not say so; -1 where there is no
    /// field, or it is another's or malformed.
    public static long nanos(@Nullable String field) {
        if (field == null || field.length() > CHARS_MAX) {
            return -1;
        }
        int at = field.startsWith(NAME) ? 0 : field.indexOf(", " + NAME);
        if (at < 0) {
            return field.startsWith(FIRST) ? 0 : -1;
        }
        int i = at + NAME.length() + (field.startsWith(NAME) ? 0 : 2);
        int digits = digits(field, i);
        if (digits == 0 || digits > WHOLE_DIGITS_MAX) {
            return -1;
        }
        long value = 0;
        for (int end = i + digits; i < end; i++) {
            value = value * 10 + (field.charAt(i) - '0');
        }
        boolean hasPart = i < field.length() && field.charAt(i) == '.';
        int part = hasPart ? digits(field, ++i) : 0;
        for (int k = 0; k < PART_DIGITS; k++) {
            value = value * 10 + (k < part ? field.charAt(i + k) - '0' : 0);
        }
        return value * NANOS_PER_UNIT;
    }

    private static int digits(String text, int from) {
        int to = from;
        while (to < text.length() && text.charAt(to) >= '0' && text.charAt(to) <= '9') {
            to++;
        }
        return to - from;
    }
}
