package io.margay.app.admin;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/// The levels of the process's loggers, by the words that choose them. Thread-safe; the JDK keeps
/// the levels.
public final class LogLevels {
    /// Most important first.
    private static final Map<String, Level> LEVELS = new LinkedHashMap<>();

    /// Loggers that can have a level of their own at once: names come from clients.
    private static final int LOGGERS_MAX = 100;

    /// Held, because the JDK forgets the level of a logger that nobody holds.
    private static final Map<String, Logger> CHANGED = new ConcurrentHashMap<>();

    static {
        LEVELS.put("error", Level.SEVERE);
        LEVELS.put("warning", Level.WARNING);
        LEVELS.put("info", Level.INFO);
        LEVELS.put("debug", Level.FINE);
        LEVELS.put("trace", Level.ALL);
    }

    private LogLevels() {}

    /// The words that choose a level.
    public static List<String> words() {
        return List.copyOf(LEVELS.keySet());
    }

    /// The level behind a word, or null.
    public static @Nullable Level level(String word) {
        return LEVELS.get(word);
    }

    /// The word of a logger's level; empty: that of the one above it.
    ///
    /// @param logger empty = of all that have none of their own
    static String of(String logger) {
        Level level = Logger.getLogger(logger).getLevel();
        if (level == null) {
            return "";
        }
        for (Map.Entry<String, Level> each : LEVELS.entrySet()) {
            if (each.getValue().intValue() <= level.intValue()) {
                return each.getKey();
            }
        }
        return "trace";
    }

    /// The loggers that were given a level here, with it.
    static Map<String, String> changed() {
        Map<String, String> levels = new TreeMap<>();
        CHANGED.keySet().forEach(name -> levels.put(name, of(name)));
        return levels;
    }

    /// Sets a level.
    ///
    /// @param logger empty = of all that have none of their own
    /// @param word of [#words], or `default`: as the logger above it
    static void set(String logger, String word) throws AdminException {
        Level level = LEVELS.get(word);
        boolean reset = word.equals("default") && !logger.isEmpty();
        if (level == null && !reset) {
            throw new AdminException(
                    AdminException.Kind.INVALID,
                    "the level is not one of " + String.join(", ", LEVELS.keySet()));
        }
        if (reset) {
            Logger changed = CHANGED.remove(logger);
            if (changed != null) {
                changed.setLevel(null);
            }
            return;
        }
        if (!logger.isEmpty() && !CHANGED.containsKey(logger) && CHANGED.size() >= LOGGERS_MAX) {
            throw new AdminException(
                    AdminException.Kind.CONFLICT,
                    LOGGERS_MAX + " loggers have levels of their own; set some to default");
        }
        Logger changing = Logger.getLogger(logger);
        changing.setLevel(level);
        if (!logger.isEmpty()) {
            CHANGED.put(logger, changing);
        }
    }
}
