package io.margay.testkit.fault;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A port of the loopback whose connections lead to another one, by a network that can fail.
/// Thread-safe; two virtual threads for each connection.
public final class FaultyLink implements Link {
    /// What becomes of connections, those that are open and those that are made meanwhile.
    public enum Fault {
        /// They pass everything on.
        NONE,
        /// They are open, and nothing comes until the fault is over.
        STALL,
        /// What is sent is lost, on both ways; they are reset when the fault is over.
        DROP,
        /// The server's side is closed and the client's is not, as when a machine has vanished;
        /// they are reset when the fault is over.
        HALF_OPEN,
        /// They are reset at once.
        RESET,
        /// Everything comes 50 ms late, on both ways.
        DELAY,
        /// One packet of ten is sent again after 200 ms, on both ways, as by TCP.
        LOSS,
        /// What clients send comes, and what the server sends is lost; they are reset when the
        /// fault is over.
        ONE_WAY
    }

    private static final long DELAY_NANOS = 50_000_000L;
    private static final long RESENT_NANOS = 200_000_000L;
    private static final int LOST_OF = 10;

    private static final int BACKLOG = 500;
    private static final int BUFFER_BYTES = 16_384;

    private final ServerSocket server;
    private final int target;
    private final Set<Pair> pairs = ConcurrentHashMap.newKeySet();
    private final Object lock = new Object();

    /// Guarded by the lock.
    private Fault fault = Fault.NONE;

    /// Leads to a port of the loopback, which need not be open yet.
    public FaultyLink(int target) throws IOException {
        this(InetAddress.getLoopbackAddress(), 0, target);
    }

    /// The same at a place of its own.
    ///
    /// @param address where it listens
    /// @param port of that address; 0 = one that is free
    public FaultyLink(InetAddress address, int port, int target) throws IOException {
        this.target = target;
        server = new ServerSocket(port, BACKLOG, address);
        Thread.ofVirtual().start(this::accept);
    }

    @Override
    public int port() {
        return server.getLocalPort();
    }

    @Override
    public void set(Fault next) throws IOException {
        Fault before;
        synchronized (lock) {
            before = fault;
            fault = next;
            lock.notifyAll();
        }
        for (Pair each : pairs) {
            if (next == Fault.RESET || isSilent(before) || before == Fault.ONE_WAY) {
                each.reset();
            } else if (next == Fault.HALF_OPEN) {
                each.vanish();
            }
        }
    }

    private void accept() {
        try {
            while (true) {
                Socket client = server.accept();
                Pair pair = new Pair(client);
                pairs.add(pair);
                Thread.ofVirtual().start(pair::begin);
            }
        } catch (IOException e) {
            // Closed: the test is over.
        }
    }

    /// Whether nothing comes, on both ways.
    private static boolean isSilent(Fault fault) {
        return fault == Fault.DROP || fault == Fault.HALF_OPEN;
    }

    private static void slow(Fault fault) {
        if (fault == Fault.DELAY) {
            LockSupport.parkNanos(DELAY_NANOS);
        } else if (fault == Fault.LOSS && ThreadLocalRandom.current().nextInt(LOST_OF) == 0) {
            LockSupport.parkNanos(RESENT_NANOS);
        }
    }

    /// What holds for bytes that are to be passed on now.
    private Fault awaitFlow() throws IOException {
        synchronized (lock) {
            while (fault == Fault.STALL) {
                try {
                    lock.wait();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
            }
            return fault;
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        set(Fault.RESET);
    }

    /// A connection of a client, and the one to the server that belongs to it.
    private final class Pair {
        private final Socket client;
        private volatile @Nullable Socket back;

        private Pair(Socket client) {
            this.client = client;
        }

        private void begin() {
            try {
                Fault now = awaitFlow();
                if (now == Fault.RESET) {
                    reset();
                    return;
                }
                if (!isSilent(now)) {
                    slow(now);
                    client.setTcpNoDelay(true);
                    Socket to = new Socket(InetAddress.getLoopbackAddress(), target);
                    to.setTcpNoDelay(true);
                    back = to;
                    Thread.ofVirtual().start(() -> copy(to, client));
                    copy(client, to);
                }
                // Else it is open and silent until the fault is over.
            } catch (IOException e) {
                reset(); // nobody listens there
            }
        }

        private void copy(Socket from, Socket to) {
            try {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                byte[] buffer = new byte[BUFFER_BYTES];
                while (true) {
                    int count = in.read(buffer);
                    Fault now = awaitFlow();
                    boolean lost = now == Fault.ONE_WAY && to.equals(client);
                    if (isSilent(now) || lost) {
                        if (count < 0) {
                            return; // which the other side is not told
                        }
                        continue;
                    }
                    if (count < 0) {
                        to.shutdownOutput();
                        closeIfOver();
                        return;
                    }
                    slow(now);
                    out.write(buffer, 0, count);
                }
            } catch (IOException e) {
                broken();
            }
        }

        /// One side is reset, so the other is too, unless that cannot be told.
        private void broken() {
            Fault now;
            synchronized (lock) {
                now = fault;
            }
            if (!isSilent(now) && now != Fault.ONE_WAY) {
                reset();
            }
        }

        private void closeIfOver() throws IOException {
            Socket to = back;
            if (to != null && to.isOutputShutdown() && client.isOutputShutdown()) {
                pairs.remove(this);
                client.close();
                to.close();
            }
        }

        private void vanish() throws IOException {
            Socket to = back;
            if (to != null) {
                to.close();
            }
        }

        private void reset() {
            pairs.remove(this);
            reset(client);
            Socket to = back;
            if (to != null) {
                reset(to);
            }
        }

        private static void reset(Socket socket) {
            try {
                socket.setSoLinger(true, 0);
                socket.close();
            } catch (IOException e) {
                // It is closed already.
            }
        }
    }
}
