package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.server.exchange.Exchange;
import io.margay.testkit.Eventually;
import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A cache that keeps responses in files, from one server to the next.
@Timeout(120)
final class CacheDiskTest {
    private static final String HOST = "cache: {disk: {folder: kept, size: 10MiB}}";
    private static final int LENGTH = 300_000;

    @TempDir Path folder;

    private CacheOrigin origin;
    private CachedFront front;

    @BeforeEach
    void open() throws Exception {
        origin = new CacheOrigin();
    }

    @AfterEach
    void close() throws Exception {
        front.close();
        origin.close();
    }

    private static void large(Exchange exchange) throws IOException {
        byte[] content = new byte[LENGTH];
        for (int i = 0; i < LENGTH; i++) {
            content[i] = (byte) ('a' + i % 26);
        }
        exchange.fields().add("Cache-Control", "max-age=600");
        exchange.fields().add("ETag", "\"l\"");
        exchange.end(content, 0, LENGTH);
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.list(folder.resolve("kept"))) {
            return all.filter(file -> file.toString().endsWith(".response")).toList();
        }
    }

    private void awaitFiles(int count) {
        Eventually.holds(
                count + " files",
                () -> {
                    try {
                        return files().size() == count;
                    } catch (IOException e) {
                        return false;
                    }
                });
    }

    private void awaitHit(String target) {
        Eventually.holds(
                target + " is known",
                () -> {
                    try {
                        RawHttpClient.Response head =
                                front.ask("GET", target, "Cache-Control: only-if-cached\r\n");
                        return head.status() == 200;
                    } catch (IOException e) {
                        return false;
                    }
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "blocking", "native"})
    void responses_areSentFromFiles_alsoAfterARestart(String transport) throws Exception {
        origin.at("/large", CacheDiskTest::large);
        origin.at("/small", "small", "Cache-Control: max-age=600");
        front = new CachedFront(folder, origin, transport, HOST);
        byte[] first = front.get("/large").body();
        assertEquals("small", front.get("/small").text());
        awaitFiles(2);
        assertArrayEquals(first, front.get("/large").body());
        RawHttpClient.Response part = front.ask("GET", "/large", "Range: bytes=26-51\r\n");
        assertEquals(206, part.status());
        assertEquals("abcdefghijklmnopqrstuvwxyz", part.text());
        assertEquals(304, front.ask("GET", "/large", "If-None-Match: \"l\"\r\n").status());
        assertEquals(
                Integer.toString(LENGTH), front.ask("HEAD", "/large", "").field("Content-Length"));
        front.close();
        front = new CachedFront(folder, origin, transport, HOST);
        awaitHit("/large");
        awaitHit("/small");
        assertArrayEquals(first, front.get("/large").body());
        assertEquals("small", front.get("/small").text());
        assertEquals(1, origin.asked("/large"));
        assertEquals(1, origin.asked("/small"));
        // Without its file it is fetched again.
        for (Path file : files()) {
            Files.delete(file);
        }
        RawHttpClient.Response again = front.get("/large");
        assertArrayEquals(first, again.body());
        assertTrue(String.valueOf(again.field("Cache-Status")).contains("fwd"));
        assertEquals(2, origin.asked("/large"));
        assertEquals("small", front.get("/small").text(), "it is in memory, too");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Authorization: Basic YTpi", "Cookie: id=secret"})
    void nothingOfOneClient_isInAFile(String field) throws Exception {
        front = new CachedFront(folder, origin, "nio", HOST);
        origin.at(
                "/own",
                exchange -> {
                    String secret =
                            exchange.request().field("Authorization") == null
                                    ? ""
                                    : "of one client";
                    CacheOrigin.answer(
                            exchange,
                            200,
                            secret,
                            "Cache-Control: max-age=600",
                            "Set-Cookie: id=" + "secret");
                });
        origin.at("/public", "public", "Cache-Control: max-age=600");
        assertEquals(200, front.ask("GET", "/own", field + "\r\n").status());
        assertEquals("public", front.get("/public").text());
        awaitFiles(1);
        String all =
                new String(Files.readAllBytes(files().getFirst()), StandardCharsets.ISO_8859_1);
        assertTrue(all.contains("public") && !all.contains("secret"), all);
        assertTrue(Arrays.asList(folder.resolve("kept").toFile().list()).contains("owner"));
    }
}
