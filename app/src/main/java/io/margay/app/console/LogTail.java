package io.margay.app.console;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/// Keeps the newest records of the log in memory, at most 1 000 of at most 2 000 characters.
/// Thread-safe.
public final class LogTail extends Handler {
    private static final int LINES_MAX = 1_000;
    private static final int CHARS_MAX = 2_000;

    private final SimpleFormatter formatter = new SimpleFormatter();
    private final Deque<Line> lines = new ArrayDeque<>();
    private long number;

    /// A record.
    ///
    /// @param number from 1 on, one more for each
    /// @param level `TRACE`, `DEBUG`, `INFO`, `WARNING`, `ERROR`
    public record Line(long number, Instant time, String level, String logger, String message) {}

    /// Keeps what all loggers say from now on.
    public static LogTail attach() {
        LogTail made = new LogTail();
        Logger.getLogger("").addHandler(made);
        return made;
    }

    @Override
    public void publish(LogRecord of) {
        String message = String.valueOf(formatter.formatMessage(of));
        Throwable thrown = of.getThrown();
        String text = thrown == null ? message : message + ": " + thrown;
        keep(of, text.length() > CHARS_MAX ? text.substring(0, CHARS_MAX) + "…" : text);
    }

    private synchronized void keep(LogRecord of, String text) {
        if (lines.size() == LINES_MAX) {
            lines.removeFirst();
        }
        String logger = String.valueOf(of.getLoggerName());
        lines.addLast(
                new Line(
                        ++number,
                        of.getInstant(),
                        word(of.getLevel()),
                        logger.substring(logger.lastIndexOf('.') + 1),
                        text));
    }

    private static String word(Level level) {
        int value = level.intValue();
        if (value >= Level.SEVERE.intValue()) {
            return "ERROR";
        }
        if (value >= Level.WARNING.intValue()) {
            return "WARNING";
        }
        return value >= Level.INFO.intValue()
                ? "INFO"
                : value >= Level.FINE.intValue() ? "DEBUG" : "TRACE";
    }

    /// Those after one, the oldest first.
    ///
    /// @param last the number of the last one known; 0 = all
    public synchronized List<Line> after(long last) {
        List<Line> found = new ArrayList<>();
        for (Line line : lines) {
            if (line.number() > last) {
                found.add(line);
            }
        }
        return found;
    }

    @Override
    public void flush() {}

    /// Keeps nothing more.
    @Override
    public void close() {
        Logger.getLogger("").removeHandler(this);
    }
}
