package io.margay.app.config.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.protocol.http2.Http2Limits;
import io.margay.server.config.HttpLimits;
import io.margay.server.config.MemoryLimits;
import io.margay.servlet.settings.ServletLimits;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// `docs/reference/limits.md` has the figures that the program has.
class LimitsPageTest {
    private static final Path PAGE =
            Path.of(System.getProperty("margay.root", "..")).resolve("docs/reference/limits.md");

    @Test
    void figures_areThoseOfTheProgram() throws Exception {
        List<String> wrong = new ArrayList<>();
        List<String> lines = Files.readAllLines(PAGE);
        compare(lines, Http2Limits.defaults(), wrong);
        compare(lines, HttpLimits.defaults(), wrong);
        compare(lines, ServletLimits.defaults(), wrong);
        compare(lines, MemoryLimits.defaults(), wrong);
        assertEquals(List.of(), wrong);
    }

    /// Compares the table below the first line that begins with the record's name.
    private static void compare(List<String> lines, Record limits, List<String> wrong)
            throws ReflectiveOperationException {
        String name = limits.getClass().getSimpleName();
        int at = 0;
        while (!lines.get(at).startsWith("`" + name + "`")) {
            at++;
        }
        while (!lines.get(at).startsWith("|")) {
            at++;
        }
        int rows = 0;
        for (; lines.get(at).startsWith("|"); at++) {
            String[] cells = lines.get(at).split("\\|");
            for (RecordComponent component : limits.getClass().getRecordComponents()) {
                if (cells[1].contains("`" + component.getName() + "`")) {
                    rows++;
                    Object value = component.getAccessor().invoke(limits);
                    long figure = first(cells[2]);
                    if (figure != number(value)) {
                        wrong.add(name + "." + component.getName() + " is " + value);
                    }
                }
            }
        }
        assertTrue(rows > 0, name);
    }

    /// The first number of a cell, whose thousands are set apart.
    private static long first(String cell) {
        String number = cell.strip().replaceAll("(?<=[0-9]) (?=[0-9]{3})", "");
        return Long.parseLong(number.replaceAll("[^0-9].*", ""));
    }

    /// Times stand there in seconds.
    private static long number(Object value) {
        return value instanceof Duration time ? time.toSeconds() : ((Number) value).longValue();
    }
}
