package io.margay.server.log;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.server.HttpServer;
import io.margay.server.config.HttpServerConfig;
import io.margay.server.dispatch.VirtualDispatcher;
import io.margay.server.exchange.Exchange;
import io.margay.testkit.Eventually;
import io.margay.testkit.RawHttpClient;
import io.margay.transport.ListenerConfig;
import io.margay.transport.Transport;
import io.margay.transport.TransportConfig;
import io.margay.transport.factory.Transports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("slow")
@Timeout(60)
class AccessLogTest {
    @TempDir Path folder;
    private Transport transport;
    private HttpServer server;
    private AccessLog log;
    private Path file;
    private RawHttpClient client;
    private final AtomicReference<Exchange> answered = new AtomicReference<>();

    @BeforeEach
    void open() throws IOException {
        file = folder.resolve("access.log");
    }

    private void serve(String format) throws IOException {
        serve(new AccessLog(file.toString(), LogFormat.of(format)));
    }

    private void serve(AccessLog accessLog) throws IOException {
        log = accessLog;
        transport = Transports.open("nio", TransportConfig.defaults());
        server =
                new HttpServer(
                        this::answer, new VirtualDispatcher(10), HttpServerConfig.defaults(), log);
        HttpServer.HttpListener listener =
                server.listen(
                        transport,
                        ListenerConfig.of(
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
        client = RawHttpClient.connect((InetSocketAddress) listener.socket().address());
    }

    private void answer(Exchange exchange) throws IOException {
        answered.set(exchange);
        exchange.remoteUser(exchange.request().field("X-User"));
        exchange.fields().add("X-Answer", "42");
        exchange.end(new byte[5], 0, 5);
    }

    @AfterEach
    void close() throws IOException {
        if (server != null) {
            client.close();
            server.close();
            transport.close();
            log.close();
        }
    }

    private List<String> lines(int count) {
        Eventually.holds(
                count + " lines",
                () -> {
                    try {
                        return Files.exists(file)
                                && Files.readString(file, StandardCharsets.UTF_8)
                                                .chars()
                                                .filter(c -> c == '\n')
                                                .count()
                                        >= count;
                    } catch (IOException e) {
                        return false;
                    }
                });
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private String line(String format, String request) throws IOException {
        serve(format);
        client.send(request);
        client.response();
        List<String> lines = lines(1);
        assertEquals(1, lines.size());
        return lines.getFirst();
    }

    private static final String REQUEST =
            "GET /p%20q?a=b HTTP/1.1\r\nHost: shop.example:81\r\nUser-Agent: test\r\n"
                    + "Referer: http://a/\r\nX-User: joe\r\nCookie: x=1; id=abc\r\n\r\n";

    @Test
    void combined_isAsApacheWritesIt() throws IOException {
        String line = line("combined", REQUEST);
        assertTrue(
                line.matches(
                        "127\\.0\\.0\\.1 - joe \\[\\d\\d/[A-Z][a-z]{2}/\\d{4}:\\d\\d:\\d\\d:\\d\\d"
                                + " [+-]\\d{4}] \"GET /p%20q\\?a=b HTTP/1\\.1\" 200 5"
                                + " \"http://a/\" \"test\""),
                line);
    }

    @Test
    void directives_giveTheirValues() throws IOException {
        String line =
                line(
                        "%m|%U|%q|%H|%v|%s|%>s|%b|%B|%X|%k|%{User-Agent}i|%{X-Answer}o|%{id}C|"
                                + "%{none}i|%400{User-Agent}i|%!400{User-Agent}i|%%|%a|%A|%l|%u",
                        REQUEST);
        assertEquals(
                "GET|/p q|?a=b|HTTP/1.1|shop.example|200|200|5|5|+|0|test|42|abc|-|-|test|%"
                        + "|127.0.0.1|127.0.0.1|-|joe",
                line);
    }

    @Test
    void bytesOnTheWire_includeHeads() throws IOException {
        String[] counts = line("%I %O", REQUEST).split(" ");
        assertEquals(REQUEST.length(), Integer.parseInt(counts[0]));
        assertTrue(Integer.parseInt(counts[1]) > 60);
    }

    @Test
    void times_areNumbersInTheirUnits() throws IOException {
        String line = line("%D %T %{ms}T %{us}T %{sec}t %{%Y-%m-%d}t %{msec_frac}t", REQUEST);
        assertTrue(line.matches("\\d+ 0 \\d+ \\d+ \\d{10} \\d{4}-\\d\\d-\\d\\d \\d{3}"), line);
    }

    @Test
    void phases_haveTheirNames() throws IOException {
        String line =
                line(
                        "%{queued}T %{answer:ms}T %{head:s.us}T %^FB %{s.ms}^FB %{ATTEMPTS}x",
                        REQUEST);
        assertTrue(line.matches("\\d+ 0 \\d+\\.\\d{6} \\d+ \\d+\\.\\d{3} 0"), line);
    }

    @Test
    void json_isOneObject() throws IOException {
        String line = line("json", REQUEST);
        assertTrue(line.startsWith("{\"time\":\"20") && line.endsWith("}"), line);
        assertTrue(line.contains("\"target\":\"/p%20q?a=b\""), line);
        assertTrue(line.contains("\"status\":200"), line);
        assertTrue(line.contains("\"user\":\"joe\""), line);
        assertTrue(line.matches(".*,\"first_byte_us\":\\d+,\"head_us\":\\d+,.*"), line);
    }

    @ParameterizedTest
    @CsvSource({
        "%y, 0",
        "abc %h %, 7",
        "%{X, 1",
        "%h %{X}z, 3",
        "%{min}T, 2",
        "%{foo}p, 2",
        "%{queued:min}T, 2",
        "%{min}^FB, 2",
        "%{%Q}t, 2",
        "%!h, 0",
        "a\\qb, 1"
    })
    void unknownDirective_isAnErrorWithItsPosition(String format, int position) {
        LogFormatException error =
                assertThrows(LogFormatException.class, () -> LogFormat.of(format));
        assertEquals(position, error.position(), error.getMessage());
    }

    @Test
    void CVE_2009_4487_CVE_2025_55754_injection_isEscaped() throws IOException {
        String line =
                line(
                        "%r %{User-Agent}i",
                        "GET /a HTTP/1.1\r\nHost: x\r\n"
                                + "User-Agent: \u009b31m \"quo\\te\" \u00e9\t.\r\n\r\n");
        assertEquals("GET /a HTTP/1.1 \\x9b31m \\\"quo\\\\te\\\" \\xe9\\x09.", line);
    }

    @Test
    void CVE_2026_34483_logInjectionFuzz_oneEventIsOneSafeLine() throws IOException {
        long seed = 20261121;
        Random random = new Random(seed);
        for (String format : new String[] {"%h %u \"%r\" %{User-Agent}i %{X-User}i", "json"}) {
            Files.deleteIfExists(file);
            serve(format);
            int sent = 0;
            for (int i = 0; i < 500; i++) {
                StringBuilder value = new StringBuilder("v");
                for (int n = random.nextInt(40); n > 0; n--) {
                    char c = (char) (0x20 + random.nextInt(0xe0));
                    value.append(c == 0x7f ? '\t' : c);
                }
                value.append('w');
                client.send(
                        "GET / HTTP/1.1\r\nHost: x\r\nUser-Agent: "
                                + value
                                + "\r\nX-User: "
                                + value
                                + "\r\n\r\n");
                assertEquals(200, client.response().status(), "seed " + seed + " " + value);
                sent++;
            }
            List<String> lines = lines(sent);
            assertEquals(sent, lines.size());
            for (String line : lines) {
                assertFalse(line.chars().anyMatch(c -> c < 0x20 || (c >= 0x7f && c < 0xa0)), line);
            }
            close();
        }
        server = null;
    }

    @Test
    void moved_file_isOpenedAnew() throws IOException {
        serve("%U");
        client.get("/before");
        lines(1);
        Files.move(file, folder.resolve("access.log.1"));
        Eventually.holds(
                "the new file has lines",
                () -> {
                    try {
                        client.get("/after");
                        return Files.exists(file) && Files.size(file) > 0;
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                });
        assertTrue(Files.readString(folder.resolve("access.log.1")).startsWith("/before\n"));
    }

    @Test
    void reopen_followsARotation() throws IOException {
        serve("%U");
        client.get("/before");
        lines(1);
        Files.move(file, folder.resolve("access.log.1"));
        log.reopen();
        Eventually.holds("reopened", () -> logged("/after"));
        assertEquals("/before\n", Files.readString(folder.resolve("access.log.1")));
    }

    private boolean logged(String path) {
        try {
            client.get(path);
            return Files.exists(file) && Files.readString(file).contains(path);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void diskFull_dropsAndCounts_andServingGoesOn() throws IOException {
        Path full = Path.of("/dev/full");
        if (!Files.exists(full)) {
            return;
        }
        serve(new AccessLog(full.toString(), LogFormat.of("%U")));
        for (int i = 0; i < 20; i++) {
            assertEquals(200, client.get("/").status());
        }
        Eventually.holds("lines are lost and counted", () -> log.dropped() >= 20);
        assertEquals(0, metered("margay_access_log_lines"));
    }

    @Test
    void linesThatWereWritten_areCounted() throws IOException {
        serve("%U");
        client.get("/a");
        client.get("/b");
        Eventually.holds("both are", () -> metered("margay_access_log_lines") == 2);
        assertEquals(List.of("/a", "/b"), lines(2));
        assertEquals(0, metered("margay_access_log_dropped_lines"));
    }

    private double metered(String name) {
        return log.meters().stream()
                .filter(meter -> meter.name().equals(name))
                .findFirst()
                .orElseThrow()
                .read()
                .getAsDouble();
    }

    @ParameterizedTest
    @CsvSource({"json, \\u0080", "%{User-Agent}i, \\x80"})
    void longField_isCutAndMarked_andTheLineIsWritten(String format, String escaped)
            throws IOException {
        String agent = "\u0080".repeat(11_500);
        String line =
                line(format, "GET / HTTP/1.1\r\nHost: x\r\nUser-Agent: " + agent + "\r\n\r\n");
        int kept = 1_024 / escaped.length();
        String cut = escaped.repeat(kept) + "...+" + (11_500 - kept);
        assertTrue(format.equals("json") ? line.contains('"' + cut + '"') : line.equals(cut), line);
    }

    @Test
    void manyLongFields_areOneLine() throws IOException {
        String fields = "%{User-Agent}i".repeat(100);
        String line =
                line(
                        fields,
                        "GET / HTTP/1.1\r\nHost: x\r\nUser-Agent: "
                                + "a".repeat(2_000)
                                + "\r\n\r\n");
        assertEquals(("a".repeat(1_024) + "...+976").repeat(100), line);
    }

    @Test
    void queue_isBoundedInBytes() throws Exception {
        Path pipe = folder.resolve("pipe");
        assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
        // A pipe that nobody reads: the writer waits, as it does for a disk that hangs.
        serve("%U");
        client.get("/");
        Exchange exchange = answered.get();
        AccessLogLimits limits = new AccessLogLimits(1_024, 20_000);
        try (FileChannel reader = FileChannel.open(pipe, READ, WRITE);
                AccessLog slow =
                        new AccessLog(
                                pipe.toString(), LogFormat.of("%U" + "a".repeat(999)), limits)) {
            int ended = 0;
            while (slow.dropped() == 0) {
                slow.ended(exchange);
                assertTrue(++ended < 1_000, "nothing is dropped");
            }
            ByteBuffer drained = ByteBuffer.allocate(1 << 20);
            int expected = (ended - 1) * 1_001;
            while (drained.position() < expected) {
                reader.read(drained);
            }
            assertEquals(expected, drained.position());
        }
    }

    @Test
    void file_thatWouldBeTooLarge_getsAnotherName_andNoLineIsLost() throws IOException {
        serve(new AccessLog(file.toString(), LogFormat.of("%U"), 40));
        for (int i = 0; i < 9; i++) {
            String path = "/a-long-path-" + i;
            client.get(path);
            Eventually.holds(path, () -> isLast(path));
        }
        List<Path> files;
        try (Stream<Path> all = Files.list(folder)) {
            files = all.filter(one -> one.toString().startsWith(file.toString())).toList();
        }
        assertEquals(5, files.size(), files.toString());
        List<String> lines = new ArrayList<>();
        for (Path one : files) {
            assertTrue(Files.size(one) <= 40, one.toString());
            lines.addAll(Files.readAllLines(one));
        }
        assertEquals(9, lines.size());
    }

    private boolean isLast(String line) {
        try {
            return Files.exists(file) && Files.readString(file).endsWith(line + "\n");
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void datedName_isFormatted() throws IOException {
        serve(new AccessLog(folder.resolve("log-%Y.txt").toString(), LogFormat.of("%U")));
        client.get("/x");
        int year = java.time.LocalDate.now(java.time.ZoneId.systemDefault()).getYear();
        file = folder.resolve("log-" + year + ".txt");
        assertEquals(List.of("/x"), lines(1));
    }
}
