package io.margay.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/// What a logger is told while this is open, as `LEVEL text`. Thread-safe.
public final class LoggedLines extends Handler implements AutoCloseable {
    private final Logger logger;
    private final Level before;
    private final List<String> lines = new ArrayList<>();
    private int traces;

    private LoggedLines(Logger logger) {
        this.logger = logger;
        before = logger.getLevel();
        setFormatter(new SimpleFormatter());
    }

    /// Listens to a logger, DEBUG included.
    public static LoggedLines of(String name) {
        LoggedLines lines = new LoggedLines(Logger.getLogger(name));
        lines.logger.setLevel(Level.ALL);
        lines.logger.addHandler(lines);
        return lines;
    }

    @Override
    public synchronized void publish(LogRecord event) {
        lines.add(event.getLevel() + " " + getFormatter().formatMessage(event));
        traces += event.getThrown() == null ? 0 : 1;
    }

    /// Lines that hold a text.
    public synchronized long count(String text) {
        return lines.stream().filter(line -> line.contains(text)).count();
    }

    /// Lines that come with an exception, and so with a stack trace.
    public synchronized int traces() {
        return traces;
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
        logger.setLevel(before);
    }

    @Override
    public synchronized String toString() {
        return lines.toString();
    }
}
