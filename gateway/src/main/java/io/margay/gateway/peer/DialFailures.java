package io.margay.gateway.peer;

import io.margay.gateway.balance.Outcome;
import io.margay.gateway.balance.Peer;
import java.io.IOException;
import java.lang.System.Logger.Level;
import javax.net.ssl.SSLException;

/// Tells why no connection to a peer came about, and warns of TLS that fails: it takes an operator
/// to mend that, but each request may meet it. Confined to the loop of its pool.
final class DialFailures {
    private static final System.Logger LOG = System.getLogger("io.margay.gateway");
    private static final long WARNING_PAUSE_NANOS = 60_000_000_000L;

    private final PeerLoop loop;
    private final Peer peer;
    private boolean warned;
    private long warnedNanos;

    DialFailures(PeerLoop loop, Peer peer) {
        this.loop = loop;
        this.peer = peer;
    }

    /// How the attempts that wanted the connection have ended.
    Outcome outcome(IOException failure) {
        if (!(failure instanceof SSLException)) {
            return Outcome.CONNECT_FAILED;
        }
        long now = loop.nanoTime();
        if (!warned || now - warnedNanos >= WARNING_PAUSE_NANOS) {
            warned = true;
            warnedNanos = now;
            LOG.log(Level.WARNING, "TLS with {0} failed: {1}", peer.config().name(), text(failure));
        }
        return Outcome.TLS_FAILED;
    }

    private static String text(IOException failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        String text = String.valueOf(failure.getMessage());
        String first = String.valueOf(cause.getMessage());
        return first.equals(text) ? text : text + ": " + first;
    }
}
