package io.margay.app.it;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Members with four workers and a queue each, as those of the simulation of balancing: a request
/// takes 50 ms on average (exponential). Thread-safe.
final class SlowMembers implements AutoCloseable {
    static final int WORKERS = 4;
    static final double WORK_MILLIS = 50;

    private static final double PAUSE_MILLIS = 300;
    private static final double PAUSE_EACH_MILLIS = 5_000;

    private final List<Member> all = new ArrayList<>();
    private volatile Kind kind = Kind.EVEN;
    private volatile long begunNanos;
    private volatile double seconds = 1;

    /// What they do; in the second of three parts of the time where it is for a part of it.
    enum Kind {
        EVEN("all members alike"),
        BROWN_OUT("one member × 20 slower for a third of the time"),
        PAUSES("each member stands still for 0.3 s of 5 s"),
        COLD("one × 10 slower at first, as others after a third of the time"),
        UNEVEN("every second member half as fast"),
        FAILING("one answers 500 at once for a third of the time");

        final String says;

        Kind(String says) {
            this.says = says;
        }
    }

    private final class Member {
        private final int number;
        private final Semaphore workers = new Semaphore(WORKERS, true);
        private final HttpServer server;

        Member(int number) throws IOException {
            this.number = number;
            InetSocketAddress here = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            server = HttpServer.create(here, 0);
            server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
            server.createContext("/", this::answer);
            server.start();
        }

        private void answer(HttpExchange exchange) throws IOException {
            boolean fails = kind == Kind.FAILING && number == 0 && isMiddle();
            if (!fails) {
                workers.acquireUninterruptibly();
                try {
                    work();
                } finally {
                    workers.release();
                }
            }
            byte[] content = "content\n".getBytes(StandardCharsets.US_ASCII);
            exchange.sendResponseHeaders(fails ? 500 : 200, content.length);
            exchange.getResponseBody().write(content);
            exchange.close();
        }

        private void work() {
            double work = -Math.log(1 - ThreadLocalRandom.current().nextDouble()) * WORK_MILLIS;
            pass(pause() + work * slowness());
        }

        private double pause() {
            double at = passed() * seconds * 1_000 + number * PAUSE_EACH_MILLIS / all.size();
            double since = at % PAUSE_EACH_MILLIS;
            return kind == Kind.PAUSES && since < PAUSE_MILLIS ? PAUSE_MILLIS - since : 0;
        }

        private double slowness() {
            return switch (kind) {
                case EVEN, PAUSES, FAILING -> 1;
                case BROWN_OUT -> number == 0 && isMiddle() ? 20 : 1;
                case COLD -> number == 0 ? Math.max(1, 10 - 27 * passed()) : 1;
                case UNEVEN -> number % 2 == 0 ? 2 : 1;
            };
        }
    }

    SlowMembers(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            all.add(new Member(i));
        }
    }

    private static void pass(double millis) {
        long end = System.nanoTime() + (long) (millis * TimeUnit.MILLISECONDS.toNanos(1));
        for (long now = System.nanoTime(); now - end < 0; now = System.nanoTime()) {
            LockSupport.parkNanos(end - now);
        }
    }

    /// The part of the time that has passed.
    private double passed() {
        return (System.nanoTime() - begunNanos) / (seconds * 1e9);
    }

    private boolean isMiddle() {
        return passed() >= 1 / 3.0 && passed() < 2 / 3.0;
    }

    /// From now on they do this.
    void begin(Kind next, double forSeconds) {
        seconds = forSeconds;
        begunNanos = System.nanoTime();
        kind = next;
    }

    List<Integer> ports() {
        return all.stream().map(one -> one.server.getAddress().getPort()).toList();
    }

    @Override
    public void close() {
        all.forEach(one -> one.server.stop(0));
    }
}
