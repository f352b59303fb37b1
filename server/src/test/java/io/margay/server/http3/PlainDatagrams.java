package io.margay.server.http3;

import io.margay.transport.Connection;
import io.margay.transport.Dialer;
import io.margay.transport.LeaderTask;
import io.margay.transport.quic.DatagramLoop;
import io.margay.transport.quic.QuicHandshake;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.ConcurrentLinkedQueue;

/// A UDP socket on loopback with a loop of its own, whose handshakes are [PlainHandshake]s, so that
/// a server of HTTP/3 needs no OpenSSL.
final class PlainDatagrams implements DatagramLoop, AutoCloseable {
    private static final int ROUND_MAX = 64;

    private final Selector selector = Selector.open();
    private final DatagramChannel channel = DatagramChannel.open();
    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Thread loop = new Thread(this::run, "udp");
    private final ByteBuffer in = ByteBuffer.allocateDirect(65_536);
    private final ByteBuffer out = ByteBuffer.allocateDirect(65_536);
    private final byte[] bytes = new byte[65_536];
    private final InetSocketAddress address;
    private Handler handler;
    private long alarmAt = Connection.NEVER;
    private Runnable alarm = () -> {};
    private volatile boolean closed;

    PlainDatagrams() throws IOException {
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.SO_RCVBUF, 2 << 20);
        channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        channel.register(selector, SelectionKey.OP_READ);
        address = (InetSocketAddress) channel.getLocalAddress();
    }

    private void run() {
        try {
            while (!closed) {
                long left =
                        alarmAt == Connection.NEVER ? 1_000_000_000 : alarmAt - System.nanoTime();
                if (!tasks.isEmpty() || left <= 0) {
                    selector.selectNow();
                } else {
                    selector.select(Math.max(1, left / 1_000_000));
                }
                selector.selectedKeys().clear();
                for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                    task.run();
                }
                if (alarmAt != Connection.NEVER && alarmAt - System.nanoTime() <= 0) {
                    Runnable due = alarm;
                    alarmAt = Connection.NEVER;
                    due.run();
                }
                for (int i = 0; i < ROUND_MAX && receive(); i++) {}
                handler.roundEnded();
            }
        } catch (IOException e) {
            throw new IllegalStateException("the socket has failed", e);
        }
    }

    private boolean receive() throws IOException {
        in.clear();
        InetSocketAddress peer = (InetSocketAddress) channel.receive(in);
        if (peer == null) {
            return false;
        }
        int length = in.flip().remaining();
        in.get(bytes, 0, length);
        handler.received(bytes, 0, length, peer, address.getAddress(), 0);
        return true;
    }

    @Override
    public void start(Handler to) {
        handler = to;
        loop.setDaemon(true);
        loop.start();
    }

    @Override
    public InetSocketAddress address() {
        return address;
    }

    @Override
    public boolean hasRoom() {
        return true;
    }

    @Override
    public void send(
            byte[] source, int length, InetSocketAddress peer, InetAddress local, boolean marked) {
        out.clear().put(source, 0, length).flip();
        try {
            int _ = channel.send(out, peer);
        } catch (IOException e) {
            return; // nobody is there any more
        }
    }

    @Override
    public void flush() {}

    @Override
    public QuicHandshake handshake() {
        return new PlainHandshake();
    }

    @Override
    public Dialer dialer() {
        throw new UnsupportedOperationException("nobody dials");
    }

    @Override
    public boolean inLoop() {
        return Thread.currentThread() == loop;
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
        selector.wakeup();
    }

    @Override
    public boolean runAsLeader(LeaderTask task) {
        return false;
    }

    @Override
    public boolean atRoundEnd(Runnable step) {
        return false;
    }

    @Override
    public void alarm(long nanoTime, Runnable step) {
        alarmAt = nanoTime;
        alarm = step;
    }

    @Override
    public void close() {
        closed = true;
        selector.wakeup();
    }
}
