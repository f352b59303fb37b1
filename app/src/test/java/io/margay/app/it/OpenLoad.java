package io.margay.app.it;

import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Requests that come at random times (Poisson), whether or not those before are answered: each
/// waits for nobody, as those of many visitors. Times count from when a request was due.
final class OpenLoad implements AutoCloseable {
    private static final double PATIENCE_MILLIS = 1_000;

    /// Shorter than any server keeps an idle connection.
    private static final double IDLE_MILLIS_MAX = 5_000;

    private final InetSocketAddress server;
    private final RandomGenerator random;
    private final ConcurrentLinkedDeque<Idle> idle = new ConcurrentLinkedDeque<>();

    OpenLoad(int port, RandomGenerator random) {
        server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        this.random = random;
    }

    private record Idle(RawHttpClient client, long sinceNanos) {}

    int port() {
        return server.getPort();
    }

    /// An answer.
    ///
    /// @param kind of the request, as its number says
    /// @param status 0 = none
    record Answer(int kind, int status, double millis) {}

    /// What came of requests.
    ///
    /// @param good share of them that was answered with 200 within a second
    record Seen(int count, double good, double p50, double p99) {
        static Seen of(List<Answer> answers) {
            double[] took = answers.stream().mapToDouble(Answer::millis).sorted().toArray();
            long good =
                    answers.stream()
                            .filter(one -> one.status == 200 && one.millis <= PATIENCE_MILLIS)
                            .count();
            return new Seen(
                    took.length,
                    (double) good / took.length,
                    took[took.length / 2],
                    took[Math.min(took.length - 1, (int) (took.length * 0.99))]);
        }
    }

    /// Sends requests.
    ///
    /// @param kinds of which one is drawn for each
    /// @param request of a kind
    List<Answer> run(double perSecond, double seconds, int kinds, IntFunction<String> request) {
        ConcurrentLinkedDeque<Answer> all = new ConcurrentLinkedDeque<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            double due = System.nanoTime();
            double end = due + seconds * 1e9;
            while (due < end) {
                due += -Math.log(1 - random.nextDouble()) * 1e9 / perSecond;
                for (long now = System.nanoTime(); now < due; now = System.nanoTime()) {
                    LockSupport.parkNanos((long) due - now);
                }
                double since = due;
                int kind = random.nextInt(kinds);
                threads.execute(() -> {
                    int status = ask(request.apply(kind));
                    all.add(new Answer(kind, status, (System.nanoTime() - since) / 1e6));
                });
            }
        }
        return List.copyOf(all);
    }

    private int ask(String request) {
        RawHttpClient client = kept();
        try {
            if (client == null) {
                client = RawHttpClient.connect(server);
            }
            RawHttpClient.Response response = client.send(request).response();
            if (response.closes()) {
                client.close();
            } else {
                idle.addFirst(new Idle(client, System.nanoTime()));
            }
            return response.status();
        } catch (IOException e) {
            if (client != null) {
                drop(client);
            }
            return 0;
        }
    }

    /// The connection used last; if the server may be closing it already, so may all others.
    private @Nullable RawHttpClient kept() {
        Idle last = idle.pollFirst();
        if (last == null || System.nanoTime() - last.sinceNanos < IDLE_MILLIS_MAX * 1e6) {
            return last == null ? null : last.client;
        }
        drop(last.client);
        close();
        return null;
    }

    @Override
    public void close() {
        for (Idle one = idle.pollFirst(); one != null; one = idle.pollFirst()) {
            drop(one.client);
        }
    }

    private static void drop(RawHttpClient client) {
        try {
            client.close();
        } catch (IOException e) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1)); // it is closed all the same
        }
    }
}
