package io.margay.lab.machine;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Counts the system calls of running processes by `perf stat`, for a moment. Confined to one
/// thread.
public final class CallCounter {
    /// The name under which the sum of all calls is told.
    public static final String ALL = "all";

    /// What is told by name; others are only in the sum.
    private static final List<String> NAMES =
            List.of(
                    "futex",
                    "poll",
                    "epoll_wait",
                    "epoll_pwait",
                    "epoll_ctl",
                    "read",
                    "readv",
                    "recvfrom",
                    "recvmsg",
                    "write",
                    "writev",
                    "sendto",
                    "sendmsg",
                    "sendfile64",
                    "accept4",
                    "connect",
                    "close",
                    "shutdown");

    private static final String SUM = "raw_syscalls:sys_enter";
    private static final String PREFIX = "syscalls:sys_enter_";
    private static final long WAIT_SECONDS = 10;
    private static final long POLL_NANOS = 2_000_000L;

    private final Path perf;
    private final Path folder;
    private final Map<String, Counting> counting = new LinkedHashMap<>();

    /// One `perf`, and the pipe that tells it when to count.
    private record Counting(Process process, Path output, RandomAccessFile orders, Path pipe) {}

    private CallCounter(Path perf, Path folder) {
        this.perf = perf;
        this.folder = folder;
    }

    /// A counter, if `perf` is here and may count.
    ///
    /// @param folder for what `perf` writes
    public static Optional<CallCounter> of(Tools tools, Path folder) {
        Optional<Path> perf = tools.find("perf");
        if (perf.isEmpty()) {
            return Optional.empty();
        }
        List<String> trial =
                List.of(perf.get().toString(), "stat", "-e", SUM, "-p", self(), "true");
        try {
            Tools.run(trial, folder);
            return Optional.of(new CallCounter(perf.get(), folder));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static String self() {
        return String.valueOf(ProcessHandle.current().pid());
    }

    /// Attaches to the processes of each tier; nothing is counted yet.
    public void attach(Map<String, List<Long>> processes) throws IOException {
        for (Map.Entry<String, List<Long>> tier : processes.entrySet()) {
            List<String> ids = tier.getValue().stream().map(String::valueOf).toList();
            Path output = Files.createTempFile(folder, "calls", ".csv");
            Path orders = output.resolveSibling(output.getFileName() + ".orders");
            Path answers = output.resolveSibling(output.getFileName() + ".answers");
            Tools.run(List.of("mkfifo", orders.toString(), answers.toString()), folder);
            // Both ends, so that opening does not wait for the other side.
            RandomAccessFile to = new RandomAccessFile(orders.toFile(), "rw");
            try (RandomAccessFile from = new RandomAccessFile(answers.toFile(), "rw")) {
                Process process =
                        new ProcessBuilder(command(ids, output, orders + "," + answers))
                                .redirectErrorStream(true)
                                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                                .start();
                counting.put(tier.getKey(), new Counting(process, output, to, orders));
                to.write("ping\n".getBytes(StandardCharsets.US_ASCII));
                await(process, from);
            } finally {
                Files.delete(answers);
            }
        }
    }

    /// Waits for the answer to the first order: every thread is watched by then.
    private static void await(Process process, RandomAccessFile answers) throws IOException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
        try (FileInputStream in = new FileInputStream(answers.getFD())) {
            while (in.available() == 0 && process.isAlive() && System.nanoTime() - until < 0) {
                LockSupport.parkNanos(POLL_NANOS);
            }
        }
    }

    private List<String> command(List<String> ids, Path output, String pipes) {
        List<String> events = new ArrayList<>();
        events.add(SUM);
        NAMES.forEach(name -> events.add(PREFIX + name));
        return List.of(
                perf.toString(),
                "stat",
                "-x,",
                "-o",
                output.toString(),
                "-D",
                "-1",
                "--control",
                "fifo:" + pipes,
                "-e",
                String.join(",", events),
                "-p",
                String.join(",", ids));
    }

    /// Counts from now on.
    public void begin() {
        order("enable\n");
    }

    /// Counts no longer.
    public void pause() {
        order("disable\n");
    }

    private void order(String order) {
        for (Counting each : counting.values()) {
            try {
                each.orders.write(order.getBytes(StandardCharsets.US_ASCII));
            } catch (IOException e) {
                each.process.destroyForcibly();
            }
        }
    }

    /// Ends it: the calls of each tier by name, the most frequent first.
    public Map<String, Map<String, Double>> end() throws IOException {
        Map<String, Map<String, Double>> calls = new LinkedHashMap<>();
        for (Map.Entry<String, Counting> tier : counting.entrySet()) {
            Counting each = tier.getValue();
            // It writes its figures when it is interrupted.
            Tools.firstLine("kill", "-INT", String.valueOf(each.process.pid()));
            try {
                if (!each.process.waitFor(WAIT_SECONDS, TimeUnit.SECONDS)) {
                    each.process.destroyForcibly();
                }
            } catch (InterruptedException e) {
                each.process.destroyForcibly();
                Thread.currentThread().interrupt();
            }
            Map<String, Double> counts = read(Files.readAllLines(each.output));
            each.orders.close();
            Files.deleteIfExists(each.pipe);
            Files.deleteIfExists(each.output);
            if (!counts.isEmpty()) {
                calls.put(tier.getKey(), counts);
            }
        }
        counting.clear();
        return calls;
    }

    /// The calls from the lines that `perf stat -x,` writes; none if their sum is missing.
    static Map<String, Double> read(List<String> lines) {
        Map<String, Double> counts = new LinkedHashMap<>();
        for (String line : lines) {
            String[] fields = line.split(",");
            if (fields.length > 2 && fields[0].matches("[0-9]+")) {
                counts.put(fields[2], Double.valueOf(fields[0]));
            }
        }
        Double sum = counts.get(SUM);
        if (sum == null) {
            return Map.of();
        }
        Map<String, Double> calls = new LinkedHashMap<>();
        calls.put(ALL, sum);
        counts.entrySet().stream()
                .filter(it -> it.getKey().startsWith(PREFIX) && it.getValue() > 0)
                .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
                .forEach(it -> calls.put(it.getKey().substring(PREFIX.length()), it.getValue()));
        return calls;
    }
}
