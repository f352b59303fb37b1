package io.margay.app.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// php-fpm behind the gateway, on a Unix socket: a page that prints the date, forms, content, paths
/// and errors.
final class PhpFpmIT {
    @TempDir Path folder;

    @Test
    void phpFpm_behindTheGateway_answersAsFromAnyWebServer() throws Exception {
        Path www = Files.createDirectories(folder.resolve("www"));
        Files.writeString(www.resolve("date.php"), "<?php echo \"It is \" . date('Y-m-d');");
        Files.writeString(
                www.resolve("echo.php"),
                "<?php header('Content-Type: text/plain'); $b = file_get_contents('php://input');"
                        + " echo $_SERVER['REQUEST_METHOD'] . ' ' . strlen($b) . ' ' . md5($b);");
        Files.writeString(
                www.resolve("form.php"),
                "<?php setcookie('seen', 'yes'); setcookie('twice', '2');"
                        + " echo $_GET['q'] . '|' . $_POST['name'] . '|' . $_COOKIE['c'];");
        Files.writeString(
                www.resolve("info.php"),
                "<?php error_log('a notice of the page'); foreach (['PATH_INFO', 'SCRIPT_NAME',"
                        + " 'REQUEST_URI', 'HTTP_HOST', 'REMOTE_ADDR', 'HTTP_PROXY', 'HTTPS',"
                        + " 'SERVER_PROTOCOL', 'DOCUMENT_ROOT'] as $k)"
                        + " echo $k . '=' . ($_SERVER[$k] ?? '-') . \"\\n\";");
        Files.writeString(
                www.resolve("status.php"), "<?php http_response_code(418); echo 'short';");
        Files.writeString(
                www.resolve("large.php"),
                "<?php for ($i = 0; $i < 1000; $i++) echo str_repeat('x', 1000);");
        Files.writeString(www.resolve("upload.jpg"), "<?php echo 'run';");
        Files.createDirectories(www.resolve("dir"));
        Files.writeString(www.resolve("dir/index.php"), "<?php echo 'the index';");
        try (PhpFpm php = PhpFpm.start(folder);
                ServerProcess margay = gateway(php, www);
                RawHttpClient client = client(margay.awaitMargay())) {
            date(client);
            content(client);
            form(client);
            info(client, www);
            assertEquals(418, client.get("/status.php").status());
            assertEquals(404, client.get("/missing.php").status());
            uploads(client);
            assertEquals("the index", client.get("/dir/").text());
            assertEquals("x".repeat(1_000_000), client.get("/large.php").text());
            client.send("HEAD /large.php HTTP/1.1\r\nHost: a\r\n\r\n");
            assertEquals(200, client.response(true).status());
            assertEquals(400, client.get("/info.php/%0a").status());
            assertTrue(margay.toString().contains("a notice of the page"), margay.toString());
            assertEquals(0, margay.terminate(), margay.toString());
        }
    }

    /// docs/guide/gateway.md: with php-fpm's own `security.limit_extensions` they are not run.
    private static void uploads(RawHttpClient client) throws IOException {
        for (String path :
                List.of(
                        "/upload.jpg",
                        "/upload.jpg/a.php",
                        "/upload.jpg/a.PHP",
                        "/upload.jpg/a.php%20",
                        "/upload.jpg%20/a.php")) {
            RawHttpClient.Response response = client.get(path);
            assertTrue(List.of(403, 404).contains(response.status()), path + response.status());
            assertFalse(response.text().contains("run"), path);
        }
    }

    private ServerProcess gateway(PhpFpm php, Path www) throws IOException {
        Path file = folder.resolve("margay.yaml");
        Files.writeString(
                file,
                """
                listeners: [{http: 127.0.0.1:0}]
                hosts: [{routes: {/: {gateway: php}}}]
                upstreams:
                  php:
                    members: [{url: "fcgi+unix:%s", root: %s}]
                    health: {get: /date.php, body: It is, every: 1s}
                work: work
                """
                        .formatted(php.socket(), www));
        return ServerProcess.margay(folder, "run", file.toString());
    }

    private static RawHttpClient client(int port) throws IOException {
        return RawHttpClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    private static void date(RawHttpClient client) throws IOException {
        LocalDate before = LocalDate.now(ZoneOffset.UTC);
        RawHttpClient.Response response = client.get("/date.php");
        assertEquals(200, response.status());
        assertTrue(
                response.text().equals("It is " + before)
                        || response.text().equals("It is " + LocalDate.now(ZoneOffset.UTC)),
                response.text());
        assertEquals("text/html; charset=UTF-8", response.field("Content-type"));
    }

    private static void content(RawHttpClient client) throws Exception {
        byte[] content = new byte[300_000];
        for (int i = 0; i < content.length; i++) {
            content[i] = (byte) (i * 31);
        }
        String expected = "POST 300000 " + md5(content, 300_000);
        client.send("POST /echo.php HTTP/1.1\r\nHost: a\r\nContent-Length: 300000\r\n\r\n");
        assertEquals(expected, client.send(content).response().text());
        client.send("POST /echo.php HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
        client.send("c350\r\n").send(content, 0, 50_000).send("\r\n0\r\n\r\n");
        assertEquals("POST 50000 " + md5(content, 50_000), client.response().text());
    }

    private static String md5(byte[] bytes, int length) throws Exception {
        MessageDigest digest = MessageDigest.getInstance("MD5");
        digest.update(bytes, 0, length);
        return HexFormat.of().formatHex(digest.digest());
    }

    private static void form(RawHttpClient client) throws IOException {
        byte[] form = "name=Anna%20K".getBytes(StandardCharsets.US_ASCII);
        client.send(
                "POST /form.php?q=a%26b HTTP/1.1\r\nHost: a\r\nCookie: c=d\r\nContent-Type:"
                        + " application/x-www-form-urlencoded\r\nContent-Length: "
                        + form.length
                        + "\r\n\r\n");
        RawHttpClient.Response response = client.send(form).response();
        assertEquals("a&b|Anna K|d", response.text());
        assertEquals(2, response.all("Set-Cookie").size());
    }

    private static void info(RawHttpClient client, Path www) throws IOException {
        client.send(
                "GET /info.php/a%20b/c?x HTTP/1.1\r\nHost: shop.example\r\n"
                        + "Proxy: http://evil.example/\r\n\r\n");
        String text = client.response().text();
        assertTrue(text.contains("PATH_INFO=/a b/c\n"), text);
        assertTrue(text.contains("SCRIPT_NAME=/info.php\n"), text);
        assertTrue(text.contains("REQUEST_URI=/info.php/a%20b/c?x\n"), text);
        assertTrue(text.contains("HTTP_HOST=shop.example\n"), text);
        assertTrue(text.contains("REMOTE_ADDR=127.0.0.1\n"), text);
        assertTrue(text.contains("HTTP_PROXY=-\n"), "CVE-2016-5385: " + text);
        assertTrue(text.contains("DOCUMENT_ROOT=" + www + "\n"), text);
        assertFalse(text.contains("evil"), text);
    }
}
