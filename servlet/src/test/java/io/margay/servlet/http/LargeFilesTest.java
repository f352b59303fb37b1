package io.margay.servlet.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.margay.server.HttpServer;
import io.margay.server.dispatch.WorkerLimits;
import io.margay.server.dispatch.WorkerPool;
import io.margay.servlet.test.TestApp;
import io.margay.testkit.Eventually;
import io.margay.testkit.RawHttpClient;
import io.margay.testkit.RawHttpClient.Response;
import io.margay.testkit.TestCertificate;
import io.margay.transport.ListenerConfig;
import io.margay.transport.TlsConfig;
import io.margay.transport.Transport;
import io.margay.transport.TransportConfig;
import io.margay.transport.factory.Transports;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// Files of an application that are too large for memory, on every transport: the same answers as
/// for small ones, and no worker waits for the client.
@Tag("slow")
@ParameterizedClass
@MethodSource("wires")
@Timeout(60)
final class LargeFilesTest {
    /// How the bytes travel.
    record Wire(String transport, boolean tls) {}

    private static final TestCertificate CERTIFICATE = TestCertificate.temporary();

    /// More than a kernel takes for a client that does not read, and hardly more over TLS, for the
    /// cipher takes its time.
    private static final byte[] CONTENT = new byte[8_000_000];

    static {
        new Random(5).nextBytes(CONTENT);
    }

    private final Wire wire;
    private final byte[] plain;
    private final byte[] packed;
    private final List<RawHttpClient> clients = new ArrayList<>();
    private TestApp app;
    private WorkerPool pool;
    private Transport transport;
    private HttpServer server;
    private InetSocketAddress address;
    @TempDir Path folder;

    LargeFilesTest(Wire wire) {
        this.wire = wire;
        plain = wire.tls() ? Arrays.copyOf(CONTENT, 5_500_000) : CONTENT;
        packed = Arrays.copyOfRange(CONTENT, 1_000_001, plain.length - 1_000_000);
    }

    static Stream<Wire> wires() {
        return Stream.of("nio", "blocking", "native")
                .flatMap(name -> Stream.of(new Wire(name, false), new Wire(name, true)));
    }

    @BeforeEach
    void start() throws Exception {
        app =
                TestApp.root()
                        .file("/large.bin", Files.write(folder.resolve("large.bin"), plain))
                        .file("/large.bin.gz", Files.write(folder.resolve("large.bin.gz"), packed))
                        .file("/small.txt", "small")
                        .file("/filtered/large.bin", folder.resolve("large.bin"))
                        .filter(
                                "/filtered/*",
                                (request, response, chain) -> {
                                    ((HttpServletResponse) response).setHeader("X-Filter", "was");
                                    chain.doFilter(request, response);
                                })
                        .servlet("/other", (q, r) -> r.getWriter().print("other"))
                        .servlet(
                                "/forwarded",
                                (q, r) -> q.getRequestDispatcher("/large.bin").forward(q, r))
                        .servlet(
                                "/fails",
                                (q, r) -> {
                                    String path = q.getParameter("after");
                                    q.getRequestDispatcher(path).forward(q, r);
                                    throw new IllegalStateException("after the file");
                                });
        pool = new WorkerPool(new WorkerLimits(1, 1, 100, Duration.ofSeconds(30)));
        transport = Transports.open(wire.transport(), TransportConfig.defaults());
        server = new HttpServer(app.handler(), pool);
        ListenerConfig config =
                ListenerConfig.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        TlsConfig tls = TlsConfig.of(CERTIFICATE.cert(), CERTIFICATE.key());
        HttpServer.HttpListener listener =
                server.listen(transport, wire.tls() ? config.withTls(tls) : config);
        address = (InetSocketAddress) listener.socket().address();
    }

    @AfterEach
    void stop() throws IOException {
        for (RawHttpClient client : clients) {
            client.close();
        }
        server.close();
        transport.close();
        pool.close();
        app.start().stop();
    }

    private RawHttpClient client() throws IOException {
        RawHttpClient client =
                wire.tls()
                        ? RawHttpClient.connect(address, CERTIFICATE.client(), "localhost")
                        : RawHttpClient.connect(address);
        clients.add(client);
        return client.timeout(20_000);
    }

    private static void ask(RawHttpClient client, String method, String path, String... fields)
            throws IOException {
        String lines = fields.length == 0 ? "" : String.join("\r\n", fields) + "\r\n";
        client.send(method + " " + path + " HTTP/1.1\r\nHost: localhost\r\n" + lines + "\r\n");
    }

    private static Response get(RawHttpClient client, String path, String... fields)
            throws IOException {
        ask(client, "GET", path, fields);
        return client.response();
    }

    @Test
    void clientsThatDoNotRead_keepNoWorker() throws IOException {
        RawHttpClient first = client();
        RawHttpClient second = client();
        RawHttpClient other = client();
        ask(first, "GET", "/large.bin");
        ask(second, "GET", "/filtered/large.bin");
        if (!wire.transport().equals("blocking")) {
            assertEquals("other", get(other, "/other").text());
        }
        assertArrayEquals(plain, second.response().body());
        assertArrayEquals(plain, first.response().body());
        assertEquals("other", get(first, "/other").text());
    }

    @Test
    void answers_areThoseOfASmallFile() throws IOException {
        RawHttpClient client = client();
        Response whole = get(client, "/large.bin");
        String tag = whole.field("ETag");
        assertArrayEquals(plain, whole.body());
        assertEquals("bytes", whole.field("Accept-Ranges"));
        assertEquals("Accept-Encoding", whole.field("Vary"));
        ask(client, "HEAD", "/large.bin");
        assertEquals("" + plain.length, client.response(true).field("Content-Length"));
        assertEquals(304, get(client, "/large.bin", "If-None-Match: " + tag).status());
        assertEquals(412, get(client, "/large.bin", "If-Match: \"other\"").status());
        Response part = get(client, "/large.bin", "Range: bytes=1000-5000999", "If-Range: " + tag);
        assertEquals(206, part.status());
        assertEquals("bytes 1000-5000999/" + plain.length, part.field("Content-Range"));
        assertArrayEquals(Arrays.copyOfRange(plain, 1000, 5_001_000), part.body());
        assertEquals(416, get(client, "/large.bin", "Range: bytes=" + plain.length + "-").status());
        Response parts = get(client, "/large.bin", "Range: bytes=0-999999,5000000-");
        assertEquals(206, parts.status());
        Response compressed = get(client, "/large.bin", "Accept-Encoding: gzip");
        assertEquals("gzip", compressed.field("Content-Encoding"));
        assertArrayEquals(packed, compressed.body());
        Response filtered = get(client, "/filtered/large.bin", "Accept-Encoding: gzip");
        assertEquals("was", filtered.field("X-Filter"));
        assertNull(filtered.field("Content-Encoding"));
        assertArrayEquals(plain, filtered.body());
        assertArrayEquals(plain, get(client, "/forwarded").body());
    }

    @Test
    void servletThatFailsAfterwards_isAnswered500_andTheFileIsClosed() throws IOException {
        RawHttpClient client = client();
        assertEquals(500, get(client, "/fails?after=/large.bin").status());
        assertEquals(500, get(client, "/fails?after=/small.txt").status());
        assertEquals("other", get(client, "/other").text());
        noneIsOpen();
    }

    @Test
    void clientThatLeaves_leavesNoFileOpen() throws IOException {
        RawHttpClient client = client();
        ask(client, "GET", "/large.bin");
        assertEquals("HTTP/1.1 200 OK", client.line());
        client.reset();
        noneIsOpen();
    }

    /// Looks at the descriptors of this process.
    private void noneIsOpen() {
        Eventually.holds(
                "no file is open",
                () -> {
                    try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
                        return all.noneMatch(this::isOurs);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
    }

    private boolean isOurs(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).startsWith(folder);
        } catch (IOException _) {
            return false; // closed meanwhile
        }
    }
}
