package io.margay.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.testkit.Eventually;
import io.margay.testkit.Http2Wire;
import io.margay.testkit.RawHttpClient;
import io.margay.testkit.TestCertificate;
import io.margay.testkit.program.Kill;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A process that is stopped (SIGSTOP) and continued: what came meanwhile is run for those who wait
/// for it still, and not for those who have gone.
@Tag("slow")
@Timeout(120)
@EnabledOnOs(OS.LINUX)
final class StandstillTest {
    private static final Duration PAUSE = Duration.ofSeconds(2);
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int CANCEL = 8;

    @TempDir Path folder;
    private final List<AutoCloseable> open = new ArrayList<>();
    private @Nullable TestCertificate certificate;
    private Process process;
    private InetSocketAddress address;

    static Stream<Wire> wires() {
        return Wire.all();
    }

    private void start(Wire wire) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp"));
        command.add(System.getProperty("java.class.path"));
        command.addAll(List.of(StandstillServer.class.getName(), wire.transport()));
        if (wire.tls()) {
            TestCertificate made = TestCertificate.in(folder);
            certificate = made;
            command.addAll(List.of(made.cert().toString(), made.key().toString()));
        }
        process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        BufferedReader out =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII));
        address =
                new InetSocketAddress(
                        InetAddress.getLoopbackAddress(), Integer.parseInt(out.readLine()));
    }

    @AfterEach
    void end() throws Exception {
        for (AutoCloseable one : open) {
            one.close();
        }
        process.destroyForcibly();
    }

    private RawHttpClient client() throws IOException {
        TestCertificate trusted = certificate;
        RawHttpClient made =
                trusted == null
                        ? RawHttpClient.connect(address)
                        : RawHttpClient.connect(address, trusted.client(), "localhost");
        open.add(made);
        return made;
    }

    /// One that has been served before.
    private RawHttpClient known() throws IOException {
        RawHttpClient made = client();
        assertEquals(200, made.get("/runs").status());
        return made;
    }

    private Http2Wire http2() throws IOException {
        TestCertificate trusted = certificate;
        Http2Wire made = Http2Wire.connect(address, trusted == null ? null : trusted.client());
        open.add(made);
        made.settle();
        return made;
    }

    private static RawHttpClient post(RawHttpClient client, String path, int bytes)
            throws IOException {
        return client.send(
                "POST %s HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n%s"
                        .formatted(path, bytes, "x".repeat(bytes)));
    }

    /// Waits until all but so many connections have ended, and says what was run.
    private String runs(int connections) throws IOException {
        RawHttpClient asking = client();
        String[] answer = {""};
        Eventually.holds(
                "connections end",
                PATIENCE,
                () -> {
                    answer[0] = text(asking);
                    return answer[0].startsWith(connections + 1 + ": ");
                });
        return answer[0].substring(answer[0].indexOf(' ') + 1);
    }

    private static String text(RawHttpClient asking) {
        try {
            return asking.get("/runs").text();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /// Over TLS the end of the output says so: a close would wait for the other side's.
    private static void leave(Socket socket) throws IOException {
        if (socket instanceof SSLSocket) {
            socket.shutdownOutput();
        } else {
            socket.close();
        }
    }

    private void stop() throws IOException, InterruptedException {
        Kill.send("STOP", process.pid());
        Eventually.holds("every thread stands still", PATIENCE, this::standsStill);
    }

    /// A thread that the machine has no time for runs on for a moment.
    private boolean standsStill() {
        Path tasks = Path.of("/proc", "" + process.pid(), "task");
        try (Stream<Path> all = Files.list(tasks)) {
            for (Path one : all.toList()) {
                if (!Files.readString(one.resolve("status")).contains("State:\tT")) {
                    return false;
                }
            }
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private void goOn() throws IOException, InterruptedException {
        long end = System.nanoTime() + PAUSE.toNanos();
        Eventually.holds("the pause is over", PATIENCE, () -> System.nanoTime() - end >= 0);
        Kill.send("CONT", process.pid());
    }

    @ParameterizedTest
    @MethodSource("wires")
    void request_whoseClientHasGoneOverAPause_isNotRun(Wire wire) throws Exception {
        start(wire);
        RawHttpClient gone = known();
        RawHttpClient goneTask = known();
        RawHttpClient reset = known();
        RawHttpClient stays = known();
        RawHttpClient staysTask = known();
        stop();
        leave(post(gone, "/gone", 10).socket());
        leave(post(goneTask, "/dispatched/gone", 10).socket());
        post(reset, "/reset", 10).reset();
        post(stays, "/stays", 10);
        post(staysTask, "/dispatched/stays", 10);
        goOn();
        assertEquals("/stays", stays.response().text());
        assertEquals("/dispatched/stays", staysTask.response().text());
        assertEquals("/dispatched/stays /stays", runs(2));
    }

    @ParameterizedTest
    @MethodSource("wires")
    void streams_takenBackOverAPause_areNotRun(Wire wire) throws Exception {
        start(wire);
        Http2Wire one = http2();
        Http2Wire gone = http2();
        stop();
        one.get(1, "/cancelled").get(3, "/stays").get(5, "/dispatched/cancelled");
        one.reset(1, CANCEL).reset(5, CANCEL);
        leave(gone.get(1, "/gone").get(3, "/dispatched/gone").socket());
        goOn();
        assertEquals("/stays", one.message(3).text());
        assertEquals("/stays", runs(1));
    }

    /// Who ends its side and waits for the answer is told, and is served as ever without a pause.
    @ParameterizedTest
    @ValueSource(strings = {"native", "blocking"})
    void clientThatEndsItsSide_isToldOverAPause(String transport) throws Exception {
        start(new Wire(transport, false));
        RawHttpClient before = known();
        post(before, "/before", 10).shutdownOutput();
        assertEquals("/before", before.response().text());
        RawHttpClient over = known();
        stop();
        post(over, "/over", 10).shutdownOutput();
        goOn();
        assertEquals(503, over.response().status());
        assertEquals("/before", runs(0));
    }

    /// The kernel says so also where much comes before the end.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void upload_whoseClientHasGoneOverAPause_isNotRun(boolean tls) throws Exception {
        start(new Wire("native", tls));
        RawHttpClient gone = known();
        stop();
        leave(post(gone, "/gone", 100_000).socket());
        goOn();
        assertEquals("", runs(0));
    }
}
