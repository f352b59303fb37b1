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
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Clients that a server would rather not have, many of them:
///
///     java bench/Clients.java KIND PORT COUNT [PATH]
///
/// `heads` send a request's head a byte at a
/// time; `bodies` send content a byte at a time; `readers` take a large answer a few bytes at a
/// time; `storm` connects, asks once and goes, 64 at a time, as fast as it
/// can, until COUNT have. Those that the
/// server throws out come again. Prints `ready` when all are connected, `again N` each second in
/// which some came again, and ends with its standard input.
final class Clients {
    private static final int STEP_MILLIS = 2_000;
    private static final int TIMEOUT_MILLIS = 60_000;

    private final String kind;
    private final InetSocketAddress address;
    private final String path;
    private final Selector selector;
    private long again;

    private Clients(String kind, int port, String path) throws IOException {
        this.kind = kind;
        this.path = path;
        address = new InetSocketAddress("127.0.0.1", port);
        selector = Selector.open();
    }

    public static void main(String[] args) throws Exception {
        int port = Integer.parseInt(args[1]);
        int count = Integer.parseInt(args[2]);
        Clients clients = new Clients(args[0], port, args.length > 3 ? args[3] : "/");
        switch (args[0]) {
            case "storm" -> clients.storm(count);
            case "heads", "bodies", "readers" -> clients.slow(count);
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    // Storms

    /// Always so many connections on their way, on one thread, which leaves the processor to others.
    private void storm(int count) throws IOException {
        int atOnce = Math.min(64, count);
        byte[] request =
                ("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII);
        ByteBuffer answer = ByteBuffer.allocate(4096);
        long before = System.nanoTime();
        long longest = 0;
        int begun = 0;
        int ended = 0;
        Map<String, Integer> failed = new TreeMap<>();
        for (; begun < atOnce; begun++) {
            beginStorm();
        }
        while (ended < count) {
            selector.select(1_000);
            long now = System.nanoTime();
            for (SelectionKey key : List.copyOf(selector.keys())) {
                long took = now - (long) key.attachment();
                boolean late = took > TIMEOUT_MILLIS * 1_000_000L;
                boolean ready = selector.selectedKeys().contains(key);
                String result =
                        late ? "too late" : ready ? stormed(key, request, answer) : null;
                if (result == null) {
                    continue;
                }
                key.channel().close();
                if (!result.isEmpty()) {
                    failed.merge(result, 1, Integer::sum);
                }
                longest = Math.max(longest, took);
                ended++;
                if (begun < count) {
                    begun++;
                    beginStorm();
                }
            }
            selector.selectedKeys().clear();
        }
        System.out.printf(
                "%d connections in %.1f s, the longest %d ms, failed: %s%n",
                count, (System.nanoTime() - before) / 1e9, longest / 1_000_000, failed);
    }

    private void beginStorm() throws IOException {
        SocketChannel channel = SocketChannel.open();
        channel.configureBlocking(false);
        // A reset instead of a long wait for the last segments: ports are few.
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        channel.register(selector, SelectionKey.OP_CONNECT, System.nanoTime());
        channel.connect(address);
    }

    /// Goes on with one connection: null when it has not come to its end, empty when that is good,
    /// else what is wrong.
    private static String stormed(SelectionKey key, byte[] request, ByteBuffer answer) {
        SocketChannel channel = (SocketChannel) key.channel();
        try {
            if (key.isConnectable() && channel.finishConnect()) {
                channel.write(ByteBuffer.wrap(request));
                key.interestOps(SelectionKey.OP_READ);
            } else if (key.isReadable()) {
                answer.clear();
                if (channel.read(answer) < 12) {
                    return "closed";
                }
                return answer.get(9) == '2' ? "" : new String(answer.array(), 9, 3);
            }
            return null;
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }

    // Slow ones

    private static final class Slow {
        SocketChannel channel;
        long due;
        int sent;
    }

    /// Head or head and content of one slow request; it is never sent to its end.
    private byte[] request() {
        String head =
                switch (kind) {
                    case "heads" -> "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nX-Slow: ";
                    case "bodies" ->
                            "POST " + path + " HTTP/1.1\r\nHost: localhost\r\n"
                                    + "Content-Type: application/octet-stream\r\n"
                                    + "Content-Length: 100000\r\n\r\n";
                    default -> "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
                };
        return (head + "x".repeat(1000)).getBytes(StandardCharsets.US_ASCII);
    }

    private void open(Slow slow) throws IOException {
        slow.channel = SocketChannel.open();
        if (kind.equals("readers")) {
            slow.channel.setOption(StandardSocketOptions.SO_RCVBUF, 4096);
        }
        slow.channel.connect(address);
        slow.channel.configureBlocking(false);
        slow.channel.register(selector, SelectionKey.OP_READ, slow);
        if (kind.equals("readers")) {
            slow.channel.keyFor(selector).interestOps(0);
        }
        byte[] bytes = request();
        slow.sent = kind.equals("heads") ? 20 : bytes.length - 1000;
        slow.channel.write(ByteBuffer.wrap(bytes, 0, slow.sent));
        slow.due = System.nanoTime() + STEP_MILLIS * 1_000_000L;
    }

    private void slow(int count) throws Exception {
        Deque<Slow> byTime = new ArrayDeque<>();
        Thread.ofPlatform()
                .daemon()
                .start(
                        () -> {
                            try {
                                while (System.in.read() >= 0) {}
                            } catch (IOException e) {
                                throw new IllegalStateException(e);
                            }
                            System.exit(0);
                        });
        long reported = System.nanoTime();
        long last = 0;
        int made = 0;
        byte[] bytes = request();
        ByteBuffer waste = ByteBuffer.allocate(2048);
        while (true) {
            for (int i = 0; i < 20 && made < count; i++) {
                Slow slow = new Slow();
                open(slow);
                byTime.add(slow);
                made++;
                if (made == count) {
                    System.out.println("ready");
                }
            }
            selector.select(made < count ? 1 : 20);
            for (SelectionKey key : selector.selectedKeys()) {
                reopenIfOver((Slow) key.attachment(), waste);
            }
            selector.selectedKeys().clear();
            long now = System.nanoTime();
            while (!byTime.isEmpty() && byTime.peek().due < now) {
                Slow slow = byTime.remove();
                step(slow, bytes, waste);
                slow.due = now + STEP_MILLIS * 1_000_000L;
                byTime.add(slow);
            }
            if (now - reported > 1_000_000_000L) {
                reported = now;
                if (again > last) {
                    System.out.println("again " + again);
                }
                last = again;
            }
        }
    }

    /// A sender that is answered or closed has been thrown out.
    private void reopenIfOver(Slow slow, ByteBuffer waste) throws IOException {
        try {
            waste.clear();
            if (slow.channel.read(waste) == 0) {
                return;
            }
        } catch (IOException e) {
            // thrown out
        }
        reopen(slow);
    }

    private void reopen(Slow slow) throws IOException {
        slow.channel.close();
        again++;
        open(slow);
    }

    private void step(Slow slow, byte[] bytes, ByteBuffer waste) throws IOException {
        try {
            if (kind.equals("readers")) {
                waste.clear();
                if (slow.channel.read(waste) < 0) {
                    reopen(slow);
                }
            } else if (slow.sent < bytes.length) {
                slow.channel.write(ByteBuffer.wrap(bytes, slow.sent, 1));
                slow.sent++;
            }
        } catch (IOException e) {
            reopen(slow);
        }
    }
}
