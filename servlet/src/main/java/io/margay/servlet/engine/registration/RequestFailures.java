package io.margay.servlet.engine.registration;

import io.margay.server.exchange.ExchangeRequest;
import io.margay.server.exchange.LogRate;
import io.margay.server.exchange.RequestId;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/// Logs what fails in an application while it answers requests: each kind of failure with its stack
/// trace once a second at most, since clients can provoke it; the next line tells how many there
/// were in between, which are DEBUG. Thread-safe.
public final class RequestFailures {
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private final System.Logger logger;
    private final LongSupplier nanoClock;

    /// By what failed: a servlet, a listener, an error page; no more than the application has.
    private final Map<String, LogRate> rates = new ConcurrentHashMap<>();

    public RequestFailures(System.Logger logger, LongSupplier nanoClock) {
        this.logger = logger;
        this.nanoClock = nanoClock;
    }

    /// The same for a failure that may be of another level than ERROR, and then is logged as any.
    public void log(Level level, String what, ExchangeRequest request, Throwable cause) {
        if (level == Level.ERROR) {
            log(what, request, cause);
        } else if (logger.isLoggable(level)) {
            logger.log(level, text(what, request), cause);
        }
    }

    private static String text(String what, ExchangeRequest request) {
        return what + ": " + RequestId.describe(request);
    }

    /// @param what part of the application; nothing that a client chooses
    public void log(String what, ExchangeRequest request, Throwable cause) {
        LogRate rate = rates.computeIfAbsent(what, key -> new LogRate(INTERVAL, nanoClock));
        long others = rate.take();
        if (others == LogRate.SUPPRESSED) {
            if (logger.isLoggable(Level.DEBUG)) {
                logger.log(Level.DEBUG, text(what, request), cause);
            }
        } else {
            String before = others == 0 ? "" : " (and " + others + " times before)";
            logger.log(Level.ERROR, text(what, request) + before, cause);
        }
    }
}
