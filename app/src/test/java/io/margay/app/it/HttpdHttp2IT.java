package io.margay.app.it;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.FreePort;
import io.margay.testkit.HttpdProcess;
import io.margay.testkit.RawHttpClient;
import io.margay.testkit.TestCertificate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A real httpd with mod_http2 behind the gateway, in clear text and over TLS.
final class HttpdHttp2IT {
    private static final List<String> MODULES =
            List.of("mpm_event", "authz_core", "http2", "socache_shmcb", "ssl");
    private static final int FILE_BYTES = 700_000;
    private static final int CLIENTS = 12;
    private static final int REQUESTS = 60;

    @TempDir Path folder;

    @Test
    void httpd_behindTheGateway_servesByHttp2_alsoWhileItIsRestarted() throws Exception {
        int plain = FreePort.next();
        int secure = FreePort.next();
        byte[] content = new byte[FILE_BYTES];
        new Random(7).nextBytes(content);
        for (String upstream : List.of("plain", "secure")) {
            Path www = Files.createDirectories(folder.resolve("www").resolve(upstream));
            Files.write(www.resolve("large"), content);
            Files.writeString(www.resolve("small"), "from httpd");
        }
        TestCertificate certificate = TestCertificate.in(folder);
        try (HttpdProcess httpd = httpd(plain, secure, certificate);
                ServerProcess margay = gateway(plain, secure, certificate)) {
            int port = margay.awaitMargay();
            for (String upstream : List.of("plain", "secure")) {
                try (RawHttpClient client = client(port)) {
                    assertEquals("from httpd", client.get("/" + upstream + "/small").text());
                    assertArrayEquals(content, client.get("/" + upstream + "/large").body());
                    assertEquals(404, client.get("/" + upstream + "/missing").status());
                    client.send("HEAD /" + upstream + "/large HTTP/1.1\r\nHost: a\r\n\r\n");
                    RawHttpClient.Response head = client.response(true);
                    assertEquals(Integer.toString(FILE_BYTES), head.field("Content-Length"));
                    String tag = head.field("ETag");
                    client.send(
                            ("GET /" + upstream + "/large HTTP/1.1\r\nHost: a\r\n")
                                    + ("If-None-Match: " + tag + "\r\n\r\n"));
                    assertEquals(304, client.response(true).status());
                }
                restartUnderLoad(httpd, margay, port, "/" + upstream + "/small");
            }
            assertEquals(0, margay.terminate(), margay.toString());
        }
        String log = Files.readString(folder.resolve("logs/access.log"));
        assertTrue(log.contains("HTTP/2.0 200"), log);
        assertTrue(log.lines().noneMatch(line -> line.contains("HTTP/1.1")), log);
    }

    /// A graceful restart ends each connection by GOAWAY: no request fails by it.
    private static void restartUnderLoad(
            HttpdProcess httpd, ServerProcess margay, int port, String path) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<String> client =
                    () -> {
                        try (RawHttpClient one = client(port)) {
                            for (int i = 0; i < REQUESTS; i++) {
                                RawHttpClient.Response answer = one.get(path);
                                if (!answer.text().equals("from httpd")) {
                                    return answer.statusLine();
                                }
                            }
                        }
                        return "good";
                    };
            List<Future<String>> clients =
                    IntStream.range(0, CLIENTS).mapToObj(i -> threads.submit(client)).toList();
            httpd.restartGracefully();
            for (Future<String> each : clients) {
                assertEquals("good", each.get(60, TimeUnit.SECONDS), margay::toString);
            }
        }
    }

    private static RawHttpClient client(int port) throws IOException {
        return RawHttpClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    private ServerProcess gateway(int plain, int secure, TestCertificate certificate)
            throws IOException {
        Path file = folder.resolve("margay.yaml");
        Files.writeString(
                file,
                """
                listeners: [{http: 127.0.0.1:0}]
                hosts: [{routes: {/plain/*: {gateway: plain}, /secure/*: {gateway: secure}}}]
                upstreams:
                  plain:
                    members: [{url: "h2c://127.0.0.1:%d"}]
                    health: {get: /plain/small, body: from httpd, every: 1s}
                  secure:
                    members: [{url: "h2://127.0.0.1:%d", trust: %s}]
                    health: {head: /secure/small, every: 1s}
                work: work
                """
                        .formatted(plain, secure, certificate.cert()));
        return ServerProcess.margay(folder, "run", file.toString());
    }

    private HttpdProcess httpd(int plain, int secure, TestCertificate certificate)
            throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        String text =
                """
                LogFormat "%%H %%>s" short
                CustomLog logs/access.log short
                Listen 127.0.0.1:%1$d
                Listen 127.0.0.1:%2$d
                Protocols h2 h2c http/1.1
                DocumentRoot www
                <VirtualHost 127.0.0.1:%2$d>
                  SSLEngine on
                  SSLCertificateFile %3$s
                  SSLCertificateKeyFile %4$s
                </VirtualHost>
                """
                        .formatted(plain, secure, certificate.cert(), certificate.key());
        return HttpdProcess.start(folder, MODULES, text, plain, secure);
    }
}
