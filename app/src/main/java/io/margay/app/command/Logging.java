package io.margay.app.command;

import io.margay.app.cli.UsageException;
import io.margay.app.yaml.Nearest;
import java.io.PrintStream;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/// Sends every log record of the process to one stream, a line each.
final class Logging {
    /// The levels by the words that choose them, most important first.
    private static final Map<String, Level> LEVELS = new LinkedHashMap<>();

    /// Held, because the JDK forgets the level of a logger that nobody holds.
    private static final Logger POOLS = Logger.getLogger("com.zaxxer.hikari");

    static {
        LEVELS.put("error", Level.SEVERE);
        LEVELS.put("warning", Level.WARNING);
        LEVELS.put("info", Level.INFO);
        LEVELS.put("debug", Level.FINE);
        LEVELS.put("trace", Level.ALL);
    }

    private Logging() {}

    /// The words that choose a level.
    static List<String> words() {
        return List.copyOf(LEVELS.keySet());
    }

    /// The level behind a word.
    static Level level(String word) throws UsageException {
        Level level = LEVELS.get(word);
        if (level == null) {
            throw new UsageException("there is no log level " + word + Nearest.hint(word, words()));
        }
        return level;
    }

    /// Takes the JDK's own handlers away and writes to `stream`. With a configuration of
    /// `java.util.logging` named on the command line of the JVM, that one is left alone.
    static void install(PrintStream stream, Level level, boolean traces) {
        if (System.getProperty("java.util.logging.config.file") != null
                || System.getProperty("java.util.logging.config.class") != null) {
            return;
        }
        LogManager.getLogManager().reset();
        Logger root = Logger.getLogger("");
        root.setLevel(level);
        // HikariCP's INFO is of each pool's start and end, which are the applications' own.
        POOLS.setLevel(level.intValue() < Level.INFO.intValue() ? level : Level.WARNING);
        root.addHandler(new ToStream(stream, new LogLine(ZoneId.systemDefault(), traces)));
    }

    /// A handler that writes each record at once, as one call, so that lines never mix.
    /// Thread-safe.
    private static final class ToStream extends Handler {
        private final PrintStream stream;

        ToStream(PrintStream stream, LogLine lines) {
            this.stream = stream;
            setFormatter(lines);
            setLevel(Level.ALL);
        }

        @Override
        public void publish(@Nullable LogRecord record) {
            if (record != null && isLoggable(record)) {
                stream.print(getFormatter().format(record));
            }
        }

        @Override
        public void flush() {
            stream.flush();
        }

        @Override
        public void close() {
            flush();
        }
    }
}
