package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.Eventually;
import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A host whose gateway has a cache, from the client's request to the origin and back.
@Timeout(120)
final class CacheTest {
    @TempDir Path folder;

    private CacheOrigin origin;
    private CachedFront front;

    @BeforeEach
    void open() throws Exception {
        origin = new CacheOrigin();
        front = new CachedFront(folder, origin, "nio", "cache: {purge-from: [127.0.0.0/8]}");
    }

    @AfterEach
    void close() throws Exception {
        front.close();
        origin.close();
    }

    private void again(String host) throws Exception {
        front.close();
        front = new CachedFront(folder, origin, "nio", host);
    }

    private static String status(RawHttpClient.Response response) {
        return String.valueOf(response.field("Cache-Status"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "blocking", "native"})
    void freshResponse_isFetchedOnce(String transport) throws Exception {
        front.close();
        front = new CachedFront(folder, origin, transport, "cache: {}");
        origin.at("/page", "content", "Cache-Control: max-age=600", "X-Own: 1", "ETag: \"a\"");
        RawHttpClient.Response first = front.get("/page");
        assertEquals("content", first.text());
        assertEquals("margay; fwd=uri-miss; stored", status(first));
        assertNull(first.field("Age"));
        RawHttpClient.Response second = front.get("/page");
        assertEquals("content", second.text());
        assertEquals("1", second.field("X-Own"));
        assertNotNull(second.field("Age"));
        assertTrue(status(second).startsWith("margay; hit; ttl="), status(second));
        assertEquals(1, second.all("Date").size());
        RawHttpClient.Response head = front.ask("HEAD", "/page", "");
        assertEquals("7", head.field("Content-Length"));
        assertEquals(1, origin.asked("/page"));
        assertEquals(200, front.get("/page?other").status());
        assertEquals(2, origin.asked("/page"), "the query belongs to the key");
    }

    @Test
    void routeThatIsOff_isNotCached() throws Exception {
        origin.at("/off", "content", "Cache-Control: max-age=600");
        assertNull(front.get("/off").field("Cache-Status"));
        assertNull(front.get("/off").field("Cache-Status"));
        assertEquals(2, origin.asked("/off"));
    }

    @Test
    void storedResponse_answersConditionsAndRanges() throws Exception {
        origin.at(
                "/page",
                "0123456789",
                "Cache-Control: max-age=600",
                "ETag: \"a\"",
                "Content-Type: text/plain",
                "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT");
        assertEquals(200, front.get("/page").status());
        RawHttpClient.Response same = front.ask("GET", "/page", "If-None-Match: \"a\"\r\n");
        assertEquals(304, same.status());
        assertEquals("\"a\"", same.field("ETag"));
        assertNull(same.field("Content-Type"));
        assertEquals(
                304,
                front.ask("GET", "/page", "If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT\r\n")
                        .status());
        assertEquals(200, front.ask("GET", "/page", "If-None-Match: \"b\"\r\n").status());
        RawHttpClient.Response part = front.ask("GET", "/page", "Range: bytes=2-4\r\n");
        assertEquals(206, part.status());
        assertEquals("234", part.text());
        assertEquals("bytes 2-4/10", part.field("Content-Range"));
        assertEquals(416, front.ask("GET", "/page", "Range: bytes=20-\r\n").status());
        assertEquals(
                200, front.ask("GET", "/page", "Range: bytes=0-1\r\nIf-Range: \"b\"\r\n").status());
        assertEquals(1, origin.asked("/page"));
    }

    /// Of many ranges no more is sent than there is.
    @Test
    void manyRanges_getTheWholeOnce() throws Exception {
        origin.at("/page", "0123456789", "Cache-Control: max-age=600");
        assertEquals(200, front.get("/page").status());
        RawHttpClient.Response whole =
                front.ask("GET", "/page", "Range: bytes=0-,0-,0-,1-,2-,3-\r\n");
        assertTrue(whole.body().length <= 10, whole::text);
        assertEquals(200, front.ask("GET", "/page", "Range: bytes=0-1,5-6\r\n").status());
        assertEquals(1, origin.asked("/page"));
    }

    @Test
    void staleResponse_isValidated_andTakesNewFields() throws Exception {
        AtomicReference<String> condition = new AtomicReference<>();
        origin.at(
                "/page",
                exchange -> {
                    String given = exchange.request().field("If-None-Match");
                    condition.set(given);
                    if (given == null) {
                        CacheOrigin.answer(
                                exchange,
                                200,
                                "content",
                                "ETag: \"a\"",
                                "Cache-Control: max-age=5",
                                "Age: 10",
                                "X-Round: 1");
                    } else {
                        CacheOrigin.answer(
                                exchange,
                                304,
                                "",
                                "ETag: \"a\"",
                                "Cache-Control: max-age=600",
                                "X-Round: 2");
                    }
                });
        assertEquals("1", front.get("/page").field("X-Round"));
        RawHttpClient.Response validated =
                front.ask("GET", "/page", "If-None-Match: \"old\"\r\nRange: bytes=0-1\r\n");
        assertEquals("\"a\"", condition.get());
        assertEquals(206, validated.status());
        assertEquals("co", validated.text());
        assertEquals("2", validated.field("X-Round"));
        assertEquals("margay; fwd=stale; fwd-status=304", status(validated));
        assertEquals("content", front.get("/page").text());
        assertEquals(2, origin.asked("/page"));
    }

    @Test
    void variants_areKeptApart_andBounded() throws Exception {
        again("cache: {variants: 3}");
        origin.at(
                "/page",
                exchange ->
                        CacheOrigin.answer(
                                exchange,
                                200,
                                "for " + exchange.request().field("X-Kind"),
                                "Cache-Control: max-age=600",
                                "Vary: X-Kind"));
        for (String kind : List.of("a", "b", "c", "d")) {
            assertEquals("for " + kind, front.ask("GET", "/page", kind(kind)).text());
        }
        assertEquals("for d", front.ask("GET", "/page", kind("d")).text());
        assertEquals(4, origin.asked("/page"));
        assertEquals("for a", front.ask("GET", "/page", kind("a")).text());
        assertEquals(5, origin.asked("/page"), "three are kept");
        assertEquals("for null", front.get("/page").text());
    }

    private static String kind(String value) {
        return "X-Kind: " + value + "\r\n";
    }

    @Test
    void requestThatChanges_invalidates_onceItHasSucceeded() throws Exception {
        AtomicInteger status = new AtomicInteger(500);
        origin.at(
                "/page",
                exchange -> {
                    boolean reads = exchange.request().method().equals("GET");
                    CacheOrigin.answer(
                            exchange,
                            reads ? 200 : status.get(),
                            "x",
                            "Cache-Control: max-age=600");
                });
        origin.at(
                "/list",
                exchange ->
                        CacheOrigin.answer(
                                exchange,
                                exchange.request().method().equals("GET") ? 200 : 201,
                                "x",
                                "Cache-Control: max-age=600",
                                "Location: /page"));
        assertEquals(200, front.get("/page").status());
        assertEquals(500, front.ask("POST", "/page", "Content-Length: 0\r\n").status());
        assertTrue(status(front.get("/page")).contains("hit"), "a failure changes nothing");
        status.set(204);
        assertEquals(204, front.ask("DELETE", "/page", "").status());
        assertFalse(status(front.get("/page")).contains("hit"));
        assertEquals(201, front.ask("POST", "/list", "Content-Length: 0\r\n").status());
        assertFalse(status(front.get("/page")).contains("hit"), "Location is of the same origin");
    }

    @Test
    void directivesOfRequests_areHonoured() throws Exception {
        origin.at("/page", "x", "Cache-Control: max-age=600", "Age: 100");
        assertEquals(504, front.ask("GET", "/page", cc("only-if-cached")).status());
        assertEquals(200, front.ask("GET", "/page", cc("no-store")).status());
        assertEquals(504, front.ask("GET", "/page", cc("only-if-cached")).status());
        assertEquals(200, front.get("/page").status());
        assertEquals(200, front.ask("GET", "/page", cc("only-if-cached")).status());
        assertEquals(2, origin.asked("/page"));
        assertFalse(status(front.ask("GET", "/page", cc("no-cache"))).contains("hit"));
        assertFalse(status(front.ask("GET", "/page", cc("max-age=50"))).contains("hit"));
        assertFalse(status(front.ask("GET", "/page", cc("min-fresh=590"))).contains("hit"));
        assertTrue(status(front.ask("GET", "/page", cc("max-age=200"))).contains("hit"));
        origin.at("/old", "x", "Cache-Control: max-age=5", "Age: 10");
        assertEquals(200, front.get("/old").status());
        assertTrue(status(front.ask("GET", "/old", cc("max-stale=60"))).contains("max-stale"));
        assertFalse(status(front.ask("GET", "/old", cc("max-stale=2"))).contains("hit"));
    }

    private static String cc(String directives) {
        return "Cache-Control: " + directives + "\r\n";
    }

    // One fetch for many

    @Test
    void requestsForTheSame_waitForOneFetch() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        origin.at(
                "/page",
                exchange ->
                        exchange.dispatch(() -> {
                            await(go);
                            answer(exchange, "Cache-Control: max-age=600");
                        }));
        List<RawHttpClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i < 20; i++) {
                RawHttpClient client = front.client();
                clients.add(client);
                client.send("GET /page HTTP/1.1\r\nHost: shop.example\r\n\r\n");
            }
            Eventually.holds("19 wait", () -> metric("margay_cache_collapsed_total") == 19);
            go.countDown();
            for (RawHttpClient client : clients) {
                assertEquals("content", client.response().text());
            }
        } finally {
            for (RawHttpClient client : clients) {
                client.close();
            }
        }
        assertEquals(1, origin.asked("/page"));
    }

    /// A response that is for one client is given to no other, however many have waited for it.
    @Test
    void responseForOne_isGivenToNobodyElse() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        AtomicInteger number = new AtomicInteger();
        origin.at(
                "/page",
                exchange ->
                        exchange.dispatch(() -> {
                            await(go);
                            answer(
                                    exchange,
                                    "Cache-Control: private",
                                    "X-Number: " + number.incrementAndGet());
                        }));
        List<RawHttpClient> clients = new ArrayList<>();
        List<String> got = new ArrayList<>();
        try {
            for (int i = 0; i < 10; i++) {
                RawHttpClient client = front.client();
                clients.add(client);
                client.send("GET /page HTTP/1.1\r\nHost: shop.example\r\n\r\n");
            }
            Eventually.holds("9 wait", () -> metric("margay_cache_collapsed_total") == 9);
            go.countDown();
            for (RawHttpClient client : clients) {
                got.add(String.valueOf(client.response().field("X-Number")));
            }
        } finally {
            for (RawHttpClient client : clients) {
                client.close();
            }
        }
        assertEquals(10, got.stream().distinct().count());
    }

    private long metric(String name) {
        return front.server().site().meters().stream()
                .filter(meter -> (meter.name() + "_total").equals(name))
                .mapToLong(meter -> (long) meter.read().getAsDouble())
                .sum();
    }

    private static void answer(io.margay.server.exchange.Exchange exchange, String... fields) {
        try {
            CacheOrigin.answer(exchange, 200, "content", fields);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(60, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    // Stale ones

    @Test
    void staleWhileRevalidate_isGivenAtOnce_andFetchedAnew() throws Exception {
        AtomicInteger round = new AtomicInteger();
        origin.at(
                "/page",
                exchange ->
                        CacheOrigin.answer(
                                exchange,
                                200,
                                "round " + round.incrementAndGet(),
                                "Cache-Control: max-age=5, stale-while-revalidate=60",
                                "Age: " + (round.get() == 1 ? 10 : 0)));
        assertEquals("round 1", front.get("/page").text());
        RawHttpClient.Response stale = front.get("/page");
        assertEquals("round 1", stale.text());
        assertTrue(status(stale).contains("stale-while-revalidate"), status(stale));
        Eventually.holds("it is fetched", () -> text("/page").equals("round 2"));
        assertEquals(2, origin.asked("/page"));
    }

    private String text(String target) {
        try {
            return front.get(target).text();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void staleIfError_takesThePlaceOfAFailure() throws Exception {
        AtomicInteger status = new AtomicInteger(200);
        origin.at(
                "/page",
                exchange ->
                        CacheOrigin.answer(
                                exchange,
                                status.get(),
                                "status " + status.get(),
                                "Cache-Control: max-age=5, stale-if-error=60",
                                "Age: 10"));
        origin.at(
                "/strict",
                exchange ->
                        CacheOrigin.answer(
                                exchange,
                                status.get(),
                                "status " + status.get(),
                                "Cache-Control: max-age=5, stale-if-error=60, must-revalidate",
                                "Age: 10"));
        assertEquals(200, front.get("/page").status());
        assertEquals(200, front.get("/strict").status());
        status.set(503);
        RawHttpClient.Response stale = front.get("/page");
        assertEquals("status 200", stale.text());
        assertTrue(status(stale).contains("stale-if-error"), status(stale));
        assertEquals(503, front.get("/strict").status());
        origin.close();
        assertEquals("status 200", front.get("/page").text());
        assertEquals(5, front.get("/strict").status() / 100);
    }

    // Purge

    @Test
    void purge_removesAUrl_forThoseWhoMay() throws Exception {
        origin.at("/page", "x", "Cache-Control: max-age=600");
        assertEquals(200, front.get("/page").status());
        assertEquals(200, front.ask("PURGE", "/page", "").status());
        assertEquals(404, front.ask("PURGE", "/page", "").status());
        assertFalse(status(front.get("/page")).contains("hit"));
        again("cache: {purge-from: [192.0.2.0/24]}");
        assertEquals(200, front.get("/page").status());
        assertEquals(403, front.ask("PURGE", "/page", "").status());
        assertTrue(status(front.get("/page")).contains("hit"));
    }

    /// A slow client has what the cache has let go, which counts until it has got it.
    @Test
    void contentOfSlowClients_countsThoughItWasPurged() throws Exception {
        front.close();
        front = new CachedFront(folder, origin, "native", "cache: {memory: 64MiB}");
        int length = 1_000_000;
        origin.at("/large", "x".repeat(length), "Cache-Control: max-age=600");
        assertEquals(200, front.get("/large").status());
        assertTrue(status(front.get("/large")).contains("hit"));
        var memory = front.server().memory();
        var cache = front.server().site().caches().getFirst();
        assertTrue(memory.held() >= length);
        InetSocketAddress at =
                new InetSocketAddress(
                        InetAddress.getLoopbackAddress(), front.server().ports().getFirst());
        try (RawHttpClient slow = RawHttpClient.connect(at, 16_384)) {
            slow.send("GET /large HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\n\r\n");
            assertEquals("HTTP/1.1 200 OK", slow.line());
            assertEquals(1, cache.purge("http://shop.example/large"));
            assertTrue(memory.held() >= length, () -> memory.held() + " bytes");
            assertTrue(memory.held() < 2 * length);
            assertTrue(slow.readToEnd().length() >= length);
            Eventually.holds("it is sent", () -> memory.held() < length);
        }
    }

    @Test
    void purgeByPrefixAndTag() throws Exception {
        origin.at("/a/1", "x", "Cache-Control: max-age=600", "Cache-Tag: red, blue");
        origin.at("/a/2", "x", "Cache-Control: max-age=600", "Surrogate-Key: green blue");
        origin.at("/b", "x", "Cache-Control: max-age=600");
        for (String path : List.of("/a/1", "/a/2", "/b")) {
            assertEquals(200, front.get(path).status());
        }
        var cache = front.server().site().caches().getFirst();
        assertEquals(0, cache.purgeTag("yellow"));
        assertEquals(1, cache.purgeTag("red"));
        assertFalse(status(front.get("/a/1")).contains("hit"));
        assertEquals(2, cache.purgeTag("blue"));
        assertEquals(0, cache.purgeBelow("/a/"));
        assertEquals(200, front.get("/a/1").status());
        assertEquals(1, cache.purgeBelow("/a/"));
        assertEquals(1, cache.purge("http://shop.example/b"));
        assertEquals(0, cache.purge("/b"));
    }

    @Test
    void compressedVariant_isKept() throws Exception {
        again("compression: {}\ncache: {}");
        origin.at(
                "/page",
                "content ".repeat(1_000),
                "Cache-Control: max-age=600",
                "Content-Type: text/plain");
        for (int i = 0; i < 2; i++) {
            RawHttpClient.Response gzip = front.ask("GET", "/page", "Accept-Encoding: gzip\r\n");
            assertEquals("gzip", gzip.field("Content-Encoding"));
            assertTrue(gzip.body().length < 1_000, () -> "" + gzip.body().length);
            assertEquals(8_000, front.get("/page").body().length);
        }
        assertEquals(2, origin.asked("/page"));
    }
}
