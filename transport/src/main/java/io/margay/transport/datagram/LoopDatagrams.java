package io.margay.transport.datagram;

import io.margay.transport.Connection;
import io.margay.transport.Dialer;
import io.margay.transport.FatalHandler;
import io.margay.transport.LeaderTask;
import io.margay.transport.loop.EventLoop;
import io.margay.transport.loop.Pollable;
import io.margay.transport.quic.DatagramLoop;
import io.margay.transport.quic.QuicHandshake;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A socket of UDP on a loop of its own.
final class LoopDatagrams implements DatagramLoop, Pollable {
    private static final System.Logger LOG = System.getLogger("io.margay.transport");

    private static final long JOIN_MILLIS = 5_000;

    private final EventLoop loop;
    private final UdpSocket socket;
    private final Supplier<QuicHandshake> handshakes;
    private @Nullable Handler handler;
    private boolean receives;
    private volatile boolean closed;

    /// Starts the loop.
    ///
    /// @param receives whether it receives once there is a handler; else from [#resume] on
    LoopDatagrams(
            UdpSocket socket,
            Supplier<QuicHandshake> handshakes,
            boolean receives,
            String name,
            FatalHandler fatal) {
        this.socket = socket;
        this.receives = receives;
        this.handshakes = handshakes;
        loop = socket.loop();
        loop.start(name, fatal::fatal);
    }

    @Override
    public void start(Handler to) {
        loop.execute(() -> {
            handler = to;
            if (receives) {
                report(true);
            }
        });
    }

    /// Begins to receive what comes, if it does not. Any thread.
    void resume() {
        loop.execute(() -> {
            if (!receives) {
                receives = true;
                if (handler != null) {
                    report(true);
                }
            }
        });
    }

    /// Receives no more, and sends on. Any thread, which is told when that is so.
    void pause(Runnable done) {
        loop.execute(() -> {
            if (receives) {
                receives = false;
                report(false);
                Handler to = handler;
                if (to != null && !closed) {
                    to.roundEnded(); // The socket has room now.
                    flush();
                }
            }
            done.run();
        });
    }

    private void report(boolean begins) {
        if (closed) {
            return;
        }
        try {
            if (begins) {
                socket.report(this);
            } else {
                socket.pause();
            }
        } catch (IOException e) {
            throw new IllegalStateException("datagrams cannot be received", e);
        }
    }

    /// See [UdpSocket#descriptor].
    int descriptor() {
        return socket.descriptor();
    }

    @Override
    public void ready(int operations) {
        Handler to = handler;
        if (to == null || closed) {
            return;
        }
        if ((operations & Connection.WRITE) != 0) {
            socket.writable();
        }
        if ((operations & Connection.READ) != 0) {
            socket.receive(to::received);
        }
        to.roundEnded();
        socket.flush();
    }

    @Override
    public boolean hasRoom() {
        return socket.hasRoom();
    }

    @Override
    public void send(
            byte[] bytes, int length, InetSocketAddress peer, InetAddress local, boolean marked) {
        if (!closed) {
            socket.send(bytes, length, peer, local, marked);
        }
    }

    @Override
    public void flush() {
        if (!closed) {
            socket.flush();
        }
    }

    @Override
    public InetSocketAddress address() {
        return socket.address();
    }

    @Override
    public QuicHandshake handshake() {
        return handshakes.get();
    }

    @Override
    public Dialer dialer() {
        return loop.dialer();
    }

    @Override
    public boolean inLoop() {
        return loop.inLoop();
    }

    @Override
    public void execute(Runnable task) {
        loop.execute(task);
    }

    @Override
    public boolean runAsLeader(LeaderTask task) {
        return loop.inLoop() && loop.runAsLeader(task);
    }

    @Override
    public boolean atRoundEnd(Runnable step) {
        return loop.inLoop() && loop.atRoundEnd(step);
    }

    @Override
    public void alarm(long nanoTime, Runnable step) {
        loop.alarm(nanoTime, step);
    }

    /// Begins to end. Any thread.
    void close() {
        if (closed) {
            return;
        }
        loop.execute(() -> {
            Handler to = handler;
            if (to != null) {
                to.closing();
                socket.flush();
            }
            closed = true;
            try {
                socket.close();
            } catch (IOException e) {
                LOG.log(Level.DEBUG, "closing a UDP socket failed", e);
            }
        });
        loop.stop();
    }

    /// Waits for the end.
    void join() throws InterruptedException {
        loop.join(JOIN_MILLIS);
    }
}
