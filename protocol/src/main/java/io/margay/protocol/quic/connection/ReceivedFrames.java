package io.margay.protocol.quic.connection;

import io.margay.protocol.quic.Level;
import io.margay.protocol.quic.QuicError;
import io.margay.protocol.quic.frame.AckFrame;
import io.margay.protocol.quic.frame.FrameSink;
import io.margay.protocol.quic.frame.IntegerParameter;
import io.margay.protocol.quic.frame.TransportParameters;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Does what the frames of the peer say. Confined to the connection's owner.
final class ReceivedFrames implements FrameSink {
    /// Octets of a token for later connections that a client keeps.
    private static final int TOKEN_BYTES_MAX = 1_024;

    private final ConnectionState state;
    private final Closing closing;
    private Level level = Level.INITIAL;
    private byte[] usedId = {};
    private Path from;

    ReceivedFrames(ConnectionState state, Closing closing) {
        this.state = state;
        this.closing = closing;
        from = state.path;
    }

    /// The packet whose frames come next.
    void begin(Level of, byte[] toId, Path fromPath) {
        level = of;
        usedId = toId;
        from = fromPath;
    }

    @Override
    public @Nullable QuicError ack(AckFrame ack) {
        TransportParameters peer = state.peer;
        long exponent = peer == null ? 3 : peer.get(IntegerParameter.ACK_DELAY_EXPONENT);
        // Longer than an hour means no more than an hour.
        long micros = Math.min(ack.delay(), 3_600_000_000L) << exponent;
        long delay = Math.min(micros, 3_600_000_000L) * 1_000;
        return state.recovery.ack(level.space(), ack, delay, state.now);
    }

    @Override
    public @Nullable QuicError resetStream(long id, long code, long finalSize) {
        return state.streams.reset(id, code, finalSize);
    }

    @Override
    public @Nullable QuicError stopSending(long id, long code) {
        return state.streams.stopSending(id, code);
    }

    @Override
    public @Nullable QuicError crypto(long offset, byte[] bytes, int start, int to) {
        return state.crypto.receive(level, offset, bytes, start, to);
    }

    @Override
    public @Nullable QuicError newToken(byte[] bytes, int start, int to) {
        if (to - start <= TOKEN_BYTES_MAX) {
            state.receivedToken = Arrays.copyOfRange(bytes, start, to);
        }
        return null;
    }

    @Override
    public @Nullable QuicError stream(
            long id, long offset, byte[] bytes, int start, int to, boolean ends) {
        return state.streams.data(id, offset, bytes, start, to, ends);
    }

    @Override
    public @Nullable QuicError maxData(long most) {
        state.streams.maxData(most);
        return null;
    }

    @Override
    public @Nullable QuicError maxStreamData(long id, long most) {
        return state.streams.maxStreamData(id, most);
    }

    @Override
    public @Nullable QuicError maxStreams(boolean bidirectional, long most) {
        state.streams.maxStreams(bidirectional, most);
        return null;
    }

    @Override
    public @Nullable QuicError dataBlocked(long id, long limit) {
        return id < 0 ? null : state.streams.dataBlocked(id);
    }

    @Override
    public @Nullable QuicError streamsBlocked(boolean bidirectional, long limit) {
        return null;
    }

    @Override
    public @Nullable QuicError newConnectionId(
            long sequence, long retirePriorTo, byte[] id, byte[] token) {
        return state.peerIds.add(sequence, retirePriorTo, id, token);
    }

    @Override
    public @Nullable QuicError retireConnectionId(long sequence) {
        return state.localIds.retire(sequence, usedId);
    }

    @Override
    public @Nullable QuicError pathChallenge(long data) {
        from.respond(data);
        return null;
    }

    @Override
    public @Nullable QuicError pathResponse(long data) {
        answered(state.path, data);
        if (state.other != null) {
            answered(state.other, data);
        }
        return null;
    }

    private static void answered(Path path, long data) {
        if (path.challengeOutstanding && path.challenge == data) {
            path.validated();
        }
    }

    @Override
    public void close(boolean application, long code, byte[] bytes, int start, int to) {
        closing.closedByPeer(application, code);
    }

    @Override
    public @Nullable QuicError handshakeDone() {
        state.confirm();
        return null;
    }
}
