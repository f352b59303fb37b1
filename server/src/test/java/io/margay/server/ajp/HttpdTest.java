package io.margay.server.ajp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.server.ajp.Httpd.Way;
import io.margay.server.config.AjpConfig;
import io.margay.server.config.HttpLimits;
import io.margay.server.config.ServerStats;
import io.margay.testkit.Eventually;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// AJP13 with real front ends: httpd with mod_jk and with mod_proxy_ajp, clients beyond them.
@Tag("slow")
class HttpdTest {
    private static final String SECRET = "s3cret-of-the-test";

    private static AjpServer small;
    private static AjpServer large;
    private static Httpd httpd;
    private static HttpClient client;

    @BeforeAll
    static void start() throws Exception {
        Assumptions.assumeTrue(
                Httpd.isInstalled(), "needs the packages apache2 and libapache2-mod-jk");
        AjpConfig config = AjpConfig.withSecret(SECRET);
        HttpLimits limits = HttpLimits.defaults();
        small = new AjpServer("nio", Repertoire::handle, config, limits);
        large = new AjpServer("native", Repertoire::handle, config.withPacketBytes(65536), limits);
        httpd = new Httpd(small.address().getPort(), large.address().getPort(), SECRET);
        client = HttpClient.newBuilder().sslContext(tls()).build();
    }

    @AfterAll
    static void stop() throws IOException {
        if (client != null) {
            client.close();
        }
        if (httpd != null) {
            httpd.close();
        }
        for (AjpServer server : new AjpServer[] {small, large}) {
            if (server != null) {
                server.close();
            }
        }
    }

    private static SSLContext tls() throws Exception {
        char[] password = "secret".toCharArray();
        KeyStore own = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(httpd.file("client.p12"))) {
            own.load(in, password);
        }
        KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
        keys.init(own, password);
        KeyStore theirs = KeyStore.getInstance("PKCS12");
        theirs.load(null, null);
        try (InputStream in = Files.newInputStream(httpd.file("server.pem"))) {
            theirs.setCertificateEntry(
                    "server",
                    java.security.cert.CertificateFactory.getInstance("X.509")
                            .generateCertificate(in));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(theirs);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    private static HttpRequest.Builder to(Way way, String path) {
        return HttpRequest.newBuilder(URI.create(httpd.url(way) + path))
                .version(HttpClient.Version.HTTP_1_1);
    }

    private static HttpResponse<byte[]> send(HttpRequest request) throws Exception {
        return client.send(request, BodyHandlers.ofByteArray());
    }

    private static HttpResponse<byte[]> get(Way way, String path) throws Exception {
        return send(to(way, path).GET().build());
    }

    private static String text(HttpResponse<byte[]> response) {
        return new String(response.body(), StandardCharsets.ISO_8859_1);
    }

    private static void assertContent(String what, byte[] expected, HttpResponse<byte[]> response)
            throws IOException {
        assertEquals(200, response.statusCode(), () -> what + logged());
        assertArrayEquals(expected, response.body(), () -> what + logged());
    }

    private static String logged() {
        try {
            return "; httpd's log: " + httpd.log();
        } catch (IOException e) {
            return "; httpd's log cannot be read: " + e;
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JK", "JK_64K", "PROXY", "PROXY_64K"})
    void download_ofAnySize_isByteForByte(Way way) throws Exception {
        for (String kind : List.of("/bytes/", "/pieces/", "/file/")) {
            for (int size : new int[] {0, 1, 8184, 8185, 65528, 65529, 300_000, 5_000_000}) {
                assertContent(way + kind + size, Repertoire.content(size), get(way, kind + size));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JK", "JK_64K", "PROXY", "PROXY_64K"})
    void upload_ofAnySize_isByteForByte(Way way) throws Exception {
        int[] sizes = {
            1, 8180, 8184, 8185, 8186, 8187, 8190, 8191, 8192, 8193, 16372, 16373, 65530, 65531,
            65536, 300_000, 3_000_000
        };
        for (int size : sizes) {
            byte[] content = Repertoire.content(size);
            HttpRequest declared =
                    to(way, "/digest").POST(BodyPublishers.ofByteArray(content)).build();
            assertEquals(Repertoire.digest(content), text(send(declared)), () -> way + logged());
            HttpRequest chunked =
                    to(way, "/digest")
                            .PUT(
                                    BodyPublishers.ofInputStream(
                                            () -> new ByteArrayInputStream(content)))
                            .build();
            assertEquals(Repertoire.digest(content), text(send(chunked)), () -> way + logged());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JK", "JK_64K", "PROXY", "PROXY_64K"})
    void echo_bothWays_isByteForByte(Way way) throws Exception {
        for (String path : List.of("/echo", "/poll")) {
            for (int size : new int[] {1, 8185, 8186, 8187, 65531, 200_000}) {
                byte[] content = Repertoire.content(size);
                assertContent(
                        way + path + size,
                        content,
                        send(to(way, path).POST(BodyPublishers.ofByteArray(content)).build()));
                assertContent(
                        way + path + size + " chunked",
                        content,
                        send(
                                to(way, path)
                                        .POST(
                                                BodyPublishers.ofInputStream(
                                                        () -> new ByteArrayInputStream(content)))
                                        .build()));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JK", "PROXY"})
    void upload_thatNobodyReads_disturbsNoOther(Way way) throws Exception {
        for (int size : new int[] {10, 8186, 50_000, 65_536, 65_537, 500_000}) {
            byte[] content = Repertoire.content(size);
            HttpResponse<byte[]> ignored =
                    send(to(way, "/ignore").POST(BodyPublishers.ofByteArray(content)).build());
            assertEquals("ignored", text(ignored), () -> way + " " + size + logged());
            assertEquals("inline", text(get(way, "/inline")), () -> way + " " + size + logged());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JK", "PROXY"})
    void methods_each_arriveAsThemselves(Way way) throws Exception {
        List<String> methods =
                List.of(
                        "GET",
                        "POST",
                        "PUT",
                        "DELETE",
                        "OPTIONS",
                        "PROPFIND",
                        "PROPPATCH",
                        "MKCOL",
                        "COPY",
                        "MOVE",
                        "LOCK",
                        "UNLOCK",
                        "REPORT",
                        "VERSION-CONTROL",
                        "CHECKIN",
                        "CHECKOUT",
                        "UNCHECKOUT",
                        "LABEL",
                        "MERGE",
                        "BASELINE-CONTROL",
                        "MKACTIVITY",
                        "UPDATE",
                        "MKWORKSPACE",
                        "PATCH");
        for (String method : methods) {
            HttpRequest request =
                    to(way, "/method").method(method, BodyPublishers.noBody()).build();
            assertEquals(method, text(send(request)), () -> way + logged());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JK", "PROXY", "PROXY_64K"})
    void head_andNotModified_haveFieldsAndNoContent(Way way) throws Exception {
        HttpResponse<byte[]> head =
                send(to(way, "/bytes/1000").method("HEAD", BodyPublishers.noBody()).build());
        assertEquals(200, head.statusCode());
        // Since CVE-2024-24795 mod_proxy_ajp drops the length unless told to trust it.
        assertEquals(
                way == Way.PROXY ? "" : "1000",
                head.headers().firstValue("Content-Length").orElse(""));
        assertEquals(0, head.body().length);
        HttpResponse<byte[]> unchanged = get(way, "/status/304");
        assertEquals(304, unchanged.statusCode());
        assertEquals("\"1\"", unchanged.headers().firstValue("ETag").orElse(""));
        assertEquals(204, get(way, "/status/204").statusCode());
        assertEquals(404, get(way, "/unknown").statusCode());
        assertEquals(500, get(way, "/throws").statusCode());
        assertEquals("inline", text(get(way, "/inline")));
    }

    @ParameterizedTest
    @EnumSource(names = {"JK", "PROXY"})
    void fields_codedAndOthers_arriveBothWays(Way way) throws Exception {
        HttpRequest request =
                to(way, "/fields")
                        .header("Accept", "text/a")
                        .header("Accept-Charset", "utf-8")
                        .header("Accept-Encoding", "identity")
                        .header("Accept-Language", "de")
                        .header("Authorization", "Own x")
                        .header("Content-Type", "text/b")
                        .header("Cookie", "a=1; b=2")
                        .header("Cookie2", "c")
                        .header("Pragma", "p")
                        .header("Referer", "http://r/")
                        .header("User-Agent", "test")
                        .header("X-Other", "o \u00e4")
                        .GET()
                        .build();
        String fields = text(send(request)).toLowerCase(java.util.Locale.ROOT);
        for (String field :
                List.of(
                        "accept: text/a",
                        "accept-charset: utf-8",
                        "accept-encoding: identity",
                        "accept-language: de",
                        "authorization: own x",
                        "content-type: text/b",
                        "cookie: a=1; b=2",
                        "cookie2: c",
                        "host: localhost:" + httpd.port(way),
                        "pragma: p",
                        "referer: http://r/",
                        "user-agent: test")) {
            assertTrue(fields.contains(field + "\n"), () -> field + " in " + fields);
        }
        assertTrue(fields.contains("x-other: o"), fields);
        HttpResponse<byte[]> response =
                send(to(way, "/cookies").header("Cookie", "z=\"9\"").GET().build());
        assertEquals("z=\"9\"", text(response));
        assertEquals(
                List.of("a=1; Path=/", "b=2; Path=/"), response.headers().allValues("Set-Cookie"));
        assertEquals("en", response.headers().firstValue("Content-Language").orElse(""));
        assertEquals("value", response.headers().firstValue("X-Own").orElse(""));
        assertTrue(response.headers().firstValue("Location").orElse("").endsWith("/elsewhere"));
    }

    @ParameterizedTest
    @EnumSource(names = {"JK", "PROXY"})
    void target_withEncodingAndParameters_arrives(Way way) throws Exception {
        assertEquals(
                "/target/a;jsessionid=1.x/b%20c?q=1&r=%2F?",
                text(get(way, "/target/a;jsessionid=1.x/b%20c?q=1&r=%2F?")), () -> logged());
    }

    @ParameterizedTest
    @EnumSource(names = {"JK_TLS", "PROXY_TLS"})
    void tls_ofTheClient_isTheExchanges(Way way) throws Exception {
        String facts = text(get(way, "/facts"));
        assertTrue(facts.startsWith("https remote=127.0.0.1:"), facts);
        assertTrue(facts.contains("tls=TLSv1.3 TLS_AES_"), facts);
        assertTrue(facts.contains("CN=ann"), facts);
    }

    @ParameterizedTest
    @EnumSource(names = {"JK", "PROXY"})
    void addressesAndUser_fromHttpd_areTheExchanges(Way way) throws Exception {
        String basic =
                Base64.getEncoder().encodeToString("ann:pass".getBytes(StandardCharsets.UTF_8));
        HttpResponse<byte[]> response =
                send(
                        to(way, "/facts/user")
                                .header("Authorization", "Basic " + basic)
                                .GET()
                                .build());
        String facts = text(response);
        assertTrue(facts.startsWith("http remote=127.0.0.1:"), facts);
        assertTrue(!facts.startsWith("http remote=127.0.0.1:0 "), facts);
        assertTrue(facts.contains(" local=127.0.0.1:" + httpd.port(way)), facts);
        assertTrue(facts.endsWith(" user=ann"), facts);
        assertEquals(401, get(way, "/facts/user").statusCode());
    }

    @Test
    void attribute_fromHttpd_isTheExchanges() throws Exception {
        assertEquals("ACT", text(get(Way.PROXY, "/attribute/JK_LB_ACTIVATION")));
    }

    @ParameterizedTest
    @EnumSource(
            names = {"JK_WRONG_SECRET", "JK_NO_SECRET", "PROXY_WRONG_SECRET", "PROXY_NO_SECRET"})
    void secret_wrongOrMissing_is403(Way way) throws Exception {
        for (int i = 0; i < 3; i++) {
            assertEquals(403, get(way, "/inline").statusCode(), () -> way + logged());
        }
        HttpRequest post =
                to(way, "/echo")
                        .POST(BodyPublishers.ofByteArray(Repertoire.content(100_000)))
                        .build();
        assertEquals(403, send(post).statusCode(), () -> way + logged());
    }

    @ParameterizedTest
    @EnumSource(names = {"JK", "PROXY"})
    void connections_ofManyRequests_areReused(Way way) throws Exception {
        assertEquals("inline", text(get(way, "/inline")));
        ServerStats.Reading before = small.listener().stats().read();
        for (int i = 0; i < 200; i++) {
            assertEquals("inline", text(get(way, "/inline")));
        }
        // The last is counted when its answer has gone out, perhaps after we have it.
        Eventually.holds(
                "200 more requests",
                () -> small.listener().stats().read().requests() - before.requests() >= 200);
        ServerStats.Reading after = small.listener().stats().read();
        assertTrue(after.connections() - before.connections() < 40, () -> "of 200 " + after);
    }

    @ParameterizedTest
    @EnumSource(names = {"JK", "PROXY"})
    void clients_thatLeave_disturbNoOther(Way way) throws Exception {
        for (int i = 0; i < 20; i++) {
            String head =
                    switch (i % 4) {
                        case 0 -> "GET /pieces/20000000 HTTP/1.1\r\nHost: h\r\n\r\n";
                        case 1 -> "GET /file/20000000 HTTP/1.1\r\nHost: h\r\n\r\n";
                        case 2 ->
                                "POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 99999\r\n\r\nab";
                        default ->
                                "POST /digest HTTP/1.1\r\nHost: h\r\n"
                                        + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n9\r\na";
                    };
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), httpd.port(way))) {
                socket.setSoLinger(true, 0);
                socket.getOutputStream().write(head.getBytes(StandardCharsets.ISO_8859_1));
                if (i % 4 < 2) {
                    assertEquals('H', socket.getInputStream().read());
                }
            }
        }
        Eventually.holds(
                "the requests of those who left have ended",
                () -> small.listener().stats().read().requestsActive() == 0);
        for (int i = 0; i < 20; i++) {
            assertEquals("inline", text(get(way, "/inline")), () -> logged());
        }
    }

    /// Many clients at once, each response one of a kind.
    @ParameterizedTest
    @EnumSource(names = {"JK", "PROXY"})
    void load_mixed_hasNoFailure(Way way) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> runs = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                int number = i;
                Callable<Integer> run = () -> mixed(way, number);
                runs.add(threads.submit(run));
            }
            for (Future<Integer> run : runs) {
                assertEquals(150, run.get());
            }
        }
    }

    private static int mixed(Way way, int number) throws Exception {
        int done = 0;
        for (int i = 0; i < 150; i++) {
            int size = 1 + (7919 * number + 1301 * i) % 40_000;
            byte[] content = Repertoire.content(size);
            if (i % 3 == 0) {
                HttpRequest post =
                        to(way, "/echo").POST(BodyPublishers.ofByteArray(content)).build();
                assertContent(way + " " + size, content, send(post));
            } else {
                assertContent(way + " " + size, content, get(way, "/bytes/" + size));
            }
            done++;
        }
        return done;
    }
}
