package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.testkit.RawHttpClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// `compression` of hosts and routes, for applications, files and responses of other servers.
final class CompressionTest {
    private static final String TEXT =
            "A line of text that is much like the others.\n".repeat(2000);
    private static final String GZIP = "Accept-Encoding: br;q=0.1, gzip\r\n";

    @TempDir Path folder;

    private MargayServer start(String transport, int back) throws IOException {
        Path files = Files.createDirectories(folder.resolve("files"));
        Files.writeString(files.resolve("large.txt"), TEXT);
        Files.writeString(files.resolve("small.txt"), "small");
        Files.writeString(files.resolve("image.png"), TEXT);
        Files.writeString(folder.resolve("page.jsp"), TEXT);
        Path app = Files.createDirectories(folder.resolve("app"));
        Files.writeString(app.resolve("page.txt"), TEXT);
        Path file = folder.resolve("margay.yaml");
        Files.writeString(
                file,
                """
                listeners: [{http: 127.0.0.1:0, transport: %s}]
                hosts:
                  - compression:
                      - {prefix: /files/plain, codings: []}
                      - {when: [{value: "%%{HTTP:User-Agent}", regex: old, not: true}]}
                    routes:
                      /files: {files: files}
                      /app: {app: app}
                      /back: {gateway: back}
                      /never: {files: files, compression: {codings: []}}
                      /images: {files: files, compression: {types: [image/*], level: 1}}
                upstreams:
                  back: {members: [{url: "http://127.0.0.1:%d"}]}
                work: work-%s
                """
                        .formatted(transport, back, transport));
        Files.createDirectories(files.resolve("plain"));
        Files.writeString(files.resolve("plain/large.txt"), TEXT);
        return MargayServer.start(ConfigFile.read(file, Map.of()).get(), DeployProgress.NONE);
    }

    private MargayServer back() throws IOException {
        Path file = folder.resolve("back.yaml");
        Files.createDirectories(folder.resolve("files"));
        Files.writeString(
                file,
                """
                listeners: [{http: 127.0.0.1:0}]
                hosts: [{routes: {/back: {files: files}}}]
                work: work-back
                """);
        return MargayServer.start(ConfigFile.read(file, Map.of()).get(), DeployProgress.NONE);
    }

    private static RawHttpClient.Response get(RawHttpClient client, String path, String fields)
            throws IOException {
        return client.send("GET " + path + " HTTP/1.1\r\nHost: x\r\n" + fields + "\r\n").response();
    }

    private static void isCompressed(RawHttpClient client, String path) throws IOException {
        RawHttpClient.Response response = get(client, path, GZIP);
        assertEquals("gzip", response.field("Content-Encoding"), path);
        assertEquals("Accept-Encoding", response.field("Vary"), path);
        assertTrue(response.body().length < TEXT.length() / 10, path);
        try (var in = new GZIPInputStream(new ByteArrayInputStream(response.body()))) {
            assertEquals(TEXT, new String(in.readAllBytes(), StandardCharsets.UTF_8), path);
        }
        String tag = response.field("ETag");
        assertTrue(tag.startsWith("W/"), path + " " + tag);
        RawHttpClient.Response again = get(client, path, GZIP + "If-None-Match: " + tag + "\r\n");
        assertEquals(304, again.status(), path);
        assertEquals(tag, again.field("ETag"), path);
        assertEquals("Accept-Encoding", again.field("Vary"), path);
        isPlain(client, path, "");
    }

    private static void isPlain(RawHttpClient client, String path, String fields)
            throws IOException {
        RawHttpClient.Response response = get(client, path, fields);
        assertNull(response.field("Content-Encoding"), path);
        assertEquals(TEXT, response.text(), path);
    }

    @ParameterizedTest
    @ValueSource(strings = {"blocking", "nio", "native"})
    void host_compressesWhatItSays_whoeverAnswers(String transport) throws IOException {
        try (MargayServer back = back();
                MargayServer server = start(transport, back.ports().getFirst());
                RawHttpClient client =
                        RawHttpClient.connect((InetSocketAddress) server.addresses().getFirst())) {
            isCompressed(client, "/files/large.txt");
            isCompressed(client, "/app/page.txt");
            isCompressed(client, "/back/large.txt");
            isCompressed(client, "/images/image.png");
            isPlain(client, "/files/image.png", GZIP);
            isPlain(client, "/files/plain/large.txt", GZIP);
            isPlain(client, "/never/large.txt", GZIP);
            isPlain(client, "/files/large.txt", GZIP + "User-Agent: old\r\n");
            assertEquals("small", get(client, "/files/small.txt", GZIP).text());
            RawHttpClient.Response part =
                    get(client, "/files/large.txt", GZIP + "Range: bytes=0-9999\r\n");
            assertEquals(206, part.status());
            assertEquals(TEXT.substring(0, 10_000), part.text());
        }
    }

    @Test
    void curl_decodesIt_overHttp2() throws Exception {
        try (MargayServer back = back();
                MargayServer server = start("nio", back.ports().getFirst())) {
            for (String path :
                    new String[] {"/files/large.txt", "/app/page.txt", "/back/large.txt"}) {
                String url = "http://127.0.0.1:" + server.ports().getFirst() + path;
                Process curl =
                        new ProcessBuilder(
                                        "curl",
                                        "-s",
                                        "--compressed",
                                        "--http2-prior-knowledge",
                                        "--max-time",
                                        "30",
                                        "-w",
                                        "%{http_version} %header{content-encoding}",
                                        url)
                                .start();
                String output =
                        new String(curl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                assertTrue(curl.waitFor(30, TimeUnit.SECONDS));
                assertTrue(output.startsWith(TEXT), path);
                String told = output.substring(TEXT.length());
                assertTrue(told.matches("2 (gzip|br|zstd)"), told);
            }
        }
    }

    @Test
    void withoutTheKey_nothingIsCompressed() throws IOException {
        try (MargayServer back = back();
                RawHttpClient client =
                        RawHttpClient.connect((InetSocketAddress) back.addresses().getFirst())) {
            Files.writeString(folder.resolve("files/large.txt"), TEXT);
            isPlain(client, "/back/large.txt", GZIP);
            assertNull(get(client, "/back/large.txt", GZIP).field("Vary"));
        }
    }
}
