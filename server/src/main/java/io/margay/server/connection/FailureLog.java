package io.margay.server.connection;

import io.margay.server.exchange.ExchangeRequest;
import io.margay.server.exchange.LogRate;
import io.margay.server.exchange.RequestId;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;

/// Where the catch ladder of each connection ends. Thread-safe.
///
/// What a client can cause is DEBUG. A handler's fault is ERROR, but at most one a second, since a
/// client may cause that too; the rest is counted.
public final class FailureLog {
    private static final System.Logger LOG = System.getLogger("io.margay.server");

    private final LogRate rate = new LogRate(Duration.ofSeconds(1), System::nanoTime);

    public void clientFailed(long connectionId, IOException cause) {
        if (LOG.isLoggable(Level.DEBUG)) {
            LOG.log(Level.DEBUG, "connection " + connectionId + ": " + cause);
        }
    }

    public void handlerFailed(long connectionId, Throwable cause) {
        failed("connection " + connectionId + ": the handler failed", cause);
    }

    /// The same where it is known for which request.
    void handlerFailed(ExchangeRequest exchange, Throwable cause) {
        failed(
                "connection "
                        + exchange.connectionId()
                        + ": the handler failed: "
                        + RequestId.describe(exchange),
                cause);
    }

    private void failed(String text, Throwable cause) {
        long others = rate.take();
        if (others == LogRate.SUPPRESSED) {
            return;
        }
        LOG.log(Level.ERROR, others == 0 ? text : text + " (and " + others + " more)", cause);
    }
}
