package io.margay.server.http3;

import io.margay.protocol.quic.Level;
import io.margay.protocol.quic.tls.PacketCipher;
import io.margay.protocol.quic.tls.QuicTls;
import io.margay.transport.TlsSession;
import io.margay.transport.quic.NativeCipher;
import io.margay.transport.quic.QuicHandshake;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The handshake of TLS as QUIC sees it. Guarded by the lock of its connection.
final class Http3Handshake implements QuicTls, QuicHandshake.Events {
    private static final Level[] LEVELS = {
        Level.INITIAL, Level.ZERO_RTT, Level.HANDSHAKE, Level.ONE_RTT
    };

    private final QuicHandshake handshake;
    private final Consumer<TlsSession> agreed;
    private QuicTls.@Nullable Events events;

    /// @param agreed is told what TLS has agreed on
    Http3Handshake(QuicHandshake handshake, Consumer<TlsSession> agreed) {
        this.handshake = handshake;
        this.agreed = agreed;
    }

    @Override
    public void start(byte[] parameters, QuicTls.Events to) {
        events = to;
        handshake.start(parameters, this);
    }

    @Override
    public void receive(Level level, byte[] octets, int from, int to) {
        handshake.receive(List.of(LEVELS).indexOf(level), octets, from, to);
    }

    @Override
    public @Nullable PacketCipher cipher(int suite, byte[] key, boolean seals) {
        NativeCipher cipher = handshake.cipher(suite, key, seals);
        return cipher == null ? null : new Native(cipher);
    }

    /// A cipher of the transport as QUIC sees it.
    private record Native(NativeCipher cipher) implements PacketCipher {
        @Override
        public void seal(byte[] nonce, byte[] packet, int from, int payloadAt, int to) {
            cipher.seal(nonce, packet, from, payloadAt, to);
        }

        @Override
        public int open(
                byte[] nonce, byte[] packet, int from, int payloadAt, int to, byte[] target) {
            return cipher.open(nonce, packet, from, payloadAt, to, target);
        }

        @Override
        public void close() {
            cipher.close();
        }
    }

    @Override
    public void close() {
        handshake.close();
    }

    private QuicTls.Events events() {
        QuicTls.Events known = events;
        if (known == null) {
            throw new IllegalStateException("the handshake was not started");
        }
        return known;
    }

    @Override
    public void send(int level, byte[] octets) {
        events().send(LEVELS[level], octets);
    }

    @Override
    public void secrets(int level, int suite, byte @Nullable [] read, byte @Nullable [] write) {
        events().secrets(LEVELS[level], suite, read, write);
    }

    @Override
    public void peerParameters(byte[] parameters) {
        events().peerParameters(parameters);
    }

    @Override
    public void complete(TlsSession session) {
        agreed.accept(session);
        events().complete(session.applicationProtocol());
    }

    @Override
    public void alert(int description) {
        events().alert(description);
    }
}
