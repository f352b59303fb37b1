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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Every limit of a record `…Limits` that is not a key stands on the page of limits, with the
/// figure that it has.
final class LimitsPageTest {
    /// Those that repeat another's figures or have none.
    private static final Set<String> NOT_ON_THE_PAGE =
            Set.of(
                    "ClientLimits", // What httpd's files say: no defaults.
                    "HttpLimits", // These are keys: SchemaTest writes them.
                    "Http1Limits",
                    "Http2Limits",
                    "LoginLimits",
                    "PeerLimits",
                    "ServletLimits",
                    "WarLimits",
                    "MultipartLimits", // Those of the container's `ServletLimits`.
                    "TomcatLimits"); // No record.

    /// Where the next record or part of the page begins.
    private static final Pattern NEXT =
            Pattern.compile("\n\n(`[A-Z]|#|[A-Z])|[.] `[A-Z]\\w+Limits`");

    private static final List<String> TIMES = List.of(" ms", " s", " min", " h", " d");
    private static final List<String> SIZES = List.of("", " KiB", " MiB", " GiB");

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
            String section = section(limits.getSimpleName());
            Object defaults = made(limits.getDeclaredMethod("defaults"), null);
            for (RecordComponent component : limits.getRecordComponents()) {
                Object value = made(component.getAccessor(), defaults);
                if (!(value instanceof Record) && !says(section, component.getName(), value)) {
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

    /// What the page says of a record, from its name to the next one.
    private String section(String record) {
        int from = page.indexOf("`" + record + "`");
        if (from < 0) {
            return "";
        }
        Matcher next = NEXT.matcher(page);
        int to = next.find(from + 1) ? next.start() : page.length();
        return page.substring(from, to).replaceAll("\\s+", " ");
    }

    private static boolean says(String section, String name, Object value) {
        return figures(value).stream()
                .anyMatch(figure ->
                        Pattern.compile("`" + name + "` " + figure + "\\b")
                                .matcher(section)
                                .find());
    }

    /// How a value may be written.
    private static List<String> figures(Object value) {
        if (value instanceof Duration time) {
            return figures(time.toMillis(), List.of(1000, 60, 60, 24), TIMES);
        }
        long number = ((Number) value).longValue();
        List<String> figures = figures(number, List.of(1024, 1024, 1024), SIZES);
        if (number == -1) {
            figures.add("none");
        }
        return figures;
    }

    private static List<String> figures(long number, List<Integer> steps, List<String> units) {
        List<String> figures = new ArrayList<>(List.of(number + units.getFirst()));
        long left = number;
        for (int unit = 0; unit < steps.size() && left % steps.get(unit) == 0; unit++) {
            left /= steps.get(unit);
            figures.add(left + units.get(unit + 1));
        }
        if (number == 0) {
            figures.add("0");
        }
        return figures;
    }
}
