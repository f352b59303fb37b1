package io.margay.app.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.config.TransportChoice;
import io.margay.testkit.RawHttpClient;
import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;

/// `upload`: forms with files, and bodies without a form.
@Tag("slow")
final class UploadExampleTest {
    private static final int LARGE_BYTES = 20 * 1024 * 1024;
    private static final byte[] LARGE = random(LARGE_BYTES);

    /// One part of a form.
    @SuppressWarnings("ArrayRecordComponent")
    private record Part(String name, String file, String type, byte[] content) {
        String head(String boundary) {
            String fileName = file.equals("-") ? "" : "; filename=\"" + file + "\"";
            String contentType = type.equals("-") ? "" : "Content-Type: " + type + "\r\n";
            return "--"
                    + boundary
                    + "\r\nContent-Disposition: form-data; name=\""
                    + name
                    + "\""
                    + fileName
                    + "\r\n"
                    + contentType
                    + "\r\n";
        }

        String line() throws Exception {
            return "part=" + name + " file=" + file + " type=" + type + " " + told(content);
        }
    }

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new SplittableRandom(length).nextBytes(bytes);
        return bytes;
    }

    private static String told(byte[] content) throws Exception {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(content);
        return "bytes=" + content.length + " sha256=" + HexFormat.of().formatHex(digest);
    }

    private static BodyPublisher form(String boundary, List<Part> parts) {
        List<BodyPublisher> pieces = new ArrayList<>();
        for (Part part : parts) {
            pieces.add(BodyPublishers.ofString(part.head(boundary)));
            pieces.add(BodyPublishers.ofByteArray(part.content()));
            pieces.add(BodyPublishers.ofString("\r\n"));
        }
        pieces.add(BodyPublishers.ofString("--" + boundary + "--\r\n"));
        return BodyPublishers.concat(pieces.toArray(BodyPublisher[]::new));
    }

    @OnEveryTransport
    void form_withSeveralFiles_arrivesWhole(TransportChoice transport, ExampleServer server)
            throws Exception {
        String boundary = "----a-boundary-0123456789";
        byte[] lookalike =
                ("\r\n--" + boundary.substring(1) + "\r\n--" + boundary.substring(0, 9) + "\r\n-")
                        .getBytes(StandardCharsets.US_ASCII);
        List<Part> parts =
                List.of(
                        new Part("note", "-", "-", "hello".getBytes(StandardCharsets.US_ASCII)),
                        new Part("file", "a b.bin", "application/x-test", LARGE),
                        new Part("file", "größe.txt", "text/plain", random(70_000)),
                        new Part("file", "none.bin", "application/octet-stream", new byte[0]),
                        new Part("file", "almost.bin", "application/octet-stream", lookalike));
        HttpResponse<String> answer =
                server.send(
                        server.request(transport, "/upload/parts")
                                .header("Content-Type", "multipart/form-data; boundary=" + boundary)
                                .POST(form(boundary, parts))
                                .build());
        assertEquals(200, answer.statusCode(), answer.body());
        List<String> lines = new ArrayList<>();
        for (Part part : parts) {
            lines.add(part.line());
        }
        assertEquals(lines, answer.body().lines().toList());
    }

    @OnEveryTransport
    void form_cutOff_isNotTakenForWhole(TransportChoice transport, ExampleServer server)
            throws Exception {
        try (RawHttpClient client = server.connect(transport)) {
            String body =
                    "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"x\"\r\n"
                            + "\r\nhalf";
            client.send(
                    "POST /upload/parts HTTP/1.1\r\nHost: a\r\n"
                            + "Content-Type: multipart/form-data; boundary=b\r\nContent-Length: "
                            + body.length()
                            + "\r\n\r\n"
                            + body);
            int status = client.response().status();
            assertTrue(status == 400 || status == 500, "answered with " + status);
        }
        assertEquals(405, server.get(transport, "/upload/parts").statusCode());
    }

    @OnEveryTransport
    void body_ofKnownLength_arrivesWhole(TransportChoice transport, ExampleServer server)
            throws Exception {
        HttpResponse<String> answer =
                server.send(
                        server.request(transport, "/upload/digest")
                                .PUT(BodyPublishers.ofByteArray(LARGE))
                                .build());
        assertEquals(told(LARGE) + "\n", answer.body());
    }

    @OnEveryTransport
    void body_chunked_arrivesWhole(TransportChoice transport, ExampleServer server)
            throws Exception {
        HttpResponse<String> answer =
                server.send(
                        server.request(transport, "/upload/digest")
                                .PUT(
                                        BodyPublishers.ofInputStream(
                                                () -> new ByteArrayInputStream(LARGE)))
                                .build());
        assertEquals(told(LARGE) + "\n", answer.body());
    }

    @OnEveryTransport
    void body_inOddChunks_withExtensionsAndTrailers_arrivesWhole(
            TransportChoice transport, ExampleServer server) throws Exception {
        byte[] content = random(300_000);
        SplittableRandom random = new SplittableRandom(7);
        try (RawHttpClient client = server.connect(transport)) {
            client.send(
                    "PUT /upload/digest HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
            for (int from = 0; from < content.length; ) {
                int length = Math.min(content.length - from, random.nextInt(1, 9_000));
                client.send(Integer.toHexString(length) + ";ext=\"a;b\"\r\n");
                client.send(content, from, length);
                client.send("\r\n");
                from += length;
            }
            client.send("0\r\nX-Trailer: t\r\n\r\n");
            assertEquals(told(content) + "\n", client.response().text());
            assertEquals(200, client.get("/upload/").status(), "the connection goes on");
        }
    }

    @OnEveryTransport
    void body_afterContinue_isAskedForOnlyWhereItIsRead(
            TransportChoice transport, ExampleServer server) throws Exception {
        try (RawHttpClient client = server.connect(transport)) {
            client.send(
                    "PUT /upload/digest HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n"
                            + "Expect: 100-continue\r\n\r\n");
            assertEquals(100, client.response().status());
            client.send("hello");
            assertEquals(
                    told("hello".getBytes(StandardCharsets.US_ASCII)) + "\n",
                    client.response().text());
        }
        try (RawHttpClient client = server.connect(transport)) {
            client.send(
                    "PUT /upload/parts HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n"
                            + "Expect: 100-continue\r\n\r\n");
            assertEquals(405, client.response().status(), "without a 100 before it");
        }
    }

    @OnEveryTransport
    void body_empty_isOfNoBytes(TransportChoice transport, ExampleServer server) throws Exception {
        HttpResponse<String> answer =
                server.send(
                        server.request(transport, "/upload/digest")
                                .POST(BodyPublishers.noBody())
                                .build());
        assertEquals(told(new byte[0]) + "\n", answer.body());
        assertEquals(405, server.get(transport, "/upload/digest").statusCode());
    }

    @OnEveryTransport
    void body_afterAFileOnTheSameConnection_arrivesWhole(
            TransportChoice transport, ExampleServer server) throws Exception {
        byte[] content = random(1024 * 1024);
        try (RawHttpClient client = server.connect(transport)) {
            for (String image : new String[] {"01", "33", "66"}) {
                assertEquals(200, client.get("/pages/images/image-" + image + ".png").status());
                client.send(
                        "PUT /upload/digest HTTP/1.1\r\nHost: a\r\nContent-Length: "
                                + content.length
                                + "\r\n\r\n");
                client.send(content);
                assertEquals(told(content) + "\n", client.response().text());
            }
        }
    }
}
