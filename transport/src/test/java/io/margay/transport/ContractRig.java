package io.margay.transport;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.margay.testkit.SelfSigned;
import io.margay.transport.factory.Transports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/// Listeners and their clients in each way to move bytes, until [#closeAll]. Used by one thread.
final class ContractRig {
    /// One of the nine ways to move bytes.
    ///
    /// @param provider null for plain text
    record Mode(String transport, TlsConfig.@Nullable Provider provider) {
        boolean tls() {
            return provider != null;
        }

        @Override
        public String toString() {
            return transport + (provider == null ? "" : "+" + provider);
        }
    }

    private final SelfSigned certificate;
    private final SSLContext clientTls;
    private final List<AutoCloseable> open = new ArrayList<>();

    /// @param directory takes the certificate
    ContractRig(Path directory) throws Exception {
        certificate = SelfSigned.make(directory, "localhost", "EC", List.of("DNS:localhost"));
        clientTls = TestClient.tlsContext();
    }

    static Stream<Mode> modes() {
        return Transports.names().stream()
                .flatMap(name ->
                        Stream.of(
                                new Mode(name, null),
                                new Mode(name, TlsConfig.Provider.JSSE),
                                new Mode(name, TlsConfig.Provider.OPENSSL)));
    }

    static Stream<Mode> plainModes() {
        return modes().filter(m -> !m.tls());
    }

    SSLContext clientTls() {
        return clientTls;
    }

    /// Closes it with the rest.
    void keep(AutoCloseable resource) {
        open.add(resource);
    }

    Listener listen(Mode mode, ConnectionHandler.Factory handlers) throws IOException {
        return listen(mode, 1000, handlers);
    }

    Listener listen(Mode mode, int connectionsMax, ConnectionHandler.Factory handlers)
            throws IOException {
        Transport transport = Transports.open(mode.transport, TransportConfig.defaults());
        keep(transport);
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        Listener listener =
                transport.listen(
                        new ListenerConfig(
                                any,
                                1024,
                                connectionsMax,
                                null,
                                tls(mode),
                                null,
                                ListenerConfig.NO_DESCRIPTOR),
                        handlers);
        keep(listener);
        return listener;
    }

    /// Null in clear text.
    @Nullable TlsConfig tls(Mode mode) {
        return mode.provider == null
                ? null
                : TlsConfig.of(certificate.cert(), certificate.key())
                        .with(mode.provider)
                        .withHandshakeTimeout(Duration.ofMinutes(1)); // busy machines
    }

    Socket connect(Mode mode, Listener listener) throws IOException {
        Socket socket =
                mode.tls()
                        ? TestClient.tls(clientTls, listener.address())
                        : TestClient.plain(listener.address());
        keep(socket);
        return socket;
    }

    static void echo(Socket socket, String text) throws IOException {
        byte[] sent = text.getBytes();
        socket.getOutputStream().write(sent);
        assertArrayEquals(sent, socket.getInputStream().readNBytes(sent.length));
    }

    void closeAll() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            if (open.get(i) instanceof Socket socket && !socket.isClosed()) {
                // A TLS socket may wait so long for the end from a peer that does not read.
                socket.setSoTimeout(100);
            }
            open.get(i).close();
        }
        open.clear();
    }
}
