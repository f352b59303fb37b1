package io.margay.server.multiplex;

import io.margay.protocol.http.Fields;
import io.margay.protocol.http.ProtocolError;
import io.margay.protocol.multiplex.MessageStream;
import io.margay.server.connection.ConnectionContext;
import io.margay.server.connection.ServedExchange;
import io.margay.server.connection.TransferRate;
import io.margay.server.exchange.RequestBodyException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Gives a handler the content of one stream: asks the client for it, waits for it, and judges how
/// fast it comes. Guarded by the connection's lock, but for the reader's own steps.
final class StreamContent {
    private static final ProtocolError CLIENT_LEFT =
            ProtocolError.of(400, "RFC 9110 §6.1", "the client left while content was awaited");

    final StreamInflow inflow = new StreamInflow();

    /// Whether this is an extended CONNECT, which stands here as an upgrade (RFC 8441).
    final boolean extended;

    private final StreamExchange exchange;
    private final StreamExchanges streams;
    private final ConnectionContext context;
    private final MessageStream stream;
    private @Nullable TransferRate rate;
    private volatile boolean continueDue;
    private volatile boolean raw;

    StreamContent(
            StreamExchange exchange,
            StreamExchanges streams,
            ConnectionContext context,
            MessageStream stream) {
        this.exchange = exchange;
        this.streams = streams;
        this.context = context;
        this.stream = stream;
        continueDue = exchange.request().expectContinue();
        extended = exchange.request().fields().contains("upgrade");
        if (stream.isInputEnded()) {
            inflow.end();
        }
    }

    /// The handler has sent `100 Continue` itself.
    void continueSent() {
        continueDue = false;
    }

    /// The extended CONNECT has been accepted.
    void switchToRaw() {
        raw = true;
    }

    /// Whether [#take] would say something.
    boolean isReady() {
        streams.lock.lock();
        try {
            return inflow.isReady() || isRefused();
        } finally {
            streams.lock.unlock();
        }
    }

    boolean isEnded() {
        streams.lock.lock();
        try {
            return isRefused() || inflow.isEnded();
        } finally {
            streams.lock.unlock();
        }
    }

    /// An extended CONNECT has no content unless it is accepted.
    private boolean isRefused() {
        return extended && !raw;
    }

    Fields trailers() {
        streams.lock.lock();
        try {
            return inflow.isEnded() ? inflow.trailers : Fields.EMPTY;
        } finally {
            streams.lock.unlock();
        }
    }

    /// The stream has ended before its time. Under the lock.
    void failed() {
        if (!inflow.isEnded()) {
            inflow.fail(CLIENT_LEFT);
        }
    }

    /// Gives bytes, 0 for none now, -1 for the end.
    ///
    /// @param waits whether to wait for at least one
    int take(byte[] target, int offset, int length, boolean waits) throws IOException {
        if (isRefused()) {
            return -1;
        }
        boolean tell = false;
        int count;
        streams.lock.lock();
        try {
            count = takeNow(target, offset, length);
            if (count > 0) {
                tell = stream.used(count);
            } else if (count == 0 && length > 0 && continueDue) {
                ask();
                tell = true;
            }
        } finally {
            streams.lock.unlock();
        }
        if (tell) {
            streams.flush();
        }
        return count == 0 && length > 0 && waits ? await(target, offset, length) : count;
    }

    private int takeNow(byte[] target, int offset, int length) throws IOException {
        RequestBodyException error = inflow.error;
        if (error != null) {
            throw error;
        }
        int count = streams.held.take(inflow, target, offset, length);
        TransferRate known = rate;
        if (count > 0 && known != null) {
            known.moved(count);
        }
        if (count != 0 && inflow.askedNanos != 0) {
            inflow.waitedNanos += context.now() - inflow.askedNanos;
            inflow.askedNanos = 0;
        }
        return count;
    }

    private void ask() {
        continueDue = false;
        exchange.response.putContinue();
    }

    private int await(byte[] target, int offset, int length) throws IOException {
        boolean tell = false;
        int count = 0;
        streams.lock.lock();
        try {
            inflow.awaitedNanos = context.now();
            inflow.askedNanos = inflow.awaitedNanos;
            while (count == 0) {
                exchange.requireNotOver();
                count = takeNow(target, offset, length);
                if (count == 0) {
                    exchange.changed().await();
                }
            }
            tell = count > 0 && stream.used(count);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new java.io.InterruptedIOException("interrupted while waiting");
        } finally {
            inflow.awaitedNanos = 0;
            streams.lock.unlock();
        }
        if (tell) {
            streams.flush();
        }
        return count;
    }

    /// How long the client was waited for, nanoseconds. After the end.
    long waitedNanos() {
        return inflow.waitedNanos;
    }

    /// A task waits for content from now on.
    void beginWait() {
        streams.lock.lock();
        try {
            if (continueDue && !inflow.isReady()) {
                ask();
            }
            inflow.awaitedNanos = 0;
            inflow.askedNanos = inflow.isReady() ? 0 : context.now();
        } finally {
            streams.lock.unlock();
        }
        streams.flush();
    }

    /// Looks whether the client sends what is waited for. Under the lock.
    ///
    /// @param elapsed since the last look
    /// @param awaitsInput whether a task waits for content
    /// @return what is wrong with it, or null
    @Nullable RequestBodyException look(long now, long elapsed, boolean awaitsInput) {
        boolean awaited = inflow.awaitedNanos != 0 || awaitsInput;
        if (!awaited || inflow.isReady() || raw) {
            return null;
        }
        if (inflow.awaitedNanos == 0) {
            inflow.awaitedNanos = now;
        }
        TransferRate known = rate;
        if (known == null) {
            known = context.inputRate();
            rate = known;
        }
        known.waited(elapsed);
        boolean late = now - inflow.awaitedNanos > context.bodyNanos || known.isTooSlow();
        return late ? inflow.fail(ServedExchange.CONTENT_TIMEOUT) : null;
    }
}
