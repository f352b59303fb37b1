package io.margay.lab.wire;

import io.margay.protocol.quic.Level;
import io.margay.protocol.quic.tls.QuicTls;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.security.interfaces.XECPublicKey;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.NamedParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.security.spec.XECPublicKeySpec;
import java.util.Arrays;
import javax.crypto.KeyAgreement;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/// The client's end of TLS 1.3 without records (RFC 8446, RFC 9001), as far as load needs it: one
/// suite, one group, the one certificate of a run, no resumption. The JDK has none for others to
/// use, and a library would have to be the one that is measured. Confined to the loop.
public final class QuicTlsClient implements QuicTls {
    private static final int AES_128_GCM_SHA256 = 0x1301;
    private static final int X25519 = 0x001d;
    private static final int KEY_BYTES = 32;
    private static final int HASH_BYTES = 32;
    private static final byte[] ZEROS = new byte[HASH_BYTES];

    private static final int CLIENT_HELLO = 1;
    private static final int SERVER_HELLO = 2;
    private static final int EXTENSIONS = 8;
    private static final int CERTIFICATE = 11;
    private static final int VERIFY = 15;
    private static final int FINISHED = 20;

    private static final int UNEXPECTED_MESSAGE = 10;
    private static final int BAD_CERTIFICATE = 42;
    private static final int DECODE_ERROR = 50;
    private static final int DECRYPT_ERROR = 51;
    private static final int HANDSHAKE_FAILURE = 40;

    private static final int SUPPORTED_GROUPS = 10;
    private static final int SIGNATURE_ALGORITHMS = 13;
    private static final int ALPN = 16;
    private static final int SUPPORTED_VERSIONS = 43;
    private static final int KEY_SHARE = 51;
    private static final int QUIC_PARAMETERS = 57;

    private static final int ECDSA_SHA256 = 0x0403;
    private static final int PSS_SHA256 = 0x0804;
    private static final String SIGNED = "TLS 1.3, server CertificateVerify";

    /// Ends the handshake with an alert.
    private static final class Alert extends Exception {
        private static final long serialVersionUID = 1L;

        final int description;

        Alert(int description) {
            super("alert " + description, null, false, false);
            this.description = description;
        }
    }

    private final X509Certificate trusted;
    private final SecureRandom random;
    private final MessageDigest transcript = sha256();
    private final ByteArrayOutputStream pending = new ByteArrayOutputStream();
    private @Nullable Events events;
    private @Nullable KeyPair key;
    private @Nullable String protocol;
    private int expected = SERVER_HELLO;
    private byte[] handshakeSecret = ZEROS;
    private byte[] client = ZEROS;
    private byte[] server = ZEROS;

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("SHA-256 is missing", e);
        }
    }

    QuicTlsClient(X509Certificate trusted, SecureRandom random) {
        this.trusted = trusted;
        this.random = random;
    }

    // Output

    /// A message or a part of one.
    private static final class Bytes extends ByteArrayOutputStream {
        Bytes number(int value, int octets) {
            for (int i = octets - 1; i >= 0; i--) {
                write(value >> (8 * i));
            }
            return this;
        }

        Bytes all(byte[] bytes) {
            writeBytes(bytes);
            return this;
        }

        /// Bytes after their length.
        Bytes sized(int octets, byte[] bytes) {
            return number(bytes.length, octets).all(bytes);
        }

        Bytes extension(int type, Bytes content) {
            return number(type, 2).sized(2, content.toByteArray());
        }
    }

    private static Bytes bytes() {
        return new Bytes();
    }

    private void send(Level level, int type, byte[] body) {
        byte[] message = bytes().number(type, 1).sized(3, body).toByteArray();
        transcript.update(message);
        events().send(level, message);
    }

    private Events events() {
        if (events == null) {
            throw new IllegalStateException("not started");
        }
        return events;
    }

    @Override
    public void start(byte[] parameters, Events to) {
        events = to;
        byte[] share;
        try {
            KeyPair made = KeyPairGenerator.getInstance("X25519").generateKeyPair();
            key = made;
            share = littleEndian(((XECPublicKey) made.getPublic()).getU());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("X25519 is missing", e);
        }
        byte[] salt = new byte[32];
        random.nextBytes(salt);
        Bytes offer = bytes().number(X25519, 2).sized(2, share);
        Bytes signatures = bytes().number(ECDSA_SHA256, 2).number(PSS_SHA256, 2);
        byte[] h3 = bytes().sized(1, "h3".getBytes(StandardCharsets.US_ASCII)).toByteArray();
        Bytes extensions =
                bytes().extension(SUPPORTED_VERSIONS, bytes().number(2, 1).number(0x0304, 2))
                        .extension(SUPPORTED_GROUPS, bytes().number(2, 2).number(X25519, 2))
                        .extension(SIGNATURE_ALGORITHMS, bytes().sized(2, signatures.toByteArray()))
                        .extension(KEY_SHARE, bytes().sized(2, offer.toByteArray()))
                        .extension(ALPN, bytes().sized(2, h3))
                        .extension(QUIC_PARAMETERS, bytes().all(parameters));
        Bytes body =
                bytes().number(0x0303, 2)
                        .all(salt)
                        .number(0, 1)
                        .number(2, 2)
                        .number(AES_128_GCM_SHA256, 2)
                        .number(0x0100, 2)
                        .sized(2, extensions.toByteArray());
        send(Level.INITIAL, CLIENT_HELLO, body.toByteArray());
    }

    private static byte[] littleEndian(BigInteger number) {
        byte[] octets = new byte[KEY_BYTES];
        byte[] big = number.toByteArray();
        for (int i = 0; i < Math.min(big.length, KEY_BYTES); i++) {
            octets[i] = big[big.length - 1 - i];
        }
        return octets;
    }

    // Input

    @Override
    public void receive(Level level, byte[] octets, int from, int to) {
        pending.write(octets, from, to - from);
        ByteBuffer in = ByteBuffer.wrap(pending.toByteArray());
        try {
            while (in.remaining() >= 4) {
                int length = in.getInt(in.position()) & 0xffffff;
                if (in.remaining() < 4 + length) {
                    break;
                }
                ByteBuffer message = in.slice(in.position(), 4 + length);
                in.position(in.position() + 4 + length);
                message(level, message);
            }
            pending.reset();
            pending.write(in.array(), in.position(), in.remaining());
        } catch (Alert e) {
            events().alert(e.description);
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            events().alert(DECODE_ERROR);
        } catch (GeneralSecurityException e) {
            events().alert(DECRYPT_ERROR);
        }
    }

    private void message(Level level, ByteBuffer message) throws Alert, GeneralSecurityException {
        int type = message.get(0);
        if (expected == 0) {
            return; // tickets, of which no use is made
        }
        Level right = type == SERVER_HELLO ? Level.INITIAL : Level.HANDSHAKE;
        if (type != expected || level != right) {
            throw new Alert(UNEXPECTED_MESSAGE);
        }
        ByteBuffer body = message.slice(4, message.remaining() - 4);
        switch (type) {
            case SERVER_HELLO -> {
                transcript.update(message);
                hello(body);
                expected = EXTENSIONS;
            }
            case EXTENSIONS -> {
                transcript.update(message);
                extensions(sized(body, 2));
                expected = CERTIFICATE;
            }
            case CERTIFICATE -> {
                transcript.update(message);
                certificate(body);
                expected = VERIFY;
            }
            case VERIFY -> {
                verify(body);
                transcript.update(message);
                expected = FINISHED;
            }
            default -> finished(message, body);
        }
    }

    /// What follows its length.
    private static ByteBuffer sized(ByteBuffer in, int octets) {
        int length = 0;
        for (int i = 0; i < octets; i++) {
            length = (length << 8) | (in.get() & 0xff);
        }
        if (length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        ByteBuffer part = in.slice(in.position(), length);
        in.position(in.position() + length);
        return part;
    }

    private static byte[] octets(ByteBuffer in) {
        byte[] octets = new byte[in.remaining()];
        in.get(octets);
        return octets;
    }

    private void hello(ByteBuffer in) throws Alert, GeneralSecurityException {
        in.position(2 + 32);
        ByteBuffer _ = sized(in, 1);
        int suite = in.getShort();
        if (suite != AES_128_GCM_SHA256 || in.get() != 0) {
            throw new Alert(HANDSHAKE_FAILURE);
        }
        ByteBuffer extensions = sized(in, 2);
        byte[] share = {};
        while (extensions.hasRemaining()) {
            int type = extensions.getShort();
            ByteBuffer content = sized(extensions, 2);
            // A HelloRetryRequest names another group, and has no share.
            if (type == KEY_SHARE && content.getShort() == X25519) {
                share = octets(sized(content, 2));
            }
        }
        if (share.length != KEY_BYTES) {
            throw new Alert(HANDSHAKE_FAILURE);
        }
        byte[] early = hmac(ZEROS, ZEROS);
        handshakeSecret = hmac(derived(early), agree(share));
        byte[] seen = seen();
        client = expand(handshakeSecret, "c hs traffic", seen);
        server = expand(handshakeSecret, "s hs traffic", seen);
        events().secrets(Level.HANDSHAKE, AES_128_GCM_SHA256, server, client);
    }

    private byte[] agree(byte[] share) throws GeneralSecurityException {
        byte[] big = new byte[KEY_BYTES];
        for (int i = 0; i < KEY_BYTES; i++) {
            big[KEY_BYTES - 1 - i] = share[i];
        }
        big[0] &= 0x7f;
        KeyPair own = key;
        if (own == null) {
            throw new InvalidKeyException();
        }
        KeyAgreement agreement = KeyAgreement.getInstance("X25519");
        agreement.init(own.getPrivate());
        agreement.doPhase(
                KeyFactory.getInstance("X25519")
                        .generatePublic(
                                new XECPublicKeySpec(
                                        NamedParameterSpec.X25519, new BigInteger(1, big))),
                true);
        return agreement.generateSecret();
    }

    private void extensions(ByteBuffer in) {
        while (in.hasRemaining()) {
            int type = in.getShort();
            ByteBuffer content = sized(in, 2);
            if (type == ALPN) {
                protocol =
                        new String(octets(sized(sized(content, 2), 1)), StandardCharsets.US_ASCII);
            } else if (type == QUIC_PARAMETERS) {
                events().peerParameters(octets(content));
            }
        }
    }

    private void certificate(ByteBuffer in) throws Alert, GeneralSecurityException {
        ByteBuffer _ = sized(in, 1);
        ByteBuffer first = sized(sized(in, 3), 3);
        if (!Arrays.equals(octets(first), trusted.getEncoded())) {
            throw new Alert(BAD_CERTIFICATE);
        }
    }

    private void verify(ByteBuffer in) throws Alert, GeneralSecurityException {
        int algorithm = in.getShort();
        Signature signature;
        if (algorithm == ECDSA_SHA256) {
            signature = Signature.getInstance("SHA256withECDSA");
        } else if (algorithm == PSS_SHA256) {
            signature = Signature.getInstance("RSASSA-PSS");
            signature.setParameter(
                    new PSSParameterSpec(
                            "SHA-256", "MGF1", MGF1ParameterSpec.SHA256, HASH_BYTES, 1));
        } else {
            throw new Alert(HANDSHAKE_FAILURE);
        }
        signature.initVerify(trusted.getPublicKey());
        signature.update(" ".repeat(64).getBytes(StandardCharsets.US_ASCII));
        signature.update(SIGNED.getBytes(StandardCharsets.US_ASCII));
        signature.update((byte) 0);
        signature.update(seen());
        if (!signature.verify(octets(sized(in, 2)))) {
            throw new Alert(DECRYPT_ERROR);
        }
    }

    private void finished(ByteBuffer message, ByteBuffer body) throws Alert {
        if (!MessageDigest.isEqual(finishedOf(server), octets(body))) {
            throw new Alert(DECRYPT_ERROR);
        }
        transcript.update(message);
        byte[] seen = seen();
        byte[] master = hmac(derived(handshakeSecret), ZEROS);
        send(Level.HANDSHAKE, FINISHED, finishedOf(client));
        expected = 0;
        events().secrets(
                        Level.ONE_RTT,
                        AES_128_GCM_SHA256,
                        expand(master, "s ap traffic", seen),
                        expand(master, "c ap traffic", seen));
        events().complete(protocol);
    }

    // The key schedule (RFC 8446 §7.1)

    private byte[] finishedOf(byte[] secret) {
        return hmac(expand(secret, "finished", new byte[0]), seen());
    }

    private static byte[] derived(byte[] secret) {
        return expand(secret, "derived", sha256().digest());
    }

    /// The hash of the messages so far.
    private byte[] seen() {
        try {
            return ((MessageDigest) transcript.clone()).digest();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException(e);
        }
    }

    /// HKDF-Expand-Label for as many octets as the hash has, which takes one step.
    static byte[] expand(byte[] secret, String label, byte[] context) {
        return expand(secret, label, context, HASH_BYTES);
    }

    static byte[] expand(byte[] secret, String label, byte[] context, int length) {
        byte[] name = ("tls13 " + label).getBytes(StandardCharsets.US_ASCII);
        Bytes info = bytes().number(length, 2).sized(1, name).sized(1, context).number(1, 1);
        return Arrays.copyOf(hmac(secret, info.toByteArray()), length);
    }

    private static byte[] hmac(byte[] secret, byte[] data) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            return mac.doFinal(data);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("HMAC is missing", e);
        }
    }

    @Override
    public void close() {
        key = null;
    }
}
