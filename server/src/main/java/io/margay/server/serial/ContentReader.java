package io.margay.server.serial;

import io.margay.protocol.http.ProtocolError;
import io.margay.server.connection.ServedExchange;
import io.margay.server.connection.TransferRate;
import io.margay.server.exchange.RequestBodyException;
import io.margay.transport.Connection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Gives a handler the content of its request: asks the client for it, waits for it, and judges how
/// fast it comes. After a switch of protocols it gives the raw bytes of the connection. Owned as
/// its exchange is.
final class ContentReader {
    private static final ProtocolError CLIENT_LEFT =
            ProtocolError.of(400, "RFC 9112 §8", "the client left while content was awaited");

    private static final byte[] CONTINUE =
            "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final SerialExchange exchange;
    private final ConnectionFlow flow;
    private final ContentSource body;
    private final ResponseWriter writer;
    private boolean continueDue;
    private boolean raw;
    private @Nullable TransferRate rate;

    ContentReader(
            SerialExchange exchange,
            ConnectionFlow flow,
            ContentSource body,
            ResponseWriter writer) {
        this.exchange = exchange;
        this.flow = flow;
        this.body = body;
        this.writer = writer;
        continueDue = exchange.request().expectContinue();
    }

    ContentSource body() {
        return body;
    }

    /// Whether the protocol was switched.
    boolean isRaw() {
        return raw;
    }

    /// Whether who reads it may have to wait for the client.
    boolean mayStall() {
        return !raw && !body.received();
    }

    void switchToRaw() {
        raw = true;
    }

    /// Whether there is nothing more to read.
    boolean isEnded() {
        return raw ? flow.input.ended && flow.input.isEmpty() : body.ended();
    }

    /// Whether this is HTTP still, and its content has been read.
    boolean isRead() {
        return !raw && body.ended();
    }

    /// Whether [#poll] would say something without new flow.input.
    boolean isReady() {
        return body.error() != null
                || !flow.input.isEmpty()
                || (raw ? flow.input.ended : body.ended() || body.hasContent());
    }

    boolean isContinueDue() {
        return continueDue;
    }

    /// The handler has sent `100 Continue` itself.
    void continueSent() {
        continueDue = false;
    }

    /// The client is waited for from now on, until [#awaited].
    void beginWait() {
        if (!raw) {
            rate().beginWait();
        }
    }

    void awaited() {
        if (!raw) {
            rate().endWait();
        }
    }

    /// How long the client was waited for, nanoseconds.
    long waitedNanos() {
        return rate == null ? 0 : rate.waitedNanos();
    }

    private TransferRate rate() {
        TransferRate known = rate;
        if (known == null) {
            known = flow.context.inputRate();
            rate = known;
        }
        return known;
    }

    /// Gives bytes, for which it waits, or -1 for the end.
    int read(byte[] target, int offset, int length) throws IOException {
        while (true) {
            int count = take(target, offset, length, true);
            if (count != 0 || length == 0) {
                return count;
            }
            beginWait();
            long patience = raw ? Long.MAX_VALUE : flow.context.bodyNanos;
            boolean came;
            try {
                came = flow.io.await(Connection.READ, patience);
            } catch (IOException e) {
                throw left(e);
            }
            if (!came) {
                throw givenUp();
            }
            awaited();
        }
    }

    /// Gives what can be had now: bytes, 0 for nothing, -1 for the end.
    int poll(byte[] target, int offset, int length) throws IOException {
        return take(target, offset, length, false);
    }

    /// @param waits whether on a blocking connection it may wait for more
    private int take(byte[] target, int offset, int length, boolean waits) throws IOException {
        exchange.requireOpen();
        if (raw) {
            return pollRaw(target, offset, length);
        }
        try {
            int count = body.take(target, offset, length);
            while (count == 0 && length > 0) {
                ask();
                if (!waits && flow.io.blocking() && !flow.io.await(Connection.READ, 0)) {
                    return 0;
                }
                int received = receiveMore(target, offset, length);
                if (received == 0) {
                    return 0;
                }
                count = received > 0 ? received : body.take(target, offset, length);
                checkRate(count);
            }
            return count;
        } catch (RequestBodyException e) {
            exchange.contentFailed(e);
            throw e;
        } catch (IOException e) {
            throw left(e);
        }
    }

    private int receiveMore(byte[] target, int offset, int length) throws IOException {
        boolean waits = flow.io.blocking();
        if (waits) {
            rate().beginWait();
        }
        awaitAlien();
        int received = body.receive(target, offset, length);
        if (waits) {
            rate().endWait();
        }
        RequestBodyException error = body.error();
        if (error != null) {
            throw error;
        }
        return received;
    }

    /// On a blocking connection a read is bounded in time by the deadline; but that belongs to the
    /// connection's own thread, so others wait before they read.
    private void awaitAlien() throws IOException {
        if (flow.io.blocking() && !flow.io.inLoop()) {
            long patience = flow.context.bodyNanos;
            if (!flow.io.await(Connection.READ, patience)) {
                throw givenUp();
            }
        }
    }

    private void checkRate(int count) throws RequestBodyException {
        TransferRate known = rate;
        if (known != null && count > 0) {
            known.moved(count);
            if (known.isTooSlow()) {
                throw givenUp();
            }
        }
    }

    private int pollRaw(byte[] target, int offset, int length) throws IOException {
        if (!flow.input.isEmpty()) {
            int count = Math.min(length, flow.input.available());
            System.arraycopy(flow.input.bytes, flow.input.from, target, offset, count);
            flow.input.from += count;
            return count;
        }
        if (flow.input.ended) {
            return -1;
        }
        flow.input.releaseIfEmpty();
        // There a read would wait, and the peer may wait for what its last bytes lead to.
        if (flow.io.blocking() && !flow.io.await(Connection.READ, 0)) {
            return 0;
        }
        return flow.input.readDirect(target, offset, length);
    }

    /// Ends the content because it does not come.
    RequestBodyException stalled() {
        return body.fail(ServedExchange.CONTENT_TIMEOUT);
    }

    private RequestBodyException givenUp() {
        RequestBodyException e = stalled();
        exchange.contentFailed(e);
        return e;
    }

    private RequestBodyException left(IOException cause) {
        RequestBodyException e = body.fail(CLIENT_LEFT);
        e.addSuppressed(cause);
        exchange.fail(e);
        return e;
    }

    /// Makes the client send content where it waits to be asked.
    void ask() throws IOException {
        sendContinue();
        if (body.ask(flow.output)) {
            writer.pushNow(exchange.mayWait());
        }
    }

    private void sendContinue() throws IOException {
        if (!continueDue) {
            return;
        }
        continueDue = false;
        if (!exchange.committed() && flow.input.isEmpty()) {
            boolean wait = exchange.mayWait();
            flow.output.put(CONTINUE, 0, CONTINUE.length, wait);
            writer.pushNow(wait);
        }
    }
}
