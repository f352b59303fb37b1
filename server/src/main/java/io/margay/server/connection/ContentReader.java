package io.margay.server.connection;

import io.margay.protocol.http.ProtocolError;
import io.margay.server.exchange.RequestBodyException;
import io.margay.transport.Connection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Gives a handler the content of its request: asks the client for it, waits for it, and judges how
/// fast it comes. After a switch of protocols it gives the raw bytes of the connection. Owned as
/// its exchange is.
final class ContentReader {
    /// What a client did that sends no content.
    static final ProtocolError TIMEOUT =
            ProtocolError.of(408, "RFC 9110 §15.5.9", "the content did not arrive in time");

    private static final ProtocolError CLIENT_LEFT =
            ProtocolError.of(400, "RFC 9112 §8", "the client left while content was awaited");

    private static final byte[] CONTINUE =
            "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final Http1Exchange exchange;
    private final Http1Context context;
    private final Connection io;
    private final Http1Input input;
    private final Http1Output output;
    private final ContentSource body;
    private final ResponseFraming response;
    private boolean continueDue;
    private boolean raw;
    private @Nullable Pace pace;

    ContentReader(
            Http1Exchange exchange,
            Http1Context context,
            ConnectionFlow flow,
            ResponseFraming response) {
        this.exchange = exchange;
        this.context = context;
        this.response = response;
        io = flow.io;
        input = flow.input;
        output = flow.output;
        body = exchange.body();
        continueDue = exchange.request().expectContinue();
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
        return raw ? input.ended && input.isEmpty() : body.ended();
    }

    /// Whether this is HTTP still, and its content has been read.
    boolean isRead() {
        return !raw && body.ended();
    }

    /// Whether [#poll] would say something without new input.
    boolean isReady() {
        return body.error() != null
                || !input.isEmpty()
                || (raw ? input.ended : body.ended() || body.hasContent());
    }

    boolean isContinueDue() {
        return continueDue;
    }

    /// The handler has sent `100 Continue` itself.
    void continueSent() {
        continueDue = false;
    }

    /// The client has been waited for, so long.
    void waited(long nanos) {
        if (!raw) {
            pace().waited(nanos);
        }
    }

    private Pace pace() {
        Pace known = pace;
        if (known == null) {
            known = new Pace(context.limits.rateGrace().toNanos(), context.limits.bodyRateMin());
            pace = known;
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
            long start = System.nanoTime();
            long patience = raw ? Long.MAX_VALUE : context.bodyNanos;
            boolean came;
            try {
                came = io.await(Connection.READ, patience);
            } catch (IOException e) {
                throw left(e);
            }
            if (!came) {
                throw givenUp();
            }
            waited(System.nanoTime() - start);
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
                if (!waits && io.blocking() && !io.await(Connection.READ, 0)) {
                    return 0;
                }
                int received = receiveMore(target, offset, length);
                if (received == 0) {
                    return 0;
                }
                count = received > 0 ? received : body.take(target, offset, length);
                checkPace(count);
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
        long start = io.blocking() ? System.nanoTime() : 0;
        awaitAlien();
        int received = body.receive(target, offset, length);
        if (io.blocking()) {
            pace().waited(System.nanoTime() - start);
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
        if (io.blocking() && !io.inLoop()) {
            long patience = context.bodyNanos;
            if (!io.await(Connection.READ, patience)) {
                throw givenUp();
            }
        }
    }

    private void checkPace(int count) throws RequestBodyException {
        Pace known = pace;
        if (known != null && count > 0) {
            known.moved(count);
            if (known.isTooSlow()) {
                throw givenUp();
            }
        }
    }

    private int pollRaw(byte[] target, int offset, int length) throws IOException {
        if (!input.isEmpty()) {
            int count = Math.min(length, input.available());
            System.arraycopy(input.bytes, input.from, target, offset, count);
            input.from += count;
            return count;
        }
        if (input.ended) {
            return -1;
        }
        input.releaseIfEmpty();
        // There a read would wait, and the peer may wait for what its last bytes lead to.
        if (io.blocking() && !io.await(Connection.READ, 0)) {
            return 0;
        }
        return input.readDirect(target, offset, length);
    }

    /// Ends the content because it does not come.
    RequestBodyException stalled() {
        return body.fail(TIMEOUT);
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
        if (body.ask(output)) {
            exchange.pushNow(exchange.mayWait());
        }
    }

    private void sendContinue() throws IOException {
        if (!continueDue) {
            return;
        }
        continueDue = false;
        if (!response.isCommitted() && input.isEmpty()) {
            boolean wait = exchange.mayWait();
            output.put(CONTINUE, 0, CONTINUE.length, wait);
            exchange.pushNow(wait);
        }
    }
}
