package io.margay.app.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Faults of real back ends behind the gateway, under load: two Margay processes of which one is
/// killed in turn, one that hangs, and servers that misbehave. Used by one thread.
///
/// A run writes what it has seen, a line each, into a report.
final class GatewayFaults implements AutoCloseable {
    /// Of the checks of every upstream here.
    private static final long EVERY_MILLIS = 500;

    private static final long TIMEOUT_MILLIS = 1000;

    /// Within three checks: each begins after the pause and ends at its timeout.
    private static final long THREE_CHECKS_MILLIS = 3 * (EVERY_MILLIS + TIMEOUT_MILLIS);

    private static final long PATIENCE_SECONDS = 120;

    private final Path folder;
    private final Path report;
    private final FaultyBackEnd one;
    private final FaultyBackEnd two;

    /// How much is done.
    ///
    /// @param gets GET requests by each protocol
    /// @param posts POST requests by each protocol
    /// @param periodSeconds between two kills
    /// @param killsMin kills that there are at least
    /// @param clients at one time
    record Amount(long gets, long posts, long periodSeconds, int killsMin, int clients) {}

    GatewayFaults(Path folder, Path report) throws IOException {
        this.folder = folder;
        this.report = report;
        one = new FaultyBackEnd("one", folder);
        two = new FaultyBackEnd("two", folder);
        one.await();
        two.await();
    }

    private void tell(String line) throws IOException {
        Files.writeString(
                report, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private ServerProcess gateway(String name, String... members) throws IOException {
        Path home = Files.createDirectories(folder.resolve("gateway-" + name));
        Files.writeString(
                home.resolve("margay.yaml"),
                """
                listeners: [{http: 127.0.0.1:0}]
                hosts: [{routes: {/app/*: {gateway: up}, /jkstatus: {status: jkstatus}}}]
                upstreams:
                  up:
                    members: [%s]
                    connect-timeout: 1s
                    reply-timeout: 2s
                    recover: 2s
                    maintain: 1s
                    health: {get: /app/bytes/3, every: %dms, timeout: %dms}
                work: work
                """
                        .formatted(String.join(", ", members), EVERY_MILLIS, TIMEOUT_MILLIS));
        return ServerProcess.margay(home, "run", "margay.yaml");
    }

    /// Whether the gateway gives requests to a member, if only to try it.
    private static boolean isIn(int gateway, String member) {
        InetSocketAddress at = new InetSocketAddress(InetAddress.getLoopbackAddress(), gateway);
        try (RawHttpClient client = RawHttpClient.connect(at)) {
            String text = client.get("/jkstatus?mime=prop").text();
            return text.lines().noneMatch(("worker." + member + ".state=ERR")::equals);
        } catch (IOException e) {
            throw new AssertionError("the gateway does not answer", e);
        }
    }

    private static long await(String what, BooleanSupplier condition) {
        long begin = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - begin > TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS)) {
                throw new AssertionError("still not: " + what);
            }
            LockSupport.parkNanos(20_000_000L);
        }
        return (System.nanoTime() - begin) / 1_000_000;
    }

    private static List<Thread> start(FaultLoad load, int clients, boolean small) {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            long seed = 20_261_121L + i;
            threads.add(Thread.ofPlatform().start(() -> load.client(seed, small)));
        }
        return threads;
    }

    private static boolean isOver(List<Thread> threads) {
        return threads.stream().noneMatch(Thread::isAlive);
    }

    /// One back end after the other is killed and started again, until all requests are done.
    void kills(String scheme, Amount amount) throws IOException {
        try (ServerProcess process =
                gateway("kills-" + scheme, one.member(scheme), two.member(scheme))) {
            int port = process.awaitMargay();
            FaultLoad load = new FaultLoad(port, scheme + "-", amount.gets(), amount.posts());
            long begin = System.nanoTime();
            List<Thread> clients = start(load, amount.clients(), false);
            int kills = 0;
            while (!isOver(clients) || kills < amount.killsMin()) {
                pause(amount.periodSeconds(), clients, kills < amount.killsMin());
                if (isOver(clients) && kills >= amount.killsMin()) {
                    break;
                }
                FaultyBackEnd victim = kills++ % 2 == 0 ? one : two;
                victim.killAndRestart();
                victim.await();
                await(victim.name() + " is back", () -> isIn(port, victim.name()));
            }
            double seconds = (System.nanoTime() - begin) / 1e9;
            judge(scheme, amount, load, kills, seconds);
        }
    }

    private static void pause(long seconds, List<Thread> clients, boolean whatever) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (System.nanoTime() - end < 0 && (whatever || !isOver(clients))) {
            LockSupport.parkNanos(20_000_000L);
        }
    }

    private void judge(String scheme, Amount amount, FaultLoad load, int kills, double seconds)
            throws IOException {
        List<String> runs = new ArrayList<>(one.runs());
        runs.addAll(two.runs());
        runs.removeIf(id -> !id.startsWith(scheme + "-"));
        Set<String> distinct = new HashSet<>(runs);
        long lost = load.answered().stream().filter(id -> !distinct.contains(id)).count();
        tell(
                String.format(
                        Locale.ROOT,
                        "%s: %d kills in %.0f s; %d GET, %d failed; %d POST, %d not answered,"
                                + " %d run, %d run twice, %d answered and not run; slowest %d ms",
                        scheme,
                        kills,
                        seconds,
                        amount.gets(),
                        load.failedGets(),
                        amount.posts(),
                        load.failedPosts(),
                        distinct.size(),
                        runs.size() - distinct.size(),
                        lost,
                        load.slowestMillis()));
        assertEquals(0, load.failedGets(), load::toString);
        assertEquals(amount.gets(), load.got());
        assertEquals(distinct.size(), runs.size(), "POST requests that were run twice");
        assertEquals(0, lost, "POST requests that were answered and not run");
    }

    /// A back end hangs: it is out of rotation within three checks, no GET fails, and it comes
    /// back.
    void hang(String scheme, int clients) throws IOException, InterruptedException {
        try (ServerProcess process =
                gateway("hang-" + scheme, one.member(scheme), two.member(scheme))) {
            int port = process.awaitMargay();
            await("both are in", () -> isIn(port, "one") && isIn(port, "two"));
            FaultLoad load = new FaultLoad(port, "none", Long.MAX_VALUE / 2, 0);
            List<Thread> threads = start(load, clients, false);
            await("some requests", () -> load.got() > 20);
            one.signal("STOP");
            long out;
            long back;
            try {
                out = await("one is out", () -> !isIn(port, "one"));
                long then = load.got();
                await("requests without it", () -> load.got() > then + 20);
            } finally {
                one.signal("CONT");
            }
            back = await("one is back", () -> isIn(port, "one"));
            load.stop();
            await("the end", () -> isOver(threads));
            tell(
                    String.format(
                            Locale.ROOT,
                            "%s: hung: out after %d ms, back %d ms after it went on; %d GET, %d"
                                    + " failed; slowest %d ms",
                            scheme,
                            out,
                            back,
                            load.got(),
                            load.failedGets(),
                            load.slowestMillis()));
            assertEquals(0, load.failedGets(), load::toString);
            assertTrue(out <= THREE_CHECKS_MILLIS, () -> "out after " + out + " ms");
        }
    }

    /// A server that misbehaves beside a good one: no GET fails, and it is out within three checks.
    void misbehaviour(FaultyPeer.Fault fault, int clients) throws IOException {
        try (FaultyPeer faulty = new FaultyPeer(fault);
                ServerProcess process =
                        gateway(fault.name(), faulty.member(), two.member("http"))) {
            int port = process.awaitMargay();
            FaultLoad load = new FaultLoad(port, "none", Long.MAX_VALUE / 2, 0);
            List<Thread> threads = start(load, clients, true);
            long out = await("it is out", () -> !isIn(port, "faulty"));
            long then = load.got();
            await("requests without it", () -> load.got() > then + 20);
            load.stop();
            await("the end", () -> isOver(threads));
            tell(
                    String.format(
                            Locale.ROOT,
                            "%s: out after %d ms; %d GET, %d failed; slowest %d ms",
                            fault.name().toLowerCase(Locale.ROOT).replace('_', ' '),
                            out,
                            load.got(),
                            load.failedGets(),
                            load.slowestMillis()));
            assertEquals(0, load.failedGets(), load::toString);
            assertTrue(out <= THREE_CHECKS_MILLIS, () -> "out after " + out + " ms");
        }
    }

    @Override
    public void close() {
        one.close();
        two.close();
    }
}
