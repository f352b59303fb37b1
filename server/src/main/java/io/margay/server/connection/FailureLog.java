package io.margay.server.connection;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicLong;

/// Where the catch ladder of each connection ends. Thread-safe.
///
/// What a client can cause is DEBUG. A handler's fault is ERROR, but at most one a second, since a
/// client may cause that too; the rest is counted.
final class FailureLog {
    private static final System.Logger LOG = System.getLogger("io.margay.server");
    private static final long INTERVAL_NANOS = 1_000_000_000L;

    private final AtomicLong nextNanos = new AtomicLong(System.nanoTime());
    private final AtomicLong suppressed = new AtomicLong();

    void clientFailed(long connectionId, IOException cause) {
        if (LOG.isLoggable(Level.DEBUG)) {
            LOG.log(Level.DEBUG, "connection " + connectionId + ": " + cause);
        }
    }

    void handlerFailed(long connectionId, Throwable cause) {
        long next = nextNanos.get();
        long now = System.nanoTime();
        if (now - next < 0 || !nextNanos.compareAndSet(next, now + INTERVAL_NANOS)) {
            suppressed.incrementAndGet();
            return;
        }
        long others = suppressed.getAndSet(0);
        String text = "connection " + connectionId + ": the handler failed";
        LOG.log(Level.ERROR, others == 0 ? text : text + " (and " + others + " more)", cause);
    }
}
