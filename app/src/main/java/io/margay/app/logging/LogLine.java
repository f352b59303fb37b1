package io.margay.app.logging;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.TimeZone;
import java.util.logging.Formatter;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;

/// Formats a log record as one line: time, level, the last part of the logger's name, message. An
/// exception adds its kind and message to the line; its stack trace follows only for the levels
/// that want it. Immutable.
final class LogLine extends Formatter {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS");

    /// Frames of one exception that are shown: more than applications of frameworks have.
    private static final int FRAMES_MAX = 200;

    private static final int CAUSES_MAX = 16;
    private static final int MILLIS = 1000;

    private final TimeZone zone;
    private final boolean traces;

    /// @param traces whether every exception is shown with its stack trace; otherwise those of
    ///   errors alone
    LogLine(TimeZone zone, boolean traces) {
        this.zone = zone;
        this.traces = traces;
    }

    @Override
    public String format(LogRecord record) {
        StringBuilder line = new StringBuilder(160);
        long millis = record.getMillis();
        // Not by the rules of a zone's id, which a start would read for this alone.
        ZoneOffset offset = ZoneOffset.ofTotalSeconds(zone.getOffset(millis) / MILLIS);
        TIME.formatTo(Instant.ofEpochMilli(millis).atOffset(offset), line);
        line.append(' ').append(level(record.getLevel())).append(' ');
        line.append(lastPart(record.getLoggerName())).append(": ");
        oneLine(line, formatMessage(record));
        Throwable thrown = record.getThrown();
        if (thrown == null) {
            return line.append('\n').toString();
        }
        if (traces || record.getLevel().intValue() >= Level.SEVERE.intValue()) {
            return trace(line.append('\n'), thrown).toString();
        }
        oneLine(line.append(" ("), thrown.toString());
        return line.append(")\n").toString();
    }

    /// The exception and its causes, each with its frames; of a long stack, as after a recursion
    /// without end, the first and the last.
    static StringBuilder trace(StringBuilder text, Throwable thrown) {
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        String introduction = "";
        for (Throwable at = thrown;
                at != null && seen.size() < CAUSES_MAX && seen.add(at);
                at = at.getCause()) {
            indented(text.append(introduction), at.toString());
            text.append('\n');
            frames(text, at.getStackTrace());
            introduction = "Caused by: ";
        }
        return text;
    }

    private static void frames(StringBuilder text, StackTraceElement[] frames) {
        int left = Math.max(0, frames.length - FRAMES_MAX);
        for (int i = 0; i < frames.length; i++) {
            if (left > 0 && i == FRAMES_MAX / 2) {
                text.append("\t... ").append(left).append(" more frames ...\n");
                i += left;
            }
            text.append("\tat ").append(frames[i]).append('\n');
        }
    }

    /// The further lines of a message, as of a compiler, are marked: none can pass for a record.
    private static void indented(StringBuilder text, String message) {
        String separator = "";
        for (String line : message.split("\\R", -1)) {
            oneLine(text.append(separator), line);
            separator = "\n\t| ";
        }
    }

    static String level(Level level) {
        int value = level.intValue();
        if (value >= Level.SEVERE.intValue()) {
            return "ERROR";
        }
        if (value >= Level.WARNING.intValue()) {
            return "WARN ";
        }
        if (value >= Level.INFO.intValue()) {
            return "INFO ";
        }
        return value >= Level.FINE.intValue() ? "DEBUG" : "TRACE";
    }

    private static String lastPart(@Nullable String name) {
        return name == null ? "-" : name.substring(name.lastIndexOf('.') + 1);
    }

    /// Control characters are shown escaped: no message can fake a line of its own or move the
    /// cursor.
    static void oneLine(StringBuilder line, String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\n') {
                line.append("\\n");
            } else if ((c < ' ' && c != '\t') || (c >= 0x7f && c < 0xa0)) {
                line.append(String.format("\\x%02x", (int) c));
            } else {
                line.append(c);
            }
        }
    }
}
