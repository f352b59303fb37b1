package io.margay.app.logging;

import io.margay.app.admin.LogLevels;
import io.margay.app.cli.UsageException;
import io.margay.app.yaml.Nearest;
import io.margay.compat.tomcat.server.LogPlan;
import io.margay.compat.tomcat.server.LogPlan.FilePlan;
import io.margay.compat.tomcat.server.LogPlan.LoggerPlan;
import io.margay.compat.tomcat.server.LogPlan.RotatingPlan;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TimeZone;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;
import java.util.stream.Stream;

/// Sends every log record of the process to one stream, a line each, or to the files of a base of
/// Tomcat's.
public final class Logging {
    /// Held, because the JDK forgets the level of a logger that nobody holds.
    private static final Logger POOLS = Logger.getLogger("com.zaxxer.hikari");

    /// Held for the same reason: those that a configuration names, which is read once.
    private static final Map<String, Logger> NAMED = new ConcurrentHashMap<>();

    /// The words that choose how a line is written.
    private static final List<String> FORMATS = List.of("text", "json");

    private Logging() {}

    /// The level behind a word.
    public static Level level(String word) throws UsageException {
        Level level = LogLevels.level(word);
        if (level == null) {
            throw new UsageException(
                    "there is no log level " + word + Nearest.hint(word, LogLevels.words()));
        }
        return level;
    }

    /// Whether a word asks for lines of JSON.
    public static boolean isJson(String word) throws UsageException {
        if (!FORMATS.contains(word)) {
            throw new UsageException(
                    "there is no log format " + word + "; it is one of text, json");
        }
        return word.equals("json");
    }

    /// Where the command itself writes: each line becomes a record when records are JSON, so that a
    /// collector of logs meets nothing else.
    public static PrintStream console(PrintStream stream, boolean json) {
        return json ? new JsonConsole(stream) : stream;
    }

    /// Writes there what has gone wrong: a record at ERROR when records are JSON.
    public static void failure(PrintStream console, String message) {
        if (console instanceof JsonConsole json) {
            json.failure(message);
        } else {
            console.println("margay: " + message);
        }
    }

    /// Makes a record of each line. Thread-safe.
    private static final class JsonConsole extends PrintStream {
        private final PrintStream to;

        JsonConsole(PrintStream to) {
            super(new JsonLines(to), true, StandardCharsets.UTF_8);
            this.to = to;
        }

        void failure(String message) {
            to.print(JsonLogLine.line(Instant.now(), "ERROR", message));
        }
    }

    /// Makes JSON of lines. Thread-safe by the stream above it.
    private static final class JsonLines extends OutputStream {
        /// Of a line: what is longer is written in pieces.
        private static final int LINE_BYTES_MAX = 8_192;

        private final PrintStream to;
        private final ByteArrayOutputStream line = new ByteArrayOutputStream();

        JsonLines(PrintStream to) {
            this.to = to;
        }

        @Override
        public void write(int value) {
            if (value != '\n') {
                line.write(value);
            }
            if (value == '\n' || line.size() >= LINE_BYTES_MAX) {
                String text = line.toString(StandardCharsets.UTF_8);
                line.reset();
                to.print(
                        JsonLogLine.line(
                                Instant.now(), "INFO", text.replaceFirst("^margay: ", "")));
            }
        }
    }

    /// Takes the JDK's own handlers away and writes to `stream`. With a configuration of
    /// `java.util.logging` named on the command line of the JVM, that one is left alone.
    public static void install(PrintStream stream, Level level, boolean traces, boolean json) {
        if (isSetUpByJvm()) {
            return;
        }
        LogManager.getLogManager().reset();
        Logger root = Logger.getLogger("");
        root.setLevel(level);
        // HikariCP's INFO is of each pool's start and end, which are the applications' own.
        POOLS.setLevel(level.intValue() < Level.INFO.intValue() ? level : Level.WARNING);
        ToStream console =
                new ToStream(
                        stream,
                        json ? new JsonLogLine() : new LogLine(TimeZone.getDefault(), traces),
                        Level.ALL);
        root.addHandler(console);
        if (LogManager.getLogManager() instanceof LoggersByApplication manager) {
            manager.console(console);
        }
    }

    /// Whether options of the JVM say how loggers write.
    static boolean isSetUpByJvm() {
        return System.getProperty("java.util.logging.config.file") != null
                || System.getProperty("java.util.logging.config.class") != null;
    }

    /// Gives a logger its level.
    ///
    /// @param logger empty = of all that have none of their own
    public static void level(String logger, Level level) {
        NAMED.computeIfAbsent(logger, Logger::getLogger).setLevel(level);
    }

    /// Has loggers write where a base of Tomcat's has them write, after [#install]: to its files,
    /// and to the stream only where it says so.
    ///
    /// @param console the least level of what goes to the stream
    public static void files(LogPlan plan, Level console) {
        Logger root = Logger.getLogger("");
        Handler stream =
                Stream.of(root.getHandlers())
                        .filter(ToStream.class::isInstance)
                        .findFirst()
                        .orElse(null);
        if (stream == null || plan.loggers().isEmpty()) {
            return;
        }
        stream.setLevel(console);
        String format = plan.simpleFormat();
        if (format != null) {
            System.setProperty("java.util.logging.SimpleFormatter.format", format);
        }
        Map<String, Handler> files = handlers(plan, stream);
        root.removeHandler(stream);
        plan.loggers()
                .forEach((name, logger) -> {
                    Logger of = NAMED.computeIfAbsent(name, Logger::getLogger);
                    attach(of, logger, files, stream);
                });
    }

    /// The handlers that write files, by their names.
    ///
    /// @param otherwise takes the records of files that cannot be written
    static Map<String, Handler> handlers(LogPlan plan, Handler otherwise) {
        Map<String, Handler> files = new HashMap<>();
        plan.files()
                .forEach((name, file) ->
                        files.put(
                                name,
                                switch (file) {
                                    case FilePlan daily -> new DailyFile(daily, otherwise);
                                    case RotatingPlan rotating ->
                                            RotatingFile.of(rotating, otherwise);
                                }));
        return files;
    }

    /// Gives a logger its handlers.
    static void attach(Logger of, LoggerPlan plan, Map<String, Handler> files, Handler console) {
        of.setUseParentHandlers(plan.parents());
        Set<Handler> handlers = new LinkedHashSet<>();
        for (String file : plan.files()) {
            handlers.add(Objects.requireNonNull(files.get(file)));
        }
        if (plan.console()) {
            handlers.add(console);
        }
        handlers.forEach(of::addHandler);
    }
}
