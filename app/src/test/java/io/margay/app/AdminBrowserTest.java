package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What browsers that another site has led to the admin listener achieve there, on a listener that
/// others than this machine can reach.
@Tag("slow")
final class AdminBrowserTest {
    private static final String TOKEN = "a token for this test";
    private static final String BASIC =
            "Authorization: Basic "
                    + Base64.getEncoder()
                            .encodeToString(("x:" + TOKEN).getBytes(StandardCharsets.UTF_8));
    private static final String BEARER = "Authorization: Bearer " + TOKEN;

    @TempDir Path folder;
    private MargayServer server;

    @BeforeEach
    void start() throws Exception {
        Path webapps = Files.createDirectories(folder.resolve("webapps"));
        Files.createDirectories(webapps.resolve("shop/WEB-INF"));
        server =
                Margay.builder()
                        .http(0)
                        .work(folder.resolve("work"))
                        .webapps(webapps)
                        .admin("0.0.0.0:0", TOKEN, "Ops.example")
                        .start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private RawHttpClient.Response get(String path, String host, String... fields)
            throws IOException {
        InetSocketAddress address =
                new InetSocketAddress(InetAddress.getLoopbackAddress(), server.adminPort());
        try (RawHttpClient client = RawHttpClient.connect(address)) {
            StringBuilder head = new StringBuilder("GET " + path + " HTTP/1.1\r\nHost: " + host);
            for (String field : fields) {
                head.append("\r\n").append(field);
            }
            client.send(head + "\r\n\r\n");
            return client.response();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Referer: http://evil.example/",
                "Referer: http://10.0.0.5:9990.evil.example/",
                "Referer: http://10.0.0.5/manager/text/list",
                "Origin: null",
                "Origin: http://evil.example",
                "Sec-Fetch-Site: same-site",
                "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0"
            })
    void changeByGet_ofAnotherSitesImage_isNotDone(String field) throws Exception {
        assertEquals(
                403, get("/manager/text/stop?path=/shop", "10.0.0.5:9990", BASIC, field).status());
        assertTrue(
                get("/manager/text/list", "10.0.0.5:9990", BASIC).text().contains("/shop:running"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X-Nothing: more",
                "User-Agent: curl/8.14.1",
                "User-Agent: Catalina-Ant-Task/1.0",
                "User-Agent: Java/21.0.8",
                "Referer: http://10.0.0.5:9990/",
                "Referer: https://10.0.0.5:9990/",
                "Sec-Fetch-Site: none"
            })
    void changeByGet_ofTomcatsClientsAndOfTheUser_isDone(String field) throws Exception {
        String answer = get("/manager/text/stop?path=/shop", "10.0.0.5:9990", BASIC, field).text();
        assertEquals("OK - Stopped application at context path [/shop]\n", answer);
    }

    @Test
    void browserThatDoesNotSayWhereItComesFrom_mayReadAndBearTheToken() throws Exception {
        String browser = "User-Agent: Mozilla/5.0";
        assertEquals(200, get("/manager/text/list", "10.0.0.5:9990", BASIC, browser).status());
        String stopped =
                get("/manager/text/stop?path=/shop", "10.0.0.5:9990", BEARER, browser).text();
        assertEquals("OK - Stopped application at context path [/shop]\n", stopped);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/metrics", "/api/applications", "/api/openapi.json"})
    void reading_beyondLoopback_wantsTheToken(String path) throws Exception {
        assertEquals(401, get(path, "10.0.0.5:9990").status());
        assertEquals(200, get(path, "10.0.0.5:9990", BASIC).status());
        assertEquals(200, get(path, "10.0.0.5:9990", BEARER).status());
        assertEquals(200, get(path, "ops.example:9990", BEARER).status());
    }

    @Test
    void foreignName_isRefused_butForHealth() throws Exception {
        assertEquals(421, get("/metrics", "evil.example:9990", BASIC).status());
        assertEquals(421, get("/metrics", "x.ops.example", BASIC).status());
        assertEquals(200, get("/health", "balancer.example").status());
        assertEquals(200, get("/health/live", "balancer.example").status());
    }
}
