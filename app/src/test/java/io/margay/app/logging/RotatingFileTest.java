package io.margay.app.logging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.compat.tomcat.server.LogPlan.Lines;
import io.margay.compat.tomcat.server.LogPlan.RotatingPlan;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RotatingFileTest {
    @TempDir Path folder;
    private final List<String> elsewhere = new ArrayList<>();

    private final class Elsewhere extends Handler {
        @Override
        public void publish(LogRecord record) {
            elsewhere.add(record.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    private RotatingPlan plan(String pattern) {
        return new RotatingPlan(
                pattern, 200, 2, false, "INFO", StandardCharsets.UTF_8, new Lines.Simple());
    }

    private static LogRecord record(Level level, String message) {
        LogRecord record = new LogRecord(level, message);
        record.setLoggerName("shop");
        return record;
    }

    @Test
    void records_areWritten_andFilesFollowEachOther() throws Exception {
        Handler handler = RotatingFile.of(plan(folder + "/a%g.log"), new Elsewhere());
        for (int i = 0; i < 20; i++) {
            handler.publish(record(Level.INFO, "order é " + i));
            handler.publish(record(Level.FINE, "not this"));
        }
        handler.close();
        String kept =
                Files.readString(folder.resolve("a1.log"))
                        + Files.readString(folder.resolve("a0.log"));
        assertTrue(kept.contains("order é 19"), kept);
        assertFalse(kept.contains("order é 0"), kept);
        assertFalse(kept.contains("not this"), kept);
        assertTrue(Files.notExists(folder.resolve("a2.log")));
        assertEquals(List.of(), elsewhere);
    }

    @Test
    void message_withLinesOfItsOwn_isOneLine() throws Exception {
        Handler handler = RotatingFile.of(plan(folder + "/b.log"), new Elsewhere());
        handler.publish(record(Level.INFO, "a\nSEVERE: faked \u001b[2J"));
        handler.close();
        String text = Files.readString(folder.resolve("b.log.0"));
        assertTrue(text.contains("a\\nSEVERE: faked \\x1b[2J"), text);
    }

    @Test
    void file_thatCannotBeWritten_isNamed_andItsRecordsGoElsewhere() {
        Handler other = new Elsewhere();
        assertSame(other, RotatingFile.of(plan(folder + "/none/c.log"), other));
        assertEquals(1, elsewhere.size());
        assertTrue(
                elsewhere.getFirst().startsWith(folder + "/none/c.log cannot be written"),
                elsewhere.getFirst());
    }
}
