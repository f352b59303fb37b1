package io.margay.app.sessions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.Http;
import io.margay.app.MargayProcess;
import io.margay.app.Wars;
import io.margay.app.process.ControlSocket;
import io.margay.app.sample.KilobyteServlet;
import io.margay.app.upgrade.ProcessUpgradeIT;
import io.margay.testkit.Eventually;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Sessions that take more than half of the heap, over a stop, a start and an upgrade, which take
/// little memory beside them: the processes look at their heaps, after a collection each, while
/// they write and read sessions.
///
/// `margay.sessions.count` of a kilobyte each, in a heap of `margay.sessions.heap`. What was seen
/// is in `target/many-sessions.txt`.
@Tag("slow")
final class ManySessionsTest {
    private static final int COUNT = Integer.getInteger("margay.sessions.count", 20_000);
    private static final String HEAP = System.getProperty("margay.sessions.heap", "64m");

    /// How often each process looks while all sessions are written, and while they are read.
    private static final int LOOKS = 8;

    private static final long EXTRA_MAX = 16L << 20;
    private static final Path REPORT = Path.of("target", "many-sessions.txt");

    @TempDir Path folder;
    private long last;

    @AfterEach
    void end() {
        ProcessHandle.of(last)
                .ifPresent(process -> {
                    process.destroyForcibly();
                    process.onExit().orTimeout(60, TimeUnit.SECONDS).join();
                });
    }

    private MargayProcess start() throws IOException {
        return MargayProcess.startWith(
                folder,
                List.of(
                        "-Xmx" + HEAP,
                        "-Dmargay.sessions.look=" + COUNT / LOOKS,
                        "-Dmargay.sessions.looks=" + looks()),
                "run",
                folder.resolve("many.war").toString(),
                "--http",
                "0",
                "--work",
                folder.resolve("work").toString());
    }

    private Path looks() {
        return folder.resolve("looks.txt");
    }

    /// What a process saw of its heap.
    ///
    /// @param what it had done, so many times
    /// @param used bytes
    private record Look(long process, String what, int times, long used) {
        static Look of(String line) {
            String[] words = line.split(" ");
            return new Look(
                    Long.parseLong(words[0]),
                    words[1],
                    Integer.parseInt(words[2]),
                    Long.parseLong(words[3]));
        }
    }

    private static void look(int port, String what) throws IOException, InterruptedException {
        assertEquals("seen", new Http(port).get("/?" + what));
    }

    /// The most that was in use beside the sessions, in bytes.
    ///
    /// @param done `written` or `read`
    /// @param full what was in use with all sessions
    /// @param each what a session takes, for one that is not read yet is not in use
    private static long extra(List<Look> looks, long process, String done, long full, long each) {
        long most = Long.MIN_VALUE;
        int seen = 0;
        for (Look one : looks) {
            if (one.process == process && one.what.equals(done)) {
                int missing = done.equals("read") ? COUNT - one.times : 0;
                most = Math.max(most, one.used - full + missing * each);
                seen++;
            }
        }
        assertEquals(LOOKS, seen, done + " by " + process + ": " + looks);
        return most;
    }

    /// Of three processes: the first has made the sessions, and stopped; the second was started,
    /// and upgraded to the third.
    private void assertLittleMemoryBeside() throws IOException {
        List<Look> all = Files.readAllLines(looks()).stream().map(Look::of).toList();
        List<Long> processes = all.stream().map(Look::process).distinct().toList();
        assertEquals(3, processes.size(), all::toString);
        long empty = used(all, "empty");
        long each = (used(all, "made") - empty) / COUNT;
        StringBuilder report = new StringBuilder();
        long most = 0;
        String[][] steps = {
            {"0", "written", "made", "stop"},
            {"1", "read", "started", "start"},
            {"1", "written", "started", "upgrade, the old process"},
            {"2", "read", "upgraded", "upgrade, the new process"}
        };
        for (String[] step : steps) {
            long process = processes.get(Integer.parseInt(step[0]));
            long extra = extra(all, process, step[1], used(all, step[2]), each);
            most = Math.max(most, extra);
            report.append(
                    "%s: %.1f MiB beside the sessions%n".formatted(step[3], mebibytes(extra)));
        }
        report.append(
                "%d sessions of %d bytes; without them %.1f MiB%n"
                        .formatted(COUNT, each, mebibytes(empty)));
        Files.writeString(REPORT, report);
        assertTrue(most <= EXTRA_MAX, report::toString);
    }

    private static long used(List<Look> looks, String what) {
        return looks.stream().filter(one -> one.what.equals(what)).findFirst().orElseThrow().used();
    }

    private static double mebibytes(long bytes) {
        return bytes / 1048576.0;
    }

    /// One connection for many requests.
    private static final class Client implements AutoCloseable {
        private final Socket socket;
        private final BufferedReader in;

        Client(int port) throws IOException {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setSoTimeout(60_000);
            socket.setTcpNoDelay(true);
            in =
                    new BufferedReader(
                            new InputStreamReader(
                                    socket.getInputStream(), StandardCharsets.US_ASCII));
        }

        /// @return the new session's identifier, or that of the one that is there; else null
        @Nullable String get(@Nullable String session) throws IOException {
            String cookie = session == null ? "" : "Cookie: JSESSIONID=" + session + "\r\n";
            socket.getOutputStream()
                    .write(
                            ("GET / HTTP/1.1\r\nHost: a\r\n" + cookie + "\r\n")
                                    .getBytes(StandardCharsets.US_ASCII));
            String id = session;
            int length = 0;
            for (String line = in.readLine(); !line.isEmpty(); line = in.readLine()) {
                if (line.startsWith("Set-Cookie: JSESSIONID=")) {
                    id = line.substring(23).split(";")[0];
                } else if (line.startsWith("Content-Length: ")) {
                    length = Integer.parseInt(line.substring(16));
                }
            }
            char[] body = new char[length];
            for (int at = 0; at < length; ) {
                at += in.read(body, at, length - at);
            }
            boolean wanted = new String(body).equals(session == null ? "fresh" : "there");
            return wanted ? id : null;
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    private static void assertAllThere(List<String> sessions, int port) throws IOException {
        int gone = 0;
        try (Client client = new Client(port)) {
            for (String each : sessions) {
                gone += each.equals(client.get(each)) ? 0 : 1;
            }
        }
        assertEquals(0, gone, "sessions that are lost of " + sessions.size());
    }

    @Test
    void sessions_ofMoreThanHalfOfTheHeap_areKeptOverAStopAStartAndAnUpgrade() throws Exception {
        Wars.with("index.html", "x")
                .servlet(KilobyteServlet.class, "/")
                .type(KilobyteServlet.Kilobyte.class)
                .war(folder.resolve("many.war"));
        Path work = folder.resolve("work");
        List<String> sessions = new ArrayList<>();
        try (MargayProcess first = start()) {
            int port = first.awaitReady();
            look(port, "empty");
            try (Client client = new Client(port)) {
                for (int i = 0; i < COUNT; i++) {
                    sessions.add(client.get(null));
                }
            }
            look(port, "made");
            ControlSocket.Answer answer = ControlSocket.ask(work, "stop");
            assertTrue(answer.done(), first::toString);
            assertEquals(List.of("sessions kept: " + COUNT + ", lost: 0"), answer.lines());
            assertEquals(0, first.awaitExit(), first::toString);
        }
        String moved = COUNT + " sessions, restored " + COUNT + ", lost 0";
        try (MargayProcess second = start()) {
            int port = second.awaitReady();
            assertTrue(status(work).contains(moved), () -> status(work));
            assertAllThere(sessions, port);
            look(port, "started");
            ControlSocket.Answer answer = ControlSocket.ask(work, "upgrade");
            assertTrue(answer.done(), answer + "\n" + second);
            last = ProcessUpgradeIT.successor(answer.lines().getFirst());
            assertTrue(answer.lines().get(1).startsWith("sessions: " + COUNT), answer::toString);
            assertAllThere(sessions.subList(0, 100), port);
            assertEquals(0, second.awaitEnd(), second::toString);
            Eventually.holds(
                    "restored",
                    Duration.ofMinutes(2),
                    () -> status(work).contains(COUNT + " sessions, rest"));
            assertAllThere(sessions, port);
            assertTrue(status(work).contains(", lost 0"), () -> status(work));
            look(port, "upgraded");
        }
        assertLittleMemoryBeside();
    }

    private static String status(Path work) {
        return ControlSocket.ask(work, "status").lines().toString();
    }
}
