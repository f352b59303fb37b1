package io.margay.gateway.proxy;

import io.margay.gateway.peer.HeldBytes;
import io.margay.gateway.peer.LoopConnections;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.ResponseHead;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.MemoryBudget;
import io.margay.server.exchange.RequestBodyException;
import io.margay.server.host.StatusResponse;
import io.margay.transport.Dialer;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The response to the client: passed on as it comes, or held until it is complete where another
/// peer could be asked if it were cut off. Confined to its exchange's loop.
final class ResponseRelay {
    private enum Mode {
        /// Passed on as it comes.
        STREAMING,
        /// Held until its declared length has come.
        HELD,
        /// Held for a moment, since its length is not known.
        HELD_OPEN,
        /// Bytes of another protocol.
        RAW
    }

    private static final String STREAM = "text/event-stream";

    /// What is held at first of a response whose length is not known.
    private static final int OPEN_BYTES = 8192;

    private final Exchange exchange;
    private final int heldBytesMax;
    private final MemoryBudget memory;
    private Mode mode = Mode.STREAMING;
    private @Nullable HeldBytes held;

    /// Runs while a response of unknown length is held.
    private Dialer.@Nullable Timer release;

    /// What is likely to be held in all.
    private int expected;

    private long received;

    ResponseRelay(Exchange exchange, int heldBytesMax, MemoryBudget memory) {
        this.exchange = exchange;
        this.heldBytesMax = heldBytesMax;
        this.memory = memory;
    }

    /// Begins a response.
    ///
    /// @return the fields of the response to the client, to be filled
    FieldList fields(int status) {
        FieldList fields = exchange.fields();
        fields.clear();
        exchange.status(status);
        return fields;
    }

    /// Takes the head, after its fields.
    ///
    /// @param repeatable whether the request could be sent to another peer instead
    void head(ResponseHead head, boolean repeatable) {
        long length = head.contentLength();
        boolean open = length == ResponseHead.UNKNOWN_LENGTH && !isStream(head);
        boolean fits = length > 0 && length <= heldBytesMax;
        drop();
        if (repeatable && open) {
            mode = Mode.HELD_OPEN;
            expected = OPEN_BYTES;
        } else if (repeatable && fits) {
            mode = Mode.HELD;
            expected = (int) length;
        }
    }

    /// Whether the peer says that it sends event by event.
    private static boolean isStream(ResponseHead head) {
        String type = head.field("content-type");
        return type != null && type.regionMatches(true, 0, STREAM, 0, STREAM.length());
    }

    /// Whether a response is held whose length is not known: not for long.
    boolean isHeldOpen() {
        return mode == Mode.HELD_OPEN;
    }

    /// A response of unknown length is held only for a moment, in which most are complete.
    ///
    /// @param later what is done then, if it is still held
    void releaseSoon(LoopConnections loop, Runnable later) {
        if (release == null) {
            release =
                    loop.dialer()
                            .timer(() -> {
                                release = null;
                                later.run();
                            });
            release.at(loop.nanoTime() + loop.limits().openResponseHeld().toNanos());
        }
    }

    private boolean isHeld() {
        return mode == Mode.HELD || mode == Mode.HELD_OPEN;
    }

    /// Passes on what is held; from now on the response goes as it comes.
    void release() throws IOException {
        if (isHeld()) {
            mode = Mode.STREAMING;
            if (!passHeld()) {
                exchange.flush();
            }
        }
    }

    /// @return whether there was anything
    private boolean passHeld() throws IOException {
        HeldBytes all = held;
        if (all == null || all.length() == 0) {
            return false;
        }
        exchange.offer(all.bytes(), 0, all.length());
        exchange.push();
        all.drop();
        return true;
    }

    /// Content, or nothing to have the head sent.
    void content(byte[] bytes, int from, int to) throws IOException {
        received += to - from;
        if (isHeld() && hold(bytes, from, to)) {
            return;
        }
        release();
        if (from < to) {
            exchange.offer(bytes, from, to - from);
            exchange.push();
        } else if (!exchange.committed()) {
            exchange.flush();
        }
    }

    /// @return false when it is too long, or there is no memory for it
    private boolean hold(byte[] bytes, int from, int to) {
        HeldBytes all = held;
        if (all == null) {
            all = new HeldBytes(memory);
            held = all;
        }
        boolean tooLong = mode == Mode.HELD_OPEN && all.length() + to - from > heldBytesMax;
        return !tooLong && all.add(bytes, from, to, expected);
    }

    void end(byte[] bytes, int from, int to, Fields trailers) throws IOException {
        received += to - from;
        if (mode == Mode.RAW) {
            exchange.end(bytes, from, to - from);
            return;
        }
        if (trailers.size() > 0) {
            exchange.trailers(() -> list(trailers));
        }
        HeldBytes all = held;
        if (all == null || all.length() == 0) {
            exchange.end(bytes, from, to - from);
        } else if (all.add(bytes, from, to, expected)) {
            int length = all.length();
            exchange.end(all.take(), 0, length);
        } else {
            boolean _ = passHeld();
            exchange.end(bytes, from, to - from);
        }
    }

    private static FieldList list(Fields fields) {
        FieldList list = new FieldList();
        for (int i = 0; i < fields.size(); i++) {
            list.add(fields, i);
        }
        return list;
    }

    /// Whether the client has seen something of it.
    boolean isCommitted() {
        return exchange.committed();
    }

    /// Forgets a response that was not passed on.
    void reset() {
        if (!exchange.committed()) {
            exchange.fields().clear();
            exchange.status(200);
        }
        drop();
        received = 0;
    }

    /// Forgets what is held.
    void drop() {
        if (held != null) {
            held.drop();
        }
        if (isHeld()) {
            mode = Mode.STREAMING;
        }
    }

    /// Bytes of content that the peer has sent.
    long received() {
        return received;
    }

    // Instead of a response

    /// The gateway's own response; the client sees a failure when it is too late for one.
    void respond(int status, String text) throws IOException {
        drop();
        if (exchange.committed()) {
            exchange.abort();
            return;
        }
        exchange.fields().clear();
        if (status == 503) {
            exchange.fields().add("Retry-After", "1");
        }
        StatusResponse.plain(exchange, status, text);
    }

    void clientFailed(Exception cause) {
        drop();
        try {
            if (cause instanceof RequestBodyException broken && !exchange.committed()) {
                respond(broken.error().status(), broken.error().text());
            } else {
                exchange.abort();
            }
        } catch (IOException e) {
            exchange.abort();
        }
    }

    // After a switch of protocols

    void upgrade() throws IOException {
        exchange.upgrade();
        mode = Mode.RAW;
    }

    /// Ends what was switched: the peer is gone.
    void endRaw() {
        try {
            exchange.end();
        } catch (IOException e) {
            exchange.abort();
        }
    }
}
