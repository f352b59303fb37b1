package io.margay.server.files;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.server.HttpServer;
import io.margay.server.dispatch.VirtualDispatcher;
import io.margay.testkit.RawHttpClient;
import io.margay.testkit.RawHttpClient.Response;
import io.margay.transport.ListenerConfig;
import io.margay.transport.Transport;
import io.margay.transport.TransportConfig;
import io.margay.transport.factory.Transports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
@ParameterizedClass
@ValueSource(strings = {"nio", "blocking", "native"})
@Timeout(60)
class StaticFilesTest {
    private final String transportName;
    private final byte[] large = new byte[3_000_000];
    @TempDir Path folder;
    private Path root;
    private Transport transport;
    private HttpServer server;
    private RawHttpClient client;

    StaticFilesTest(String transportName) {
        this.transportName = transportName;
    }

    @BeforeEach
    void open() throws IOException {
        root = Files.createDirectories(folder.resolve("root"));
        new Random(5).nextBytes(large);
        Files.writeString(folder.resolve("secret.txt"), "secret");
        Files.writeString(root.resolve("a.txt"), "0123456789");
        Files.writeString(root.resolve("page.html"), "<p>page</p>");
        Files.writeString(root.resolve("page.html.gz"), "gzipped");
        Files.writeString(root.resolve("page.html.br"), "brotli");
        Files.writeString(root.resolve("with space & more.txt"), "spaced");
        Files.write(root.resolve("large.bin"), large);
        Files.createDirectories(root.resolve("sub/empty"));
        Files.writeString(root.resolve("sub/index.html"), "welcome");
        Files.createDirectories(root.resolve("WEB-INF"));
        Files.writeString(root.resolve("WEB-INF/web.xml"), "secret");
        Files.createSymbolicLink(root.resolve("outside"), folder);
        Files.createSymbolicLink(root.resolve("link.txt"), root.resolve("a.txt"));
        serve(StaticFilesConfig.of(root, ""));
    }

    private void serve(StaticFilesConfig config) throws IOException {
        close();
        transport = Transports.open(transportName, TransportConfig.defaults());
        server = new HttpServer(new StaticFiles(config, new Random(3)), new VirtualDispatcher(100));
        HttpServer.HttpListener listener =
                server.listen(
                        transport,
                        ListenerConfig.of(
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
        client = RawHttpClient.connect((InetSocketAddress) listener.socket().address());
    }

    @AfterEach
    void close() throws IOException {
        if (server != null) {
            client.close();
            server.close();
            transport.close();
        }
    }

    private Response get(String target, String... fields) throws IOException {
        String lines = fields.length == 0 ? "" : String.join("\r\n", fields) + "\r\n";
        client.send("GET " + target + " HTTP/1.1\r\nHost: localhost\r\n" + lines + "\r\n");
        return client.response();
    }

    @Test
    void smallFile_hasTypeTagAndDate() throws IOException {
        Response response = get("/a.txt");
        assertEquals("0123456789", response.text());
        assertEquals("text/plain;charset=utf-8", response.field("Content-Type"));
        assertTrue(response.field("ETag").startsWith("\""));
        assertTrue(response.field("Last-Modified").endsWith("GMT"));
        assertEquals("bytes", response.field("Accept-Ranges"));
        assertNull(response.field("Vary"));
    }

    @Test
    void largeFile_arrivesWhole_andTheConnectionIsKept() throws IOException {
        assertArrayEquals(large, get("/large.bin").body());
        assertEquals("0123456789", get("/a.txt").text());
    }

    @Test
    void singleFile_isAllThatIsServed() throws IOException {
        serve(StaticFilesConfig.of(root.resolve("a.txt"), "/only.txt"));
        assertEquals("0123456789", client.get("/only.txt").text());
        for (String other :
                new String[] {"/only.txt/", "/only.txt/a.txt", "/only.txtx", "/a.txt"}) {
            assertEquals(404, client.get(other).status(), other);
        }
    }

    @Test
    void head_hasNoContent() throws IOException {
        client.send("HEAD /large.bin HTTP/1.1\r\nHost: x\r\n\r\n");
        assertEquals("3000000", client.response(true).field("Content-Length"));
        client.send("HEAD /a.txt HTTP/1.1\r\nHost: x\r\n\r\n");
        assertEquals("10", client.response(true).field("Content-Length"));
        assertEquals("0123456789", get("/a.txt").text());
    }

    @Test
    void CVE_2017_12615_CVE_2025_24813_otherMethods_areRefused() throws IOException {
        for (String asked :
                new String[] {
                    "PUT /new.jsp",
                    "DELETE /new.jsp",
                    "POST /a.txt",
                    "PATCH /new.jsp",
                    "TRACE /a.txt"
                }) {
            client.send(
                    asked
                            + " HTTP/1.1\r\nHost: x\r\nContent-Range: bytes 0-1/9\r\n"
                            + "Content-Length: 2\r\n\r\nab");
            Response response = client.response();
            assertEquals(405, response.status());
            assertEquals("GET, HEAD, OPTIONS", response.field("Allow"));
        }
        client.send("POST /new.jsp HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nab");
        assertEquals(404, client.response().status(), "as httpd answers what is not there");
        assertFalse(Files.exists(root.resolve("new.jsp")));
        client.send("OPTIONS /a.txt HTTP/1.1\r\nHost: x\r\n\r\n");
        assertEquals("GET, HEAD, OPTIONS", client.response().field("Allow"));
    }

    @Test
    void conditions_areHonoured() throws IOException {
        Response first = get("/a.txt");
        String etag = first.field("ETag");
        assertEquals(304, get("/a.txt", "If-None-Match: " + etag).status());
        assertEquals(200, get("/a.txt", "If-None-Match: \"other\"").status());
        assertEquals(
                304, get("/a.txt", "If-Modified-Since: " + first.field("Last-Modified")).status());
        assertEquals(412, get("/a.txt", "If-Match: \"other\"").status());
        assertEquals(200, get("/a.txt", "If-Match: " + etag).status());
    }

    @Test
    void fileThatChanges_isServedAnew() throws IOException {
        serve(
                StaticFilesConfig.of(root, "")
                        .withLimits(FileCacheLimits.defaults().withFreshFor(Duration.ZERO)));
        String before = get("/a.txt").field("ETag");
        Files.writeString(root.resolve("a.txt"), "changed");
        Response after = get("/a.txt");
        assertEquals("changed", after.text());
        assertNotEquals(before, after.field("ETag"));
        Files.delete(root.resolve("a.txt"));
        assertEquals(404, get("/a.txt").status());
    }

    @Test
    void emptyFile_askedForItsRange_isServedWhole() throws IOException {
        Files.createFile(folder.resolve("root/empty.txt"));
        Response response = get("/empty.txt", "Range: bytes=0-");
        assertEquals(200, response.status());
        assertEquals("0", response.field("Content-Length"));
    }

    @Test
    void singleRange_isServed() throws IOException {
        Response response = get("/a.txt", "Range: bytes=2-4");
        assertEquals(206, response.status());
        assertEquals("234", response.text());
        assertEquals("bytes 2-4/10", response.field("Content-Range"));
        assertEquals("789", get("/a.txt", "Range: bytes=-3").text());
        assertArrayEquals(
                Arrays.copyOfRange(large, 1_000_000, 2_000_001),
                get("/large.bin", "Range: bytes=1000000-2000000").body());
    }

    @Test
    void severalRanges_areServedAsMultipart() throws IOException {
        Response response = get("/a.txt", "Range: bytes=0-1,5-6");
        assertEquals(206, response.status());
        String type = response.field("Content-Type");
        String boundary = type.substring(type.indexOf("boundary=") + 9);
        assertEquals(
                "--"
                        + boundary
                        + "\r\nContent-Type: text/plain;charset=utf-8\r\n"
                        + "Content-Range: bytes 0-1/10\r\n\r\n01\r\n--"
                        + boundary
                        + "\r\nContent-Type: text/plain;charset=utf-8\r\n"
                        + "Content-Range: bytes 5-6/10\r\n\r\n56\r\n--"
                        + boundary
                        + "--\r\n",
                response.text());
        Response big = get("/large.bin", "Range: bytes=0-999999,1500000-2499999");
        assertEquals(206, big.status());
        assertTrue(big.body().length > 2_000_000);
        assertEquals("0123456789", get("/a.txt").text());
    }

    @Test
    void CVE_2011_3192_CVE_2017_7529_manyOrAbsurdRanges_getTheWhole() throws IOException {
        StringBuilder many = new StringBuilder("Range: bytes=0-");
        for (int i = 0; i < 100; i++) {
            many.append(",5-").append(i);
        }
        assertEquals(200, get("/a.txt", many.toString()).status());
        assertEquals(416, get("/a.txt", "Range: bytes=99-").status());
        int status = get("/a.txt", "Range: bytes=-9223372036854775608").status();
        assertTrue(status == 206 || status == 200, "status " + status);
        assertEquals("bytes */10", get("/a.txt", "Range: bytes=99-").field("Content-Range"));
    }

    @Test
    void ifRange_stale_getsTheWhole() throws IOException {
        assertEquals(200, get("/a.txt", "Range: bytes=0-1", "If-Range: \"other\"").status());
    }

    @Test
    void precompressed_isChosenByTheClient() throws IOException {
        Response plain = get("/page.html");
        assertEquals("<p>page</p>", plain.text());
        assertEquals("Accept-Encoding", plain.field("Vary"));
        Response gzip = get("/page.html", "Accept-Encoding: gzip");
        assertEquals("gzipped", gzip.text());
        assertEquals("gzip", gzip.field("Content-Encoding"));
        assertEquals("text/html;charset=utf-8", gzip.field("Content-Type"));
        assertNotEquals(plain.field("ETag"), gzip.field("ETag"));
        assertEquals("brotli", get("/page.html", "Accept-Encoding: gzip, br").text());
        assertEquals("<p>page</p>", get("/page.html", "Accept-Encoding: br;q=0").text());
    }

    @Test
    void folder_redirectsAndWelcomes() throws IOException {
        Response redirect = get("/sub?a=b");
        assertEquals(301, redirect.status());
        assertEquals("/sub/?a=b", redirect.field("Location"));
        assertEquals("welcome", get("/sub/").text());
        assertEquals(404, get("/sub/empty/").status());
        assertEquals(404, get("/a.txt/").status());
    }

    @Test
    void CVE_2018_11784_CVE_2023_41080_redirect_staysHere() throws IOException {
        for (String target : new String[] {"//sub", "///sub", "/;/sub", "/./sub", "/x/..//sub"}) {
            Response response = get(target);
            String location = response.field("Location");
            assertTrue(
                    response.status() == 400 || "/sub/".equals(location),
                    target + " " + response.status() + " " + location);
        }
    }

    @Test
    void listing_whenAsked_escapesNames() throws IOException {
        serve(StaticFilesConfig.of(root, "").withListing(true).withWelcome(java.util.List.of()));
        String page = get("/").text();
        assertTrue(page.contains("with space &amp; more.txt"), page);
        assertTrue(page.contains("with%20space%20&amp;%20more.txt"), page);
        assertFalse(page.contains("WEB-INF"));
        assertEquals("spaced", get("/with%20space%20&%20more.txt").text());
    }

    @Test
    void mount_isCutOff() throws IOException {
        serve(StaticFilesConfig.of(root, "/assets").withCacheControl("max-age=60"));
        Response response = get("/assets/a.txt");
        assertEquals("0123456789", response.text());
        assertEquals("max-age=60", response.field("Cache-Control"));
        assertEquals(404, get("/assetsa.txt").status());
        assertEquals(404, get("/a.txt").status());
        assertEquals("/assets/sub/", get("/assets/sub").field("Location"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/.git/config",
                "/.env",
                "/sub/.hidden",
                "/.well-known/.htaccess",
                "/.well-known2",
                "/%2egit/config",
                "/.git",
                "/.git/"
            })
    void dotFile_isNotServed_unlessWanted(String path) throws IOException {
        for (String name :
                List.of(
                        ".git/config",
                        ".env",
                        "sub/.hidden",
                        ".well-known/.htaccess",
                        ".well-known2",
                        ".well-known/security.txt")) {
            Files.createDirectories(root.resolve(name).getParent());
            Files.writeString(root.resolve(name), "seen");
        }
        serve(StaticFilesConfig.of(root, ""));
        assertEquals(404, get(path).status());
        assertEquals("seen", get("/.well-known/security.txt").text());
        if (!path.contains("%") && !path.endsWith(".git/") && !path.endsWith(".git")) {
            client.close();
            serve(StaticFilesConfig.of(root, "").withDotFiles(true));
            assertEquals("seen", get(path).text());
        }
    }

    @Test
    void CVE_2024_50379_otherCase_isNotFound() throws IOException {
        assertEquals(404, get("/A.txt").status());
        assertEquals(404, get("/a.TXT").status());
    }

    @Test
    void symbolicLink_insideIsServed_outsideIsNot() throws IOException {
        assertEquals("0123456789", get("/link.txt").text());
        assertEquals(404, get("/outside/secret.txt").status());
    }

    @Test
    void specialFiles_areNotServed() throws Exception {
        Process mkfifo = new ProcessBuilder("mkfifo", root.resolve("pipe").toString()).start();
        if (mkfifo.waitFor() == 0) {
            assertEquals(404, get("/pipe").status());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/../secret.txt",
                "/sub/../../secret.txt",
                "/%2e%2e/secret.txt",
                "/%2e%2e%2fsecret.txt",
                "/..%2fsecret.txt",
                "/..%5csecret.txt",
                "/..;/secret.txt",
                "/sub/..;a=b/..;/secret.txt",
                "/%252e%252e/secret.txt",
                "/%c0%ae%c0%ae/secret.txt",
                "/.%00./secret.txt",
                "/a.txt%00.html",
                "/sub%2f..%2f..%2fsecret.txt",
                "/WEB-INF/web.xml",
                "/web-inf/web.xml",
                "/WEB-INF;x/web.xml",
                "/%57EB-INF/web.xml",
                "/sub/../WEB-INF/web.xml",
                "/./WEB-INF/web.xml",
                "//WEB-INF/web.xml",
                "/WEB-INF%2fweb.xml",
                "/WEB-INF",
                "/WEB-INF/",
                "/outside/../secret.txt",
                "/%u002e%u002e/secret.txt"
            })
    void CVE_2021_28164_CVE_2025_11143_traversal_revealsNothing(String target) throws IOException {
        Response response = get(target);
        assertTrue(
                response.status() == 400 || response.status() == 404,
                target + " " + response.statusLine());
        assertFalse(response.text().contains("secret"));
    }

    @Test
    void traversalFuzz_revealsNothing() throws IOException {
        long seed = 20261120;
        Random random = new Random(seed);
        String[] parts = {
            "..",
            ".",
            "/",
            "%2f",
            "%2F",
            "%5c",
            "\\",
            ";",
            ";a=b",
            "%2e",
            "%2E",
            "%00",
            "%25",
            "WEB-INF",
            "web.xml",
            "outside",
            "secret.txt",
            "sub",
            "%c0%af",
            "%ef%bc%8f",
            "~",
            ":"
        };
        for (int i = 0; i < 3000; i++) {
            StringBuilder target = new StringBuilder("/");
            for (int n = random.nextInt(8); n >= 0; n--) {
                target.append(parts[random.nextInt(parts.length)]);
                if (random.nextBoolean()) {
                    target.append('/');
                }
            }
            Response response = get(target.toString());
            assertFalse(response.text().contains("secret"), "seed " + seed + ": " + target);
            assertTrue(response.status() != 500, "seed " + seed + ": " + target);
            if (response.closes()) {
                client.close();
                client =
                        RawHttpClient.connect(
                                (InetSocketAddress)
                                        server.listeners().getFirst().socket().address());
            }
        }
    }

    /// More than the sockets hold, from memory: what the client has not taken is sent later.
    @Test
    void fileOfMiddleSize_fromMemory_arrivesWholeThoughTheClientIsSlow() throws IOException {
        byte[] middle = Arrays.copyOf(large, 400_000);
        Files.write(root.resolve("middle.bin"), middle);
        int count = 30;
        for (int i = 0; i < count; i++) {
            client.send("GET /middle.bin HTTP/1.1\r\nHost: x\r\n\r\n");
        }
        client.send("GET /middle.bin HTTP/1.1\r\nHost: x\r\nRange: bytes=100-299999\r\n\r\n");
        client.send("HEAD /middle.bin HTTP/1.1\r\nHost: x\r\n\r\n");
        for (int i = 0; i < count; i++) {
            assertArrayEquals(middle, client.response().body());
        }
        assertArrayEquals(Arrays.copyOfRange(large, 100, 300_000), client.response().body());
        assertEquals("400000", client.response(true).field("Content-Length"));
        assertEquals("0123456789", get("/a.txt").text());
    }
}
