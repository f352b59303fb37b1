package io.margay.app.it;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// An HTTP server that misbehaves in one way. It knows `GET .../bytes/N` as [FaultsServlet] does.
final class FaultyPeer implements AutoCloseable {
    /// How.
    enum Fault {
        /// The connection is reset after the head of the answer.
        RESET_AFTER_HEAD,
        /// The content comes a byte a second.
        DRIP,
        /// Nobody accepts, and the queue of the system is full.
        FULL_ACCEPT_QUEUE
    }

    private static final int QUEUE = 1;

    private final Fault fault;
    private final ServerSocket server;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    FaultyPeer(Fault fault) throws IOException {
        this.fault = fault;
        server = new ServerSocket(0, QUEUE, InetAddress.getLoopbackAddress());
        if (fault == Fault.FULL_ACCEPT_QUEUE) {
            for (int i = 0; i <= QUEUE + 1; i++) {
                Socket filling = new Socket();
                open.add(filling);
                Thread.ofVirtual().start(() -> connect(filling));
            }
        } else {
            Thread.ofVirtual().start(this::accept);
        }
    }

    private void connect(Socket filling) {
        try {
            filling.connect(new InetSocketAddress(server.getInetAddress(), server.getLocalPort()));
        } catch (IOException e) {
            // The queue is full, or the test is over.
        }
    }

    String member() {
        return "{url: \"http://127.0.0.1:%d\", name: faulty}".formatted(server.getLocalPort());
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
        try (socket) {
            byte[] buffer = new byte[8192];
            int count = socket.getInputStream().read(buffer);
            if (count <= 0) {
                return;
            }
            String target =
                    new String(buffer, 0, count, StandardCharsets.ISO_8859_1).split(" ", 3)[1];
            int length = Integer.parseInt(target.substring(target.lastIndexOf('/') + 1));
            String head = "HTTP/1.1 200 OK\r\nContent-Length: " + length + "\r\n\r\n";
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            if (fault == Fault.RESET_AFTER_HEAD) {
                socket.setSoLinger(true, 0);
                return;
            }
            for (byte each : FaultsServlet.content(length)) {
                LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
                socket.getOutputStream().write(each);
            }
        } catch (IOException e) {
            // the gateway has given it up
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
