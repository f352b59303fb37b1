package io.margay.app.it;

import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// Clients of several gateways, each with a session of its own, whose number they set and ask for:
/// each answer has the nonce of its request, and the number is the one that was set last. One
/// client does one thing at a time, by any of the gateways. Thread-safe.
final class SessionLoad {
    private static final int PATIENCE_MILLIS = 60_000;
    private static final int FAILURES_SHOWN = 20;
    private static final int MILLIS_MAX = 60_000;

    /// So many requests, on average, go with one session: a container that has been away gets
    /// sessions again.
    private static final int REQUESTS_OF_A_SESSION = 1000;

    /// What came of it. Immutable.
    ///
    /// @param idempotent GET and PUT requests that were answered
    /// @param failed those that were not
    /// @param posts POST requests that were answered
    /// @param failedPosts those that were not
    /// @param foreign answers with another nonce than the request's
    /// @param lostSessions sessions that were there and are not
    /// @param lostUpdates sessions whose number is older than what was answered
    record Totals(
            long idempotent,
            long failed,
            long posts,
            long failedPosts,
            long foreign,
            long lostSessions,
            long lostUpdates) {
        /// What has come since.
        Totals since(Totals before) {
            return new Totals(
                    idempotent - before.idempotent,
                    failed - before.failed,
                    posts - before.posts,
                    failedPosts - before.failedPosts,
                    foreign - before.foreign,
                    lostSessions - before.lostSessions,
                    lostUpdates - before.lostUpdates);
        }
    }

    private final List<Integer> ports;
    private final AtomicLong nextNonce = new AtomicLong();
    private final LongAdder idempotent = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder failedPosts = new LongAdder();
    private final LongAdder foreign = new LongAdder();
    private final LongAdder lostSessions = new LongAdder();
    private final LongAdder lostUpdates = new LongAdder();
    private final Set<String> posts = ConcurrentHashMap.newKeySet();

    /// How many answers took so many milliseconds, since they were asked for last.
    private volatile AtomicLongArray millis = new AtomicLongArray(MILLIS_MAX + 1);

    private volatile boolean timed = true;

    private final ConcurrentLinkedQueue<String> why = new ConcurrentLinkedQueue<>();
    private volatile boolean stopped;

    SessionLoad(List<Integer> ports) {
        this.ports = ports;
    }

    void stop() {
        stopped = true;
    }

    /// POST requests that were answered.
    Set<String> posts() {
        return posts;
    }

    Totals totals() {
        return new Totals(
                idempotent.sum(),
                failed.sum(),
                posts.size(),
                failedPosts.sum(),
                foreign.sum(),
                lostSessions.sum(),
                lostUpdates.sum());
    }

    /// How long answers took. Immutable.
    record Latencies(long count, long p50, long p99, long slowest) {}

    /// Whether requests are timed from now on; one that has begun before is if it was so then.
    void time(boolean on) {
        timed = on;
    }

    /// How long answers have taken, milliseconds, since this was asked for last.
    Latencies latencies() {
        AtomicLongArray counted = millis;
        millis = new AtomicLongArray(MILLIS_MAX + 1);
        return new Latencies(
                count(counted), within(counted, 0.5), within(counted, 0.99), within(counted, 1));
    }

    private static long count(AtomicLongArray counted) {
        long all = 0;
        for (int i = 0; i <= MILLIS_MAX; i++) {
            all += counted.get(i);
        }
        return all;
    }

    /// Within how many milliseconds that share of all requests was answered.
    private static long within(AtomicLongArray counted, double share) {
        long all = count(counted);
        long below = 0;
        for (int i = 0; i <= MILLIS_MAX; i++) {
            below += counted.get(i);
            if (below >= share * all) {
                return i;
            }
        }
        return MILLIS_MAX;
    }

    /// Works until it is [stopped][#stop].
    void client(long seed) {
        Client client = new Client(new SplittableRandom(seed));
        while (!stopped) {
            client.step();
        }
        client.close();
    }

    /// One client; used by one thread.
    private final class Client {
        private final SplittableRandom random;
        private @Nullable RawHttpClient connection;
        private @Nullable String cookie;

        /// The number that was set and answered; 0 = none.
        private long known;

        /// The number that was sent last.
        private long sent;

        Client(SplittableRandom random) {
            this.random = random;
        }

        void step() {
            if (random.nextInt(REQUESTS_OF_A_SESSION) == 0) {
                cookie = null;
                known = 0;
            }
            int choice = random.nextInt(10);
            String nonce = "n" + nextNonce.incrementAndGet();
            long begin = System.nanoTime();
            boolean post = choice == 0 && cookie != null;
            boolean wasTimed = timed;
            try {
                if (post) {
                    post(nonce);
                } else if (choice < 4 || cookie == null) {
                    put(nonce);
                } else {
                    see(nonce);
                }
            } catch (IOException | RuntimeException e) {
                close();
                failed(post, e.toString());
            }
            if (wasTimed || timed) {
                long took = (System.nanoTime() - begin) / 1_000_000;
                millis.incrementAndGet((int) Math.min(took, MILLIS_MAX));
            }
        }

        private void failed(boolean post, String reason) {
            (post ? failedPosts : failed).increment();
            if (!post) {
                tell(reason);
            }
        }

        private void post(String nonce) throws IOException {
            if (answer("POST", "/app/run/" + nonce, true).equals(nonce)) {
                posts.add(nonce);
            }
        }

        private void put(String nonce) throws IOException {
            sent++;
            String answer = answer("PUT", "/app/set/" + sent + "/" + nonce, false);
            if (answer.equals(nonce + " " + sent)) {
                known = sent;
                idempotent.increment();
            } else {
                strange(answer, nonce);
            }
        }

        private void see(String nonce) throws IOException {
            String answer = answer("GET", "/app/see/" + nonce, false);
            if (!answer.startsWith(nonce + " ")) {
                strange(answer, nonce);
                return;
            }
            idempotent.increment();
            String number = answer.substring(nonce.length() + 1);
            if (number.equals("-")) {
                lostSessions.increment();
                tell("no session " + cookie);
                cookie = null;
                known = 0;
            } else if (Long.parseLong(number) < known) {
                lostUpdates.increment();
                tell("session " + cookie + " has " + number + " in place of " + known);
                known = Long.parseLong(number);
            }
        }

        private void strange(String answer, String nonce) {
            if (!answer.isEmpty()) {
                foreign.increment();
                tell(answer + " in place of " + nonce);
            }
        }

        /// What is answered; empty = it has failed, and is counted.
        private String answer(String method, String path, boolean post) throws IOException {
            RawHttpClient open = connection;
            if (open == null || random.nextInt(50) == 0) {
                close();
                int port = ports.get(random.nextInt(ports.size()));
                open =
                        RawHttpClient.connect(
                                        new InetSocketAddress(
                                                InetAddress.getLoopbackAddress(), port))
                                .timeout(PATIENCE_MILLIS);
                connection = open;
            }
            open.send(
                    method
                            + " "
                            + path
                            + " HTTP/1.1\r\nHost: gateway\r\n"
                            + (cookie == null ? "" : "Cookie: " + cookie + "\r\n")
                            + (method.equals("GET") ? "" : "Content-Length: 0\r\n")
                            + "\r\n");
            RawHttpClient.Response response = open.response();
            if (response.closes()) {
                close();
            }
            if (response.status() != 200) {
                failed(post, method + " status " + response.status() + ": " + response.text());
                return "";
            }
            remember(response.field("Set-Cookie"));
            return response.text();
        }

        private void remember(@Nullable String set) {
            if (set != null) {
                if (cookie != null && !session(cookie).equals(session(set))) {
                    lostSessions.increment();
                    tell("another session than " + cookie + ": " + set);
                    known = 0;
                }
                cookie = set.split(";")[0];
            }
        }

        /// A session's identifier, which stays the same when another container takes it over.
        private static String session(String set) {
            return set.split(";")[0].split("\\.")[0];
        }

        void close() {
            RawHttpClient open = connection;
            connection = null;
            try {
                if (open != null) {
                    open.close();
                }
            } catch (IOException e) {
                tell("it does not close: " + e);
            }
        }
    }

    private void tell(String what) {
        if (why.size() < FAILURES_SHOWN) {
            why.add(what);
        }
    }

    @Override
    public String toString() {
        return totals() + (why.isEmpty() ? "" : ": " + String.join("; ", why));
    }
}
