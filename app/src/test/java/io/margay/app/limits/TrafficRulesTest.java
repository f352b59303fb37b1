package io.margay.app.limits;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.MargayServer;
import io.margay.app.MeterValues;
import io.margay.app.Wars;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.app.sample.LargePageServlet;
import io.margay.testkit.Eventually;
import io.margay.testkit.Http2Wire;
import io.margay.testkit.RawHttpClient;
import io.margay.testkit.RawHttpClient.Response;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Hosts and routes that limit how large requests are, and how fast responses are sent.
@Timeout(60)
final class TrafficRulesTest {
    private static final int PAGE = 40_000;

    @TempDir static Path folder;

    private static MargayServer server;

    @BeforeAll
    static void start() throws IOException {
        Wars.with("index.html", "home")
                .servlet(LargePageServlet.class, "/page/*")
                .folder(folder.resolve("app"));
        Files.createDirectories(folder.resolve("files"));
        Files.write(folder.resolve("files/large"), new byte[PAGE]);
        Files.writeString(folder.resolve("files/small"), "small");
        for (String name : List.of("x.txt", "x.css", "x.mp4")) {
            Files.write(folder.resolve("files/" + name), new byte[PAGE]);
        }
        ConfigFile.Result read =
                read(
                        """
                        listeners:
                          - {http: 127.0.0.1:0, transport: nio}
                          - {http: 127.0.0.1:0, transport: blocking}
                          - {http: 127.0.0.1:0, transport: native}
                        hosts:
                          - name: sizes
                            request-sizes:
                              - {content-max: 10, field-max: 100, fields-max: 5}
                              - {prefix: /short, target-max: 20}
                            routes:
                              /: {app: app}
                              /small: {files: files, request-sizes: [{content-max: 0}]}
                          - name: slow
                            bandwidth:
                              - {prefix: /app/page/done, rate: 0}
                              - {rate: 100KiB, after: 10KiB}
                            routes:
                              /app: {app: app}
                              /files: {files: files}
                              /fast: {files: files, bandwidth: [{rate: 0}]}
                          - name: types
                            bandwidth:
                              - {prefix: /b, rate: 0, group: other}
                              - {rate: 100KiB, types: [text/plain, "video/*"], group: other}
                              - {rate: 1MiB}
                            routes:
                              /a: {files: files}
                              /b: {files: files}
                        """);
        assertEquals(List.of(), read.problems());
        server = MargayServer.start(read.get(), DeployProgress.NONE);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static ConfigFile.Result read(String text) throws IOException {
        Path file = folder.resolve("margay.yaml");
        Files.writeString(file, text + "\nwork: work\n");
        return ConfigFile.read(file, Map.of());
    }

    private static InetSocketAddress at(int listener) {
        return new InetSocketAddress(
                InetAddress.getLoopbackAddress(), server.ports().get(listener));
    }

    private static Response ask(int listener, String host, String line, String rest)
            throws IOException {
        try (RawHttpClient client = RawHttpClient.connect(at(listener))) {
            return client.send(line + " HTTP/1.1\r\nHost: " + host + "\r\n" + rest).response();
        }
    }

    private static long count(String host, String limit, String what) {
        return MeterValues.sum(server, "margay_limit_" + what, "host=" + host, "limit=" + limit);
    }

    // Sizes

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void content_thatIsTooLarge_isRefused_whetherItsLengthIsToldOrNot(int listener)
            throws IOException {
        String told = "Content-Length: %d\r\n\r\n%s";
        Response taken = ask(listener, "sizes", "POST /page/x", told.formatted(10, "0123456789"));
        assertEquals("10", taken.text());
        long before = count("sizes", "request-sizes", "refused");
        assertEquals(413, ask(listener, "sizes", "POST /page/x", told.formatted(11, "")).status());
        String chunked = "Transfer-Encoding: chunked\r\n\r\n";
        Response part =
                ask(listener, "sizes", "POST /page/x", chunked + "a\r\n0123456789\r\n0\r\n\r\n");
        assertEquals("10", part.text());
        Response more =
                ask(listener, "sizes", "POST /page/x", chunked + "6\r\n012345\r\n5\r\n01234\r\n");
        assertEquals(413, more.status());
        assertEquals(2, count("sizes", "request-sizes", "refused") - before);
        assertEquals(413, ask(listener, "sizes", "POST /small/x", told.formatted(1, "")).status());
    }

    @Test
    void contentOfHttp2_thatIsTooLarge_isRefused() throws IOException {
        try (Http2Wire wire = Http2Wire.connect(at(0), null)) {
            String[] head = {
                ":method: POST", ":scheme: http", ":path: /page/x", ":authority: sizes"
            };
            wire.headers(1, false, head).data(1, true, "0123456789");
            wire.headers(3, false, head).data(3, false, "0123456789").data(3, true, "0");
            assertEquals("10", wire.message(1).text());
            assertEquals(413, wire.message(3).status());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/short/0123456789012, 404, X: 1",
        "/short/01234567890123, 414, X: 1",
        "/0123456789012345678901, 404, X: 1",
        "/, 200, 'X: 1|X: 2|X: 3|X: 4'",
        "/, 431, 'X: 1|X: 2|X: 3|X: 4|X: 5'",
        "/, 200, 'X-A: FITS'",
        "/, 431, 'X-A: LONG'",
    })
    void heads_thatAreTooLarge_areRefused(String target, int status, String fields)
            throws IOException {
        String values = fields.replace("FITS", "7".repeat(97)).replace("LONG", "7".repeat(98));
        String rest = values.replace("|", "\r\n") + "\r\n\r\n";
        assertEquals(status, ask(0, "sizes", "GET " + target, rest).status());
    }

    // Bandwidth

    @ParameterizedTest
    @CsvSource({
        "0, /files/large",
        "1, /files/large",
        "2, /files/large",
        "0, /app/page/x",
        "1, /app/page/x"
    })
    void responses_areSentAsSlowlyAsIsSaid_andWhole(int listener, String path) throws IOException {
        long began = System.nanoTime();
        Response slow = ask(listener, "slow", "GET " + path, "\r\n");
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
        assertEquals(200, slow.status());
        assertEquals(PAGE, slow.body().length);
        // 40 000 bytes less 10 240, at 102 400 in a second, the last eighth of it at once.
        assertTrue(millis >= 100, () -> millis + " ms");
        assertTrue(count("slow", "bandwidth", "delayed") > 0);
    }

    @ParameterizedTest
    @CsvSource({
        "0, /a/x.txt, true",
        "1, /a/x.mp4, true",
        "2, /a/x.txt, true",
        "0, /a/x.css, false",
        "2, /a/x.css, false",
        "0, /b/x.txt, false",
        "1, /b/x.mp4, false"
    })
    void responses_ofSomeTypes_areSentMoreSlowly(int listener, String path, boolean slow)
            throws IOException {
        long quickest = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            long began = System.nanoTime();
            Response response = ask(listener, "types", "GET " + path, "\r\n");
            quickest = Math.min(quickest, System.nanoTime() - began);
            assertEquals(PAGE, response.body().length);
        }
        long millis = TimeUnit.NANOSECONDS.toMillis(quickest);
        assertEquals(slow, millis >= 150, () -> millis + " ms");
    }

    @Test
    void applications_areDoneBeforeTheirResponsesHaveGone() throws IOException {
        try (RawHttpClient client = RawHttpClient.connect(at(0))) {
            int before = done();
            client.send("GET /app/page/x HTTP/1.1\r\nHost: slow\r\n\r\n");
            Eventually.holds("the page is written", () -> done() == before + 1);
            assertEquals(PAGE, client.response().body().length);
            client.send("GET /files/small HTTP/1.1\r\nHost: slow\r\n\r\n");
            assertEquals("small", client.response().text(), "the connection is kept");
        }
    }

    private static int done() {
        try {
            return Integer.parseInt(ask(1, "slow", "GET /app/page/done", "\r\n").text());
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void http2_sendsSlowStreams_andOthersBetween() throws IOException {
        try (Http2Wire wire = Http2Wire.connect(at(0), null)) {
            long began = System.nanoTime();
            wire.headers(
                    1,
                    true,
                    ":method: GET",
                    ":scheme: http",
                    ":path: /files/large",
                    ":authority: slow");
            wire.headers(
                    3,
                    true,
                    ":method: GET",
                    ":scheme: http",
                    ":path: /fast/large",
                    ":authority: slow");
            assertEquals(PAGE, wire.message(3).size());
            assertFalse(wire.on(1).ended(), "the slow one is under way");
            assertEquals(PAGE, wire.message(1).size());
            assertTrue(System.nanoTime() - began >= TimeUnit.MILLISECONDS.toNanos(100));
        }
    }

    @Test
    void clients_thatLeave_areNotSentTo() throws IOException {
        long before = count("slow", "bandwidth", "delayed");
        for (int i = 0; i < 10; i++) {
            try (RawHttpClient client = RawHttpClient.connect(at(i % 2))) {
                client.send("GET /files/large HTTP/1.1\r\nHost: slow\r\n\r\n");
                assertEquals("HTTP/1.1 200 OK", client.line());
                client.reset();
            }
        }
        assertEquals(10, count("slow", "bandwidth", "delayed") - before);
        assertArrayEquals(new byte[PAGE], ask(0, "slow", "GET /fast/large", "\r\n").body());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "request-sizes: [{}]",
                "request-sizes: [{content-max: -1}]",
                "bandwidth: [{}]",
                "bandwidth: [{rate: 1KiB, rate-variable: a}]",
                "bandwidth: [{rate-variable: a, after: 1}]",
                "bandwidth: [{rate: 1KiB, regex: '('}]",
                "rate-limits: [{rate: 1/s, name: bandwidth}]",
                "rate-limits: [{rate: 1/s, burst: 2, algorithm: sliding-window}]",
                "rate-limits: [{concurrent: 1, algorithm: sliding-window}]",
            })
    void rules_thatSayNothing_areProblems(String key) throws IOException {
        Path before = folder.resolve("margay.yaml");
        String text = Files.readString(before);
        assertFalse(
                read("hosts: [{" + key + ", routes: {/: {files: files}}}]").problems().isEmpty(),
                key);
        Files.writeString(before, text);
    }
}
