package io.margay.app.upgrade;

import io.margay.testkit.Eventually;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/// Clients that open a connection for each request, until [#end]: none may be refused, reset or
/// left without a whole response. A thread each.
final class UpgradeLoad implements AutoCloseable {
    private static final int FAILURES_MAX = 100;

    private final InetSocketAddress server;
    private final List<Thread> clients = new ArrayList<>();
    private final AtomicLong answered = new AtomicLong();
    private final AtomicLong longestNanos = new AtomicLong();
    private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
    private final ConcurrentHashMap<String, AtomicLong> kinds = new ConcurrentHashMap<>();
    private final long pauseNanos;
    private volatile boolean over;

    UpgradeLoad(int port, int clients) {
        this(port, clients, 1_000_000);
    }

    /// @param pauseNanos between two requests of a client; 0 = none
    UpgradeLoad(int port, int clients, long pauseNanos) {
        this.pauseNanos = pauseNanos;
        server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        for (int i = 0; i < clients; i++) {
            this.clients.add(Thread.ofVirtual().start(this::run));
        }
    }

    private void run() {
        while (!over) {
            long begin = System.nanoTime();
            try {
                request();
                answered.incrementAndGet();
            } catch (IOException e) {
                String kind = String.valueOf(e.getMessage());
                kinds.computeIfAbsent(kind, _ -> new AtomicLong()).incrementAndGet();
                if (failures.size() < FAILURES_MAX) {
                    failures.add(kind);
                }
            }
            longestNanos.accumulateAndGet(System.nanoTime() - begin, Math::max);
            if (pauseNanos > 0) {
                LockSupport.parkNanos(this, pauseNanos);
            }
        }
    }

    private void request() throws IOException {
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(20_000);
            socket.connect(server, 20_000);
            socket.getOutputStream()
                    .write(
                            "GET /index.html HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                                    .getBytes(StandardCharsets.US_ASCII));
            InputStream in = socket.getInputStream();
            String answer = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
            if (!answer.startsWith("HTTP/1.1 200") || !answer.endsWith("\r\n\r\nx")) {
                throw new IOException(
                        answer.isEmpty() ? "closed without an answer" : "answered " + answer);
            }
        }
    }

    /// Waits until so many more requests have been answered.
    void await(long requests) {
        long wanted = answered.get() + requests;
        Eventually.holds(
                "requests are answered", () -> answered.get() >= wanted || !failures.isEmpty());
    }

    /// Requests that were answered so far.
    long answered() {
        return answered.get();
    }

    /// The longest of all requests so far.
    long longestMillis() {
        return longestNanos.get() / 1_000_000;
    }

    /// How often each kind of failure has come.
    String kinds() {
        return kinds.toString();
    }

    /// What has failed, when all clients have ended.
    List<String> end() throws InterruptedException {
        over = true;
        for (Thread client : clients) {
            client.join();
        }
        return List.copyOf(failures);
    }

    @Override
    public void close() {
        over = true;
    }
}
