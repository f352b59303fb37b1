package io.margay.lab.generator;

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
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;

/// Connections that make one request each and are then held until they are closed all together.
/// Confined to one thread.
public final class HeldConnections implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 60_000;
    private static final int HEAD_BYTES = 4096;

    private final List<Socket> sockets = new ArrayList<>();

    /// Opens them, one after the other.
    ///
    /// @param certificate PEM file of the server's, for TLS
    /// @throws IOException if one is not answered with 200
    public static HeldConnections open(int count, int port, String path, Optional<Path> certificate)
            throws IOException {
        HeldConnections held = new HeldConnections();
        try {
            Optional<SSLSocketFactory> tls =
                    certificate.isEmpty() ? Optional.empty() : Optional.of(tls(certificate.get()));
            byte[] request =
                    ("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII);
            for (int i = 0; i < count; i++) {
                held.add(port, tls, request);
            }
            return held;
        } catch (IOException e) {
            held.close();
            throw e;
        }
    }

    private void add(int port, Optional<SSLSocketFactory> tls, byte[] request) throws IOException {
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
        socket.getOutputStream().write(request);
        InputStream in = socket.getInputStream();
        byte[] answer = new byte[HEAD_BYTES];
        int length = in.read(answer);
        String head = new String(answer, 0, Math.max(0, length), StandardCharsets.ISO_8859_1);
        if (!head.startsWith("HTTP/1.1 200 ")) {
            throw new IOException("the answer was: " + head.lines().findFirst().orElse("nothing"));
        }
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
