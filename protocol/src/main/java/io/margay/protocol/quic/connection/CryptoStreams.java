package io.margay.protocol.quic.connection;

import io.margay.protocol.quic.Level;
import io.margay.protocol.quic.QuicError;
import io.margay.protocol.quic.frame.FrameWriter;
import io.margay.protocol.quic.recovery.SentFrame;
import io.margay.protocol.quic.recovery.SentFrame.Kind;
import io.margay.protocol.quic.recovery.SentPacket;
import io.margay.protocol.quic.stream.Reassembly;
import io.margay.protocol.quic.stream.SendBuffer;
import io.margay.protocol.quic.tls.QuicTls;
import org.jspecify.annotations.Nullable;

/// The octets of the handshake in both directions, by space (RFC 9000 §7.5). Confined to the
/// connection's owner.
final class CryptoStreams {
    /// Octets that a peer may send ahead of a gap. A ClientHello with ML-KEM has some 1 800, a
    /// chain of certificates some thousand each.
    static final int AHEAD_MAX = 65_536;

    static final QuicError TOO_FAR_AHEAD =
            QuicError.of(
                    QuicError.CRYPTO_BUFFER_EXCEEDED,
                    "RFC 9000 §7.5",
                    "the handshake goes on too far beyond a gap");

    private final Reassembly[] in = new Reassembly[Level.SPACES];
    private final SendBuffer[] out = new SendBuffer[Level.SPACES];
    private final byte[] piece = new byte[1_500];
    private long given;

    CryptoStreams() {
        for (int i = 0; i < Level.SPACES; i++) {
            in[i] = new Reassembly();
            out[i] = new SendBuffer();
        }
    }

    /// Takes a CRYPTO frame.
    @Nullable QuicError receive(Level level, long offset, byte[] bytes, int from, int to) {
        Reassembly stream = in[level.space()];
        if (offset + (to - from) > stream.position() + AHEAD_MAX
                || !stream.put(offset, bytes, from, to)) {
            return TOO_FAR_AHEAD;
        }
        return null;
    }

    /// Gives TLS what is in order: once for a packet, for a peer may put each octet into a frame of
    /// its own, and each call costs more than a frame.
    void deliver(Level level, QuicTls tls) {
        Reassembly stream = in[level.space()];
        while (stream.readable() > 0) {
            int count = stream.read(piece, 0, piece.length);
            given += count;
            tls.receive(level, piece, 0, count);
        }
    }

    void send(Level level, byte[] octets) {
        out[level.space()].write(octets, 0, octets.length);
    }

    boolean wantsToSend(int space) {
        return out[space].hasLost() || out[space].hasNew();
    }

    void write(int space, FrameWriter frames, SentPacket packet) {
        SendBuffer buffer = out[space];
        while (wantsToSend(space)) {
            long offset = buffer.offset();
            int count = (int) Math.min(frames.cryptoRoom(offset), buffer.sendable(Long.MAX_VALUE));
            if (count <= 0) {
                return;
            }
            byte[] octets = new byte[count];
            buffer.take(octets, 0, count);
            frames.crypto(offset, octets, 0, count);
            packet.add(Kind.CRYPTO, space, offset, count, false);
        }
    }

    /// Octets of memory that are held here, and by TLS as long as messages may be incomplete.
    long bytes(boolean complete) {
        long sum = complete ? 0 : given;
        for (int i = 0; i < Level.SPACES; i++) {
            sum += in[i].bytes() + out[i].bytes();
        }
        return sum;
    }

    void acked(SentFrame frame) {
        out[(int) frame.id()].acked(frame.offset(), frame.length());
    }

    void lost(SentFrame frame) {
        out[(int) frame.id()].lost(frame.offset(), frame.length());
    }

    void discard(int space) {
        in[space].clear();
        out[space].clear();
    }

    /// The octets of a space are sent from the beginning: after a Retry packet.
    void restart(int space) {
        out[space].allLost();
    }
}
