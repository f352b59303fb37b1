package io.margay.app.logging;

import java.time.format.DateTimeFormatter;
import java.util.logging.Formatter;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;

/// Formats a record as Tomcat does: time, level, thread, the class and method that logged, message;
/// then the stack trace, indented; or the message alone, without a trace. Control characters are
/// shown escaped, which Tomcat does not do: no message can fake a line. Immutable; called by the
/// thread that logs.
final class TomcatLine extends Formatter {
    private final @Nullable DateTimeFormatter time;

    /// @param time with its zone; null = a line is the message alone
    TomcatLine(@Nullable DateTimeFormatter time) {
        this.time = time;
    }

    @Override
    public String format(LogRecord record) {
        StringBuilder line = new StringBuilder(200);
        if (time == null) {
            LogLine.oneLine(line, formatMessage(record));
            return line.append('\n').toString();
        }
        time.formatTo(record.getInstant(), line);
        line.append(' ').append(record.getLevel().getLocalizedName());
        line.append(" [").append(Thread.currentThread().getName()).append("] ");
        if (record.getSourceClassName() == null) {
            line.append(record.getLoggerName());
        } else {
            line.append(record.getSourceClassName())
                    .append('.')
                    .append(record.getSourceMethodName());
        }
        LogLine.oneLine(line.append(' '), formatMessage(record));
        line.append('\n');
        Throwable thrown = record.getThrown();
        if (thrown != null) {
            String trace = LogLine.trace(new StringBuilder(), thrown).toString();
            line.append(trace.replaceAll("(?m)^", "\t"));
        }
        return line.toString();
    }
}
