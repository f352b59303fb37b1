package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.process.ControlSocket;
import io.margay.app.sample.KilobyteServlet;
import io.margay.testkit.Eventually;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Sessions that take more than half of the heap, over a stop, a start and an upgrade.
///
/// `margay.sessions.count` of a kilobyte each, in a heap of `margay.sessions.heap`.
@Tag("slow")
final class ManySessionsTest {
    private static final int COUNT = Integer.getInteger("margay.sessions.count", 20_000);
    private static final String HEAP = System.getProperty("margay.sessions.heap", "64m");

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
                List.of("-Xmx" + HEAP, "-XX:+ExitOnOutOfMemoryError"),
                "run",
                folder.resolve("many.war").toString(),
                "--http",
                "0",
                "--work",
                folder.resolve("work").toString());
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
                .war(folder.resolve("many.war"));
        Path work = folder.resolve("work");
        List<String> sessions = new ArrayList<>();
        try (MargayProcess first = start()) {
            try (Client client = new Client(first.awaitReady())) {
                for (int i = 0; i < COUNT; i++) {
                    sessions.add(client.get(null));
                }
            }
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
            ControlSocket.Answer answer = ControlSocket.ask(work, "upgrade");
            assertTrue(answer.done(), answer + "\n" + second);
            last = ProcessUpgradeTest.successor(answer.lines().getFirst());
            assertTrue(answer.lines().get(1).startsWith("sessions: " + COUNT), answer::toString);
            assertAllThere(sessions.subList(0, 100), port);
            assertEquals(0, second.awaitEnd(), second::toString);
            Eventually.holds("restored", () -> status(work).contains(COUNT + " sessions, rest"));
            assertAllThere(sessions, port);
            assertTrue(status(work).contains(", lost 0"), () -> status(work));
        }
    }

    private static String status(Path work) {
        return ControlSocket.ask(work, "status").lines().toString();
    }
}
