package io.margay.server.connection;

import io.margay.protocol.http.HttpDate;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;

/// The line `Date: …` of responses, formatted once a second (RFC 9110 §6.6.1). Thread-safe.
final class DateLine {
    private record Line(long second, byte[] bytes) {}

    private final InstantSource clock;
    private volatile Line line = new Line(Long.MIN_VALUE, new byte[0]);

    DateLine(InstantSource clock) {
        this.clock = clock;
    }

    /// The line with its CRLF; not to be written to.
    byte[] bytes() {
        long second = Math.floorDiv(clock.millis(), 1000L);
        Line current = line;
        if (current.second != second) {
            String text = "Date: " + HttpDate.format(second) + "\r\n";
            current = new Line(second, text.getBytes(StandardCharsets.US_ASCII));
            line = current;
        }
        return current.bytes;
    }
}
