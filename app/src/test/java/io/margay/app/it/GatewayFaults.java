package io.margay.app.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
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

/// Faults of real back ends behind a front end, under load: two Margay processes of which one is
/// killed in turn, one that hangs, and servers that misbehave. Used by one thread.
///
/// A run writes what it has seen, a line each, into a report. What is asked of Margay is only
/// written down of other front ends.
final class GatewayFaults implements AutoCloseable {
    /// Within three checks: each begins after the pause and ends at its timeout.
    private static final long THREE_CHECKS_MILLIS =
            3 * (FaultFront.EVERY_MILLIS + FaultFront.TIMEOUT_MILLIS);

    private static final long PATIENCE_SECONDS = 120;
    private static final long OTHERS_HANG_SECONDS = 10;

    private final Path folder;
    private final Path report;
    private final FaultyBackEnd one;
    private final FaultyBackEnd two;

    /// How much is done.
    ///
    /// @param gets GET requests by each front end, at least
    /// @param posts POST requests by each front end, at least
    /// @param periodMillis between two kills
    /// @param kills that there are at least
    /// @param clients at one time
    record Amount(long gets, long posts, long periodMillis, int kills, int clients) {}

    GatewayFaults(Path folder, Path report) throws IOException {
        this.folder = folder;
        this.report = report;
        one = new FaultyBackEnd("one", folder);
        two = new FaultyBackEnd("two", folder);
        one.await();
        two.await();
    }

    private void tell(String format, Object... values) throws IOException {
        Files.writeString(
                report,
                String.format(Locale.ROOT, format, values) + "\n",
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    private FaultFront front(FaultFront.Kind kind, String fault) throws IOException {
        return FaultFront.start(kind, folder.resolve(fault + "-" + kind.word()), one, two);
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

    /// One back end after the other is killed and started again, until all requests are done and
    /// there were enough kills.
    void kills(FaultFront.Kind kind, Amount amount) throws IOException {
        try (FaultFront front = front(kind, "kills")) {
            String prefix = kind.word() + "-";
            FaultLoad load = new FaultLoad(front.port(), prefix, true);
            long begin = System.nanoTime();
            List<Thread> clients = start(load, amount.clients(), false);
            int kills = 0;
            while (true) {
                pause(amount.periodMillis());
                if (kills >= amount.kills() && load.isDone(amount.gets(), amount.posts())) {
                    break;
                }
                FaultyBackEnd victim = kills++ % 2 == 0 ? one : two;
                victim.killAndRestart();
                victim.await();
                if (kind.isMargay()) {
                    await(victim.name() + " is back", () -> front.isIn(victim.name()));
                }
            }
            load.stop();
            await("the end", () -> isOver(clients));
            judge(kind, load, kills, (System.nanoTime() - begin) / 1e9);
        }
    }

    private static void pause(long millis) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (System.nanoTime() - end < 0) {
            LockSupport.parkNanos(20_000_000L);
        }
    }

    private static String reasons(FaultLoad load) {
        return load.failedGets() == 0 ? "" : "; failed with: " + load;
    }

    private void judge(FaultFront.Kind kind, FaultLoad load, int kills, double seconds)
            throws IOException {
        List<String> runs = new ArrayList<>(one.runs());
        runs.addAll(two.runs());
        runs.removeIf(id -> !id.startsWith(kind.word() + "-"));
        Set<String> distinct = new HashSet<>(runs);
        long lost = load.answered().stream().filter(id -> !distinct.contains(id)).count();
        long twice = runs.size() - distinct.size();
        tell(
                "%s: %d kills in %.0f s; GET: %d answered, %d failed; POST: %d answered, %d not,"
                        + " %d run, %d run twice, %d answered and not run; large GET: %d, %d cut;"
                        + " cut unnoticed: %d; slowest %d ms%s",
                kind.word(),
                kills,
                seconds,
                load.got(),
                load.failedGets(),
                load.answered().size(),
                load.failedPosts(),
                distinct.size(),
                twice,
                lost,
                load.large(),
                load.cutLarge(),
                load.cutUnnoticed(),
                load.slowestMillis(),
                reasons(load));
        if (kind.isMargay()) {
            assertEquals(0, load.failedGets(), load::toString);
            assertEquals(0, load.cutUnnoticed(), "answers that were cut and seemed whole");
            assertEquals(0, twice, "POST requests that were run twice");
            assertEquals(0, lost, "POST requests that were answered and not run");
            assertTrue(load.answered().size() > load.failedPosts(), load::toString);
        }
    }

    /// A back end hangs. Margay has it out of rotation within three checks, no GET fails, and it
    /// comes back.
    void hang(FaultFront.Kind kind, int clients) throws IOException, InterruptedException {
        try (FaultFront front = front(kind, "hang")) {
            boolean ours = kind.isMargay();
            await("both are in", () -> !ours || (front.isIn("one") && front.isIn("two")));
            FaultLoad load = new FaultLoad(front.port(), "none", false);
            List<Thread> threads = start(load, clients, false);
            await("some requests", () -> load.got() > 20);
            long begin = System.nanoTime();
            one.signal("STOP");
            long out = -1;
            try {
                if (ours) {
                    out = await("one is out", () -> !front.isIn("one"));
                    long then = load.got();
                    await("requests without it", () -> load.got() > then + 20);
                } else {
                    pause(TimeUnit.SECONDS.toMillis(OTHERS_HANG_SECONDS));
                }
            } finally {
                one.signal("CONT");
            }
            long back = ours ? await("one is back", () -> front.isIn("one")) : -1;
            load.stop();
            await("the end", () -> isOver(threads));
            tell(
                    "%s: hung: %s%d GET answered, %d failed; slowest %d ms; the last that failed or"
                            + " was slow ended after %d ms%s",
                    kind.word(),
                    ours ? "out after " + out + " ms, back " + back + " ms after it; " : "",
                    load.got(),
                    load.failedGets(),
                    load.slowestMillis(),
                    Math.max(0, (load.lastTroubleNanos() - begin) / 1_000_000),
                    reasons(load));
            if (ours) {
                assertEquals(0, load.failedGets(), load::toString);
                assertEquals(0, load.cutUnnoticed(), "answers that were cut and seemed whole");
                long after = out;
                assertTrue(after <= THREE_CHECKS_MILLIS, () -> "out after " + after + " ms");
            }
        }
    }

    /// A server that misbehaves beside a good one, behind Margay: no GET fails, and it is out
    /// within three checks.
    void misbehaviour(FaultyPeer.Fault fault, int clients) throws IOException {
        try (FaultyPeer faulty = new FaultyPeer(fault);
                FaultFront front =
                        FaultFront.margay(
                                folder.resolve(fault.name()),
                                faulty.member(),
                                two.member("http"))) {
            FaultLoad load = new FaultLoad(front.port(), "none", false);
            List<Thread> threads = start(load, clients, true);
            long out = await("it is out", () -> !front.isIn("faulty"));
            long then = load.got();
            await("requests without it", () -> load.got() > then + 20);
            load.stop();
            await("the end", () -> isOver(threads));
            tell(
                    "%s: out after %d ms; %d GET answered, %d failed; slowest %d ms",
                    fault.name().toLowerCase(Locale.ROOT).replace('_', ' '),
                    out,
                    load.got(),
                    load.failedGets(),
                    load.slowestMillis());
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
