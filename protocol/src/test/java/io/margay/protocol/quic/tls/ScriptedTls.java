package io.margay.protocol.quic.tls;

import io.margay.protocol.quic.Level;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A handshake of the shape of TLS 1.3 without its cryptography: messages of the same levels, in
/// the same order, of sizes that are given; secrets that both sides derive and nobody hides.
///
/// ```
/// client                                server
/// 1 hello, parameters      ─Initial─►
///                          ◄─Initial─   2 hello
///                          ◄Handshake   8 parameters, protocol
///                          ◄Handshake   11 certificate, as long as is given
///                          ◄Handshake   20 finished
/// 20 finished              Handshake►
/// ```
public final class ScriptedTls implements QuicTls {
    private static final int HELLO = 1;
    private static final int SERVER_HELLO = 2;
    private static final int EXTENSIONS = 8;
    private static final int CERTIFICATE = 11;
    private static final int FINISHED = 20;
    private static final int UNEXPECTED_MESSAGE = 10;

    private final boolean server;
    private final int suite;
    private final String alpn;
    private final int size;
    private final ByteArrayOutputStream pending = new ByteArrayOutputStream();
    private @Nullable Level pendingLevel;
    private int expected;
    private byte[] parameters = {};
    private @Nullable Events events;
    private boolean closed;

    /// @param suite the number of a cipher suite in TLS
    /// @param size octets of the ClientHello's padding, or of the certificate
    public ScriptedTls(boolean server, int suite, String alpn, int size) {
        this.server = server;
        this.suite = suite;
        this.alpn = alpn;
        this.size = size;
        expected = server ? HELLO : SERVER_HELLO;
    }

    @Override
    public void start(byte[] ours, Events to) {
        parameters = ours;
        events = to;
        if (!server) {
            byte[] hello = Arrays.copyOf(parameters, parameters.length + 2 + size);
            hello[parameters.length + size] = (byte) (size >> 8);
            hello[parameters.length + size + 1] = (byte) size;
            send(Level.INITIAL, HELLO, hello);
        }
    }

    private void send(Level level, int type, byte[] body) {
        byte[] message = new byte[4 + body.length];
        message[0] = (byte) type;
        message[1] = (byte) (body.length >> 16);
        message[2] = (byte) (body.length >> 8);
        message[3] = (byte) body.length;
        System.arraycopy(body, 0, message, 4, body.length);
        events.send(level, message);
    }

    /// A secret that both sides derive.
    ///
    /// @param name such as `client ONE_RTT`
    public static byte[] secret(String name, int suite) {
        int octets = suite == 0x1302 ? 48 : 32;
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-384")
                            .digest(name.getBytes(StandardCharsets.US_ASCII));
            return Arrays.copyOf(digest, octets);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    private void secrets(Level level, boolean read, boolean write) {
        byte[] ofClient = secret("client " + level, suite);
        byte[] ofServer = secret("server " + level, suite);
        events.secrets(
                level,
                suite,
                read ? (server ? ofClient : ofServer) : null,
                write ? (server ? ofServer : ofClient) : null);
    }

    @Override
    public void receive(Level level, byte[] octets, int from, int to) {
        if (closed) {
            throw new IllegalStateException("closed");
        }
        if (pending.size() > 0 && pendingLevel != level) {
            events.alert(UNEXPECTED_MESSAGE);
            return;
        }
        pendingLevel = level;
        pending.write(octets, from, to - from);
        byte[] all = pending.toByteArray();
        int at = 0;
        while (all.length - at >= 4) {
            int length =
                    (all[at + 1] & 0xff) << 16 | (all[at + 2] & 0xff) << 8 | all[at + 3] & 0xff;
            if (all.length - at < 4 + length) {
                break;
            }
            message(level, all[at], Arrays.copyOfRange(all, at + 4, at + 4 + length));
            at += 4 + length;
        }
        pending.reset();
        pending.write(all, at, all.length - at);
    }

    private void message(Level level, int type, byte[] body) {
        Level right = type == HELLO || type == SERVER_HELLO ? Level.INITIAL : Level.HANDSHAKE;
        if (type != expected || level != right) {
            events.alert(UNEXPECTED_MESSAGE);
            return;
        }
        switch (type) {
            case HELLO -> {
                int padding = (body[body.length - 2] & 0xff) << 8 | body[body.length - 1] & 0xff;
                events.peerParameters(Arrays.copyOf(body, body.length - 2 - padding));
                send(Level.INITIAL, SERVER_HELLO, new byte[90]);
                secrets(Level.HANDSHAKE, true, true);
                send(Level.HANDSHAKE, EXTENSIONS, parameters);
                send(Level.HANDSHAKE, CERTIFICATE, new byte[size]);
                send(Level.HANDSHAKE, FINISHED, new byte[32]);
                secrets(Level.ONE_RTT, false, true);
                expected = FINISHED;
            }
            case SERVER_HELLO -> {
                secrets(Level.HANDSHAKE, true, true);
                expected = EXTENSIONS;
            }
            case EXTENSIONS -> {
                events.peerParameters(body);
                expected = CERTIFICATE;
            }
            case CERTIFICATE -> expected = FINISHED;
            default -> finished();
        }
    }

    private void finished() {
        expected = 0;
        if (server) {
            secrets(Level.ONE_RTT, true, false);
        } else {
            send(Level.HANDSHAKE, FINISHED, new byte[32]);
            secrets(Level.ONE_RTT, true, true);
        }
        events.complete(alpn);
    }

    @Override
    public void close() {
        closed = true;
    }
}
