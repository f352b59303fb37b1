package io.margay.protocol.http;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// The `Range` field applied to a representation of known length (RFC 9110 §14).
///
/// A field that is malformed or asks for more than [#RANGES_MAX] ranges is ignored: the whole is
/// sent. Overlapping and adjoining ranges are sent once, so that a request cannot ask for a
/// multiple of what there is.
///
/// @param kind what is to be sent
/// @param ranges the ranges to send, ascending and apart; empty unless `PARTIAL`
public record ByteRanges(Kind kind, List<Range> ranges) {
    /// Ranges that one request may ask for.
    public static final int RANGES_MAX = 10;

    /// What is to be sent.
    public enum Kind {
        /// Everything, with 200.
        WHOLE,
        /// Ranges, with 206.
        PARTIAL,
        /// Nothing, with 416 and `Content-Range: bytes */LENGTH`.
        UNSATISFIABLE
    }

    /// Bytes `first` to `last`, both inclusive.
    public record Range(long first, long last) {
        /// The number of bytes.
        public long length() {
            return last - first + 1;
        }

        /// The value of `Content-Range` for this range of a representation of `total` bytes.
        public String contentRange(long total) {
            return "bytes " + first + '-' + last + '/' + total;
        }
    }

    private static final ByteRanges ALL = new ByteRanges(Kind.WHOLE, List.of());
    private static final ByteRanges NOTHING = new ByteRanges(Kind.UNSATISFIABLE, List.of());
    private static final long MALFORMED = -1;
    private static final long NONE = -2;

    public ByteRanges {
        ranges = List.copyOf(ranges);
    }

    /// Applies the value of a `Range` field to a representation of `total` bytes.
    public static ByteRanges of(String value, long total) {
        int equals = value.indexOf('=');
        if (equals < 0 || !Octets.equalsIgnoreCase(value.substring(0, equals).strip(), "bytes")) {
            return ALL;
        }
        List<Range> ranges = new ArrayList<>(2);
        int specs = 0;
        for (String part : value.substring(equals + 1).split(",", -1)) {
            String spec = part.strip();
            if (spec.isEmpty()) {
                continue;
            }
            int dash = spec.indexOf('-');
            long first = dash < 0 ? MALFORMED : number(spec, 0, dash);
            long last = dash < 0 ? MALFORMED : number(spec, dash + 1, spec.length());
            boolean malformed =
                    first == MALFORMED || last == MALFORMED || (first == NONE && last == NONE);
            if (malformed || ++specs > RANGES_MAX || (first >= 0 && last >= 0 && last < first)) {
                return ALL;
            }
            add(ranges, first, last, total);
        }
        if (specs == 0) {
            return ALL;
        }
        return ranges.isEmpty() ? NOTHING : new ByteRanges(Kind.PARTIAL, coalesce(ranges));
    }

    private static void add(List<Range> ranges, long first, long last, long total) {
        long from = first == NONE ? Math.max(0, total - last) : first;
        long to = first == NONE || last == NONE ? total - 1 : Math.min(last, total - 1);
        if (from <= to) {
            ranges.add(new Range(from, to));
        }
    }

    private static List<Range> coalesce(List<Range> ranges) {
        ranges.sort(Comparator.comparingLong(Range::first));
        List<Range> merged = new ArrayList<>(ranges.size());
        for (Range range : ranges) {
            Range previous = merged.isEmpty() ? null : merged.getLast();
            if (previous != null && range.first() <= previous.last() + 1) {
                long last = Math.max(previous.last(), range.last());
                merged.set(merged.size() - 1, new Range(previous.first(), last));
            } else {
                merged.add(range);
            }
        }
        return merged;
    }

    /// The decimal number there; too large ones count as the largest.
    private static long number(String text, int from, int to) {
        if (from == to) {
            return NONE;
        }
        long value = 0;
        for (int i = from; i < to; i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return MALFORMED;
            }
            value = value > (Long.MAX_VALUE - 9) / 10 ? Long.MAX_VALUE : value * 10 + digit;
        }
        return value;
    }
}
