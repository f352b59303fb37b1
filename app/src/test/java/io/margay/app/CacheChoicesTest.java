package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What an administrator chooses beside what requests and responses say themselves.
@Timeout(120)
final class CacheChoicesTest {
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

    private void front(String host) throws Exception {
        front = new CachedFront(folder, origin, "nio", host);
    }

    private int asked(String path, String... fields) throws IOException {
        for (String field : fields) {
            RawHttpClient.Response _ =
                    front.ask("GET", path, field.isEmpty() ? "" : field + "\r\n");
        }
        return origin.asked(path);
    }

    @Test
    void key_separatesResponses_andNoOneGetsAnothersBecauseItIsUndecided() throws Exception {
        front("cache: {vary-by: \"%{COOKIE:theme}\", ignore-query: true}");
        origin.at(
                "/page",
                exchange -> {
                    String cookie = String.valueOf(exchange.request().field("Cookie"));
                    CacheOrigin.answer(exchange, 200, cookie, "Cache-Control: max-age=600");
                });
        assertEquals(1, asked("/page", "Cookie: theme=dark", "Cookie: theme=dark; a=1"));
        assertEquals(2, asked("/page", "Cookie: theme=light", "Cookie: theme=light"));
        assertEquals("theme=dark", front.ask("GET", "/page?q", "Cookie: theme=dark\r\n").text());
        assertEquals(2, origin.asked("/page"));
        assertEquals(200, front.ask("POST", "/page?x", "Content-Length: 0\r\n").status());
        assertEquals(4, asked("/page", "Cookie: theme=dark"), "a change removes it");
    }

    @Test
    void clientsControl_isIgnored() throws Exception {
        front("cache: {ignore-request-control: true}");
        origin.at("/page", "content", "Cache-Control: max-age=600");
        assertEquals(
                1,
                asked(
                        "/page",
                        "Cache-Control: no-store",
                        "Cache-Control: no-cache",
                        "Pragma: no-cache"));
    }

    @Test
    void statusAges_areForRequestsWithCookies_andNoOtherStatus() throws Exception {
        front("cache: {status-ages: {\"404\": 1m, any: 0s, \"200\": 1m}}");
        origin.at("/page", "content");
        origin.at("/error", exchange -> CacheOrigin.answer(exchange, 500, "no"));
        assertEquals(1, asked("/page", "Cookie: a=1", "", "Cookie: a=2"));
        assertEquals(1, asked("/none", "", ""));
        assertEquals(2, asked("/error", "", ""));
        origin.at("/own", "content", "Cache-Control: private");
        assertEquals(2, asked("/own", "", ""));
        origin.at("/set", "content", "Set-Cookie: a=b");
        assertEquals(2, asked("/set", "", ""));
    }

    @Test
    void droppedCookie_isForTheFirstClientAlone() throws Exception {
        front("cache: {drop-fields: [Set-Cookie]}");
        origin.at("/page", "content", "Cache-Control: max-age=600", "Set-Cookie: id=secret");
        assertEquals("id=secret", front.get("/page").field("Set-Cookie"));
        RawHttpClient.Response second = front.get("/page");
        assertNull(second.field("Set-Cookie"));
        assertTrue(String.valueOf(second.field("Cache-Status")).contains("hit"));
    }

    @Test
    void bypass_andNoStore() throws Exception {
        front(
                """
                cache:
                  bypass: [{value: "%{HTTP:X-Fresh}", regex: "."}]
                  no-store: [{value: "%{HTTP:X-No}", regex: "."}]
                """);
        AtomicInteger count = new AtomicInteger();
        origin.at(
                "/page",
                exchange ->
                        CacheOrigin.answer(
                                exchange,
                                200,
                                "c" + count.incrementAndGet(),
                                "Cache-Control: max-age=600"));
        assertEquals("c1", front.ask("GET", "/page", "X-No: 1\r\n").text());
        assertEquals("c2", front.get("/page").text());
        assertEquals("c3", front.ask("GET", "/page", "X-Fresh: 1\r\n").text());
        assertEquals("c3", front.get("/page").text(), "it is kept in the place of the one before");
    }

    @Test
    void undecidedBypass_keepsNothing() throws Exception {
        front(
                """
                cache:
                  no-store: [{value: "%{HTTP:X-No}", regex: "^(a+)+(a+)+(a+)+(a+)+$"}]
                """);
        origin.at("/page", "content", "Cache-Control: max-age=600");
        String undecided = "X-No: " + "a".repeat(4000) + "!";
        int asked = asked("/page", undecided, undecided);
        assertNotEquals(1, asked);
    }

    @Test
    void minUses_countsRequests() throws Exception {
        front("cache: {min-uses: 3}");
        origin.at("/page", "content", "Cache-Control: max-age=600");
        assertEquals(3, asked("/page", "", "", "", "", ""));
    }

    @Test
    void asSent_doesNotSeeWhatTheHostChanges() throws Exception {
        front(
                """
                response-headers: [{set: Cache-Control, value: "max-age=600"}]
                cache: {as-sent: true}
                """);
        origin.at("/page", "content");
        origin.at("/accel", "content", "X-Accel-Expires: 60", "Cache-Control: private");
        assertEquals(2, asked("/page", "", ""), "what the host tells clients is not for the cache");
        assertEquals(1, asked("/accel", "", ""));
    }

    @Test
    void whileOneFetches_othersGetWhatIsStale() throws Exception {
        front("cache: {stale-while-fetched: true, wait: 0s, status-ages: {\"200\": 1s}}");
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goes = new CountDownLatch(1);
        AtomicInteger count = new AtomicInteger();
        origin.at(
                "/page",
                exchange -> {
                    int number = count.incrementAndGet();
                    if (number > 1) {
                        begun.countDown();
                        await(goes);
                    }
                    CacheOrigin.answer(
                            exchange, 200, "c" + number, number == 1 ? "Age: 100" : "X-A: b");
                });
        assertEquals("c1", front.get("/page").text());
        Thread first =
                Thread.ofVirtual()
                        .start(() -> {
                            try {
                                RawHttpClient.Response _ = front.get("/page");
                            } catch (IOException e) {
                                throw new IllegalStateException(e);
                            }
                        });
        await(begun);
        assertEquals("c1", front.get("/page").text());
        goes.countDown();
        first.join();
        assertEquals(2, count.get());
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(60, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void staleOn_namesTheStatuses() throws Exception {
        front("cache: {stale-on: [\"404\"], stale-if-error: 1h, status-ages: {\"200\": 1s}}");
        AtomicInteger status = new AtomicInteger(200);
        origin.at("/page", exchange -> CacheOrigin.answer(exchange, status.get(), "c", "Age: 100"));
        assertEquals(200, front.get("/page").status());
        status.set(404);
        assertEquals(200, front.get("/page").status());
        status.set(503);
        assertEquals(503, front.get("/page").status());
    }

    @Test
    void whatTheCacheDid_isAVariable() throws Exception {
        front(
                """
                response-headers: [{set: X-Cache, value: "%{CACHE_STATUS}"}]
                cache: {}
                """);
        origin.at("/page", "content", "Cache-Control: max-age=600");
        assertEquals("MISS", front.get("/page").field("X-Cache"));
        assertEquals("HIT", front.get("/page").field("X-Cache"));
        assertEquals(
                "EXPIRED",
                front.ask("GET", "/page", "Cache-Control: no-cache\r\n").field("X-Cache"));
    }
}
