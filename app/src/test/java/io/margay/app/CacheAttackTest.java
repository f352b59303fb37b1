package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.server.exchange.Exchange;
import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What is tried against shared caches: getting at what another user got, giving others what an
/// attacker has asked for, and filling the memory.
@Timeout(300)
final class CacheAttackTest {
    private static final String FRESH = "Cache-Control: max-age=600";

    @TempDir Path folder;

    private CacheOrigin origin;
    private CachedFront front;

    @BeforeEach
    void open() throws Exception {
        origin = new CacheOrigin();
        front = new CachedFront(folder, origin, "nio", "cache: {response-max: 20KiB}");
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

    private static boolean isHit(RawHttpClient.Response response) {
        return String.valueOf(response.field("Cache-Status")).contains("hit");
    }

    // What is another's

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Set-Cookie: id=1",
                "Cache-Control: private",
                "Cache-Control: no-store",
                "Vary: *"
            })
    void responseForOneClient_isNotKept(String field) throws Exception {
        origin.at("/page", "x", FRESH, field);
        assertEquals(200, front.get("/page").status());
        assertFalse(isHit(front.get("/page")));
        assertEquals(2, origin.asked("/page"));
    }

    /// Nobody has said that it is the same for all, and a client may ask for what is stale.
    @Test
    void responseThatSaysNothing_toARequestWithACookie_isNotKept() throws Exception {
        origin.at("/page", "of one", "ETag: \"1\"");
        assertEquals(200, front.ask("GET", "/page", "Cookie: id=1\r\n").status());
        assertFalse(isHit(front.ask("GET", "/page", "Cache-Control: max-stale\r\n")));
        assertEquals(2, origin.asked("/page"));
    }

    @Test
    void cookieThatTheHostSetsItself_keepsTheResponseOut() throws Exception {
        again("cache: {}\nresponse-headers: [{set: Set-Cookie, value: \"a=1\"}]");
        origin.at("/page", "x", FRESH);
        assertEquals("a=1", front.get("/page").field("Set-Cookie"));
        assertFalse(isHit(front.get("/page")));
    }

    @Test
    void fieldsOfTheHost_areThoseOfThisRequest_alsoOnAHit() throws Exception {
        again(
                "cache: {}\nresponse-headers: [{add: X-Path, value:"
                        + " \"%{REQUEST_URI}\"}, {add: X-Who, value: \"%{HTTP:X-Who}\"}]");
        origin.at("/page", "x", FRESH);
        assertEquals("a", front.ask("GET", "/page", "X-Who: a\r\n").field("X-Who"));
        RawHttpClient.Response hit = front.ask("GET", "/page", "X-Who: b\r\n");
        assertTrue(isHit(hit));
        assertEquals(List.of("b"), hit.all("X-Who"));
        assertEquals(List.of("/page"), hit.all("X-Path"));
    }

    @Test
    void responseToAuthorization_isForNobodyElse() throws Exception {
        origin.at("/page", "x", FRESH);
        origin.at("/all", "x", "Cache-Control: public, max-age=600");
        String authorized = "Authorization: Bearer a\r\n";
        assertEquals(200, front.ask("GET", "/page", authorized).status());
        assertFalse(isHit(front.get("/page")));
        assertFalse(isHit(front.ask("GET", "/page", authorized)), "nor the other way");
        assertEquals(200, front.ask("GET", "/all", authorized).status());
        assertTrue(isHit(front.get("/all")));
    }

    /// Whoever has logged in at the host gets nothing that is kept, and nothing of theirs is.
    @Test
    void usersOfTheHost_areApart() throws Exception {
        Files.writeString(folder.resolve("users"), "ada:{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=\n");
        again(
                """
                cache: {}
                access:
                  login: {users: users, name: Staff}
                  sections: [{path: /open, require: [{everybody: true}]}]\
                """);
        origin.at("/page", "x", "Cache-Control: public, max-age=600");
        String ada = "Authorization: Basic YWRhOnNlY3JldA==\r\n";
        assertEquals(401, front.get("/page").status());
        assertEquals(200, front.ask("GET", "/page", ada).status());
        assertFalse(isHit(front.ask("GET", "/page", ada)));
        assertEquals(2, origin.asked("/page"));
        assertEquals(401, front.get("/page").status());
    }

    // Poisoning and deception

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X-Forwarded-Host: evil.example",
                "x-forwarded-scheme: http",
                "X-Original-URL: /admin",
                "X-Rewrite-URL: /admin",
                "X-HTTP-Method-Override: POST",
                "Forwarded: host=evil.example"
            })
    void fieldThatIsNotInTheKey_keepsTheResponseOut(String field) throws Exception {
        origin.at("/page", "x", FRESH);
        assertEquals(200, front.ask("GET", "/page", field + "\r\n").status());
        assertFalse(isHit(front.get("/page")));
        assertTrue(isHit(front.get("/page")));
    }

    @Test
    void hostAndScheme_areInTheKey() throws Exception {
        origin.at("/page", "x", FRESH);
        assertEquals(200, front.get("/page").status());
        try (RawHttpClient client = front.client()) {
            client.send("GET /page HTTP/1.1\r\nHost: evil.example\r\n\r\n");
            assertFalse(isHit(client.response()));
            client.send("GET /page HTTP/1.1\r\nHost: SHOP.example\r\n\r\n");
            assertTrue(isHit(client.response()));
        }
    }

    /// The page of the account at a path that looks like a file.
    @Test
    void endOfAPath_saysNothing() throws Exception {
        again("cache: {default-age: 60s}");
        origin.at("/account/x.css", exchange -> page(exchange));
        assertEquals(200, front.ask("GET", "/account/x.css", "Cookie: id=1\r\n").status());
        assertFalse(isHit(front.get("/account/x.css")), "it was for who has the cookie");
        origin.at("/account/y.css", "x", "Cache-Control: no-store");
        assertEquals(200, front.get("/account/y.css").status());
        assertFalse(isHit(front.get("/account/y.css")));
    }

    private static void page(Exchange exchange) throws IOException {
        CacheOrigin.answer(exchange, 200, "for " + exchange.request().field("Cookie"));
    }

    @Test
    void spellingsOfAPath_areKeptApart() throws Exception {
        for (String path : List.of("/a/b", "/a/%62", "/a;x/b")) {
            origin.at(path, path, FRESH);
        }
        for (String path : List.of("/a/b", "/a/%62", "/a;x/b")) {
            assertFalse(isHit(front.get(path)), path);
            assertTrue(isHit(front.get(path)), path);
        }
    }

    @Test
    void contentOfAGet_isNotInTheKey() throws Exception {
        origin.at("/page", "x", FRESH);
        try (RawHttpClient client = front.client()) {
            client.send("GET /page HTTP/1.1\r\nHost: shop.example\r\nContent-Length: 3\r\n\r\nabc");
            assertEquals(200, client.response().status());
        }
        assertFalse(isHit(front.get("/page")));
    }

    // What must not become a stored response

    @Test
    void responseThatIsCutOff_isNotKept() throws Exception {
        AtomicInteger round = new AtomicInteger();
        origin.at(
                "/page",
                exchange -> {
                    exchange.fields().add("Cache-Control", "max-age=600");
                    if (round.incrementAndGet() == 1) {
                        exchange.fields().add("Content-Length", "10");
                        byte[] half = "01234".getBytes(StandardCharsets.US_ASCII);
                        exchange.offer(half, 0, half.length);
                        exchange.abort();
                    } else {
                        CacheOrigin.answer(exchange, 200, "whole");
                    }
                });
        try (RawHttpClient client = front.client()) {
            client.send("GET /page HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\n\r\n");
            String all = client.readToEnd();
            assertFalse(all.contains("0123456789"), all);
        }
        RawHttpClient.Response next = front.get("/page");
        assertEquals("whole", next.text());
        assertEquals(2, round.get());
    }

    /// A response within the content of another one stays content.
    @Test
    void responseWithinContent_staysContent() throws Exception {
        String inner = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil";
        origin.at("/page", inner, FRESH);
        assertEquals(inner, front.get("/page").text());
        try (RawHttpClient client = front.client()) {
            client.send("GET /page HTTP/1.1\r\nHost: shop.example\r\n\r\n");
            client.send("GET /page HTTP/1.1\r\nHost: shop.example\r\n\r\n");
            assertEquals(inner, client.response().text());
            assertEquals(inner, client.response().text());
        }
        assertEquals(1, origin.asked("/page"));
    }

    // Memory

    @Test
    void largeResponses_areNotKept() throws Exception {
        origin.at("/told", "x".repeat(30_000), FRESH);
        origin.at(
                "/open",
                exchange -> {
                    exchange.fields().add("Cache-Control", "max-age=600");
                    byte[] part = new byte[10_000];
                    for (int i = 0; i < 3; i++) {
                        exchange.offer(part, 0, part.length);
                    }
                    exchange.end();
                });
        for (String path : List.of("/told", "/open")) {
            assertEquals(30_000, front.get(path).body().length);
            assertFalse(isHit(front.get(path)), path);
        }
        assertEquals(0, bytes());
    }

    @Test
    void manyUrlsAndVariants_stayWithinTheMemory() throws Exception {
        again("cache: {memory: 200KiB, variants: 4}");
        origin.at(
                "/page",
                exchange ->
                        CacheOrigin.answer(
                                exchange, 200, "x".repeat(5_000), FRESH, "Vary: X-Kind"));
        try (RawHttpClient client = front.client()) {
            for (int i = 0; i < 400; i++) {
                client.send(
                        "GET /page?"
                                + i % 100
                                + " HTTP/1.1\r\nHost: shop.example\r\nX-Kind: "
                                + i
                                + "\r\n\r\n");
                assertEquals(200, client.response().status());
                assertTrue(bytes() <= 200 * 1024, () -> bytes() + " bytes");
            }
        }
        assertTrue(bytes() > 50_000, () -> bytes() + " bytes");
    }

    private long bytes() {
        return front.server().site().meters().stream()
                .filter(meter -> meter.name().equals("margay_cache_bytes"))
                .mapToLong(meter -> (long) meter.read().getAsDouble())
                .sum();
    }

    // Overload

    @Test
    void refusedClients_getWhatIsKept_andNothingElse() throws Exception {
        again(
                """
                cache: {stale-if-overloaded: true}
                rate-limits: [{rate: 2/h, burst: 2}]\
                """);
        origin.at("/page", "x", "Cache-Control: max-age=5", "Age: 10", "ETag: \"a\"");
        origin.at("/other", "x", FRESH);
        assertEquals(200, front.get("/page").status());
        assertEquals(404, front.get("/missing").status());
        RawHttpClient.Response stale = front.get("/page");
        assertEquals(200, stale.status());
        assertTrue(
                String.valueOf(stale.field("Cache-Status")).contains("overloaded"),
                stale.field("Cache-Status"));
        assertEquals(1, origin.asked("/page"));
        RawHttpClient.Response refused = front.get("/other");
        assertEquals(429, refused.status());
        assertNull(refused.field("Cache-Status"));
        assertEquals(429, front.ask("POST", "/page", "Content-Length: 0\r\n").status());
        assertEquals(0, origin.asked("/other"));
    }

    @Test
    void clientsOverTheirBudget_getWhatIsKept_inPlaceOfAChallenge() throws Exception {
        again(
                """
                cache: {stale-if-overloaded: true}
                shield: {budget: {cost: 1ms, window: 1h, by: address, cheap: 0s}}\
                """);
        origin.at(
                "/page",
                exchange -> {
                    long until = System.nanoTime() + 10_000_000;
                    while (System.nanoTime() < until) {
                        Thread.onSpinWait();
                    }
                    CacheOrigin.answer(
                            exchange,
                            200,
                            "x",
                            "Cache-Control: max-age=5",
                            "Age: 10",
                            "ETag: \"a\"");
                });
        origin.at("/other", "x", FRESH);
        assertEquals(200, front.get("/page").status());
        RawHttpClient.Response stale = front.get("/page");
        assertEquals("x", stale.text());
        assertTrue(
                String.valueOf(stale.field("Cache-Status")).contains("overloaded"),
                stale.field("Cache-Status"));
        assertEquals(1, origin.asked("/page"));
        assertEquals(429, front.get("/other").status());
        assertEquals(0, origin.asked("/other"));
    }

    // All of it at once

    /// Pairs of users ask for pages that are for one of them, or for all: nothing of one reaches
    /// the other. `margay.cache.pairs` says how many pairs.
    @Test
    void pairsOfUsers_neverGetWhatIsTheOthers() throws Exception {
        int pairs = Integer.getInteger("margay.cache.pairs", 2_000);
        long seed = Long.getLong("margay.cache.seed", System.nanoTime());
        Random random = new Random(seed);
        again("cache: {default-age: 60s, stale-if-error: 60s, memory: 1MiB}");
        origin.at("/any", CacheAttackTest::anything);
        int hits = 0;
        try (RawHttpClient one = front.client();
                RawHttpClient other = front.client()) {
            for (int begin = 0; begin < pairs; begin += PAIRS_AT_ONCE) {
                int end = Math.min(pairs, begin + PAIRS_AT_ONCE);
                StringBuilder first = new StringBuilder();
                StringBuilder second = new StringBuilder();
                for (int i = begin; i < end; i++) {
                    String target = "/any?" + random.nextInt(KINDS) + "-" + random.nextInt(50);
                    first.append(request(random, target, "one" + i));
                    second.append(request(random, target, "two" + i));
                }
                one.send(first.toString());
                other.send(second.toString());
                for (int i = begin; i < end; i++) {
                    RawHttpClient.Response forOne = one.response();
                    RawHttpClient.Response forOther = other.response();
                    hits += isHit(forOne) || isHit(forOther) ? 1 : 0;
                    check(forOne, "one" + i, seed);
                    check(forOther, "two" + i, seed);
                }
            }
        }
        int all = hits;
        assertTrue(all > pairs / 50, () -> all + " hits of " + pairs + ", seed " + seed);
        assertNotEquals(0, bytes());
    }

    private static final int KINDS = 10;

    /// Sent in one go: of a million pairs most of the time would be system calls.
    private static final int PAIRS_AT_ONCE = 50;

    private static String request(Random random, String target, String user) {
        String credentials =
                switch (random.nextInt(4)) {
                    case 0 -> "Authorization: Bearer " + user + "\r\n";
                    case 1 -> "Cookie: id=" + user + "\r\n";
                    case 2 -> "Authorization: Bearer " + user + "\r\nCookie: id=x\r\n";
                    default -> "";
                };
        return "GET "
                + target
                + " HTTP/1.1\r\nHost: shop.example\r\nX-User: "
                + user
                + "\r\n"
                + credentials
                + "\r\n";
    }

    /// What only its user may see is marked: content and a field name who it was made for.
    private static void check(RawHttpClient.Response response, String user, long seed) {
        String owner = response.field("X-Owner");
        assertEquals(200, response.status());
        if (owner != null) {
            assertEquals(user, owner, "seed " + seed);
            assertEquals("private of " + user, response.text(), "seed " + seed);
        } else {
            assertEquals("public", response.text(), "seed " + seed);
        }
    }

    private static void anything(Exchange exchange) throws IOException {
        String query = String.valueOf(exchange.request().target().rawQuery());
        String user = String.valueOf(exchange.request().field("X-User"));
        boolean authorized = exchange.request().field("Authorization") != null;
        boolean cookie = exchange.request().field("Cookie") != null;
        String owner = "X-Owner: " + user;
        String own = "private of " + user;
        switch (query.charAt(0) - '0') {
            case 0 -> CacheOrigin.answer(exchange, 200, own, owner, "Cache-Control: private");
            case 1 ->
                    CacheOrigin.answer(exchange, 200, own, owner, FRESH, "Set-Cookie: id=" + user);
            case 2 ->
                    CacheOrigin.answer(
                            exchange, 200, own, owner, "Cache-Control: no-store, max-age=60");
            case 3 -> CacheOrigin.answer(exchange, 200, own, owner, FRESH, "Vary: *");
            case 4 -> CacheOrigin.answer(exchange, 200, own, owner, FRESH, "Vary: X-User");
            case 5 -> {
                // For who is authorized it is theirs, though it says nothing of that.
                if (authorized) {
                    CacheOrigin.answer(exchange, 200, own, owner, FRESH);
                } else {
                    CacheOrigin.answer(exchange, 200, "public", FRESH);
                }
            }
            case 6 -> {
                // Without a word on how long, for who has a cookie it may be anything.
                if (cookie || authorized) {
                    CacheOrigin.answer(exchange, 200, own, owner);
                } else {
                    CacheOrigin.answer(exchange, 200, "public", "Vary: Cookie, Authorization");
                }
            }
            case 7 -> CacheOrigin.answer(exchange, 200, own, owner, "CDN-Cache-Control: private");
            case 8 -> CacheOrigin.answer(exchange, 200, "public", FRESH);
            default ->
                    CacheOrigin.answer(
                            exchange, 200, "public", "Cache-Control: public, max-age=60");
        }
    }
}
