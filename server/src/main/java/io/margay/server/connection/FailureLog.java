package io.margay.server.connection;

import io.margay.server.exchange.ExchangeRequest;
import io.margay.server.exchange.LogRate;
import io.margay.server.exchange.RequestFailures;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;

/// Where the catch ladder of each connection ends. Thread-safe.
///
/// What a client can cause is DEBUG. A handler's fault is ERROR: a line for each request that
/// fails, and at most one a second, the rest counted, of what fails beside requests, since a client
/// may cause that too.
public final class FailureLog {
    private static final System.Logger LOG = System.getLogger("io.margay.server");

    private final LogRate rate = new LogRate(Duration.ofSeconds(1), System::nanoTime);
    private final RequestFailures requests = new RequestFailures(LOG, System::nanoTime);

    public void clientFailed(long connectionId, IOException cause) {
        if (LOG.isLoggable(Level.DEBUG)) {
            LOG.log(Level.DEBUG, "connection " + connectionId + ": " + cause);
        }
    }

    public void handlerFailed(long connectionId, Throwable cause) {
        long others = rate.take();
        if (others != LogRate.SUPPRESSED) {
            String text = "connection " + connectionId + ": the handler failed";
            LOG.log(Level.ERROR, others == 0 ? text : text + " (and " + others + " more)", cause);
        }
    }

    /// The same where it is known for which request.
    void handlerFailed(ExchangeRequest exchange, Throwable cause) {
        requests.log(
                "connection " + exchange.connectionId() + ": the handler failed", exchange, cause);
    }
}
