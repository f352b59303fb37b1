package io.margay.server.meter;

import java.util.HexFormat;

/// The trace that belongs to something that was counted. Immutable.
///
/// @param high first half of the id of the trace
/// @param low second half of it
/// @param span id of the span
public record TraceMark(long high, long low, long span) {
    /// @param trace its id, 32 hexadecimal digits
    /// @param span id of the span, 16 of them
    public static TraceMark of(String trace, String span) {
        return new TraceMark(
                HexFormat.fromHexDigitsToLong(trace, 0, 16),
                HexFormat.fromHexDigitsToLong(trace, 16, 32),
                HexFormat.fromHexDigitsToLong(span));
    }

    /// The id of the trace, 32 hexadecimal digits.
    public String traceId() {
        return HexFormat.of().toHexDigits(high) + HexFormat.of().toHexDigits(low);
    }

    /// The id of the span, 16 hexadecimal digits.
    public String spanId() {
        return HexFormat.of().toHexDigits(span);
    }
}
