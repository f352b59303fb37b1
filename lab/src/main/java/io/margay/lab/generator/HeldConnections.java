package io.margay.lab.generator;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;

/// Connections that make one request each and are then held until they are closed all together.
/// Confined to one thread.
public final class HeldConnections implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 60_000;
    private static final int HEAD_BYTES = 4096;
    private static final String HTTP2 = "h2";
    private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    private static final int FRAME_HEAD_BYTES = 9;
    private static final int HEADERS = 1;
    private static final int SETTINGS = 4;

    /// `:status 200` in HPACK's static table.
    private static final int STATUS_200 = 0x88;

    private final List<Socket> sockets = new ArrayList<>();

    /// Opens them, one after the other.
    ///
    /// @param certificate PEM file of the server's, for TLS
    /// @throws IOException if one is not answered with 200
    public static HeldConnections open(int count, int port, String path, Optional<Path> certificate)
            throws IOException {
        return open(
                count,
                port,
                certificate,
                socket -> {
                    String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
                    ask(socket, request.getBytes(StandardCharsets.US_ASCII));
                });
    }

    /// The same by HTTP/2 over TLS.
    public static HeldConnections http2(int count, int port, String path, Path certificate)
            throws IOException {
        return open(count, port, Optional.of(certificate), socket -> askHttp2(socket, path));
    }

    /// What is done once on each.
    private interface Request {
        void on(Socket socket) throws IOException;
    }

    private static HeldConnections open(
            int count, int port, Optional<Path> certificate, Request request) throws IOException {
        HeldConnections held = new HeldConnections();
        try {
            Optional<SSLSocketFactory> tls =
                    certificate.isEmpty() ? Optional.empty() : Optional.of(tls(certificate.get()));
            for (int i = 0; i < count; i++) {
                request.on(held.add(port, tls));
            }
            return held;
        } catch (IOException e) {
            held.close();
            throw e;
        }
    }

    private Socket add(int port, Optional<SSLSocketFactory> tls) throws IOException {
        Socket plain = new Socket();
        sockets.add(plain);
        plain.connect(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
        plain.setSoTimeout(TIMEOUT_MILLIS);
        Socket socket = plain;
        if (tls.isPresent()) {
            socket = tls.get().createSocket(plain, "localhost", port, true);
            sockets.add(socket);
        }
        return socket;
    }

    private static void ask(Socket socket, byte[] request) throws IOException {
        socket.getOutputStream().write(request);
        InputStream in = socket.getInputStream();
        byte[] answer = new byte[HEAD_BYTES];
        int length = in.read(answer);
        String head = new String(answer, 0, Math.max(0, length), StandardCharsets.ISO_8859_1);
        if (!head.startsWith("HTTP/1.1 200 ")) {
            throw new IOException("the answer was: " + head.lines().findFirst().orElse("nothing"));
        }
    }

    private static void askHttp2(Socket socket, String path) throws IOException {
        if (socket instanceof SSLSocket secure) {
            SSLParameters parameters = secure.getSSLParameters();
            parameters.setApplicationProtocols(new String[] {HTTP2});
            secure.setSSLParameters(parameters);
        }
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        head.write(0x82); // :method GET
        head.write(0x87); // :scheme https
        literal(head, 0x04, path);
        literal(head, 0x01, "localhost");
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.writeBytes(PREFACE.getBytes(StandardCharsets.US_ASCII));
        request.writeBytes(frame(0, SETTINGS, 0, 0));
        request.writeBytes(frame(head.size(), HEADERS, 0x5, 1));
        request.writeBytes(head.toByteArray());
        request.writeBytes(frame(0, SETTINGS, 1, 0));
        socket.getOutputStream().write(request.toByteArray());
        DataInputStream in = new DataInputStream(socket.getInputStream());
        boolean ended = false;
        while (!ended) {
            byte[] frame = new byte[FRAME_HEAD_BYTES];
            in.readFully(frame);
            int length = ((frame[0] & 0xff) << 16) | ((frame[1] & 0xff) << 8) | (frame[2] & 0xff);
            byte[] content = in.readNBytes(length);
            if (frame[3] == HEADERS && (content[0] & 0xff) != STATUS_200) {
                throw new IOException("the answer by HTTP/2 is not 200");
            }
            ended = frame[3] <= HEADERS && (frame[4] & 1) != 0;
        }
    }

    private static void literal(ByteArrayOutputStream head, int name, String value) {
        head.write(name);
        head.write(value.length());
        head.writeBytes(value.getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] frame(int length, int type, int flags, int stream) {
        return new byte[] {
            0,
            (byte) (length >> 8),
            (byte) length,
            (byte) type,
            (byte) flags,
            0,
            0,
            0,
            (byte) stream
        };
    }

    private static SSLSocketFactory tls(Path certificate) throws IOException {
        try (InputStream in = Files.newInputStream(certificate)) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setCertificateEntry(
                    "server", CertificateFactory.getInstance("X.509").generateCertificate(in));
            TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context.getSocketFactory();
        } catch (GeneralSecurityException e) {
            throw new IOException("no TLS with " + certificate + ": " + e.getMessage(), e);
        }
    }

    @Override
    public void close() throws IOException {
        for (Socket socket : sockets.reversed()) {
            socket.close();
        }
        sockets.clear();
    }
}
