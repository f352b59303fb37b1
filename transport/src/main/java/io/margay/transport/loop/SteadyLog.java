package io.margay.transport.loop;

import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/// The transport's logger for places that must go on whatever happens: writing a log line may need
/// a file descriptor or memory just when there is none. Stateless, thread-safe.
public final class SteadyLog {
    private static final System.Logger LOG = System.getLogger("io.margay.transport");

    private SteadyLog() {}

    /// Logs, if that is possible.
    public static void log(Level level, String text, @Nullable Throwable cause) {
        try {
            LOG.log(level, text, cause);
        } catch (RuntimeException | Error e) {
            // There is nobody left to tell; losing the line is better than losing the loop.
            printQuietly(text);
        }
    }

    private static void printQuietly(String text) {
        try {
            System.err.println("margay: " + text);
        } catch (RuntimeException | Error e) {
            // Not even that.
        }
    }
}
