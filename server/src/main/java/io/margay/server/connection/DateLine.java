package io.margay.server.connection;

import io.margay.protocol.http.HttpDate;
import java.time.InstantSource;

/// The line `Date: …` of responses, formatted once a second (RFC 9110 §6.6.1). Thread-safe.
public final class DateLine {
    private static final class Line {
        final long second;
        final byte[] bytes;
        final String text;

        Line(long second) {
            this.second = second;
            bytes = HttpDate.line(second);
            text = HttpDate.format(second);
        }
    }

    private final InstantSource clock;
    private volatile Line line = new Line(0);

    public DateLine(InstantSource clock) {
        this.clock = clock;
    }

    /// The line with its CRLF; not to be written to.
    public byte[] bytes() {
        return line().bytes;
    }

    /// The value alone.
    public String text() {
        return line().text;
    }

    private Line line() {
        long second = Math.floorDiv(clock.millis(), 1000L);
        Line current = line;
        if (current.second != second) {
            current = new Line(second);
            line = current;
        }
        return current;
    }
}
