package io.margay.lab.servers.known;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/// A server whose cost is known: one selector loop that answers every request with the same page
/// and then, if it is told to, burns a fixed share of what the request has cost, so that the lab
/// can be tested on a difference that is certain. A process of its own; single-threaded.
///
/// It understands GET requests that arrive whole, as the lab's generator sends them, and no others.
public final class CalibrationServer {
    private static final int BUFFER_BYTES = 16 * 1024;
    private static final int BATCH = 2000;

    private static final byte[] ANSWER =
            """
            HTTP/1.1 200 OK\r
            Content-Type: text/html\r
            Content-Length: 26\r
            Connection: keep-alive\r
            \r
            <h1>Heartbeat</h1><p></p>
            """
                    .getBytes(StandardCharsets.US_ASCII);

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final ByteBuffer in = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final ByteBuffer out = ByteBuffer.allocateDirect(ANSWER.length).put(ANSWER).flip();
    private final double extra;
    private boolean isFixed;
    private long burnNanos;
    private long burnedNanos;
    private long requests;
    private long batchCpuNanos;

    private CalibrationServer(double extra) {
        this.extra = extra;
    }

    /// @param args port on the loopback, the extra cost in percent, and, instead of it, a fixed
    ///   cost of each request in microseconds
    public static void main(String[] args) throws IOException {
        CalibrationServer server = new CalibrationServer(Double.parseDouble(args[1]) / 100);
        if (args.length > 2) {
            server.burnNanos = Long.parseLong(args[2]) * 1000;
            server.isFixed = true;
        }
        server.serve(Integer.parseInt(args[0]));
    }

    private void serve(int port) throws IOException {
        try (Selector selector = Selector.open();
                ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
            listener.configureBlocking(false);
            listener.register(selector, SelectionKey.OP_ACCEPT);
            batchCpuNanos = threads.getCurrentThreadCpuTime();
            while (true) {
                selector.select(key -> ready(key, selector));
            }
        }
    }

    private void ready(SelectionKey key, Selector selector) {
        try {
            if (key.channel() instanceof ServerSocketChannel listener) {
                SocketChannel accepted = listener.accept();
                if (accepted != null) {
                    accepted.configureBlocking(false);
                    accepted.register(selector, SelectionKey.OP_READ);
                }
            } else if (key.channel() instanceof SocketChannel channel) {
                answer(channel);
            }
        } catch (IOException e) {
            close(key);
        }
    }

    private static void close(SelectionKey key) {
        key.cancel();
        try {
            key.channel().close();
        } catch (IOException e) {
            // It is gone either way.
            key.cancel();
        }
    }

    private void answer(SocketChannel channel) throws IOException {
        in.clear();
        if (channel.read(in) < 0) {
            channel.close();
            return;
        }
        channel.write(out.rewind());
        requests++;
        burn();
    }

    /// Spends CPU time, and now and then measures what a request costs without it.
    private void burn() {
        if (!isFixed && requests % BATCH == 0) {
            long cpu = threads.getCurrentThreadCpuTime();
            double own = (double) (cpu - batchCpuNanos - burnedNanos) / BATCH;
            burnNanos = Math.round(own * extra);
            batchCpuNanos = cpu;
            burnedNanos = 0;
        }
        if (burnNanos > 0) {
            long start = System.nanoTime();
            long passed;
            do {
                passed = System.nanoTime() - start;
            } while (passed < burnNanos);
            burnedNanos += Math.min(passed, 2 * burnNanos);
        }
    }
}
