package io.margay.app.logging;

import java.io.PrintStream;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;

/// A handler that writes each record at once, as one call, so that lines never mix. Thread-safe.
final class ToStream extends Handler {
    private final PrintStream stream;

    ToStream(PrintStream stream, Formatter lines, Level level) {
        this.stream = stream;
        setFormatter(lines);
        setLevel(level);
    }

    /// Another one that writes to the same stream.
    ToStream at(Level level) {
        return new ToStream(stream, getFormatter(), level);
    }

    @Override
    public void publish(@Nullable LogRecord record) {
        if (record != null && isLoggable(record)) {
            stream.print(getFormatter().format(record));
        }
    }

    @Override
    public void flush() {
        stream.flush();
    }

    @Override
    public void close() {
        flush();
    }
}
