package io.margay.app.logging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.compat.tomcat.server.LogPlan.FilePlan;
import io.margay.compat.tomcat.server.LogPlan.Lines;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DailyFileTest {
    private static final Lines ONE =
            new Lines.One(DateTimeFormatter.ofPattern("dd-MMM-yyyy HH:mm:ss.SSS", Locale.ENGLISH));

    @TempDir Path folder;
    private final List<String> elsewhere = new ArrayList<>();

    private final class Elsewhere extends Handler {
        @Override
        public void publish(LogRecord record) {
            elsewhere.add(record.getLevel() + " " + record.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    private DailyFile file(boolean daily, int daysMax, Charset charset, Lines lines) {
        Path logs = folder.resolve("deep/logs");
        return new DailyFile(
                new FilePlan(logs, "shop.", ".txt", daily, daysMax, "INFO", charset, lines),
                new Elsewhere());
    }

    private static LogRecord record(int day, Level level, String message) {
        LogRecord record = new LogRecord(level, message);
        record.setLoggerName("margay.app.shop");
        record.setSourceClassName("shop.Orders");
        record.setSourceMethodName("take");
        record.setInstant(on(day));
        return record;
    }

    private static Instant on(int day) {
        return LocalDateTime.of(2026, 11, day, 12, 30, 1, 5_000_000)
                .atZone(ZoneId.systemDefault())
                .toInstant();
    }

    private String text(String name) throws IOException {
        return Files.readString(folder.resolve("deep/logs").resolve(name));
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("deep/logs"))) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void records_areLinesLikeTomcats_inTheFileOfTheirDay() throws IOException {
        DailyFile file = file(true, -1, StandardCharsets.UTF_8, ONE);
        file.publish(record(23, Level.SEVERE, "sold\nout \u00e9"));
        file.publish(record(23, Level.FINE, "below the level"));
        LogRecord thrown = record(24, Level.WARNING, "no");
        thrown.setThrown(new IOException("gone"));
        file.publish(thrown);
        file.publish(record(23, Level.INFO, "late"));
        file.close();
        String thread = " [" + Thread.currentThread().getName() + "] shop.Orders.take ";
        assertEquals(
                "23-Nov-2026 12:30:01.005 SEVERE" + thread + "sold\\nout \u00e9\n",
                text("shop.2026-11-23.txt"));
        String second = text("shop.2026-11-24.txt");
        assertTrue(
                second.startsWith(
                        "24-Nov-2026 12:30:01.005 WARNING"
                                + thread
                                + "no\n\tjava.io.IOException: gone\n\t\tat "),
                second);
        assertTrue(second.endsWith("\n23-Nov-2026 12:30:01.005 INFO" + thread + "late\n"), second);
    }

    @Test
    void filesOfLongAgo_areDeleted_andNoOthers() throws IOException {
        Path logs = Files.createDirectories(folder.resolve("deep/logs"));
        for (String name :
                List.of(
                        "shop.2026-11-12.txt",
                        "shop.2026-11-13.txt",
                        "shop.2020-01-01.txt.gz",
                        "shop.notes.txt",
                        "orders.2020-01-01.txt")) {
            Files.createFile(logs.resolve(name));
        }
        DailyFile file = file(true, 10, StandardCharsets.UTF_8, ONE);
        file.publish(record(23, Level.INFO, "a"));
        file.close();
        assertEquals(
                List.of(
                        "orders.2020-01-01.txt",
                        "shop.2020-01-01.txt.gz",
                        "shop.2026-11-13.txt",
                        "shop.2026-11-23.txt",
                        "shop.notes.txt"),
                names());
    }

    @Test
    void oneFile_isAppendedTo_alsoWhenItIsTruncated_inItsEncoding() throws IOException {
        DailyFile file = file(false, 1, StandardCharsets.ISO_8859_1, new Lines.Verbatim());
        file.publish(record(23, Level.INFO, "first"));
        file.publish(record(24, Level.INFO, "se\u00e9n"));
        Path only = folder.resolve("deep/logs/shop..txt");
        assertEquals("first\nse\u00e9n\n", Files.readString(only, StandardCharsets.ISO_8859_1));
        Files.write(only, new byte[0]); // As logrotate does with copytruncate.
        file.publish(record(25, Level.INFO, "third"));
        file.close();
        assertEquals("third\n", Files.readString(only));
        DailyFile next = file(false, 1, StandardCharsets.ISO_8859_1, new Lines.Verbatim());
        next.publish(record(25, Level.INFO, "fourth"));
        next.close();
        assertEquals("third\nfourth\n", Files.readString(only));
        assertEquals(List.of("shop..txt"), names());
    }

    @Test
    void fileThatCannotBeWritten_sendsItsRecordsElsewhere_andIsNamedOnce() throws IOException {
        Files.createFile(folder.resolve("deep"));
        DailyFile file = file(true, -1, StandardCharsets.UTF_8, ONE);
        file.publish(record(23, Level.INFO, "a"));
        file.publish(record(23, Level.INFO, "b"));
        assertEquals(3, elsewhere.size(), elsewhere::toString);
        String named = elsewhere.getFirst();
        assertTrue(named.startsWith("WARNING ") && named.contains("cannot be written"), named);
        assertEquals(List.of("INFO a", "INFO b"), elsewhere.subList(1, 3));
        Files.delete(folder.resolve("deep"));
        file.publish(record(23, Level.INFO, "c"));
        file.close();
        assertEquals(3, elsewhere.size());
        assertFalse(text("shop.2026-11-23.txt").isEmpty());
    }
}
