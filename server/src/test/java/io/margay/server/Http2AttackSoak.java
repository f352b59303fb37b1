package io.margay.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.protocol.http2.Http2;
import io.margay.testkit.Http2Wire;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What one attacker costs the server and those beside it: each attack over HTTP/2 once, on a lone
/// connection until the server ends it, and for a few seconds, on one connection at a time that is
/// opened anew whenever the server ends it, against a server in a process of its own, with a client
/// beside that asks at a steady rate. Not among the usual tests: `make h2-attacks`.
///
/// Whoever is busy slows down others on the same machine, hostile or not. So honest clients take
/// the attacker's place as well, which ask, or open connections, as fast as they can; and where
/// there is `taskset`, the server has a processor of its own, and all clients share another, on
/// which the guest gives way to the one who asks, a process of its own ([SteadyClient]). Figures
/// are medians of three rounds; those beside a lone connection, which is over soon, and beside none
/// are the least of three, since whatever else the machine does only adds to them.
///
/// The server's CPU time is that of its process less what the steady client alone costs in the same
/// time; the guest's is that of its thread. An attacker's frames are made beforehand, so that it
/// costs little more than the system calls that send them.
class Http2AttackSoak {
    private static final double CPU_RATIO_MAX = 10;
    private static final double HEAP_MIB_MAX = 16;
    private static final double P99_RATIO_MAX = 2;
    private static final int CHUNK_BYTES = 8_192;
    private static final int ROUNDS = 3;
    private static final int HONEST = 2;
    private static final Path TASKSET = Path.of("/usr/bin/taskset");

    private final long seconds = Long.getLong("margay.attacks.seconds", 3);
    private final boolean pinned =
            Files.isExecutable(TASKSET) && Runtime.getRuntime().availableProcessors() > 1;
    private final List<String> exceeded = new ArrayList<>();
    private final StringBuilder table = new StringBuilder();
    private Process process;
    private BufferedReader answers;
    private Process steady;
    private BufferedReader told;
    private InetSocketAddress address;
    private ExecutorService visitor;
    private volatile long until;

    /// What is done on a connection, again and again.
    private interface Visit {
        void run(Http2Wire client) throws IOException;
    }

    /// Who is there beside the steady client.
    private record Guest(String name, Visit visit) {}

    /// What a stretch of time has cost.
    private record Cost(double serverSeconds, double guestSeconds, double p99, int connections) {}

    @BeforeEach
    void open() throws Exception {
        List<String> command = new ArrayList<>();
        if (pinned) {
            command.addAll(List.of(TASKSET.toString(), "-c", "0"));
            String own = Long.toString(ProcessHandle.current().pid());
            new ProcessBuilder(TASKSET.toString(), "-a", "-c", "-p", "1", own)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        }
        String transport = System.getProperty("margay.attacks.transport", "native");
        process = java(command, AttackedServer.class, transport);
        answers = process.inputReader(StandardCharsets.US_ASCII);
        String port = answers.readLine();
        address = new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port));
        steady = java(List.of(), SteadyClient.class, port);
        told = steady.inputReader(StandardCharsets.US_ASCII);
        visitor = Executors.newSingleThreadExecutor();
        visitor.submit(Http2AttackSoak::giveWay).get();
    }

    /// Starts a class of this test, on the processor of this one unless the command says another.
    private static Process java(List<String> command, Class<?> main, String argument)
            throws IOException {
        List<String> whole = new ArrayList<>(command);
        whole.addAll(
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-Xmx512m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        main.getName(),
                        argument));
        return new ProcessBuilder(whole).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    @AfterEach
    void close() throws Exception {
        visitor.shutdownNow();
        steady.outputWriter().close();
        if (!steady.waitFor(10, TimeUnit.SECONDS)) {
            steady.destroyForcibly();
        }
        process.outputWriter().close();
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
    }

    @Test
    void attacks_costNoMoreThanTheyMay() throws Exception {
        List<Guest> guests = new ArrayList<>(honest());
        guests.addAll(attacks());
        // Both sides are warm, and every path of the server has been used, before anything counts.
        for (Guest guest : guests) {
            measure(guest, TimeUnit.SECONDS.toNanos(2), Integer.MAX_VALUE);
        }
        long round = TimeUnit.SECONDS.toNanos(seconds);
        List<Cost> alone = new ArrayList<>();
        Map<Guest, List<Cost>> all = new LinkedHashMap<>();
        for (int i = 0; i < ROUNDS; i++) {
            Cost without = measure(null, round, 0);
            alone.add(without);
            for (Guest guest : guests) {
                Cost cost = measure(guest, round, Integer.MAX_VALUE);
                double server = Math.max(0, cost.serverSeconds - without.serverSeconds);
                all.computeIfAbsent(guest, key -> new ArrayList<>())
                        .add(new Cost(server, cost.guestSeconds, cost.p99, cost.connections));
            }
        }
        row(
                "guest",
                "connections",
                "guest CPU s",
                "server CPU s",
                "ratio",
                "heap MiB",
                "p99 ms, one connection",
                "p99 ms, ever new ones");
        row("---", "---", "---", "---", "---", "---", "---", "---");
        double none = leastP99(null, 0);
        row("none", "", "", "", "", "", text(none), text(median(alone, Cost::p99)));
        double honest = 0;
        for (Guest guest : guests.subList(0, HONEST)) {
            honest = Math.max(honest, median(all.get(guest), Cost::p99));
        }
        for (int i = 0; i < guests.size(); i++) {
            Guest guest = guests.get(i);
            double lone = leastP99(guest, 1);
            // An honest guest has nobody to be compared with.
            boolean attack = i >= HONEST;
            row(
                    guest,
                    all.get(guest),
                    lone,
                    attack ? none : Double.MAX_VALUE,
                    attack ? honest : Double.MAX_VALUE);
        }
        Files.writeString(Path.of("target", "h2-attacks.md"), table.toString());
        assertEquals(List.of(), exceeded);
    }

    private void row(Guest guest, List<Cost> costs, double lone, double none, double honest)
            throws Exception {
        double heapBefore = heapMebibytes();
        double heap = heapUnder(guest) - heapBefore;
        double server = median(costs, Cost::serverSeconds);
        double own = median(costs, Cost::guestSeconds);
        double ratio = server / Math.max(0.001, own);
        row(
                guest.name,
                String.valueOf((int) median(costs, Cost::connections)),
                text(own),
                text(server),
                text(ratio),
                text(Math.max(0, heap)),
                besideOf(lone, none),
                besideOf(median(costs, Cost::p99), honest));
        boolean slow = lone > P99_RATIO_MAX * none;
        if (ratio > CPU_RATIO_MAX || heap > HEAP_MIB_MAX || slow) {
            exceeded.add(guest.name);
        }
    }

    /// The least of three measurements: whatever else the machine does only adds to one.
    private double leastP99(Guest guest, int visits) throws Exception {
        double least = Double.MAX_VALUE;
        for (int i = 0; i < ROUNDS; i++) {
            least = Math.min(least, measure(guest, TimeUnit.SECONDS.toNanos(seconds), visits).p99);
        }
        return least;
    }

    private static String besideOf(double p99, double other) {
        return text(p99) + (p99 > P99_RATIO_MAX * other ? " (over " + P99_RATIO_MAX + ")" : "");
    }

    private static double median(List<Cost> costs, ToDoubleFunction<Cost> of) {
        double[] values = costs.stream().mapToDouble(of).sorted().toArray();
        return values[values.length / 2];
    }

    private void row(String... cells) {
        table.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }

    private static String text(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    /// Has the calling thread give way to the one that asks where both share a processor: how long
    /// that one waits for it says nothing of the server.
    private static Void giveWay() throws Exception {
        Path self = Path.of("/proc/thread-self");
        if (Files.exists(self)) {
            String thread = Files.readSymbolicLink(self).getFileName().toString();
            Process renice = new ProcessBuilder("renice", "-n", "19", "-p", thread).start();
            assertEquals(0, renice.waitFor());
        }
        return null;
    }

    // Measuring

    /// @param visits how often the guest comes at most
    private Cost measure(Guest guest, long nanos, int visits) throws Exception {
        until = System.nanoTime() + nanos;
        double before = serverSeconds();
        steady.outputWriter().write(nanos + "\n");
        steady.outputWriter().flush();
        Future<double[]> visit =
                guest == null
                        ? null
                        : visitor.submit((Callable<double[]>) () -> run(guest, visits));
        double p99 = Double.parseDouble(told.readLine());
        double[] done = visit == null ? new double[2] : visit.get();
        return new Cost(serverSeconds() - before, done[0], p99, (int) done[1]);
    }

    private double serverSeconds() {
        return process.info().totalCpuDuration().orElseThrow().toNanos() / 1e9;
    }

    /// What is alive in the server's heap while a guest is there, at most.
    private double heapUnder(Guest guest) throws Exception {
        until = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
        Future<double[]> visit =
                visitor.submit((Callable<double[]>) () -> run(guest, Integer.MAX_VALUE));
        double most = 0;
        while (!visit.isDone()) {
            most = Math.max(most, heapMebibytes());
            LockSupport.parkNanos(50_000_000);
        }
        return most;
    }

    private double heapMebibytes() throws IOException {
        process.outputWriter().write("\n");
        process.outputWriter().flush();
        return Long.parseLong(answers.readLine()) / 1048576.0;
    }

    private boolean isTime() {
        return System.nanoTime() < until;
    }

    /// Visits until the time is over, or so many times.
    ///
    /// @return CPU seconds of this thread, connections
    private double[] run(Guest guest, int visits) {
        var thread = ManagementFactory.getThreadMXBean();
        long before = thread.getCurrentThreadCpuTime();
        int connections = 0;
        while (isTime() && connections < visits) {
            connections++;
            try (Http2Wire client = Http2Wire.connect(address, null)) {
                guest.visit.run(client);
            } catch (IOException | AssertionError e) {
                // The server has ended it, which is what it should do with an attacker.
            }
        }
        return new double[] {(thread.getCurrentThreadCpuTime() - before) / 1e9, connections};
    }

    // Those who do no wrong

    private List<Guest> honest() {
        return List.of(
                new Guest("requests of an honest client", this::ask),
                new Guest(
                        "connections of an honest client",
                        client -> {
                            client.get(1, "/dispatched/x");
                            assertEquals(200, client.message(1).status());
                        }));
    }

    /// A thousand requests, fifty at a time.
    private void ask(Http2Wire client) throws IOException {
        for (int id = 1; id < 2_000 && isTime(); id += 100) {
            ByteArrayOutputStream heads = new ByteArrayOutputStream();
            for (int i = 0; i < 50; i++) {
                heads.writeBytes(head(id + 2 * i, 1, "GET", "/dispatched/x"));
            }
            client.raw(heads.toByteArray());
            for (int i = 0; i < 50; i++) {
                assertEquals(200, client.message(id + 2 * i).status());
            }
        }
    }

    // The attacks

    private List<Guest> attacks() {
        byte[] none = {};
        byte[] post = head(1, 0, "POST", "/echo");
        byte[] reset = Http2Wire.int32(Http2.CANCEL);
        byte[] started =
                joined(
                        Http2Wire.frame(
                                Http2.SETTINGS,
                                0,
                                0,
                                Http2Wire.settings(Http2.SETTINGS_INITIAL_WINDOW_SIZE, 0)),
                        head(1, 1, "GET", "/much"));
        return List.of(
                attack("connections alone", Http2Wire.frame(6, 0, 0, none), none, 0),
                perStream(
                        "rapid reset, CVE-2023-44487",
                        id ->
                                joined(
                                        head(id, 1, "GET", "/dispatched/x"),
                                        Http2Wire.frame(Http2.RST_STREAM, 0, id, reset))),
                perStream(
                        "MadeYouReset, CVE-2025-8671",
                        id ->
                                joined(
                                        head(id, 1, "GET", "/dispatched/x"),
                                        Http2Wire.frame(Http2.WINDOW_UPDATE, 0, id, new byte[4]))),
                attack(
                        "CONTINUATION, CVE-2024-27316",
                        head(1, -4, "GET", "/"),
                        Http2Wire.frame(Http2.CONTINUATION, 0, 1, filled(4_000, 0x82)),
                        100),
                repeated(
                        "empty CONTINUATION",
                        head(1, -4, "GET", "/"),
                        Http2Wire.frame(Http2.CONTINUATION, 0, 1, none)),
                repeated("PING, CVE-2019-9512", none, Http2Wire.frame(6, 0, 0, new byte[8])),
                repeated(
                        "SETTINGS, CVE-2019-9515",
                        none,
                        Http2Wire.frame(
                                Http2.SETTINGS,
                                0,
                                0,
                                Http2Wire.settings(Http2.SETTINGS_INITIAL_WINDOW_SIZE, 1_000))),
                repeated("empty DATA, CVE-2019-9518", post, Http2Wire.frame(0, 0, 1, none)),
                repeated(
                        "PRIORITY_UPDATE",
                        none,
                        Http2Wire.frame(
                                Http2.PRIORITY_UPDATE, 0, 0, joined(Http2Wire.int32(1), U))),
                repeated(
                        "tiny windows, CVE-2019-9511",
                        started,
                        Http2Wire.frame(Http2.WINDOW_UPDATE, 0, 1, Http2Wire.int32(1))),
                attack("HPACK bomb, CVE-2016-6581", bomb(), none, 0));
    }

    private static final byte[] U = "u=1".getBytes(StandardCharsets.US_ASCII);

    /// What comes first, then the same again and again.
    private Guest attack(String name, byte[] opening, byte[] flood, int times) {
        List<byte[]> pieces = new ArrayList<>(List.of(opening));
        pieces.addAll(Collections.nCopies(times, flood));
        return attack(name, pieces);
    }

    /// What must have had the server end the connection when the last piece has been sent.
    private Guest attack(String name, List<byte[]> pieces) {
        return new Guest(
                name,
                client -> {
                    for (byte[] piece : pieces) {
                        if (isTime()) {
                            client.raw(piece);
                        }
                    }
                    if (isTime()) {
                        client.awaitEnd();
                    }
                });
    }

    /// A frame so often that the server must have ended the connection.
    private Guest repeated(String name, byte[] opening, byte[] frame) {
        ByteArrayOutputStream chunk = new ByteArrayOutputStream();
        while (chunk.size() < CHUNK_BYTES) {
            chunk.writeBytes(frame);
        }
        return attack(name, opening, chunk.toByteArray(), 50);
    }

    /// Frames of ten thousand streams, a thousand in one go. Their answers are not read and have
    /// room for some four thousand, so that a server which is quicker than the client ends it, too.
    private Guest perStream(String name, IntFunction<byte[]> frames) {
        List<byte[]> pieces = new ArrayList<>();
        for (int from = 0; from < 10_000; from += 1_000) {
            ByteArrayOutputStream piece = new ByteArrayOutputStream();
            for (int i = from; i < from + 1_000; i++) {
                piece.writeBytes(frames.apply(2 * i + 1));
            }
            pieces.add(piece.toByteArray());
        }
        return attack(name, pieces);
    }

    private static byte[] bomb() {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        block.writeBytes(Http2Wire.block(Http2Wire.request("GET", "/")));
        block.writeBytes(new byte[] {0x40, 1, 'x', 127, (byte) 0x81, 0x1d});
        block.writeBytes(filled(127 + 1 + 29 * 128, 'a'));
        int from = block.size();
        byte[] whole = Arrays.copyOf(block.toByteArray(), 16_000);
        Arrays.fill(whole, from, whole.length, (byte) 0xbe);
        return Http2Wire.frame(Http2.HEADERS, 5, 1, whole);
    }

    private static byte[] filled(int count, int octet) {
        byte[] bytes = new byte[count];
        Arrays.fill(bytes, (byte) octet);
        return bytes;
    }

    private static byte[] head(int id, int moreFlags, String method, String path) {
        return Http2Wire.frame(
                Http2.HEADERS,
                Http2.FLAG_END_HEADERS + moreFlags,
                id,
                Http2Wire.block(Http2Wire.request(method, path)));
    }

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }
}
