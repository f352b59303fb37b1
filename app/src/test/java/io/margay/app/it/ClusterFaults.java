package io.margay.app.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.BooleanSupplier;

/// Containers that share their sessions, behind gateways, under load, while containers are killed
/// and restarted, and whatever else is done to them: what is answered, what fails, what is lost.
/// Used by one thread.
final class ClusterFaults implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final String KEY = "what the servers share and nobody else knows";
    private static final int REPLY_SECONDS = 20;

    private final List<FaultyBackEnd> containers = new ArrayList<>();
    private final List<FaultFront> gateways = new ArrayList<>();
    private final List<Thread> clients = new ArrayList<>();
    private final SessionLoad load;
    private int victim;

    /// @param url of the engine
    ClusterFaults(Path folder, String url, int containerCount, int gatewayCount)
            throws IOException {
        boolean started = false;
        try {
            for (int i = 1; i <= containerCount; i++) {
                String name = "c" + i;
                containers.add(
                        new FaultyBackEnd(
                                name,
                                folder,
                                "sessions: {store: valkey, route: %s, url: \"%s\", key: %s}"
                                        .formatted(name, url, KEY),
                                ClusterServlet.class,
                                FaultsServlet.class));
            }
            String[] members =
                    containers.stream().map(one -> one.member("http")).toArray(String[]::new);
            for (int i = 1; i <= gatewayCount; i++) {
                gateways.add(FaultFront.margay(folder.resolve("g" + i), REPLY_SECONDS, members));
            }
            containers.forEach(FaultyBackEnd::await);
            load = new SessionLoad(gateways.stream().map(FaultFront::port).toList());
            awaitMembers();
            started = true;
        } finally {
            if (!started) {
                close();
            }
        }
    }

    private void awaitMembers() {
        for (FaultFront gateway : gateways) {
            for (FaultyBackEnd one : containers) {
                await(one.name() + " is in", () -> gateway.isIn(one.name()));
            }
        }
    }

    private static void await(String what, BooleanSupplier condition) {
        Eventually.holds(what, PATIENCE, condition);
    }

    /// Has clients work.
    void begin(int count) {
        for (int i = 0; i < count; i++) {
            long seed = 20_261_123L + i;
            clients.add(Thread.ofPlatform().start(() -> load.client(seed)));
        }
    }

    /// Waits for so many more requests to be answered.
    void answered(long more) {
        long until = load.totals().idempotent() + more;
        await(more + " more answers", () -> load.totals().idempotent() >= until);
    }

    /// Kills the next container (SIGKILL), has the others work alone for some requests, and starts
    /// it again.
    void kill(long requests) throws IOException {
        FaultyBackEnd one = next();
        one.kill();
        answered(requests);
        one.start();
        one.await();
        awaitMembers();
    }

    /// Ends the next container in good order, and starts it again.
    void restart() throws IOException, InterruptedException {
        FaultyBackEnd one = next();
        one.restart();
        one.await();
        awaitMembers();
    }

    private FaultyBackEnd next() {
        return containers.get(victim++ % containers.size());
    }

    /// Ends the load, and compares what was answered with what was done.
    ///
    /// @param lossless whether nothing of a session may be lost
    /// @return a line of a report
    String judge(String what, boolean lossless) throws IOException {
        load.stop();
        await("the clients end", () -> clients.stream().noneMatch(Thread::isAlive));
        SessionLoad.Totals totals = load.totals();
        List<String> runs = new ArrayList<>();
        for (FaultyBackEnd one : containers) {
            runs.addAll(one.runs());
        }
        Set<String> distinct = new HashSet<>(runs);
        long twice = runs.size() - distinct.size();
        long notRun = load.posts().stream().filter(id -> !distinct.contains(id)).count();
        assertEquals(0, totals.failed(), load::toString);
        assertEquals(0, totals.foreign(), load::toString);
        assertEquals(0, twice, "POST requests that were run twice");
        assertEquals(0, notRun, "POST requests that were answered and not run");
        if (lossless) {
            assertEquals(0, totals.lostSessions(), load::toString);
            assertEquals(0, totals.lostUpdates(), load::toString);
        }
        assertTrue(totals.posts() > totals.failedPosts(), load::toString);
        return String.format(
                Locale.ROOT,
                "%s: %d GET and PUT answered, %d failed; POST: %d answered, %d not, %d run twice;"
                        + " %d sessions lost, %d updates lost; p50 %d ms, p99 %d ms, slowest %d ms",
                what,
                totals.idempotent(),
                totals.failed(),
                totals.posts(),
                totals.failedPosts(),
                twice,
                totals.lostSessions(),
                totals.lostUpdates(),
                load.millis(0.5),
                load.millis(0.99),
                load.millis(1));
    }

    @Override
    public void close() {
        clients.forEach(Thread::interrupt);
        gateways.forEach(FaultFront::close);
        containers.forEach(FaultyBackEnd::close);
    }
}
