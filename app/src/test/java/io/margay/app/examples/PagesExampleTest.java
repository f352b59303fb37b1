package io.margay.app.examples;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.config.TransportChoice;
import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;

/// `pages`: static files, by the default servlet.
@Tag("slow")
final class PagesExampleTest {
    private static final String IMAGE = "/pages/images/image-33.png";

    private static byte[] file(ExampleServer server, String path) throws IOException {
        return Files.readAllBytes(server.folder().resolve(path.substring(1)));
    }

    private static RawHttpClient.Response get(RawHttpClient client, String path, String... fields)
            throws IOException {
        return client.send(
                        "GET "
                                + path
                                + " HTTP/1.1\r\nHost: a\r\n"
                                + String.join("\r\n", fields)
                                + "\r\n\r\n")
                .response();
    }

    @OnEveryTransport
    void gallery_withItsImages_arrivesByteForByte(TransportChoice transport, ExampleServer server)
            throws Exception {
        try (RawHttpClient client = server.connect(transport)) {
            RawHttpClient.Response page = client.get("/pages/gallery.html");
            assertArrayEquals(file(server, "/pages/gallery.html"), page.body());
            List<String> images =
                    Pattern.compile("src=\"([^\"]+)\"")
                            .matcher(page.text())
                            .results()
                            .map(match -> "/pages/" + match.group(1))
                            .distinct()
                            .toList();
            assertEquals(66, images.size());
            for (String image : images) {
                RawHttpClient.Response answer = client.get(image);
                assertEquals(200, answer.status(), image);
                assertEquals("image/png", answer.field("Content-Type"), image);
                assertArrayEquals(file(server, image), answer.body(), image);
            }
        }
    }

    @OnEveryTransport
    void images_pipelined_arriveInOrder(TransportChoice transport, ExampleServer server)
            throws Exception {
        StringBuilder requests = new StringBuilder();
        for (int i = 1; i <= 66; i++) {
            requests.append(
                    "GET /pages/images/image-%02d.png HTTP/1.1\r\nHost: a\r\n\r\n".formatted(i));
        }
        try (RawHttpClient client = server.connect(transport)) {
            client.send(requests.toString());
            for (int i = 1; i <= 66; i++) {
                assertArrayEquals(
                        file(server, "/pages/images/image-%02d.png".formatted(i)),
                        client.response().body());
            }
        }
    }

    @OnEveryTransport
    void image_thatTheClientHas_isNotSentAgain(TransportChoice transport, ExampleServer server)
            throws Exception {
        try (RawHttpClient client = server.connect(transport)) {
            RawHttpClient.Response first = client.get(IMAGE);
            String tag = first.field("ETag");
            String modified = first.field("Last-Modified");
            assertNotNull(tag);
            assertNotNull(modified);
            RawHttpClient.Response same = get(client, IMAGE, "If-None-Match: " + tag);
            assertEquals(304, same.status());
            assertEquals(tag, same.field("ETag"));
            assertEquals(304, get(client, IMAGE, "If-Modified-Since: " + modified).status());
            assertEquals(304, get(client, IMAGE, "If-None-Match: *").status());
            RawHttpClient.Response other = get(client, IMAGE, "If-None-Match: \"other\"");
            assertEquals(200, other.status());
            assertArrayEquals(first.body(), other.body());
            // RFC 9110 §13.2.2: the tag decides, whatever the date says.
            assertEquals(
                    200,
                    get(client, IMAGE, "If-None-Match: \"x\"", "If-Modified-Since: " + modified)
                            .status());
            assertEquals(412, get(client, IMAGE, "If-Match: \"other\"").status());
            assertEquals(
                    412,
                    get(client, IMAGE, "If-Unmodified-Since: Mon, 01 Jan 2001 00:00:00 GMT")
                            .status());
        }
    }

    @OnEveryTransport
    void ranges_areCutFromTheFile(TransportChoice transport, ExampleServer server)
            throws Exception {
        byte[] whole = file(server, IMAGE);
        int length = whole.length;
        try (RawHttpClient client = server.connect(transport)) {
            range(client, "bytes=0-99", whole, 0, 100);
            range(client, "bytes=100-", whole, 100, length);
            range(client, "bytes=-10", whole, length - 10, length);
            range(client, "bytes=5-999999", whole, 5, length);
            RawHttpClient.Response none = get(client, IMAGE, "Range: bytes=" + length + "-");
            assertEquals(416, none.status());
            assertEquals("bytes */" + length, none.field("Content-Range"));
            assertArrayEquals(whole, get(client, IMAGE, "Range: lines=1-2").body());
        }
    }

    private static void range(RawHttpClient client, String range, byte[] whole, int from, int to)
            throws IOException {
        RawHttpClient.Response answer = get(client, IMAGE, "Range: " + range);
        assertEquals(206, answer.status(), range);
        assertEquals(
                "bytes " + from + "-" + (to - 1) + "/" + whole.length,
                answer.field("Content-Range"));
        assertArrayEquals(Arrays.copyOfRange(whole, from, to), answer.body(), range);
    }

    @OnEveryTransport
    void ranges_several_arePartsOfOneAnswer(TransportChoice transport, ExampleServer server)
            throws Exception {
        byte[] whole = file(server, IMAGE);
        try (RawHttpClient client = server.connect(transport)) {
            RawHttpClient.Response answer = get(client, IMAGE, "Range: bytes=0-9,200-219,-5");
            assertEquals(206, answer.status());
            String type = answer.field("Content-Type");
            assertNotNull(type);
            assertTrue(type.startsWith("multipart/byteranges"), type);
            String delimiter = "--" + type.replaceFirst(".*boundary=\"?([^\";]+)\"?.*", "$1");
            String[] parts = answer.text().split(Pattern.quote(delimiter));
            assertEquals(5, parts.length, "before, three parts, the end");
            part(parts[1], whole, 0, 10);
            part(parts[2], whole, 200, 220);
            part(parts[3], whole, whole.length - 5, whole.length);
            assertTrue(parts[4].startsWith("--"), parts[4]);
        }
    }

    private static void part(String part, byte[] whole, int from, int to) {
        String[] headAndBody = part.split("\r\n\r\n", 2);
        assertTrue(
                headAndBody[0].contains("bytes " + from + "-" + (to - 1) + "/" + whole.length),
                headAndBody[0]);
        assertEquals(
                new String(whole, from, to - from, StandardCharsets.ISO_8859_1) + "\r\n",
                headAndBody[1]);
    }

    @OnEveryTransport
    void range_ofAnotherVersion_isTheWholeFile(TransportChoice transport, ExampleServer server)
            throws Exception {
        try (RawHttpClient client = server.connect(transport)) {
            String tag = client.get(IMAGE).field("ETag");
            RawHttpClient.Response same =
                    get(client, IMAGE, "Range: bytes=0-9", "If-Range: " + tag);
            // A weak tag never matches here (RFC 9110 §13.1.5).
            assertEquals(String.valueOf(tag).startsWith("W/") ? 200 : 206, same.status());
            RawHttpClient.Response other =
                    get(client, IMAGE, "Range: bytes=0-9", "If-Range: \"other\"");
            assertEquals(200, other.status());
            assertArrayEquals(file(server, IMAGE), other.body());
        }
    }

    @OnEveryTransport
    void file_changedMeanwhile_isSentAnew(TransportChoice transport, ExampleServer server)
            throws Exception {
        Path file = server.folder().resolve("pages/changing-" + transport.word() + ".txt");
        try (RawHttpClient client = server.connect(transport)) {
            Files.writeString(file, "first");
            String path = "/pages/" + file.getFileName();
            RawHttpClient.Response first = client.get(path);
            assertEquals("first", first.text());
            Files.writeString(file, "the second");
            io.margay.testkit.Eventually.holds(
                    "the change is seen",
                    () -> {
                        try {
                            return get(client, path, "If-None-Match: " + first.field("ETag"))
                                    .text()
                                    .equals("the second");
                        } catch (IOException e) {
                            throw new java.io.UncheckedIOException(e);
                        }
                    });
        } finally {
            Files.deleteIfExists(file);
        }
    }
}
