package io.margay.server.http2;

import io.margay.protocol.http.ProtocolError;
import io.margay.protocol.http2.Http2;
import io.margay.protocol.http2.Http2Session;
import io.margay.protocol.http2.Http2Session.Event;
import io.margay.protocol.http2.Http2Session.Role;
import io.margay.protocol.http2.Http2Stream;
import io.margay.server.connection.ClientIdentity;
import io.margay.server.connection.ConnectionContext;
import io.margay.server.connection.ConnectionInput;
import io.margay.server.multiplex.StreamExchange;
import io.margay.server.multiplex.StreamExchanges;
import io.margay.transport.Connection;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// What the loop of an HTTP/2 connection and the threads of its exchanges share: the session with
/// its streams and its output, and the exchanges under way.
///
/// All of it is guarded by the lock of `exchanges`, which is never held during I/O or foreign code.
final class Http2Streams {
    /// Output that may wait for more until the end of the loop's round, octets.
    private static final int LITTLE_BYTES = 16 * 1024;

    final Http2Session session;
    final StreamExchanges exchanges;

    private final Http2Writer writer;

    /// When the octets came that the loop looks at: one time for all that came together.
    long receivedNanos;

    /// The exchange that the last event is about. Of the loop.
    private @Nullable StreamExchange exchange;

    /// Of who has the writer's token.
    private byte[] taken = new byte[0];

    Http2Streams(
            Connection io,
            ConnectionContext context,
            Http2Writer writer,
            StreamExchanges.Owner connection) {
        this.writer = writer;
        session =
                new Http2Session(
                        Role.SERVER,
                        context.limits.http2(),
                        ClientIdentity.scheme(io).equals("https"),
                        context.limits.http1().bodyBytesMax(),
                        context.characters);
        exchanges =
                new StreamExchanges(
                        io,
                        context,
                        connection,
                        context.memory,
                        context.limits.http2().executionsMax(),
                        session.output()::size);
    }

    void lock() {
        exchanges.lock.lock();
    }

    void unlock() {
        exchanges.lock.unlock();
    }

    // Input, on the loop

    /// One step of the session, and what it changes at once.
    Event receive(ConnectionInput input) {
        lock();
        try {
            int from = input.from;
            Event event = session.receive(input.bytes, from, input.to);
            input.from = session.consumed();
            exchange = null;
            Http2Stream stream = session.stream();
            if (stream != null) {
                exchange =
                        event == Event.HEAD || event == Event.REFUSED
                                ? exchanges.open(
                                        stream,
                                        session.requestHead(),
                                        receivedNanos,
                                        event == Event.HEAD)
                                : StreamExchanges.of(stream);
                if (exchange != null) {
                    exchange.received(input.from - from);
                    note(event, exchange, input);
                }
            } else if (event == Event.ROOM) {
                exchanges.roomForAll();
            }
            return event;
        } finally {
            unlock();
        }
    }

    private void note(Event event, StreamExchange of, ConnectionInput input) {
        switch (event) {
            case DATA -> exchanges.content(of, input.bytes, session.dataFrom(), session.dataTo());
            case TRAILERS -> exchanges.trailers(of, session.trailers());
            case RESET -> of.failed(resetOf(session.refusal()));
            case ROOM -> exchanges.enqueue(of);
            case PRIORITY -> exchanges.priority(of, session.priority());
            default -> {}
        }
    }

    /// The exchange that the last event is about, or null.
    @Nullable StreamExchange exchange() {
        return exchange;
    }

    static IOException resetOf(@Nullable ProtocolError error) {
        return new IOException(
                error == null
                        ? "the client has reset the stream"
                        : error.text() + " (" + error.section() + ")");
    }

    /// Whether there is memory for the head that is on its way.
    boolean hasRoomForHead() {
        if (!session.isWithinBlock() && !exchanges.held.hasHead()) {
            return true;
        }
        lock();
        try {
            return exchanges.held.head(session.blockBytes());
        } finally {
            unlock();
        }
    }

    // Output

    /// See [Http2Writer.Source#takeOutput].
    int takeOutput(byte[] empty) {
        lock();
        try {
            exchanges.pump();
            int count = session.output().size();
            if (count > 0) {
                taken = session.output().exchange(empty);
            }
            return count;
        } finally {
            unlock();
        }
    }

    byte[] takenOutput() {
        return taken;
    }

    /// See [Http2Writer.Source#hasLittle].
    boolean hasLittleOutput() {
        lock();
        try {
            return session.output().size() <= LITTLE_BYTES;
        } finally {
            unlock();
        }
    }

    /// Whether nothing was put since the writer looked last, such as the GOAWAY before the close.
    boolean isOutputEmpty() {
        lock();
        try {
            return session.output().size() == 0;
        } finally {
            unlock();
        }
    }

    // The end

    boolean isGoingAway() {
        lock();
        try {
            return exchanges.isLeaving();
        } finally {
            unlock();
        }
    }

    /// Says that no stream after `lastStream` is served, unless that has been said.
    void goAway(int lastStream) {
        lock();
        try {
            if (exchanges.leave()) {
                session.goAway(lastStream, Http2.NO_ERROR);
            }
        } finally {
            unlock();
        }
    }

    /// Says that no more streams are served, and why.
    void goAwayNow(int code) {
        lock();
        try {
            boolean _ = exchanges.leave();
            session.goAway(session.lastPeerId(), code);
        } finally {
            unlock();
        }
    }

    /// Says that no more streams are served than the client begins before it learns of that, which
    /// a pong tells (RFC 9113 §6.8).
    ///
    /// @param patient whether that holds also where nothing is under way
    /// @return whether nothing more may come
    boolean drain(boolean patient) {
        lock();
        try {
            boolean _ = exchanges.leave();
            if (exchanges.isEmpty() && !patient) {
                session.goAway(session.lastPeerId(), Http2.NO_ERROR);
                return true;
            }
            session.goAway(Http2.WINDOW_MAX, Http2.NO_ERROR);
            session.ping();
            return false;
        } finally {
            unlock();
        }
    }

    /// The client knows that we go, and has sent nothing more before it knew.
    ///
    /// @return whether nothing is under way
    boolean drained() {
        lock();
        try {
            if (!exchanges.isLeaving()) {
                return false;
            }
            session.goAway(session.lastPeerId(), Http2.NO_ERROR);
            return exchanges.isEmpty();
        } finally {
            unlock();
        }
    }

    // Time, on the loop

    /// Lets so many seconds pass for the session, and has streams send that waited for long.
    ///
    /// @return the exchanges under way
    StreamExchange[] pass(int seconds, long now) {
        lock();
        try {
            if (seconds > 0) {
                session.seconds(seconds);
            }
            session.hurry(true);
            exchanges.hasten(now);
            exchanges.roomForAll();
            session.hurry(false);
            return exchanges.live();
        } finally {
            unlock();
        }
    }

    /// Since when there has been no exchange; only while there is none.
    long idleSinceNanos() {
        lock();
        try {
            return exchanges.idleSinceNanos();
        } finally {
            unlock();
        }
    }

    /// Gives back what an idle session does not need.
    void trim() {
        writer.trim();
        lock();
        try {
            session.idle();
        } finally {
            unlock();
        }
    }
}
