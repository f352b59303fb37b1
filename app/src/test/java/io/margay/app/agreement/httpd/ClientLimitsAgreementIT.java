package io.margay.app.agreement.httpd;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.app.MargayServer;
import io.margay.app.PlanServer;
import io.margay.compat.httpd.GatewayFiles;
import io.margay.testkit.Folders;
import io.margay.testkit.FreePort;
import io.margay.testkit.HttpdProcess;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// What Apache httpd and Margay take of clients, by the same limits: the same is let in, and the
/// same is not, though httpd says 400 of heads for which Margay says 431.
final class ClientLimitsAgreementIT {
    private static final int TIMEOUT_MILLIS = 30_000;

    private static final String CONF =
            """
            Listen 127.0.0.1:@PORT@
            DocumentRoot "@DIR@"
            Timeout 25
            KeepAliveTimeout 1
            MaxKeepAliveRequests 2
            LimitRequestLine 100
            LimitRequestFields 20
            LimitRequestFieldSize @FIELD@
            @REST@
            """;

    @Test
    void limits_ofHttpdAndOfMargay_letTheSameIn() throws Exception {
        agree("30000", "");
    }

    /// As guides to hardening say it; a host that is not the first has no say.
    @Test
    void smallSizes_letTheSameIn() throws Exception {
        String rest =
                """
                <VirtualHost *:@PORT@>
                </VirtualHost>
                <VirtualHost *:@PORT@>
                  ServerName h
                  LimitRequestFieldSize 20000
                  LimitRequestLine 20000
                </VirtualHost>
                """;
        agree("1024", rest);
    }

    private static void agree(String field, String rest) throws Exception {
        String conf = CONF.replace("@FIELD@", field).replace("@REST@", rest);
        Path folder = Files.createTempDirectory("margay-limits");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        try {
            assertEquals(
                    httpd(conf, folder.resolve("httpd")), margay(conf, folder.resolve("margay")));
        } finally {
            Folders.delete(folder);
        }
    }

    private static List<String> httpd(String conf, Path folder) throws IOException {
        Files.createDirectories(folder);
        int port = FreePort.next();
        try (HttpdProcess _ =
                HttpdProcess.start(
                        folder,
                        List.of("mpm_event", "authz_core"),
                        put(conf, port, folder),
                        port)) {
            return answers(port);
        }
    }

    private static List<String> margay(String conf, Path folder) throws IOException {
        Files.createDirectories(folder);
        int port = FreePort.next();
        Path file = Files.writeString(folder.resolve("httpd.conf"), put(conf, port, folder));
        try (MargayServer _ =
                PlanServer.start(
                        GatewayFiles.read(List.of(file), Map.of()), folder.resolve("work"))) {
            return answers(port);
        }
    }

    private static String put(String conf, int port, Path folder) {
        return conf.replace("@PORT@", String.valueOf(port)).replace("@DIR@", folder.toString());
    }

    private static List<String> answers(int port) throws IOException {
        List<String> found = new ArrayList<>();
        String host = "Host: h\r\n";
        String last = host + "Connection: close\r\n\r\n";
        int line = "GET / HTTP/1.1".length();
        found.add("line of 100: " + ask(port, get("/" + "x".repeat(100 - line)) + last));
        found.add("line of 110: " + ask(port, get("/" + "x".repeat(110 - line)) + last));
        found.add("20 fields: " + ask(port, get("/") + "X: y\r\n".repeat(18) + last));
        found.add("21 fields: " + ask(port, get("/") + "X: y\r\n".repeat(19) + last));
        String longField = "X: " + "y".repeat(29_000) + "\r\n";
        found.add("a long field: " + ask(port, get("/") + longField + last));
        for (int length : List.of(1024, 1034)) {
            String field = "X: " + "y".repeat(length - 3) + "\r\n";
            found.add("a field of " + length + ": " + ask(port, get("/") + field + last));
        }
        // The connection ends by itself after so many answers, and after a while without a request.
        found.add("answers: " + ask(port, (get("/") + host + "\r\n").repeat(9)));
        found.add("then silent: " + ask(port, get("/") + host + "\r\n"));
        return found;
    }

    private static String get(String path) {
        return "GET " + path + " HTTP/1.1\r\n";
    }

    /// Which statuses come before the connection ends; a head that is refused is so with any.
    private static String ask(int port, String text) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
            return statuses(socket.getInputStream());
        }
    }

    private static String statuses(InputStream in) throws IOException {
        StringBuilder answer = new StringBuilder();
        byte[] bytes = new byte[8192];
        try {
            for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
                answer.append(new String(bytes, 0, n, StandardCharsets.ISO_8859_1));
            }
        } catch (java.net.SocketException e) {
            // It has been reset, since more was sent than was taken.
        }
        return answer.toString()
                .lines()
                .filter(one -> one.startsWith("HTTP/1.1 "))
                .map(one -> one.substring(9, 12))
                .map(status -> List.of("400", "414", "431").contains(status) ? "refused" : status)
                .toList()
                .toString();
    }
}
