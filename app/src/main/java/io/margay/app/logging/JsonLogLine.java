package io.margay.app.logging;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.logging.Formatter;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;

/// Formats a log record as one JSON object on one line: `time`, `level`, `logger`, `thread` (its
/// number), `message`, and `error` with `type`, `message` and `stack`. Immutable.
final class JsonLogLine extends Formatter {
    @Override
    public String format(LogRecord record) {
        return line(
                record.getInstant(),
                LogLine.level(record.getLevel()).strip(),
                String.valueOf(record.getLoggerName()),
                record.getLongThreadID(),
                formatMessage(record),
                record.getThrown());
    }

    /// A line of what the command says itself.
    static String line(Instant time, String level, String message) {
        return line(time, level, "margay", Thread.currentThread().threadId(), message, null);
    }

    private static String line(
            Instant time,
            String level,
            String logger,
            long thread,
            String message,
            @Nullable Throwable thrown) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("time", time.toString());
        members.put("level", level);
        members.put("logger", logger);
        members.put("thread", thread);
        members.put("message", message);
        if (thrown != null) {
            Map<String, Object> error = new LinkedHashMap<>();
            error.put("type", thrown.getClass().getName());
            error.put("message", String.valueOf(thrown.getMessage()));
            error.put("stack", LogLine.trace(new StringBuilder(), thrown).toString());
            members.put("error", error);
        }
        try {
            return JSON.std.asString(members) + "\n";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
