package io.margay.compat.tomcat.server;

import io.margay.compat.account.AccountLine.Verdict;
import io.margay.compat.tomcat.base.CatalinaProperties;
import io.margay.compat.tomcat.server.LogPlan.HandlerPlan;
import io.margay.compat.tomcat.server.LogPlan.LoggerPlan;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Reads `conf/logging.properties`, or that of an application: levels of loggers, and which of them
/// write to files. Confined to one reading.
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

    private static final String CONSOLE = "java.util.logging.ConsoleHandler";
    private static final String HANDLERS = ".handlers";
    private static final String PARENTS = ".useParentHandlers";
    private static final String TIME_FORMAT = "org.apache.juli.OneLineFormatter.timeFormat";
    private static final String SIMPLE_FORMAT = "java.util.logging.SimpleFormatter.format";

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("dd-MMM-yyyy HH:mm:ss.SSS");

    /// Those that write files; what begins with a digit only tells them apart.
    private static final Pattern FILE_HANDLER =
            Pattern.compile(
                    "(?:\\d[^.]*\\.)?(?:org\\.apache\\.juli\\.(?:Async)?FileHandler"
                            + "|java\\.util\\.logging\\.FileHandler)");

    /// The logger of an application: of an engine, a host and a context.
    private static final Pattern OF_APPLICATION =
            Pattern.compile(
                    "org\\.apache\\.catalina\\.core\\.ContainerBase\\.\\[[^]]*]"
                            + "(?:\\.\\[[^]]*](?:\\.\\[(/[^]]*)].*)?)?");

    private final String file;
    private final boolean ofApplication;
    private final ElementAccount account;
    private final Map<String, String> levels = new TreeMap<>();

    /// Those of the line `handlers`: others do not write.
    private final Set<String> declared = new TreeSet<>();

    private final Set<String> handlers = new TreeSet<>();
    private final Map<String, LogFileReader> files = new TreeMap<>();
    private final Map<String, Set<String>> ofLoggers = new TreeMap<>();
    private final Set<String> withParents = new TreeSet<>();
    private String consoleLevel = "INFO";
    private DateTimeFormatter time = TIME;
    private @Nullable String simpleFormat;

    private LoggingFile(String file, boolean ofApplication, ElementAccount account) {
        this.file = file;
        this.ofApplication = ofApplication;
        this.account = account;
    }

    /// A property and where it stands.
    private record Line(int number, String name, String value) {
        boolean isHandlers() {
            return name.equals("handlers") || name.endsWith(HANDLERS);
        }

        List<String> words() {
            return Stream.of(value.split("[\\s,]+")).filter(word -> !word.isEmpty()).toList();
        }

        /// The logger of which a property is.
        String logger(String property) {
            return name.substring(0, name.length() - property.length());
        }
    }

    /// Levels of loggers, and where their records go.
    static LogPlan read(Path base, CatalinaProperties properties, ElementAccount account)
            throws IOException {
        Path path = base.resolve(FILE);
        if (!Files.isRegularFile(path)) {
            return LogPlan.NONE;
        }
        return new LoggingFile(path.toString(), false, account)
                .plan(path, base, properties::replace);
    }

    /// That of an application.
    ///
    /// @param shown its name for messages
    /// @param base the folder that paths are relative to
    /// @param replace takes values, and gives them with every `${...}` replaced
    static LogPlan ofApplication(
            Path path,
            String shown,
            Path base,
            UnaryOperator<String> replace,
            ElementAccount account)
            throws IOException {
        return new LoggingFile(shown, true, account).plan(path, base, replace);
    }

    private LogPlan plan(Path path, Path base, UnaryOperator<String> replace) throws IOException {
        List<Line> lines = lines(Files.readAllLines(path, StandardCharsets.ISO_8859_1), replace);
        for (Line line : lines) {
            if (line.isHandlers()) {
                handlers.addAll(line.words());
            }
            if (line.name.equals("handlers")) {
                declared.addAll(line.words());
            }
        }
        declared.stream()
                .filter(name -> FILE_HANDLER.matcher(name).matches())
                .forEach(name ->
                        files.put(
                                name,
                                new LogFileReader(
                                        base, name.endsWith("java.util.logging.FileHandler"))));
        lines.forEach(this::line);
        return plan();
    }

    private LogPlan plan() {
        Map<String, LoggerPlan> loggers = new TreeMap<>();
        if (!declared.isEmpty()) {
            ofLoggers.putIfAbsent("", declared); // Unless the root names its own.
        }
        ofLoggers.forEach((logger, names) ->
                loggers.put(
                        logger,
                        new LoggerPlan(
                                names.stream().filter(files::containsKey).toList(),
                                names.stream().anyMatch(name -> !isFile(name)),
                                withParents.contains(logger))));
        Map<String, HandlerPlan> plans = new TreeMap<>();
        files.forEach((name, reader) -> plans.put(name, reader.plan(time)));
        return new LogPlan(levels, plans, loggers, consoleLevel, simpleFormat);
    }

    private static boolean isFile(String handler) {
        return FILE_HANDLER.matcher(handler).matches();
    }

    /// The properties of a file. One that goes on after a backslash stands where it begins.
    private static List<Line> lines(List<String> texts, UnaryOperator<String> replace)
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
                    String value = replace.apply(one.getProperty(name)).strip();
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

    private void line(Line line) {
        String handler = handlerOf(line.name);
        if (line.isHandlers()) {
            handlers(line);
        } else if (handler != null) {
            property(line, handler);
        } else if (line.name.endsWith(LEVEL)) {
            level(line, line.logger(LEVEL));
        } else if (line.name.endsWith(PARENTS)) {
            parents(line, named(line.logger(PARENTS)));
        } else if (line.name.equals(TIME_FORMAT)) {
            timeFormat(line);
        } else if (line.name.equals(SIMPLE_FORMAT)) {
            simpleFormat = line.value;
            tell(
                    line,
                    ofApplication ? Verdict.CHANGED : Verdict.HONOURED,
                    ofApplication
                            ? "is that of the server for all applications"
                            : "of the files with lines as the JDK writes them");
        } else if (line.name.equals("config")) {
            tell(line, Verdict.CHANGED, "classes that configure logging are not run");
        } else {
            tell(line, Verdict.NOTED, "not a property of a logger or handler");
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

    private void property(Line line, String handler) {
        String name = line.name.substring(handler.length() + 1);
        LogFileReader reader = files.get(handler);
        if (reader != null) {
            LogFileReader.Outcome outcome = reader.take(name, line.value);
            tell(line, outcome.verdict(), outcome.text());
        } else if (handler.equals(CONSOLE) && name.equals("level") && isLevel(line.value)) {
            consoleLevel = line.value;
            tell(line, Verdict.HONOURED, "of records on stderr; --log goes before it");
        } else {
            tell(line, Verdict.NOTED, TO_STDERR + ", a line each; --log-format json for JSON");
        }
    }

    private void handlers(Line line) {
        List<String> strangers =
                line.words().stream()
                        .filter(name -> !isFile(name) && !name.equals(CONSOLE))
                        .toList();
        List<String> undeclared =
                line.words().stream().filter(name -> !declared.contains(name)).toList();
        String logger = line.name.equals("handlers") ? null : named(line.logger(HANDLERS));
        boolean twice = logger != null && ofLoggers.containsKey(logger);
        List<String> known = line.words().stream().filter(declared::contains).toList();
        if (logger != null && !known.isEmpty()) { // Otherwise they go where those above go.
            ofLoggers.computeIfAbsent(logger, _ -> new TreeSet<>()).addAll(known);
        }
        if (!strangers.isEmpty()) {
            tell(
                    line,
                    Verdict.CHANGED,
                    String.join(", ", strangers) + " is not asked: " + TO_STDERR);
        } else if (!undeclared.isEmpty()) {
            tell(line, Verdict.NOTED, "not among \"handlers\": " + String.join(", ", undeclared));
        } else if (logger == null && !line.name.equals("handlers")) {
            tell(line, Verdict.NOTED, "a logger of Tomcat's own");
        } else if (twice) {
            tell(
                    line,
                    Verdict.CHANGED,
                    "the logger " + logger + " is that of the applications of all hosts");
        } else {
            tell(line, Verdict.HONOURED, "from the start of \"margay tomcat\"");
        }
    }

    private void parents(Line line, @Nullable String logger) {
        if (logger != null && line.value.equals("true")) {
            withParents.add(logger);
        }
        tell(
                line,
                logger == null ? Verdict.NOTED : Verdict.HONOURED,
                logger == null ? "a logger of Tomcat's own" : "of the logger " + logger);
    }

    private void timeFormat(Line line) {
        try {
            time = DateTimeFormatter.ofPattern(line.value);
            tell(line, Verdict.HONOURED, "of the files with lines as Tomcat writes them");
        } catch (IllegalArgumentException e) {
            tell(line, Verdict.CHANGED, "not understood: the time is shown as without it");
        }
    }

    /// Whether a word is a level.
    static boolean isLevel(String word) {
        return LEVELS.contains(word) || word.matches("-?\\d{1,9}");
    }

    private void level(Line line, String logger) {
        String level = line.value;
        if (!isLevel(level)) {
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
