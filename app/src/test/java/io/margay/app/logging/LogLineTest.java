package io.margay.app.logging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.TimeZone;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;

final class LogLineTest {
    private static LogRecord record(Level level, String message) {
        LogRecord record = new LogRecord(level, message);
        record.setLoggerName("io.margay.app.Thing");
        record.setInstant(Instant.parse("2026-01-02T03:04:05.678Z"));
        return record;
    }

    private static String format(LogRecord record) {
        return new LogLine(TimeZone.getTimeZone("UTC"), false).format(record);
    }

    @Test
    void record_withParameters_isOneLine() {
        LogRecord record = record(Level.INFO, "{0} of {1}");
        record.setParameters(new Object[] {"a", "b"});
        assertEquals("2026-01-02 03:04:05.678 INFO  Thing: a of b\n", format(record));
    }

    /// What a client sends cannot fake a record (CWE-117).
    @Test
    void message_withControlCharacters_isEscaped() {
        assertEquals(
                "2026-01-02 03:04:05.678 WARN  Thing: a\\nb\\x0d\\x1b[31m\n",
                format(record(Level.WARNING, "a\nb\r\u001b[31m")));
    }

    @Test
    void exception_ofWarning_standsInTheLine() {
        LogRecord record = record(Level.WARNING, "no");
        record.setThrown(new IllegalStateException("bad\nthing"));
        assertEquals(
                "2026-01-02 03:04:05.678 WARN  Thing: no"
                        + " (java.lang.IllegalStateException: bad\\nthing)\n",
                format(record));
    }

    @Test
    void exception_ofError_isShownWithItsTrace() {
        LogRecord record = record(Level.SEVERE, "no");
        record.setThrown(new IllegalStateException("bad:\n\n2026-01-02 03:04:05.678 INFO  fake"));
        String text = format(record);
        assertTrue(text.contains("\tat " + LogLineTest.class.getName()));
        String message = "bad:\n\t| \n\t| 2026-01-02 03:04:05.678 INFO  fake\n\tat ";
        assertTrue(text.contains("java.lang.IllegalStateException: " + message), text);
    }

    @Test
    void stack_withoutEnd_isCut() {
        StackTraceElement[] frames = new StackTraceElement[1_024];
        for (int i = 0; i < frames.length; i++) {
            frames[i] = new StackTraceElement("A", "m" + i, "A.java", i + 1);
        }
        StackOverflowError overflow = new StackOverflowError();
        overflow.setStackTrace(frames);
        LogRecord record = record(Level.SEVERE, "no");
        record.setThrown(overflow);
        String text = format(record);
        assertEquals(203, text.lines().count(), text);
        assertTrue(
                text.contains("A.m99(A.java:100)\n\t... 824 more frames ...\n\tat A.m924("), text);
        assertTrue(text.endsWith("\tat A.m1023(A.java:1024)\n"), text);
    }
}
