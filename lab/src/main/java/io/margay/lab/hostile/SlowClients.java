package io.margay.lab.hostile;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/// Clients that hold a connection by doing everything as slowly as they can. Those that the server
/// throws out come again. Confined to one thread.
final class SlowClients {
    private static final long STEP_NANOS = 2_000_000_000L;
    private static final long REPORT_NANOS = 1_000_000_000L;
    private static final int OPENED_AT_ONCE = 20;
    private static final int READ_BYTES = 2048;
    private static final int RECEIVE_BUFFER_BYTES = 4096;

    /// What is sent slowly, and never to its end.
    private static final int SLOW_BYTES = 1000;

    private static final int SLOW_HEAD_FIRST = 20;

    private final HostileKind kind;
    private final InetSocketAddress server;
    private final byte[] request;
    private final int firstBytes;
    private final Selector selector = Selector.open();
    private final Deque<Slow> byTime = new ArrayDeque<>();
    private final ByteBuffer waste = ByteBuffer.allocate(READ_BYTES);
    private long again;
    private long reported;
    private long reportedNanos = System.nanoTime();

    private static final class Slow {
        private final SocketChannel channel;
        private final long dueNanos;
        private final int sent;

        private Slow(SocketChannel channel, long dueNanos, int sent) {
            this.channel = channel;
            this.dueNanos = dueNanos;
            this.sent = sent;
        }
    }

    SlowClients(HostileKind kind, InetSocketAddress server, String path) throws IOException {
        this.kind = kind;
        this.server = server;
        String head =
                switch (kind) {
                    case SLOW_HEAD -> "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nX-Slow: ";
                    case SLOW_UPLOAD ->
                            "POST "
                                    + path
                                    + " HTTP/1.1\r\nHost: localhost\r\n"
                                    + "Content-Type: application/octet-stream\r\n"
                                    + "Content-Length: 100000\r\n\r\n";
                    default -> "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
                };
        request = (head + "x".repeat(SLOW_BYTES)).getBytes(StandardCharsets.US_ASCII);
        firstBytes = kind == HostileKind.SLOW_HEAD ? SLOW_HEAD_FIRST : request.length - SLOW_BYTES;
    }

    /// Never ends by itself.
    void run(int count, Consumer<String> says) throws IOException {
        int made = 0;
        while (true) {
            for (int i = 0; i < OPENED_AT_ONCE && made < count; i++) {
                byTime.add(open());
                if (++made == count) {
                    says.accept("ready");
                }
            }
            selector.select(this::readable, made < count ? 1 : 20);
            long now = System.nanoTime();
            while (!byTime.isEmpty() && byTime.peek().dueNanos - now < 0) {
                byTime.add(step(byTime.remove()));
            }
            report(now, says);
        }
    }

    private void report(long now, Consumer<String> says) {
        if (now - reportedNanos > REPORT_NANOS) {
            reportedNanos = now;
            if (again > reported) {
                says.accept("again " + again);
            }
            reported = again;
        }
    }

    private Slow open() throws IOException {
        SocketChannel channel = SocketChannel.open();
        if (kind == HostileKind.SLOW_READER) {
            channel.setOption(StandardSocketOptions.SO_RCVBUF, RECEIVE_BUFFER_BYTES);
        }
        channel.connect(server);
        channel.configureBlocking(false);
        if (kind != HostileKind.SLOW_READER) {
            channel.register(selector, SelectionKey.OP_READ);
        }
        channel.write(ByteBuffer.wrap(request, 0, firstBytes));
        return new Slow(channel, System.nanoTime() + STEP_NANOS, firstBytes);
    }

    /// A sender that is answered or whose connection ends has been thrown out; it comes again when
    /// its next step is due.
    private void readable(SelectionKey key) {
        try {
            key.channel().close();
        } catch (IOException e) {
            key.cancel();
        }
    }

    private Slow step(Slow slow) throws IOException {
        int sent = slow.sent;
        try {
            if (kind == HostileKind.SLOW_READER) {
                if (slow.channel.read(waste.clear()) < 0) {
                    return reopened(slow);
                }
            } else if (!slow.channel.isOpen()) {
                return reopened(slow);
            } else if (sent < request.length) {
                slow.channel.write(ByteBuffer.wrap(request, sent++, 1));
            }
        } catch (IOException e) {
            return reopened(slow);
        }
        return new Slow(slow.channel, System.nanoTime() + STEP_NANOS, sent);
    }

    private Slow reopened(Slow slow) throws IOException {
        slow.channel.close();
        again++;
        return open();
    }
}
