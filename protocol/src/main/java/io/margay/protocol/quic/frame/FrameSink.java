package io.margay.protocol.quic.frame;

import io.margay.protocol.quic.QuicError;
import org.jspecify.annotations.Nullable;

/// Takes frames as they are read. Each method gives the error with which the connection is to end,
/// or null. Arrays are valid during the call only.
public interface FrameSink {
    @Nullable QuicError ack(AckFrame ack);

    @Nullable QuicError resetStream(long id, long code, long finalSize);

    @Nullable QuicError stopSending(long id, long code);

    @Nullable QuicError crypto(long offset, byte[] bytes, int from, int to);

    @Nullable QuicError newToken(byte[] bytes, int from, int to);

    @Nullable QuicError stream(long id, long offset, byte[] bytes, int from, int to, boolean ends);

    @Nullable QuicError maxData(long most);

    @Nullable QuicError maxStreamData(long id, long most);

    @Nullable QuicError maxStreams(boolean bidirectional, long most);

    /// The peer has more to send on a stream than it may, or, with -1 for `id`, on all together.
    @Nullable QuicError dataBlocked(long id, long limit);

    @Nullable QuicError streamsBlocked(boolean bidirectional, long limit);

    /// @param id the connection id; the array is the sink's
    /// @param token the token of stateless resets, 16 octets; the array is the sink's
    @Nullable QuicError newConnectionId(long sequence, long retirePriorTo, byte[] id, byte[] token);

    @Nullable QuicError retireConnectionId(long sequence);

    @Nullable QuicError pathChallenge(long data);

    @Nullable QuicError pathResponse(long data);

    /// @param application whether the application closes the connection, and not QUIC
    void close(boolean application, long code, byte[] bytes, int reasonFrom, int reasonTo);

    @Nullable QuicError handshakeDone();
}
