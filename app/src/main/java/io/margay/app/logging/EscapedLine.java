package io.margay.app.logging;

import java.util.logging.LogRecord;
import java.util.logging.SimpleFormatter;

/// Formats a record as the JDK does, with the control characters of its message shown escaped: no
/// message can fake a line. Immutable; called by the thread that logs.
final class EscapedLine extends SimpleFormatter {
    @Override
    public String formatMessage(LogRecord record) {
        StringBuilder line = new StringBuilder(200);
        LogLine.oneLine(line, super.formatMessage(record));
        return line.toString();
    }
}
