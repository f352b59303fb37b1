package io.margay.server.http3;

import io.margay.protocol.quic.Level;
import io.margay.protocol.quic.tls.QuicTls;
import io.margay.transport.TlsSession;
import io.margay.transport.quic.QuicHandshake;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A handshake of the shape of TLS 1.3 without its cryptography, on the server's side and, as
/// [Client], on the other: both derive the same secrets, which nobody hides. Each message comes in
/// one piece.
final class PlainHandshake implements QuicHandshake {
    private static final int SUITE = 0x1301;
    private static final int INITIAL = 0;
    private static final int HANDSHAKE = 2;
    static final int ONE_RTT = 3;

    private byte[] parameters = {};
    private @Nullable Events events;

    private static byte[] secret(String name) {
        try {
            return MessageDigest.getInstance("SHA-256")
                    .digest(name.getBytes(StandardCharsets.US_ASCII));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    static byte[] ofClient(int level) {
        return secret("client " + level);
    }

    static byte[] ofServer(int level) {
        return secret("server " + level);
    }

    @Override
    public void start(byte[] ours, Events to) {
        parameters = ours;
        events = to;
    }

    @Override
    public void receive(int level, byte[] octets, int from, int to) {
        if (level == INITIAL) {
            events.peerParameters(Arrays.copyOfRange(octets, from, to));
            events.send(INITIAL, new byte[] {1});
            events.secrets(HANDSHAKE, SUITE, ofClient(HANDSHAKE), ofServer(HANDSHAKE));
            events.send(HANDSHAKE, parameters);
            events.secrets(ONE_RTT, SUITE, null, ofServer(ONE_RTT));
        } else {
            events.secrets(ONE_RTT, SUITE, ofClient(ONE_RTT), null);
            events.complete(
                    new TlsSession(
                            "TLSv1.3",
                            "TLS_AES_128_GCM_SHA256",
                            128,
                            "",
                            "h3",
                            "localhost",
                            List.of(),
                            _ -> true));
        }
    }

    @Override
    public void close() {}

    /// The client of it.
    static final class Client implements QuicTls {
        private QuicTls.@Nullable Events events;

        @Override
        public void start(byte[] parameters, QuicTls.Events to) {
            events = to;
            to.send(Level.INITIAL, parameters);
        }

        @Override
        public void receive(Level level, byte[] octets, int from, int to) {
            if (level == Level.INITIAL) {
                events.secrets(Level.HANDSHAKE, SUITE, ofServer(HANDSHAKE), ofClient(HANDSHAKE));
            } else if (level == Level.HANDSHAKE) {
                events.peerParameters(Arrays.copyOfRange(octets, from, to));
                events.send(Level.HANDSHAKE, new byte[] {20});
                events.secrets(Level.ONE_RTT, SUITE, ofServer(ONE_RTT), ofClient(ONE_RTT));
                events.complete("h3");
            }
        }

        @Override
        public void close() {}
    }
}
