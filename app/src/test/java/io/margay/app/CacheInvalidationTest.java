package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.cache.CachePurge;
import io.margay.testkit.RawHttpClient;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What is removed from a host with several caches, and what the host says of validated responses.
@Timeout(120)
final class CacheInvalidationTest {
    private static final String FRESH = "Cache-Control: max-age=600";
    private static final String ROBOT = "X-Robot: yes\r\n";
    private static final String HTTPS = "X-Forwarded-Proto: https\r\n";

    private static final String TWO =
            """
            cache:
              - {purge-from: [127.0.0.0/8], when: [{value: "%{HTTP:X-Robot}", regex: yes}]}
              - {purge-from: [127.0.0.0/8]}
            """;

    @TempDir Path folder;

    private CacheOrigin origin;

    @BeforeEach
    void open() throws Exception {
        origin = new CacheOrigin();
    }

    @AfterEach
    void close() throws Exception {
        origin.close();
    }

    private CachedFront front(String host) throws Exception {
        String trusting = "nio, forwarded: {from: [127.0.0.1]}";
        return new CachedFront(folder, origin, trusting, host);
    }

    private static boolean isHit(RawHttpClient.Response response) {
        return String.valueOf(response.field("Cache-Status")).contains("hit");
    }

    @Test
    void change_reachesEveryCacheOfTheHost_andBothSchemes() throws Exception {
        origin.at("/page", "x", FRESH);
        try (CachedFront front = front(TWO)) {
            for (String client : new String[] {"", ROBOT, HTTPS, HTTPS + ROBOT}) {
                assertFalse(isHit(front.ask("GET", "/page", client)), client);
                assertTrue(isHit(front.ask("GET", "/page", client)), client);
            }
            assertEquals(200, front.ask("POST", "/page", "Content-Length: 0\r\n").status());
            for (String client : new String[] {"", ROBOT, HTTPS, HTTPS + ROBOT}) {
                assertFalse(isHit(front.ask("GET", "/page", client)), client);
            }
            assertEquals(200, front.ask("PURGE", "/page", HTTPS).status());
            for (String client : new String[] {"", ROBOT, HTTPS, HTTPS + ROBOT}) {
                assertFalse(isHit(front.ask("GET", "/page", client)), client);
            }
        }
    }

    @Test
    void purgedAuthority_isOfAnyCase() throws Exception {
        origin.at("/Page", "x", FRESH);
        try (CachedFront front = front("cache: {}")) {
            assertEquals(200, front.get("/Page").status());
            var caches = front.server().site().caches();
            var url = new CachePurge(CachePurge.Kind.URL, "HTTP://Shop.Example/page");
            assertEquals(0, url.from(caches), "paths are as they are");
            var other = new CachePurge(CachePurge.Kind.URL, "HTTP://Shop.Example/Page");
            assertEquals(1, other.from(caches));
            assertEquals(200, front.get("/Page").status());
            var all = new CachePurge(CachePurge.Kind.PREFIX, "http://SHOP.example");
            assertEquals(1, all.from(caches));
        }
    }

    // What the host says of validated responses

    private void validating() {
        origin.at(
                "/page",
                exchange -> {
                    boolean same = exchange.request().field("If-None-Match") != null;
                    CacheOrigin.answer(
                            exchange,
                            same ? 304 : 200,
                            same ? "" : "content",
                            "ETag: \"a\"",
                            "Cache-Control: public, no-cache");
                });
    }

    @Test
    void validatedResponse_isFreshForAsLongAsTheHostSays() throws Exception {
        validating();
        String host =
                """
                cache: {}
                response-headers: [{set: Cache-Control, value: "max-age=600"}]
                """;
        try (CachedFront front = front(host)) {
            assertEquals(200, front.get("/page").status());
            assertTrue(isHit(front.get("/page")));
            RawHttpClient.Response validated =
                    front.ask("GET", "/page", "Cache-Control: no-cache\r\n");
            assertEquals("content", validated.text());
            assertEquals("max-age=600", validated.field("Cache-Control"));
            assertEquals(2, origin.asked("/page"));
            RawHttpClient.Response hit = front.get("/page");
            assertTrue(isHit(hit), "as a new one would be");
            assertEquals(1, hit.all("Cache-Control").size());
            assertEquals(2, origin.asked("/page"));
        }
    }

    @Test
    void validatedResponse_thatTheHostCallsPrivate_isForgotten() throws Exception {
        validating();
        String host =
                """
                cache: {}
                response-headers:
                  - {set: Cache-Control, value: "max-age=600"}
                  - set: Cache-Control
                    value: private
                    when: [{value: "%{HTTP:X-Own}", regex: yes}]
                """;
        try (CachedFront front = front(host)) {
            assertEquals(200, front.get("/page").status());
            RawHttpClient.Response own =
                    front.ask("GET", "/page", "X-Own: yes\r\nCache-Control: no-cache\r\n");
            assertEquals("private", own.field("Cache-Control"));
            assertFalse(isHit(front.get("/page")), "the last answer was for one client");
        }
    }
}
