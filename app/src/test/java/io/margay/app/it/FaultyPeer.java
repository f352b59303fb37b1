package io.margay.app.it;

import io.margay.testkit.ScriptedPeer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
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

    private final ServerSocket server =
            new ServerSocket(0, QUEUE, InetAddress.getLoopbackAddress());
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    FaultyPeer(Fault fault) throws IOException {
        switch (fault) {
            case RESET_AFTER_HEAD -> serve(FaultyPeer::reset);
            case DRIP -> serve(FaultyPeer::drip);
            case FULL_ACCEPT_QUEUE -> {
                for (int i = 0; i <= QUEUE + 1; i++) {
                    Socket filling = new Socket();
                    open.add(filling);
                    Thread.ofVirtual().start(() -> connect(filling));
                }
            }
        }
    }

    /// The peer ends with its socket.
    private void serve(ScriptedPeer.Script script) {
        ScriptedPeer _ = new ScriptedPeer(server, script);
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

    /// Sends the head of the answer that was asked for.
    ///
    /// @return the length of its content
    private static int head(ScriptedPeer.Talk talk) throws IOException {
        String target = talk.head().split(" ", 3)[1];
        int length = Integer.parseInt(target.substring(target.lastIndexOf('/') + 1));
        talk.send("HTTP/1.1 200 OK\r\nContent-Length: " + length + "\r\n\r\n");
        return length;
    }

    private static void reset(ScriptedPeer.Talk talk) throws IOException {
        int _ = head(talk);
        talk.reset();
    }

    private static void drip(ScriptedPeer.Talk talk) throws IOException {
        for (byte each : FaultsServlet.content(head(talk))) {
            LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
            talk.send(new byte[] {each});
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
