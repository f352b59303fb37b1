package io.margay.app;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.testkit.RawHttpClient;
import io.margay.testkit.program.Program;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// `compression` of hosts and routes, for applications, files and responses of other servers.
@Tag("slow")
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
                                        Program.of("curl"),
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

    /// What a front end passes on by AJP13 is compressed as what clients ask for themselves.
    @Test
    void responses_byAjp_areCompressed() throws IOException {
        write("back.yaml", "ajp: 127.0.0.1:0, secret: s3", "compression: {}, ", "{files: files}");
        try (MargayServer back = server("back.yaml")) {
            String member = "ajp://127.0.0.1:" + back.ports().getFirst() + "\", secret: \"s3";
            write("front.yaml", "http: 127.0.0.1:0", "", "{gateway: up}");
            Files.writeString(
                    folder.resolve("front.yaml"),
                    "upstreams: {up: {members: [{url: \"" + member + "\"}]}}\n",
                    StandardOpenOption.APPEND);
            try (MargayServer front = server("front.yaml");
                    RawHttpClient client =
                            RawHttpClient.connect(
                                    (InetSocketAddress) front.addresses().getFirst())) {
                isCompressed(client, "/x/large.txt");
            }
        }
    }

    private void write(String name, String listener, String host, String route) throws IOException {
        Path files = Files.createDirectories(folder.resolve("files"));
        Files.writeString(files.resolve("large.txt"), TEXT);
        Files.writeString(
                folder.resolve(name),
                """
                listeners: [{%s}]
                hosts: [{%sroutes: {/x: %s}}]
                work: work-%s
                """
                        .formatted(listener, host, route, name));
    }

    private MargayServer server(String name) {
        return MargayServer.start(
                ConfigFile.read(folder.resolve(name), Map.of()).get(), DeployProgress.NONE);
    }

    /// Applications of a folder, which have no route of their own, are told apart by their paths.
    @Test
    void applicationsOfAFolder_haveCompressionOfTheirOwn() throws IOException {
        for (String name : List.of("shop", "shopping")) {
            Path app = Files.createDirectories(folder.resolve("webapps/" + name + "/WEB-INF"));
            Files.writeString(app.resolveSibling("page.txt"), TEXT);
        }
        Files.writeString(
                folder.resolve("apps.yaml"),
                """
                listeners: [{http: 127.0.0.1:0}]
                hosts:
                  - compression: [{prefix: /shop, codings: []}, {}]
                    webapps: webapps
                """);
        try (MargayServer server = server("apps.yaml");
                RawHttpClient client =
                        RawHttpClient.connect((InetSocketAddress) server.addresses().getFirst())) {
            isPlain(client, "/shop/page.txt", GZIP);
            isCompressed(client, "/shopping/page.txt");
        }
    }

    /// Each event can be read before the next is sent.
    @ParameterizedTest
    @ValueSource(strings = {"blocking", "nio", "native"})
    void eventStream_throughAGateway_arrivesEventByEvent(String transport) throws Exception {
        try (ServerSocket back = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Files.writeString(
                    folder.resolve("front.yaml"),
                    """
                    listeners: [{http: 127.0.0.1:0, transport: %s}]
                    hosts: [{compression: {codings: [gzip]}, routes: {/: {gateway: up}}}]
                    upstreams: {up: {members: [{url: "http://127.0.0.1:%d"}]}}
                    """
                            .formatted(transport, back.getLocalPort()));
            BlockingQueue<String> next = new LinkedBlockingQueue<>(List.of("data: 0\n\n"));
            Thread talker = Thread.ofVirtual().start(() -> talk(back, next));
            try (MargayServer front = server("front.yaml");
                    HttpClient client = HttpClient.newHttpClient()) {
                URI uri = URI.create("http://127.0.0.1:" + front.ports().getFirst() + "/events");
                HttpResponse<InputStream> answer =
                        client.send(
                                HttpRequest.newBuilder(uri)
                                        .header("Accept-Encoding", "gzip")
                                        .timeout(Duration.ofSeconds(30))
                                        .build(),
                                BodyHandlers.ofInputStream());
                assertEquals(
                        "gzip", answer.headers().firstValue("Content-Encoding").orElse("none"));
                try (InputStream events = new GZIPInputStream(answer.body())) {
                    for (int i = 0; i < 5; i++) {
                        String wanted = "data: " + i + "\n\n";
                        byte[] read = events.readNBytes(wanted.length());
                        assertEquals(wanted, new String(read, US_ASCII));
                        next.add("data: " + (i + 1) + "\n\n");
                    }
                    next.add("");
                    assertEquals("data: 5\n\n", new String(events.readAllBytes(), US_ASCII));
                }
            }
            talker.join();
        }
    }

    /// Answers one request with what the test says, a chunk each; the empty one is the last.
    private static void talk(ServerSocket back, BlockingQueue<String> next) {
        try (Socket socket = back.accept()) {
            InputStream in = socket.getInputStream();
            for (String head = ""; !head.endsWith("\r\n\r\n"); ) {
                head += (char) in.read();
            }
            OutputStream out = socket.getOutputStream();
            out.write(
                    ("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
                                    + "Transfer-Encoding: chunked\r\n\r\n")
                            .getBytes(US_ASCII));
            for (String event = "-"; !event.isEmpty(); ) {
                event = next.take();
                String chunk = Integer.toHexString(event.length()) + "\r\n" + event + "\r\n";
                out.write(chunk.getBytes(US_ASCII));
            }
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
