package io.margay.protocol.http3;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.multiplex.MessageStream;
import io.margay.protocol.quic.stream.QuicStream;
import org.jspecify.annotations.Nullable;

/// One request and its response (RFC 9114 §4.1). Guarded as its session is.
public final class Http3Stream extends MessageStream {
    /// No `Content-Length` was declared.
    static final long UNKNOWN = -1;

    static final byte[] NONE = {};

    final QuicStream quic;
    final Http3FrameReader reader;
    private final Http3Session session;

    /// Octets that were read behind a field section that is blocked.
    byte[] rest = NONE;

    /// A field section that waits for the peer's encoder stream.
    byte @Nullable [] blocked;

    /// Whether a final head has come.
    boolean headReceived;

    boolean trailersReceived;
    boolean inputEnded;

    /// Whether it has ended before its time.
    boolean closed;

    /// Whether a request was made of it, so that somebody is to be told of its end.
    boolean told;

    /// Whether a response has no content whatever its head says.
    boolean bodyless;

    long declared = UNKNOWN;
    long received;

    /// Octets of content that were given on and not used.
    long unread;

    /// Whether nothing is read before more was used.
    boolean waits;

    /// When it began, by [Http3Session#late]; or [#UNKNOWN].
    long begunNanos = UNKNOWN;

    Http3Stream(Http3Session session, QuicStream quic, Http3FrameReader reader) {
        this.session = session;
        this.quic = quic;
        this.reader = reader;
    }

    /// Octets of memory that a head takes which is not known yet.
    int bytes() {
        byte[] waiting = blocked;
        return reader.bytes() + rest.length + (waiting == null ? 0 : waiting.length);
    }

    @Override
    public long number() {
        return quic.id();
    }

    @Override
    public boolean isInputEnded() {
        return inputEnded || closed;
    }

    /// Whether nothing more can be sent.
    public boolean isOutputEnded() {
        return closed || quic.isEnded();
    }

    @Override
    public void respond(
            int status, FieldList fields, long length, @Nullable String date, boolean ends) {
        session.writer.respond(this, status, fields, length, date, ends);
    }

    @Override
    public int send(byte[] source, int offset, int length, boolean ends) {
        return session.writer.send(this, source, offset, length, ends);
    }

    /// Streams wait for their own windows only: the connection's is shared by turns.
    @Override
    public boolean hasConnectionRoom() {
        return true;
    }

    @Override
    public void sendTrailers(FieldList fields) {
        session.writer.sendTrailers(this, fields);
    }

    @Override
    public boolean used(int count) {
        return session.used(this, count);
    }

    @Override
    public void reset(End why) {
        if (closed || (inputEnded && quic.isEnded())) {
            return;
        }
        session.close(
                this,
                switch (why) {
                    case DONE -> Http3Error.NO_ERROR;
                    case FAILED -> Http3Error.INTERNAL_ERROR;
                    case CANCELLED -> Http3Error.REQUEST_CANCELLED;
                    case TOO_MUCH -> Http3Error.EXCESSIVE_LOAD;
                });
    }

    @Override
    public void release() {
        session.release(this);
    }

    @Override
    public int output() {
        return session.output();
    }
}
