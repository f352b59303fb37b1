package io.margay.gateway.health;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// A peer that answers the first bytes of each connection always alike, and not at all when the
/// answer is empty. Octets are written as ISO 8859-1.
final class ScriptedPeer implements AutoCloseable {
    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile String answer;
    private volatile String asked = "";

    ScriptedPeer(String answer) throws IOException {
        this.answer = answer;
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    void answer(String now) {
        answer = now;
    }

    /// The first bytes that came last.
    String asked() {
        return asked;
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                open.add(socket);
                Thread.ofVirtual().start(() -> serve(socket));
            }
        } catch (IOException e) {
            // closed
        }
    }

    private void serve(Socket socket) {
        try {
            byte[] bytes = new byte[8192];
            int count = socket.getInputStream().read(bytes);
            if (count > 0) {
                asked = new String(bytes, 0, count, StandardCharsets.ISO_8859_1);
            }
            if (!answer.isEmpty()) {
                socket.getOutputStream().write(answer.getBytes(StandardCharsets.ISO_8859_1));
            }
        } catch (IOException e) {
            // the check is over
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : open) {
            socket.close();
        }
    }
}
