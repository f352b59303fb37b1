package io.margay.app.it;

import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/// Clients of the gateway: GET requests whose bytes are compared, and POST requests each with an id
/// of its own. Thread-safe.
final class FaultLoad {
    private static final int BYTES_MAX = 65_536;
    private static final int FAILURES_SHOWN = 10;
    private static final int PATIENCE_MILLIS = 60_000;

    private final int port;
    private final String prefix;
    private final AtomicLong gets;
    private final AtomicLong posts;
    private final AtomicLong nextId = new AtomicLong();
    private final LongAdder got = new LongAdder();
    private final LongAdder failedGets = new LongAdder();
    private final LongAdder failedPosts = new LongAdder();
    private final ConcurrentLinkedQueue<String> why = new ConcurrentLinkedQueue<>();
    private final Set<String> answered = ConcurrentHashMap.newKeySet();
    private final AtomicLong slowestNanos = new AtomicLong();
    private volatile boolean stopped;

    /// @param prefix of the ids of its POST requests
    /// @param gets to be done in all, and `posts` likewise
    FaultLoad(int port, String prefix, long gets, long posts) {
        this.port = port;
        this.prefix = prefix;
        this.gets = new AtomicLong(gets);
        this.posts = new AtomicLong(posts);
    }

    /// Works until nothing is left to do.
    ///
    /// @param small whether contents have five bytes only
    void client(long seed, boolean small) {
        SplittableRandom random = new SplittableRandom(seed);
        RawHttpClient client = null;
        while (!stopped) {
            boolean post = posts.get() > 0 && random.nextInt(5) == 0;
            AtomicLong left = post || gets.get() <= 0 ? posts : gets;
            if (left.getAndDecrement() <= 0) {
                if (gets.get() <= 0 && posts.get() <= 0) {
                    break;
                }
                continue;
            }
            long begin = System.nanoTime();
            try {
                if (client == null) {
                    client = connect();
                }
                boolean closes =
                        left == posts
                                ? post(client)
                                : get(client, small ? 5 : random.nextInt(BYTES_MAX + 1));
                if (closes) {
                    client = close(client);
                }
            } catch (IOException | RuntimeException e) {
                failed(left == posts, e.toString());
                client = close(client);
            }
            slowestNanos.accumulateAndGet(System.nanoTime() - begin, Math::max);
        }
        close(client);
    }

    private RawHttpClient connect() throws IOException {
        InetSocketAddress at = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        return RawHttpClient.connect(at).timeout(PATIENCE_MILLIS);
    }

    private static RawHttpClient close(RawHttpClient client) {
        try {
            if (client != null) {
                client.close();
            }
        } catch (IOException e) {
            // It is of no use any more either way.
        }
        return null;
    }

    private boolean get(RawHttpClient client, int length) throws IOException {
        RawHttpClient.Response response = client.get("/app/bytes/" + length);
        if (response.status() != 200) {
            failed(false, "status " + response.status());
        } else if (!Arrays.equals(FaultsServlet.content(length), response.body())) {
            failed(false, "another content");
        } else {
            got.increment();
        }
        return response.closes();
    }

    private boolean post(RawHttpClient client) throws IOException {
        String id = prefix + nextId.incrementAndGet();
        client.send(
                "POST /app/run/"
                        + id
                        + " HTTP/1.1\r\nHost: gateway\r\nContent-Length: 4\r\n\r\nbody");
        RawHttpClient.Response response = client.response();
        if (response.status() == 200 && response.text().equals(id)) {
            answered.add(id);
        } else {
            failed(true, "POST status " + response.status());
        }
        return response.closes();
    }

    private void failed(boolean post, String reason) {
        (post ? failedPosts : failedGets).increment();
        if (!post && why.size() < FAILURES_SHOWN) {
            why.add(reason);
        }
    }

    void stop() {
        stopped = true;
    }

    /// GET requests that were answered rightly.
    long got() {
        return got.sum();
    }

    long failedGets() {
        return failedGets.sum();
    }

    /// POST requests that were not answered, whether or not they were run.
    long failedPosts() {
        return failedPosts.sum();
    }

    /// The ids of the POST requests that were answered.
    Set<String> answered() {
        return answered;
    }

    long slowestMillis() {
        return slowestNanos.get() / 1_000_000;
    }

    @Override
    public String toString() {
        return String.join("; ", why);
    }
}
