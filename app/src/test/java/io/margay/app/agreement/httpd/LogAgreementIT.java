package io.margay.app.agreement.httpd;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.app.AnsweringServer;
import io.margay.app.MargayServer;
import io.margay.app.PlanServer;
import io.margay.compat.httpd.GatewayFiles;
import io.margay.testkit.Folders;
import io.margay.testkit.FreePort;
import io.margay.testkit.HttpdProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// What Apache httpd and Margay log of the same requests, by the same `LogFormat`.
final class LogAgreementIT {
    private static final int TIMEOUT_MILLIS = 10_000;

    private static final List<String> MODULES =
            List.of(
                    "mpm_event",
                    "authz_core",
                    "alias",
                    "env",
                    "setenvif",
                    "headers",
                    "remoteip",
                    "socache_shmcb",
                    "ssl",
                    "proxy",
                    "proxy_http");

    private static final List<String> LETTERS =
            List.of(
                    "%h",
                    "%a",
                    "%{c}a",
                    "%A",
                    "%B",
                    "%b",
                    "%l",
                    "%u",
                    "%s",
                    "%>s",
                    "%<s",
                    "%r",
                    "%m",
                    "%U",
                    "%q",
                    "%H",
                    "%v",
                    "%V",
                    "%X",
                    "%k",
                    "%%",
                    "%{Referer}i",
                    "%!404{Referer}i",
                    "%404,500{Referer}i",
                    "%{X-Out}o",
                    "%{id}C",
                    "%{none}C",
                    "%{SIDE}e",
                    "%{NONE}e",
                    "%{none}n",
                    "%{SSL_PROTOCOL}x",
                    "%{SSL_CLIENT_S_DN}x");

    private static final List<String> REQUESTS =
            List.of(
                    "GET /app/a%20b?q=1 HTTP/1.1\r\nHost: other.example\r\nReferer: h/\"x\r\n",
                    "GET /none HTTP/1.1\r\nHost: shop.example\r\nReferer: http://h/\r\n",
                    "POST /app/x HTTP/1.1\r\nHost: shop.example\r\nContent-Length: 0\r\n",
                    "GET /app/missing HTTP/1.1\r\nHost: shop.example\r\nCookie: a=1; id=7\r\n",
                    "GET /app/x HTTP/1.1\r\nHost: shop.example\r\nX-Forwarded-For: 203.0.113.9\r\n",
                    "GET /app/left HTTP/1.1\r\nHost: shop.example\r\n");

    @Test
    void lines_ofHttpdAndOfMargay_areEqual() throws Exception {
        Path folder = Files.createTempDirectory("margay-logs");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (AnsweringServer back = new AnsweringServer("a")) {
            String format = String.join("|", LETTERS).replace("\"", "\\\"");
            String conf =
                    """
                    Listen 127.0.0.1:@PORT@
                    ServerName shop.example
                    DocumentRoot "@DIR@"
                    SetEnvIf Request_URI "/(left|right)$" SIDE=$1
                    RemoteIPHeader X-Forwarded-For
                    RemoteIPInternalProxy 127.0.0.1
                    ErrorDocument 404 "none"
                    Header always set X-Out "a value"
                    LogFormat "%s" all
                    CustomLog logs/access.log all
                    ProxyPass /app http://127.0.0.1:%d/app
                    """
                            .formatted(format, back.httpPort());
            List<String> httpd = httpd(folder.resolve("httpd"), conf);
            List<String> margay = margay(folder.resolve("margay"), conf);
            assertEquals(String.join("\n", httpd), String.join("\n", margay));
            assertEquals(REQUESTS.size(), httpd.size());
        } finally {
            Folders.delete(folder);
        }
    }

    private static List<String> httpd(Path folder, String conf) throws IOException {
        Files.createDirectories(folder);
        int port = FreePort.next();
        String text = put(conf, port, folder);
        try (HttpdProcess _ = HttpdProcess.start(folder, MODULES, text, port)) {
            REQUESTS.forEach(request -> send(port, request));
        }
        return Files.readAllLines(folder.resolve("logs/access.log"));
    }

    private static List<String> margay(Path folder, String conf) throws IOException {
        Files.createDirectories(folder);
        int port = FreePort.next();
        Path file = Files.writeString(folder.resolve("httpd.conf"), put(conf, port, folder));
        try (MargayServer _ =
                PlanServer.start(
                        GatewayFiles.read(List.of(file), Map.of()), folder.resolve("work"))) {
            REQUESTS.forEach(request -> send(port, request));
        }
        return Files.readAllLines(folder.resolve("logs/access.log"));
    }

    private static String put(String conf, int port, Path folder) {
        return conf.replace("@PORT@", String.valueOf(port)).replace("@DIR@", folder.toString());
    }

    private static void send(int port, String request) {
        try (Socket socket = new Socket()) {
            socket.connect(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.getOutputStream()
                    .write(
                            (request + "Connection: close\r\n\r\n")
                                    .getBytes(StandardCharsets.ISO_8859_1));
            byte[] _ = socket.getInputStream().readAllBytes();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
