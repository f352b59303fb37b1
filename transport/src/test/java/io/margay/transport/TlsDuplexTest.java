package io.margay.transport;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.margay.testkit.SelfSigned;
import io.margay.transport.factory.Transports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Both directions of an encrypted connection at once.
@Timeout(120)
class TlsDuplexTest {
    @TempDir static Path directory;

    static Stream<TlsConfig.Provider> tenOfEach() {
        return Stream.generate(() -> List.of(TlsConfig.Provider.JSSE, TlsConfig.Provider.OPENSSL))
                .limit(10)
                .flatMap(List::stream);
    }

    /// One thread waits in reads while another writes, and key updates ask the reader for answers.
    @ParameterizedTest
    @MethodSource("tenOfEach")
    void blockingRead_whileAnotherThreadWrites_bothDirectionsArriveWhole(
            TlsConfig.Provider provider) throws Exception {
        byte[] up = new byte[2 << 20];
        byte[] down = new byte[2 << 20];
        new java.util.Random(11).nextBytes(up);
        new java.util.Random(12).nextBytes(down);
        CompletableFuture<byte[]> received = new CompletableFuture<>();
        CompletableFuture<Void> written = new CompletableFuture<>();
        SelfSigned made = SelfSigned.make(directory, "ec", "EC", List.of("DNS:localhost"));
        ListenerConfig there =
                ListenerConfig.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                        .withTls(TestTls.config(made).with(provider));
        ConnectionHandler.Factory handlers =
                c ->
                        new Scripted(c) {
                            @Override
                            void readable() {
                                Thread.startVirtualThread(() -> {
                                    complete(written, () -> writeAll(c, down));
                                });
                                complete(received, () -> readAll(c, up.length));
                                written.join();
                                c.close();
                            }
                        };
        try (Transport transport = Transports.open("blocking", TransportConfig.defaults());
                Listener listener = transport.listen(there, handlers);
                SSLSocket socket = TestClient.tls(TestClient.tlsContext(), listener.address())) {
            send(socket, up, down);
            assertArrayEquals(up, received.get(30, TimeUnit.SECONDS));
            written.get(30, TimeUnit.SECONDS);
        }
    }

    /// Sends and receives at once, with key updates.
    private static void send(SSLSocket socket, byte[] up, byte[] down) throws Exception {
        CompletableFuture<byte[]> answer = new CompletableFuture<>();
        Thread.startVirtualThread(() -> {
            complete(answer, () -> socket.getInputStream().readNBytes(down.length));
        });
        for (int at = 0; at < up.length; at += 1 << 16) {
            if (at > 0) {
                // Not after the last: what the server has not read makes its close a reset.
                socket.startHandshake();
            }
            socket.getOutputStream().write(up, at, 1 << 16);
        }
        assertArrayEquals(down, answer.get(30, TimeUnit.SECONDS));
    }

    private static <T> void complete(CompletableFuture<T> future, Callable<T> work) {
        try {
            future.complete(work.call());
        } catch (Exception e) {
            future.completeExceptionally(e);
        }
    }

    private static byte[] readAll(Connection c, int length) throws IOException {
        byte[] got = new byte[length];
        int at = 0;
        while (at < length) {
            int n = c.read(got, at, length - at);
            if (n < 0) {
                throw new IOException("ended after " + at);
            }
            at += n;
        }
        return got;
    }

    private static Void writeAll(Connection c, byte[] content) throws IOException {
        for (int at = 0; at < content.length; ) {
            at += c.write(content, at, Math.min(10_000, content.length - at));
        }
        return null;
    }
}
