package io.margay.server.exchange;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Logs requests that have failed: a line for each, with what the error page names, since an
/// operator looks for the identifier. Only stack traces are limited, since clients can provoke
/// failures: of each class of exception and place, one in ten seconds; lines between two name the
/// request that has it. Thread-safe.
public final class RequestFailures {
    private static final Duration TRACE_INTERVAL = Duration.ofSeconds(10);

    /// Classes and places that are known at the same time; when there are more, all are forgotten.
    static final int PLACES_MAX = 256;

    /// Characters of an exception's message in a line.
    static final int MESSAGE_CHARS_MAX = 1_000;

    /// Causes that are followed.
    private static final int CAUSES_MAX = 32;

    private final System.Logger logger;
    private final LongSupplier nanoClock;
    private final Map<Place, Traced> traced = new ConcurrentHashMap<>();

    /// Where exceptions come from.
    private record Place(String type, @Nullable StackTraceElement top) {}

    /// The latest stack trace of a place.
    private static final class Traced {
        private final LogRate rate;
        private volatile String request = "";

        private Traced(LongSupplier nanoClock) {
            rate = new LogRate(TRACE_INTERVAL, nanoClock);
        }
    }

    public RequestFailures(System.Logger logger, LongSupplier nanoClock) {
        this.logger = logger;
        this.nanoClock = nanoClock;
    }

    /// @param level ERROR, or that of a failure which is no matter for operators
    /// @param what has failed
    public void log(Level level, String what, ExchangeRequest request, Throwable cause) {
        if (!logger.isLoggable(level)) {
            return;
        }
        Throwable root = root(cause);
        String line = what + ": " + RequestId.describe(request) + ": " + shown(root);
        if (level != Level.ERROR) {
            logger.log(level, line, cause);
            return;
        }
        Traced place = traced(root);
        if (place.rate.isDue()) {
            place.request = request.requestId();
            logger.log(level, line, cause);
        } else {
            logger.log(level, line + " (stack trace: request " + place.request + ")");
        }
    }

    public void log(String what, ExchangeRequest request, Throwable cause) {
        log(Level.ERROR, what, request, cause);
    }

    private Traced traced(Throwable root) {
        if (traced.size() >= PLACES_MAX) {
            traced.clear();
        }
        StackTraceElement[] frames = root.getStackTrace();
        Place place = new Place(root.getClass().getName(), frames.length == 0 ? null : frames[0]);
        return traced.computeIfAbsent(place, _ -> new Traced(nanoClock));
    }

    private static Throwable root(Throwable thrown) {
        Throwable root = thrown;
        for (int i = 0; i < CAUSES_MAX && root.getCause() != null; i++) {
            root = root.getCause();
        }
        return root;
    }

    private static String shown(Throwable root) {
        String text = root.toString();
        return text.length() <= MESSAGE_CHARS_MAX
                ? text
                : text.substring(0, MESSAGE_CHARS_MAX) + "...";
    }
}
