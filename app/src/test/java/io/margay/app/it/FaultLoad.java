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
import org.jspecify.annotations.Nullable;

/// Clients of the gateway: GET requests whose bytes are compared, and POST requests each with an id
/// of its own. One GET of a hundred is for more than a gateway can hold back: it may be cut off,
/// but not so that the client does not notice. Thread-safe.
final class FaultLoad {
    private static final int BYTES_MAX = 65_536;
    private static final int LARGE_BYTES_MAX = 1_000_000;
    private static final int LARGE_OF = 100;
    private static final int POST_OF = 5;
    private static final int FAILURES_SHOWN = 10;
    private static final long TROUBLE_NANOS = 900_000_000L;
    private static final int PATIENCE_MILLIS = 60_000;

    private final int port;
    private final String prefix;
    private final boolean posts;
    private final AtomicLong nextId = new AtomicLong();
    private final LongAdder got = new LongAdder();
    private final LongAdder failedGets = new LongAdder();
    private final LongAdder failedPosts = new LongAdder();
    private final LongAdder large = new LongAdder();
    private final LongAdder cutLarge = new LongAdder();
    private final LongAdder cutUnnoticed = new LongAdder();
    private final ConcurrentLinkedQueue<String> why = new ConcurrentLinkedQueue<>();
    private final Set<String> answered = ConcurrentHashMap.newKeySet();
    private final AtomicLong slowestNanos = new AtomicLong();
    private volatile long lastTroubleNanos = System.nanoTime();
    private volatile boolean stopped;

    /// What a request is.
    private enum Kind {
        GET,
        LARGE_GET,
        POST
    }

    /// @param prefix of the ids of its POST requests
    /// @param posts whether there are any, one of five
    FaultLoad(int port, String prefix, boolean posts) {
        this.port = port;
        this.prefix = prefix;
        this.posts = posts;
    }

    /// Works until it is [stopped][#stop].
    ///
    /// @param small whether contents have five bytes only
    void client(long seed, boolean small) {
        SplittableRandom random = new SplittableRandom(seed);
        RawHttpClient client = null;
        while (!stopped) {
            Kind kind = posts && random.nextInt(POST_OF) == 0 ? Kind.POST : Kind.GET;
            client = one(client, kind, small ? 5 : random.nextInt(BYTES_MAX + 1));
            if (!small && random.nextInt(LARGE_OF) == 0) {
                client = one(client, Kind.LARGE_GET, random.nextInt(BYTES_MAX, LARGE_BYTES_MAX));
            }
        }
        close(client);
    }

    /// One request, on a connection that may be there already; what is left of the connection.
    private @Nullable RawHttpClient one(@Nullable RawHttpClient before, Kind kind, int length) {
        RawHttpClient client = before;
        long begin = System.nanoTime();
        try {
            if (client == null) {
                client = connect();
            }
            boolean closes = kind == Kind.POST ? post(client) : get(client, kind, length);
            if (closes) {
                client = close(client);
            }
        } catch (IOException | RuntimeException e) {
            failed(kind, e.toString());
            client = close(client);
        }
        if (kind != Kind.LARGE_GET) {
            long end = System.nanoTime();
            slowestNanos.accumulateAndGet(end - begin, Math::max);
            if (end - begin > TROUBLE_NANOS) {
                lastTroubleNanos = end;
            }
        }
        return client;
    }

    private RawHttpClient connect() throws IOException {
        InetSocketAddress at = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        return RawHttpClient.connect(at).timeout(PATIENCE_MILLIS);
    }

    private static @Nullable RawHttpClient close(@Nullable RawHttpClient client) {
        try {
            if (client != null) {
                client.close();
            }
        } catch (IOException e) {
            // It is of no use any more either way.
        }
        return null;
    }

    private boolean get(RawHttpClient client, Kind kind, int length) throws IOException {
        if (kind == Kind.LARGE_GET) {
            large.increment();
        }
        RawHttpClient.Response response = client.get("/app/bytes/" + length);
        if (response.status() != 200) {
            failed(kind, "status " + response.status());
        } else if (!Arrays.equals(FaultsServlet.content(length), response.body())) {
            cutUnnoticed.increment();
            failed(kind, "another content, " + response.body().length + " of " + length);
        } else if (kind == Kind.GET) {
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
            failed(Kind.POST, "POST status " + response.status());
        }
        return response.closes();
    }

    private void failed(Kind kind, String reason) {
        switch (kind) {
            case GET -> {
                failedGets.increment();
                lastTroubleNanos = System.nanoTime();
                if (why.size() < FAILURES_SHOWN) {
                    why.add(reason);
                }
            }
            case LARGE_GET -> cutLarge.increment();
            case POST -> failedPosts.increment();
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

    /// Requests for more than a gateway holds back.
    long large() {
        return large.sum();
    }

    /// Those of them that were not answered wholly.
    long cutLarge() {
        return cutLarge.sum();
    }

    /// Answers of any length that were wrong although they seemed to be whole.
    long cutUnnoticed() {
        return cutUnnoticed.sum();
    }

    /// The ids of the POST requests that were answered.
    Set<String> answered() {
        return answered;
    }

    /// Whether that many requests of each kind were answered.
    boolean isDone(long wantedGets, long wantedPosts) {
        return got.sum() >= wantedGets && answered.size() >= wantedPosts;
    }

    /// When the last request failed, or ended that took long; at first when this was made.
    long lastTroubleNanos() {
        return lastTroubleNanos;
    }

    long slowestMillis() {
        return slowestNanos.get() / 1_000_000;
    }

    @Override
    public String toString() {
        return String.join("; ", why);
    }
}
