package io.margay.compat.tomcat.server;

import io.margay.compat.account.AccountLine.Verdict;
import io.margay.compat.tomcat.base.CatalinaProperties;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads `conf/logging.properties`: the levels of loggers hold; records go to stderr, whichever
/// handlers they had. Confined to one reading.
final class LoggingFile {
    private static final String FILE = "conf/logging.properties";
    private static final String LEVEL = ".level";
    private static final String TO_STDERR = "records go to stderr";

    private static final Set<String> LEVELS =
            Set.of("ALL", "CONFIG", "FINE", "FINER", "FINEST", "INFO", "OFF", "SEVERE", "WARNING");

    /// Begins of names of Tomcat's own loggers.
    private static final List<String> TOMCATS_OWN =
            List.of(
                    "org.apache.catalina",
                    "org.apache.coyote",
                    "org.apache.el",
                    "org.apache.jasper",
                    "org.apache.juli",
                    "org.apache.naming",
                    "org.apache.tomcat");

    /// Those that write lines or files; what begins with a digit only tells them apart.
    private static final Pattern KNOWN_HANDLER =
            Pattern.compile(
                    "(?:\\d[^.]*\\.)?(?:org\\.apache\\.juli\\.(?:Async)?FileHandler"
                            + "|java\\.util\\.logging\\.(?:Console|File)Handler)");

    /// The logger of an application: of an engine, a host and a context.
    private static final Pattern OF_APPLICATION =
            Pattern.compile(
                    "org\\.apache\\.catalina\\.core\\.ContainerBase\\.\\[[^]]*]"
                            + "(?:\\.\\[[^]]*](?:\\.\\[(/[^]]*)].*)?)?");

    private final String file;
    private final ElementAccount account;
    private final Map<String, String> levels = new TreeMap<>();
    private final Set<String> handlers = new TreeSet<>();

    private LoggingFile(String file, ElementAccount account) {
        this.file = file;
        this.account = account;
    }

    /// A property and where it stands.
    private record Line(int number, String name, String value) {}

    /// The levels of loggers, by their names here; that of all loggers under an empty name.
    static Map<String, String> read(
            Path base, CatalinaProperties properties, ElementAccount account) throws IOException {
        Path path = base.resolve(FILE);
        if (!Files.isRegularFile(path)) {
            return Map.of();
        }
        List<Line> lines = lines(Files.readAllLines(path, StandardCharsets.ISO_8859_1), properties);
        LoggingFile reading = new LoggingFile(path.toString(), account);
        for (Line line : lines) {
            if (line.name.equals("handlers") || line.name.endsWith(".handlers")) {
                reading.handlers.addAll(words(line.value));
            }
        }
        lines.forEach(reading::line);
        return Map.copyOf(reading.levels);
    }

    /// The properties of a file. One that goes on after a backslash stands where it begins.
    private static List<Line> lines(List<String> texts, CatalinaProperties properties)
            throws IOException {
        Map<Integer, Line> lines = new TreeMap<>();
        StringBuilder whole = new StringBuilder();
        int begin = 1;
        for (int i = 0; i < texts.size(); i++) {
            if (whole.isEmpty()) {
                begin = i + 1;
            }
            whole.append(texts.get(i)).append('\n');
            if (!goesOn(texts.get(i)) || i == texts.size() - 1) {
                Properties one = new Properties();
                one.load(new StringReader(whole.toString()));
                whole.setLength(0);
                for (String name : one.stringPropertyNames()) {
                    String value = properties.replace(one.getProperty(name)).strip();
                    lines.put(begin, new Line(begin, name, value));
                }
            }
        }
        return List.copyOf(lines.values());
    }

    private static boolean goesOn(String text) {
        int backslashes = text.length() - text.replaceFirst("\\\\+$", "").length();
        boolean comment = text.stripLeading().startsWith("#");
        return !comment && backslashes % 2 == 1;
    }

    private static List<String> words(String list) {
        return List.of(list.split("[\\s,]+")).stream().filter(word -> !word.isEmpty()).toList();
    }

    private void line(Line line) {
        String handler = handlerOf(line.name);
        if (line.name.equals("handlers") || line.name.endsWith(".handlers")) {
            handlers(line);
        } else if (handler != null) {
            tell(line, Verdict.NOTED, TO_STDERR + ", a line each; --log-format json for JSON");
        } else if (line.name.endsWith(LEVEL)) {
            level(line, line.name.substring(0, line.name.length() - LEVEL.length()));
        } else if (line.name.equals("config")) {
            tell(line, Verdict.CHANGED, "classes that configure logging are not run");
        } else {
            tell(line, Verdict.NOTED, TO_STDERR);
        }
    }

    /// The handler that a property is of; null = it is of none.
    private @Nullable String handlerOf(String name) {
        for (String handler : handlers) {
            if (name.startsWith(handler + ".")) {
                return handler;
            }
        }
        return null;
    }

    private void handlers(Line line) {
        List<String> strangers =
                words(line.value).stream()
                        .filter(name -> !KNOWN_HANDLER.matcher(name).matches())
                        .toList();
        if (strangers.isEmpty()) {
            tell(
                    line,
                    Verdict.NOTED,
                    TO_STDERR + ", which catalina.sh writes to logs/catalina.out");
        } else {
            tell(
                    line,
                    Verdict.CHANGED,
                    String.join(", ", strangers) + " is not asked: " + TO_STDERR);
        }
    }

    private void level(Line line, String logger) {
        String level = line.value;
        if (!LEVELS.contains(level) && !level.matches("-?\\d{1,9}")) {
            tell(line, Verdict.NOTED, "no level: the logger has that of the one above it");
            return;
        }
        String here = named(logger);
        if (here == null) {
            tell(line, Verdict.NOTED, "a logger of Tomcat's own");
            return;
        }
        levels.put(here, level);
        tell(
                line,
                Verdict.HONOURED,
                here.isEmpty()
                        ? "of all loggers; --log goes before it"
                        : "of the logger " + here + ", from the start of \"margay tomcat\"");
    }

    /// What a logger is called here; null = there is none like it.
    private static @Nullable String named(String logger) {
        Matcher application = OF_APPLICATION.matcher(logger);
        if (application.matches()) {
            String path = application.group(1);
            String context = path == null ? null : path.replaceFirst("##.*", "").substring(1);
            return context == null
                    ? "margay.app"
                    : "margay.app." + (context.isEmpty() ? "root" : context.replace('/', '.'));
        }
        boolean own =
                TOMCATS_OWN.stream()
                        .anyMatch(name -> logger.equals(name) || logger.startsWith(name + "."));
        return own ? null : logger;
    }

    private void tell(Line line, Verdict verdict, String text) {
        account.tell(file, line.number, line.name, verdict, text);
    }
}
