package io.margay.server.http3;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.margay.protocol.quic.Level;
import io.margay.protocol.quic.tls.QuicTls;
import io.margay.transport.TlsSession;
import io.margay.transport.quic.NativeCipher;
import io.margay.transport.quic.QuicHandshake;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/// A handshake of the shape of TLS 1.3 without its cryptography, on the server's side and, as
/// [Client], on the other: both derive the same secrets, which nobody hides. Each message comes in
/// one piece.
final class PlainHandshake implements QuicHandshake {
    private static final int SUITE = 0x1301;
    private static final int INITIAL = 0;
    private static final int HANDSHAKE = 2;
    static final int ONE_RTT = 3;

    private final AtomicInteger ciphers;
    private byte[] parameters = {};
    private @Nullable Events events;

    PlainHandshake() {
        this(new AtomicInteger());
    }

    /// @param ciphers counts those that were made and not closed
    PlainHandshake(AtomicInteger ciphers) {
        this.ciphers = ciphers;
    }

    @Override
    public NativeCipher cipher(int suite, byte[] key, boolean seals) {
        assertEquals(SUITE, suite);
        return new Counted(new SecretKeySpec(key, "AES"), ciphers);
    }

    /// The JDK's cipher, which is to be closed, as a library's is.
    private static final class Counted implements NativeCipher {
        private final SecretKeySpec key;
        private final AtomicInteger open;
        private boolean closed;

        Counted(SecretKeySpec key, AtomicInteger open) {
            this.key = key;
            this.open = open;
            open.incrementAndGet();
        }

        private Cipher begin(int mode, byte[] nonce, byte[] packet, int from, int to)
                throws GeneralSecurityException {
            assertFalse(closed, "it is used after it was closed");
            Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
            cipher.init(mode, key, new GCMParameterSpec(128, nonce));
            cipher.updateAAD(packet, from, to - from);
            return cipher;
        }

        @Override
        public void seal(byte[] nonce, byte[] packet, int from, int payloadAt, int to) {
            try {
                Cipher cipher = begin(Cipher.ENCRYPT_MODE, nonce, packet, from, payloadAt);
                int _ = cipher.doFinal(packet, payloadAt, to - payloadAt, packet, payloadAt);
            } catch (GeneralSecurityException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public int open(
                byte[] nonce, byte[] packet, int from, int payloadAt, int to, byte[] target) {
            try {
                return begin(Cipher.DECRYPT_MODE, nonce, packet, from, payloadAt)
                        .doFinal(packet, payloadAt, to - payloadAt, target, 0);
            } catch (GeneralSecurityException e) {
                return -1;
            }
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                open.decrementAndGet();
            }
        }
    }

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
