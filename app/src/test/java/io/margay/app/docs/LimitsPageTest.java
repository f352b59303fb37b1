package io.margay.app.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Every limit of a record `…Limits` stands on the page of limits, with the figure that it has.
final class LimitsPageTest {
    /// Those that repeat another's figures or have none.
    private static final Set<String> NOT_ON_THE_PAGE =
            Set.of(
                    "ClientLimits", // What httpd's files say: no defaults.
                    "MultipartLimits", // Those of the container's `ServletLimits`.
                    "TomcatLimits"); // No record.

    private final String page;

    LimitsPageTest() throws IOException {
        page = Files.readString(Document.ROOT.resolve("docs/reference/limits.md"));
    }

    private static List<Class<?>> records() throws IOException {
        try (Stream<String> sources =
                Files.walk(Document.ROOT)
                        .map(source -> Document.ROOT.relativize(source).toString())) {
            return sources.filter(source ->
                            source.matches(
                                    "(?!lab/)([a-z-]+/)?[a-z-]+/src/main/java/.*Limits\\.java"))
                    .map(source -> source.replaceAll(".*/java/|\\.java$", "").replace('/', '.'))
                    .filter(name ->
                            !NOT_ON_THE_PAGE.contains(name.substring(name.lastIndexOf('.') + 1)))
                    .<Class<?>>map(LimitsPageTest::load)
                    .toList();
        }
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void limits_standOnThePage_withTheirFigures() throws Exception {
        List<String> wrong = new ArrayList<>();
        List<Class<?>> records = records();
        assertTrue(records.size() > 15, records::toString);
        for (Class<?> limits : records) {
            Object defaults = made(limits.getDeclaredMethod("defaults"), null);
            for (RecordComponent component : limits.getRecordComponents()) {
                Object value = made(component.getAccessor(), defaults);
                if (!(value instanceof Record) && !stands(component.getName(), value)) {
                    wrong.add(limits.getSimpleName() + "." + component.getName() + " = " + value);
                }
            }
        }
        assertEquals(List.of(), wrong);
    }

    private static Object made(Method method, Object target) throws Exception {
        method.setAccessible(true); // Some records are seen in their packages alone.
        return method.invoke(target);
    }

    /// Whether a row has the name in its first cell, or in the one that says where, and the figure
    /// in the cell of the default or beside it.
    private boolean stands(String name, Object value) {
        return page.lines()
                .filter(line -> line.startsWith("|") && line.contains(name + "`"))
                .map(line -> line.replaceAll("(?<=\\d) (?=\\d{3})", ""))
                .map(line -> line.split("\\|"))
                .anyMatch(cells -> figures(value).stream().anyMatch(figure -> has(cells, figure)));
    }

    private static boolean has(String[] cells, String figure) {
        String first = " " + cells[1] + " " + cells[2] + " " + (cells.length > 3 ? cells[3] : "");
        return first.matches("(?s).*[^\\d]" + figure + "\\b.*");
    }

    /// How a value may be written.
    private static List<String> figures(Object value) {
        if (value instanceof Duration time) {
            return time.isZero()
                    ? List.of("0")
                    : time.toMillis() % 1000 != 0
                            ? List.of(time.toMillis() + " ms", time.toMillis() / 1000.0 + "")
                            : List.of(
                                    time.toSeconds() + "(;[^|]*)? +s",
                                    time.toSeconds() % 60 == 0
                                            ? time.toMinutes() + " +min"
                                            : time.toSeconds() + " s");
        }
        long number = ((Number) value).longValue();
        List<String> figures = new ArrayList<>(List.of(Long.toString(number)));
        if (number == -1) {
            figures.add("none");
        }
        long left = number;
        for (String unit : List.of("KiB", "MiB", "GiB")) {
            if (left == 0 || left % 1024 != 0) {
                break;
            }
            left /= 1024;
            figures.add(left + " " + unit);
        }
        return figures;
    }
}
