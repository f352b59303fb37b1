package io.margay.lab.hostile;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Connections that ask once and go, so many at a time on one thread, which leaves the processor to
/// others. Confined to that thread.
final class ConnectionStorm {
    private static final int AT_ONCE = 64;
    private static final long LATE_NANOS = 60_000_000_000L;
    private static final int ANSWER_BYTES = 4096;
    private static final int STATUS_END = 12;

    private final InetSocketAddress server;
    private final byte[] request;
    private final Selector selector = Selector.open();
    private final ByteBuffer answer = ByteBuffer.allocate(ANSWER_BYTES);

    ConnectionStorm(InetSocketAddress server, String path) throws IOException {
        this.server = server;
        request =
                ("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII);
    }

    /// Opens so many, one after the other.
    ///
    /// @return how it went, in words
    String run(int count) throws IOException {
        long start = System.nanoTime();
        long longest = 0;
        int begun = 0;
        int ended = 0;
        Map<String, Integer> failed = new TreeMap<>();
        while (begun < Math.min(AT_ONCE, count)) {
            begin();
            begun++;
        }
        while (ended < count) {
            selector.select(1_000);
            long now = System.nanoTime();
            for (SelectionKey key : List.copyOf(selector.keys())) {
                long took = now - (long) key.attachment();
                String result = took > LATE_NANOS ? "too late" : goOn(key);
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
                    begin();
                    begun++;
                }
            }
            selector.selectedKeys().clear();
        }
        return String.format(
                Locale.ROOT,
                "%d connections in %.1f s, the longest %d ms, failed: %s",
                count,
                (System.nanoTime() - start) / 1e9,
                longest / 1_000_000,
                failed);
    }

    private void begin() throws IOException {
        SocketChannel channel = SocketChannel.open();
        channel.configureBlocking(false);
        // A reset instead of a long wait for the last segments: ports are few.
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        channel.register(selector, SelectionKey.OP_CONNECT, System.nanoTime());
        channel.connect(server);
    }

    /// Goes on with one connection: null before its end, empty when all went well, else what
    /// failed.
    private @Nullable String goOn(SelectionKey key) {
        SocketChannel channel = (SocketChannel) key.channel();
        try {
            if (!selector.selectedKeys().contains(key)) {
                return null;
            }
            if (key.isConnectable() && channel.finishConnect()) {
                channel.write(ByteBuffer.wrap(request));
                key.interestOps(SelectionKey.OP_READ);
                return null;
            }
            if (channel.read(answer.clear()) < STATUS_END) {
                return "closed";
            }
            return answer.get(9) == '2'
                    ? ""
                    : new String(answer.array(), 9, 3, StandardCharsets.US_ASCII);
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
