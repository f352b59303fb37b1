package io.margay.gateway.proxy;

import io.margay.gateway.config.PeerAddress;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerScheme;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;

/// A server on a raw socket that does exactly what a test says, with code of its own. Each
/// connection has a virtual thread.
final class ScriptedPeer implements AutoCloseable {
    /// What is done on a connection.
    interface Script {
        void run(Talk talk) throws IOException;
    }

    /// Heads of requests, in the order of their coming.
    final List<String> heads = new CopyOnWriteArrayList<>();

    private final ServerSocket server;
    private final Script script;
    private final ConcurrentLinkedQueue<Socket> sockets = new ConcurrentLinkedQueue<>();
    private volatile int connections;

    ScriptedPeer(Script script) throws IOException {
        this.script = script;
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                sockets.add(socket);
                connections++;
                Thread.ofVirtual().start(() -> talk(socket));
            }
        } catch (IOException e) {
            // Closed: the test is over.
        }
    }

    private void talk(Socket socket) {
        try (socket) {
            script.run(new Talk(socket));
        } catch (IOException e) {
            // The gateway has closed it, which is what many tests are about.
        }
    }

    int connections() {
        return connections;
    }

    int port() {
        return server.getLocalPort();
    }

    PeerConfig peer(String name) {
        return peer(name, Duration.ofSeconds(10));
    }

    PeerConfig peer(String name, Duration reply) {
        return PeerConfig.of(name, PeerAddress.of(PeerScheme.HTTP, "127.0.0.1", port()))
                .withTimeouts(
                        new PeerConfig.Timeouts(
                                Duration.ofSeconds(2), reply, reply, Duration.ofMillis(300)));
    }

    /// The same as a peer that is asked by HTTP/2.
    PeerConfig http2Peer(String name) {
        return http2Peer(name, Duration.ofSeconds(10));
    }

    PeerConfig http2Peer(String name, Duration reply) {
        return peer(name, reply).withAddress(PeerAddress.of(PeerScheme.H2C, "127.0.0.1", port()));
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    /// One connection.
    final class Talk {
        final Socket socket;
        final InputStream in;
        final OutputStream out;

        Talk(Socket socket) throws IOException {
            this.socket = socket;
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(20_000);
            in = new BufferedInputStream(socket.getInputStream());
            out = socket.getOutputStream();
        }

        /// Reads a head; null at the end.
        String head() throws IOException {
            StringBuilder text = new StringBuilder();
            while (text.length() < 4 || !text.substring(text.length() - 4).equals("\r\n\r\n")) {
                int b = in.read();
                if (b < 0) {
                    throw new IOException("the gateway ends here: " + text);
                }
                text.append((char) b);
            }
            heads.add(text.toString());
            return text.toString();
        }

        /// What the peer has recorded.
        List<String> heads() {
            return heads;
        }

        byte[] body(int count) throws IOException {
            return in.readNBytes(count);
        }

        Talk send(String text) throws IOException {
            return send(text.getBytes(StandardCharsets.ISO_8859_1));
        }

        Talk send(byte[] bytes) throws IOException {
            out.write(bytes);
            out.flush();
            return this;
        }

        void reset() throws IOException {
            socket.setSoLinger(true, 0);
            socket.close();
        }

        /// Waits until the gateway closes.
        void awaitEnd() throws IOException {
            while (in.read() >= 0) {
                // Whatever comes.
            }
        }
    }
}
