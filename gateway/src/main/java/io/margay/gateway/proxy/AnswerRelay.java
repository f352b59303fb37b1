package io.margay.gateway.proxy;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.ResponseHead;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.RequestBodyException;
import io.margay.server.host.Answers;
import java.io.IOException;
import java.util.Arrays;

/// The answer to the client: passed on as it comes, or held until it is complete where another peer
/// could be asked if it were cut off. Confined to its exchange's loop.
final class AnswerRelay {
    private static final byte[] NOTHING = new byte[0];
    private static final String STREAM = "text/event-stream";

    /// What is held at first of an answer whose length is not known.
    private static final int OPEN_BYTES = 8192;

    private final Exchange exchange;
    private final int heldBytesMax;
    private byte[] held = NOTHING;
    private int heldLength;
    private int heldSize;
    private boolean holds;
    private boolean holdsOpen;
    private boolean raw;
    private long received;

    AnswerRelay(Exchange exchange, int heldBytesMax) {
        this.exchange = exchange;
        this.heldBytesMax = heldBytesMax;
    }

    /// Begins an answer.
    ///
    /// @return the fields of the answer to the client, to be filled
    FieldList fields(int status) {
        FieldList fields = exchange.fields();
        fields.clear();
        exchange.status(status);
        return fields;
    }

    /// Takes the head, after its fields.
    ///
    /// @param repeatable whether the request could be answered by another peer instead
    void head(ResponseHead head, boolean repeatable) {
        long length = head.contentLength();
        boolean open = length == ResponseHead.UNKNOWN_LENGTH && !isStream(head);
        holds = repeatable && (open || (length > 0 && length <= heldBytesMax));
        holdsOpen = holds && open;
        heldSize = open ? OPEN_BYTES : (int) Math.min(length, heldBytesMax);
        held = NOTHING;
        heldLength = 0;
    }

    /// Whether the peer says that it sends event by event.
    private static boolean isStream(ResponseHead head) {
        String type = head.field("content-type");
        return type != null && type.regionMatches(true, 0, STREAM, 0, STREAM.length());
    }

    /// Whether an answer is held whose length is not known: not for long.
    boolean holdsOpen() {
        return holdsOpen;
    }

    /// Passes on what is held; from now on the answer goes as it comes.
    void release() throws IOException {
        if (holds) {
            holds = false;
            holdsOpen = false;
            if (heldLength > 0) {
                exchange.offer(held, 0, heldLength);
            } else {
                exchange.flush();
            }
            held = NOTHING;
            heldLength = 0;
        }
    }

    /// Content, or nothing to have the head sent.
    void content(byte[] bytes, int from, int to) throws IOException {
        received += to - from;
        if (holdsOpen && heldLength + to - from > heldBytesMax) {
            release();
        }
        if (holds) {
            hold(bytes, from, to);
        } else if (from < to) {
            exchange.offer(bytes, from, to - from);
        } else if (!exchange.committed()) {
            exchange.flush();
        }
    }

    private void hold(byte[] bytes, int from, int to) {
        int length = heldLength + to - from;
        if (length > held.length) {
            held = Arrays.copyOf(held, Math.max(length, Math.max(heldSize, held.length * 2)));
        }
        System.arraycopy(bytes, from, held, heldLength, to - from);
        heldLength += to - from;
    }

    void end(byte[] bytes, int from, int to, Fields trailers) throws IOException {
        received += to - from;
        if (raw) {
            exchange.end(bytes, from, to - from);
            return;
        }
        if (trailers.size() > 0) {
            exchange.trailers(() -> list(trailers));
        }
        holdsOpen = false;
        if (heldLength > 0) {
            hold(bytes, from, to);
            exchange.end(held, 0, heldLength);
            return;
        }
        exchange.end(bytes, from, to - from);
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

    /// Forgets an answer that was not passed on.
    void reset() {
        if (!exchange.committed()) {
            exchange.fields().clear();
            exchange.status(200);
        }
        holds = false;
        holdsOpen = false;
        held = NOTHING;
        heldLength = 0;
        received = 0;
    }

    /// Bytes of content that the peer has sent.
    long received() {
        return received;
    }

    // Instead of an answer

    /// The gateway's own answer; the client sees a failure when it is too late for one.
    void answer(int status, String text) throws IOException {
        if (exchange.committed()) {
            exchange.abort();
            return;
        }
        exchange.fields().clear();
        if (status == 503) {
            exchange.fields().add("Retry-After", "1");
        }
        Answers.plain(exchange, status, text);
    }

    void clientFailed(Exception cause) {
        try {
            if (cause instanceof RequestBodyException broken && !exchange.committed()) {
                answer(broken.error().status(), broken.error().text());
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
        raw = true;
    }

    boolean isRaw() {
        return raw;
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
