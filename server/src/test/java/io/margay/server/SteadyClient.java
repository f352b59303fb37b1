package io.margay.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.testkit.Http2Wire;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/// A client in a process of its own, for [Http2AttackSoak], so that it never waits for the memory
/// that attackers need: asks 200 times a second for as many nanoseconds as a line of its input
/// says, and answers with the 99th percentile of what that took, in milliseconds. While its thread
/// could run, but had to wait for the processor that it shares with the attackers, it did not wait
/// for the server: where Linux tells how long that was, it does not count. Ends with its input.
final class SteadyClient {
    private static final long PERIOD_NANOS = 5_000_000;
    private static final Path SCHEDULER = Path.of("/proc/thread-self/schedstat");

    private SteadyClient() {}

    /// @param arguments the server's port
    public static void main(String[] arguments) throws IOException {
        int port = Integer.parseInt(arguments[0]);
        BufferedReader asked =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        for (String line = asked.readLine(); line != null; line = asked.readLine()) {
            System.out.println(p99(address, System.nanoTime() + Long.parseLong(line)));
        }
    }

    /// Asks one request after the other, each at its time, until the time is over.
    private static double p99(InetSocketAddress address, long until) throws IOException {
        List<Long> took = new ArrayList<>();
        try (Http2Wire client = Http2Wire.connect(address, null)) {
            int id = 1;
            for (long due = System.nanoTime(); due < until; due += PERIOD_NANOS) {
                long waited = waitedForProcessor();
                LockSupport.parkNanos(due - System.nanoTime());
                client.get(id, "/dispatched/steady");
                assertEquals(200, client.message(id).status());
                long nanos = System.nanoTime() - due;
                took.add(nanos - (waitedForProcessor() - waited));
                id += 2;
            }
        }
        took.sort(null);
        return took.get(took.size() * 99 / 100) / 1e6;
    }

    /// Nanoseconds in which this thread could run, but did not; 0 where the system does not tell.
    private static long waitedForProcessor() throws IOException {
        return Files.exists(SCHEDULER)
                ? Long.parseLong(Files.readString(SCHEDULER).split(" ", 3)[1])
                : 0;
    }
}
