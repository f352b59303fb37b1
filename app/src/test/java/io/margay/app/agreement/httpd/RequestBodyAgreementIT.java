package io.margay.app.agreement.httpd;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.net.httpserver.HttpServer;
import io.margay.app.MargayServer;
import io.margay.app.PlanServer;
import io.margay.compat.httpd.GatewayFiles;
import io.margay.compat.httpd.plan.GatewayPlan;
import io.margay.testkit.Folders;
import io.margay.testkit.FreePort;
import io.margay.testkit.HttpdProcess;
import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// `LimitRequestBody` of httpd's files, beside a real httpd before the same peer: what httpd
/// refuses is refused.
final class RequestBodyAgreementIT {
    private static final List<String> MODULES =
            List.of("mpm_event", "authz_core", "proxy", "proxy_http", "dir", "mime");

    private static final String CONFIGURATION =
            """
            Listen 127.0.0.1:@PORT@
            DocumentRoot "@DIR@/www"
            <Directory />
              Require all granted
            </Directory>
            ProxyPass /peer http://127.0.0.1:@PEER@/peer
            <Location />
              LimitRequestBody 10
            </Location>
            <Location /peer/any>
              LimitRequestBody 0
            </Location>
            """;

    private static int status(int port, String path, String framing, String content)
            throws IOException {
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        try (RawHttpClient client = RawHttpClient.connect(address)) {
            client.send("POST " + path + " HTTP/1.1\r\nHost: localhost\r\n");
            return client.send(framing + "\r\n\r\n" + content).response().status();
        }
    }

    private static String chunks(int count, String text) {
        String one = Integer.toHexString(text.length()) + "\r\n" + text + "\r\n";
        return one.repeat(count) + "0\r\n\r\n";
    }

    @Test
    void content_isCounted_howeverItIsSent() throws Exception {
        Path folder = Files.createTempDirectory("margay-body");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.createDirectories(folder.resolve("www"));
        HttpServer peer =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        peer.createContext(
                "/",
                exchange -> {
                    byte[] read = exchange.getRequestBody().readAllBytes();
                    exchange.sendResponseHeaders(200, read.length == 0 ? -1 : read.length);
                    exchange.getResponseBody().write(read);
                    exchange.close();
                });
        peer.start();
        int port = FreePort.next();
        String text =
                CONFIGURATION
                        .replace("@DIR@", folder.toString())
                        .replace("@PEER@", String.valueOf(peer.getAddress().getPort()));
        Path conf =
                Files.writeString(
                        folder.resolve("httpd.conf"),
                        text.replace("@PORT@", String.valueOf(FreePort.next())));
        GatewayPlan plan = GatewayFiles.read(List.of(conf), Map.of());
        assertEquals(List.of(), plan.failures());
        try (HttpdProcess _ =
                        HttpdProcess.startSingle(
                                folder.resolve("httpd"),
                                MODULES,
                                text.replace("@PORT@", String.valueOf(port)),
                                port);
                MargayServer margay = PlanServer.start(plan, folder.resolve("work"))) {
            String chunked = "Transfer-Encoding: chunked";
            Files.writeString(folder.resolve("www/f"), "file");
            // The status of Margay's answer, then of httpd's, which counts no chunks for peers.
            Object[][] cases = {
                {200, 200, "/peer/a", chunked, chunks(2, "hello")},
                {413, 200, "/peer/a", chunked, chunks(3, "hello")},
                {413, 200, "/peer/a", chunked, chunks(1, "x".repeat(70_000))},
                {200, 200, "/peer/a", chunked, chunks(0, "")},
                {200, 200, "/peer/any/a", chunked, chunks(3, "hello")},
                {200, 200, "/peer/a", "Content-Length: 10", "hellohello"},
                {411, 200, "/f", chunked, chunks(2, "hello")},
                {411, 413, "/f", chunked, chunks(3, "hello")},
                {413, 413, "/f", "Content-Length: 11", "hellohello!"},
            };
            for (Object[] one : cases) {
                String what = one[2] + " " + one[3] + " " + one[0];
                for (int i = 0; i < 2; i++) {
                    int at = i == 0 ? margay.ports().getFirst() : port;
                    int status = status(at, (String) one[2], (String) one[3], (String) one[4]);
                    assertEquals(one[i], status, what + (i == 0 ? " Margay" : " httpd"));
                }
            }
        } finally {
            peer.stop(0);
            Folders.delete(folder);
        }
    }
}
