package io.margay.testkit;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// A server on a raw socket of the loopback that does exactly what a test says, with code of its
/// own. Thread-safe; the script runs on a virtual thread for each connection.
public final class ScriptedPeer implements AutoCloseable {
    private static final int BACKLOG = 500;
    private static final int TIMEOUT_MILLIS = 20_000;
    private static final int SOME_BYTES = 8192;

    /// What is done on a connection, which is closed afterwards. An exception ends it: mostly the
    /// other end has closed it, which is what many tests are about.
    @FunctionalInterface
    public interface Script {
        void run(Talk talk) throws IOException;
    }

    /// What is waited for, with a time-out as those of `java.util.concurrent` have it.
    @FunctionalInterface
    public interface Wait {
        boolean await(long time, TimeUnit unit) throws InterruptedException;
    }

    private final ServerSocket server;
    private final Script script;
    private final Executor threads;
    private final List<String> heads = new CopyOnWriteArrayList<>();
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
    private final AtomicInteger connections = new AtomicInteger();

    /// Listens on a port that the system chooses.
    public ScriptedPeer(Script script) throws IOException {
        this(new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress()), script);
    }

    /// Accepts from a socket, for instance one of TLS, and closes it in the end.
    public ScriptedPeer(ServerSocket server, Script script) {
        this(server, script, Thread::startVirtualThread);
    }

    private ScriptedPeer(ServerSocket server, Script script, Executor threads) {
        this.server = server;
        this.script = script;
        this.threads = threads;
        Thread.startVirtualThread(this::accept);
    }

    /// One that serves a connection after the other and lets hardly any wait, as a server whose
    /// threads are all busy.
    public static ScriptedPeer serial(Script script) throws IOException {
        ServerSocket narrow = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        return new ScriptedPeer(narrow, script, Runnable::run);
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                sockets.add(socket);
                connections.incrementAndGet();
                threads.execute(() -> talk(socket));
            }
        } catch (IOException e) {
            // Closed: the test is over.
        }
    }

    private void talk(Socket socket) {
        try (socket) {
            script.run(new Talk(socket));
        } catch (IOException e) {
            // As a script may end.
        }
    }

    public int port() {
        return server.getLocalPort();
    }

    /// How many connections were accepted so far.
    public int connections() {
        return connections.get();
    }

    /// The heads of requests that were read, and what else a script has added, in this order.
    public List<String> heads() {
        return heads;
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    /// One connection. Confined to its thread; every read is bounded in time.
    public final class Talk {
        private final Socket socket;
        private final InputStream in;
        private final OutputStream out;

        private Talk(Socket socket) throws IOException {
            this.socket = socket;
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            in = new BufferedInputStream(socket.getInputStream());
            out = socket.getOutputStream();
        }

        public Socket socket() {
            return socket;
        }

        public InputStream in() {
            return in;
        }

        public OutputStream out() {
            return out;
        }

        /// Reads and records the head of a request.
        ///
        /// @throws IOException at the end of the connection, too
        public String head() throws IOException {
            StringBuilder text = new StringBuilder();
            int lineBreaks = 0;
            while (lineBreaks < 2) {
                int b = in.read();
                if (b < 0) {
                    throw new IOException("the other end has closed the connection: " + text);
                }
                text.append((char) b);
                lineBreaks = b == '\n' ? lineBreaks + 1 : b == '\r' ? lineBreaks : 0;
            }
            heads.add(text.toString());
            return text.toString();
        }

        /// What the peer has recorded.
        public List<String> heads() {
            return heads;
        }

        /// So many octets, or fewer at the end.
        public byte[] body(int count) throws IOException {
            return in.readNBytes(count);
        }

        /// Whatever has come first, as ISO 8859-1; empty at the end.
        public String some() throws IOException {
            byte[] bytes = new byte[SOME_BYTES];
            int count = Math.max(0, in.read(bytes));
            return new String(Arrays.copyOf(bytes, count), StandardCharsets.ISO_8859_1);
        }

        /// Sends text as ISO 8859-1.
        public Talk send(String text) throws IOException {
            return send(text.getBytes(StandardCharsets.ISO_8859_1));
        }

        public Talk send(byte[] bytes) throws IOException {
            out.write(bytes);
            out.flush();
            return this;
        }

        /// Closes the connection with a reset.
        public void reset() throws IOException {
            socket.setSoLinger(true, 0);
            socket.close();
        }

        /// Waits for the test, such as `latch::await`, as long as a read at most.
        public void await(Wait wait) throws IOException {
            try {
                if (!wait.await(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)) {
                    throw new IOException("the test has not gone on");
                }
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }

        /// Waits until the other end closes the connection, whatever else comes.
        public void awaitEnd() throws IOException {
            while (in.read() >= 0) {}
        }
    }
}
