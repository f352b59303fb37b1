package io.margay.spring.boot;

import static io.margay.spring.boot.BootRun.port;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.TestCertificate;
import io.margay.testkit.program.Program;
import io.margay.transport.factory.Transports;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

@Tag("slow")
final class MargayStarterTest {
    @TempDir Path folder;
    private final HttpClient client = HttpClient.newHttpClient();

    private static ConfigurableApplicationContext run(String... properties) {
        return BootRun.run(TestApplication.class, WebApplicationType.SERVLET, properties);
    }

    private HttpResponse<String> get(int port, String path, String... fields) throws Exception {
        return BootRun.get(client, "http://127.0.0.1:" + port + path, fields);
    }

    @ParameterizedTest
    @ValueSource(strings = {"blocking", "nio", "native"})
    void application_isServed_withTheActuatorBeside(String transport) throws Exception {
        try (var context =
                run(
                        "server.margay.transport=" + transport,
                        "server.servlet.context-path=/app",
                        "server.server-header=ours",
                        "server.compression.enabled=true",
                        "server.compression.excluded-user-agents=old.*",
                        "server.margay.accesslog.file=" + folder.resolve("access.log"),
                        "management.server.port=0")) {
            WebServerApplicationContext web = (WebServerApplicationContext) context;
            int port = port(context);
            assertEquals(
                    "Margay started on port " + port + " (http) with context path '/app'",
                    assertInstanceOf(MargayWebServer.class, web.getWebServer()).startedMessage());
            HttpResponse<String> hello = get(port, "/app/hello");
            assertEquals("hello", hello.body());
            assertEquals("ours", hello.headers().firstValue("server").orElse(""));
            assertEquals(
                    "gzip",
                    get(port, "/app/long", "Accept-Encoding", "gzip")
                            .headers()
                            .firstValue("content-encoding")
                            .orElse(""));
            assertTrue(
                    get(port, "/app/long", "Accept-Encoding", "gzip", "User-Agent", "old one")
                            .headers()
                            .firstValue("content-encoding")
                            .isEmpty());
            HttpResponse<String> missing = get(port, "/app/none", "Accept", "application/json");
            assertEquals(404, missing.statusCode());
            assertTrue(missing.body().contains("\"path\":\"/app/none\""), missing.body());
            HttpResponse<String> failed = get(port, "/app/fail", "Accept", "text/html");
            assertEquals(500, failed.statusCode());
            assertTrue(failed.body().contains("Whitelabel"), failed.body());
            String management = context.getEnvironment().getProperty("local.management.port");
            String health =
                    get(Integer.parseInt(String.valueOf(management)), "/actuator/health").body();
            assertTrue(health.contains("\"status\":\"UP\""), health);
        }
        assertTrue(Files.readString(folder.resolve("access.log")).contains("/app/hello"));
    }

    @Test
    void transport_unlessChosen_isNioForPlainText_andTheBestForTls() throws Exception {
        TestCertificate certificate = TestCertificate.in(folder);
        String[] tls = {
            "server.ssl.certificate=file:" + certificate.cert(),
            "server.ssl.certificate-private-key=file:" + certificate.key()
        };
        assertEquals("nio", loops());
        assertEquals("native", loops("server.margay.transport=native"));
        assertEquals("native", loops(tls));
        assertEquals("nio", loops(tls[0], tls[1], "server.margay.transport=nio"));
    }

    /// Whose loops a server starts.
    private static String loops(String... properties) {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        try (var _ = run(properties)) {
            return Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> !before.contains(thread))
                    .map(Thread::getName)
                    .filter(name -> name.matches("margay-(nio|native)-\\d+"))
                    .map(name -> name.split("-")[1])
                    .distinct()
                    .collect(Collectors.joining(","));
        }
    }

    @Test
    void cookies_areAsThePropertiesSay() throws Exception {
        try (var context =
                run(
                        "server.servlet.session.cookie.name=SID",
                        "server.servlet.session.cookie.same-site=none",
                        "server.servlet.session.cookie.secure=true",
                        "server.servlet.session.timeout=5m")) {
            String cookies =
                    String.join(
                            "\n", get(port(context), "/cookies").headers().allValues("set-cookie"));
            assertTrue(cookies.contains("SID="), cookies);
            assertTrue(cookies.matches("(?s).*SID=[^\n]*SameSite=None.*"), cookies);
            assertTrue(cookies.matches("(?s).*flavour=[^\n]*SameSite=Strict.*"), cookies);
        }
    }

    @Test
    void virtualThreads_andForwardedFields_areTakenAsAsked() throws Exception {
        try (var context =
                run(
                        "spring.threads.virtual.enabled=true",
                        "server.forward-headers-strategy=native")) {
            assertEquals("virtual", get(port(context), "/thread").body());
            assertEquals(
                    "203.0.113.9 https://shop.example/where",
                    get(
                                    port(context),
                                    "/where",
                                    "X-Forwarded-For",
                                    "203.0.113.9",
                                    "X-Forwarded-Proto",
                                    "https",
                                    "X-Forwarded-Host",
                                    "shop.example",
                                    "X-Forwarded-Port",
                                    "443")
                            .body());
        }
    }

    @Test
    void shutdown_graceful_letsRequestsEnd() throws Exception {
        var context = run("server.shutdown=graceful");
        URI uri = URI.create("http://127.0.0.1:" + port(context) + "/wait");
        CompletableFuture<HttpResponse<String>> response =
                client.sendAsync(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
        TestApplication.BEGUN.await();
        CompletableFuture<Void> closed = CompletableFuture.runAsync(context::close);
        TestApplication.END.countDown();
        assertEquals("done", response.get().body());
        closed.get();
    }

    @Test
    void bundle_servesTls_andIsReplaced() throws Exception {
        TestCertificate first = TestCertificate.in(Files.createDirectory(folder.resolve("1")));
        TestCertificate second = TestCertificate.in(Files.createDirectory(folder.resolve("2")));
        Path cert = Files.copy(first.cert(), folder.resolve("cert.pem"));
        Path key = Files.copy(first.key(), folder.resolve("key.pem"));
        try (var context =
                run(
                        "server.ssl.bundle=web",
                        "server.http2.enabled=true",
                        "spring.ssl.bundle.pem.web.keystore.certificate=file:" + cert,
                        "spring.ssl.bundle.pem.web.keystore.private-key=file:" + key)) {
            URI uri = URI.create("https://localhost:" + port(context) + "/hello");
            assertEquals("hello", get(first, uri));
            SslBundles bundles = context.getBean(SslBundles.class);
            replace(bundles, second);
            assertEquals("hello", get(second, uri));
        }
    }

    @Test
    void clients_areAskedForCertificates_whereNoTrustStoreIsNamed() throws Exception {
        TestCertificate certificate = TestCertificate.in(folder);
        for (String asked : List.of("want", "need")) {
            try (var context =
                    run(
                            "server.ssl.certificate=file:" + certificate.cert(),
                            "server.ssl.certificate-private-key=file:" + certificate.key(),
                            "server.ssl.client-auth=" + asked,
                            "server.http2.enabled=true")) {
                URI uri = URI.create("https://localhost:" + port(context) + "/hello");
                if (asked.equals("want")) {
                    assertEquals("hello", get(certificate, uri));
                } else {
                    assertThrows(IOException.class, () -> get(certificate, uri));
                }
            }
        }
    }

    @Test
    void types_ofFiles_areAsThePropertiesSay() throws Exception {
        Files.writeString(folder.resolve("a.odd"), "odd");
        try (var context =
                run(
                        "server.mime-mappings.odd=text/odd",
                        "spring.web.resources.static-locations=file:" + folder + "/",
                        "spring.web.resources.cache.cachecontrol.max-age=1h")) {
            HttpResponse<String> odd = get(port(context), "/a.odd");
            assertEquals("odd", odd.body());
            assertEquals("text/odd", odd.headers().firstValue("content-type").orElse(""));
            assertEquals("max-age=3600", odd.headers().firstValue("cache-control").orElse(""));
            String modified = odd.headers().firstValue("last-modified").orElse("");
            assertEquals(
                    304, get(port(context), "/a.odd", "If-Modified-Since", modified).statusCode());
        }
    }

    /// Where OpenSSL can, responses over TCP tell of it; else the application says what it needs.
    @Test
    void http3_isToldOf_orWhatItNeeds() throws Exception {
        TestCertificate certificate = TestCertificate.in(folder);
        String[] properties = {
            "server.ssl.certificate=file:" + certificate.cert(),
            "server.ssl.certificate-private-key=file:" + certificate.key(),
            "server.margay.http3=true"
        };
        if (Transports.datagramProblem() != null) {
            Exception failure = assertThrows(RuntimeException.class, () -> run(properties).close());
            Throwable cause = failure;
            while (cause.getCause() != null && !cause.toString().contains("HTTP/3 needs")) {
                cause = cause.getCause();
            }
            assertTrue(cause.toString().contains("HTTP/3 needs OpenSSL 3.5"), cause.toString());
            return;
        }
        try (var context = run(properties);
                HttpClient client =
                        HttpClient.newBuilder().sslContext(certificate.client()).build()) {
            URI uri = URI.create("https://localhost:" + port(context) + "/hello");
            var response =
                    client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
            String other = response.headers().firstValue("alt-svc").orElse("");
            assertTrue(other.startsWith("h3=\":" + port(context) + "\""), other);
        }
    }

    /// What the watch over the files of a bundle does.
    private static void replace(SslBundles bundles, TestCertificate certificate) {
        var details =
                org.springframework.boot.ssl.pem.PemSslStoreDetails.forCertificate(
                                "file:" + certificate.cert())
                        .withPrivateKey("file:" + certificate.key());
        var stores = new org.springframework.boot.ssl.pem.PemSslStoreBundle(details, null);
        ((org.springframework.boot.ssl.SslBundleRegistry) bundles)
                .updateBundle("web", org.springframework.boot.ssl.SslBundle.of(stores));
    }

    private static String get(TestCertificate trusted, URI uri) throws Exception {
        try (HttpClient client = HttpClient.newBuilder().sslContext(trusted.client()).build()) {
            var response =
                    client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
            assertEquals(Version.HTTP_2, response.version());
            return response.body();
        }
    }

    @Test
    void http2_inClearText_isSpokenWhereAsked() throws Exception {
        for (boolean asked : List.of(true, false)) {
            try (var context = run("server.http2.enabled=" + asked)) {
                Process curl =
                        new ProcessBuilder(
                                        Program.of("curl"),
                                        "-s",
                                        "--http2-prior-knowledge",
                                        "-w",
                                        " %{http_version}",
                                        "http://127.0.0.1:" + port(context) + "/hello")
                                .start();
                String answer = new String(curl.getInputStream().readAllBytes(), UTF_8);
                assertEquals(asked, answer.equals("hello 2"), answer);
            }
        }
    }

    @Test
    void port_inUse_isSaid() throws Exception {
        try (ServerSocket other = new ServerSocket()) {
            other.bind(new InetSocketAddress("127.0.0.1", 0));
            var failed =
                    assertThrows(
                            RuntimeException.class,
                            () -> run("server.port=" + other.getLocalPort()).close());
            Throwable cause = failed;
            while (cause != null && !(cause instanceof PortInUseException)) {
                cause = cause.getCause();
            }
            assertInstanceOf(PortInUseException.class, cause);
        }
    }

    @Test
    void application_reactive_isServed() throws Exception {
        try (var context =
                BootRun.run(ReactiveTestApplication.class, WebApplicationType.REACTIVE)) {
            assertEquals("flowing", get(port(context), "/flow").body());
            assertEquals(404, get(port(context), "/none").statusCode());
        }
    }

    @Test
    void metadata_namesEveryProperty() throws Exception {
        try (var in =
                getClass().getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
            String text = new String(in.readAllBytes(), UTF_8);
            Map<String, Class<?>> records =
                    Map.of(
                            "", MargayServerProperties.class,
                            "threads.", MargayServerProperties.Threads.class,
                            "accesslog.", MargayServerProperties.AccessLog.class,
                            "ajp.", MargayServerProperties.Ajp.class);
            records.forEach((prefix, type) -> {
                for (var part : type.getRecordComponents()) {
                    String name =
                            prefix + part.getName().replaceAll("([A-Z])", "-$1").toLowerCase();
                    assertTrue(text.contains("\"server.margay." + name), name);
                }
            });
        }
    }
}
