package io.margay.server.http3;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What each attack over HTTP/3 costs a server with a heap of 128 MiB in a process of its own, and
/// those beside: each for some seconds, at a pace that leaves the processors to others, with a new
/// connection whenever the server has ended one. TLS is left out ([PlainHandshake]): it is that of
/// TCP. Not among the usual tests: `make h3-attacks`.
class Http3AttackSoak {
    private static final long PER_SECOND = 1_000;
    private static final double MIB = 1 << 20;
    private static final double HEAP_MIB_MAX = 96;
    private static final double LEFT_MIB_MAX = 16;
    private static final long RETURN_SECONDS_MAX = 60;
    private static final long HONEST_PERIOD_NANOS = 10_000_000;

    private final long seconds = Long.getLong("margay.attacks.seconds", 3);
    private final List<String> exceeded = new ArrayList<>();
    private final StringBuilder table = new StringBuilder();
    private final ExecutorService guests = Executors.newFixedThreadPool(2);
    private Process process;
    private BufferedReader answers;
    private InetSocketAddress address;

    /// What an honest client has met.
    private record Honest(double p99, int failures) {}

    @BeforeEach
    void open() throws IOException {
        process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx128m",
                                "-XX:+UseSerialGC",
                                "-XX:+ExitOnOutOfMemoryError",
                                "-cp",
                                System.getProperty("java.class.path"),
                                AttackedHttp3.class.getName())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        answers = process.inputReader(StandardCharsets.US_ASCII);
        address =
                new InetSocketAddress(
                        InetAddress.getLoopbackAddress(), Integer.parseInt(answers.readLine()));
    }

    @AfterEach
    void close() throws Exception {
        guests.shutdownNow();
        process.outputWriter().close();
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
    }

    @Test
    void attacks_costNoMoreThanTheyMay() throws Exception {
        row(
                "attack",
                "connections",
                "attacker's CPU s",
                "server's CPU s",
                "heap MiB",
                "after",
                "p99 ms",
                "honest requests that failed");
        row("---", "---", "---", "---", "---", "---", "---", "---");
        honest(TimeUnit.SECONDS.toNanos(5));
        double before = heapMebibytes();
        double cpu = serverSeconds();
        Honest alone = honest(TimeUnit.SECONDS.toNanos(seconds));
        double idle = serverSeconds() - cpu;
        row("none", "", "", "", text(before), "", text(alone.p99), "" + alone.failures);
        for (Http3Attack attack : Http3Attack.values()) {
            attack(attack, before, idle);
        }
        Files.writeString(Path.of("target", "h3-attacks.md"), table.toString());
        assertEquals(List.of(), exceeded);
    }

    private void attack(Http3Attack attack, double before, double idle) throws Exception {
        long nanos = TimeUnit.SECONDS.toNanos(seconds);
        double cpu = serverSeconds();
        Future<double[]> attacking = guests.submit((Callable<double[]>) () -> run(attack, nanos));
        Future<Honest> beside = guests.submit((Callable<Honest>) () -> honest(nanos));
        double[] done = attacking.get();
        Honest met = beside.get();
        double server = Math.max(0, serverSeconds() - cpu - idle);
        double most = heapMebibytes();
        double left = most;
        long end = System.nanoTime();
        while (left - before > LEFT_MIB_MAX / 4
                && System.nanoTime() - end < TimeUnit.SECONDS.toNanos(RETURN_SECONDS_MAX)) {
            LockSupport.parkNanos(1_000_000_000);
            left = heapMebibytes();
        }
        row(
                attack.name().toLowerCase(Locale.ROOT).replace('_', ' '),
                "" + (int) done[1],
                text(done[0]),
                text(server),
                text(most),
                text(left),
                text(met.p99),
                "" + met.failures);
        assertTrue(process.isAlive(), attack.name());
        assertEquals(0, honest(100_000_000).failures, attack.name());
        if (most > HEAP_MIB_MAX || left - before > LEFT_MIB_MAX) {
            exceeded.add(attack.name());
        }
    }

    /// @return CPU seconds of this thread, connections
    private double[] run(Http3Attack attack, long nanos) {
        var thread = ManagementFactory.getThreadMXBean();
        long before = thread.getCurrentThreadCpuTime();
        Http3Attack.Pace pace = new Http3Attack.Pace(PER_SECOND, nanos);
        int connections = 0;
        while (pace.goesOn()) {
            connections++;
            try {
                attack.run(address, pace);
            } catch (IOException e) {
                // It was turned away.
            }
        }
        return new double[] {(thread.getCurrentThreadCpuTime() - before) / 1e9, connections};
    }

    /// Asks one hundred times a second; where its connection has ended, on another one.
    private Honest honest(long nanos) throws IOException {
        List<Long> took = new ArrayList<>();
        int failures = 0;
        long end = System.nanoTime() + nanos;
        LoopbackClient client = null;
        for (long due = System.nanoTime(); due < end; due += HONEST_PERIOD_NANOS) {
            LockSupport.parkNanos(due - System.nanoTime());
            long begun = System.nanoTime();
            try {
                client = client == null ? new LoopbackClient(address).connect() : client;
                assertEquals(200, client.get("/"));
                took.add(System.nanoTime() - begun);
            } catch (IOException e) {
                failures++;
                due = System.nanoTime();
                if (client != null) {
                    client.leave();
                    client = null;
                }
            }
        }
        if (client != null) {
            client.close();
        }
        took.sort(null);
        return new Honest(
                took.isEmpty() ? Double.NaN : took.get(took.size() * 99 / 100) / 1e6, failures);
    }

    private double serverSeconds() {
        return process.info().totalCpuDuration().orElseThrow().toNanos() / 1e9;
    }

    private double heapMebibytes() throws IOException {
        process.outputWriter().write("\n");
        process.outputWriter().flush();
        String line = answers.readLine();
        assertTrue(line != null, "the server has ended");
        return Long.parseLong(line) / MIB;
    }

    private void row(String... cells) {
        table.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }

    private static String text(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}
