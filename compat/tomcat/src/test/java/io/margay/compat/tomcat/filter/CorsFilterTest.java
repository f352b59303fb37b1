package io.margay.compat.tomcat.filter;

import static io.margay.compat.tomcat.FakeExchange.started;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.compat.tomcat.FakeExchange;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CorsFilterTest {
    private static final String PAGE = "https://page.example";

    private static Filter filter(String... params) throws ServletException {
        Map<String, String> all =
                new java.util.HashMap<>(Map.of("cors.allowed.origins", PAGE + ",http://b.example"));
        for (int i = 0; i < params.length; i += 2) {
            all.put(params[i], params[i + 1]);
        }
        return started(new CorsFilter(), all);
    }

    private static FakeExchange from(String origin, String method) {
        FakeExchange exchange = new FakeExchange();
        exchange.method = method;
        if (origin != null) {
            exchange.header("Origin", origin);
        }
        return exchange;
    }

    @Test
    void cve_2026_59903_whatAnApplicationSaysOfVary_staysBesideOrigin() throws Exception {
        FakeExchange exchange = from(PAGE, "GET");
        exchange.fields.put("Vary", new ArrayList<>(List.of("Authorization")));
        assertTrue(exchange.passes(filter()));
        assertEquals(List.of("Authorization", "Origin"), exchange.fields.get("Vary"));
    }

    @ParameterizedTest
    @CsvSource({
        // origin, asked method, asked fields, allowed?
        "https://page.example, GET, , true",
        "https://page.example, POST, content-type, true",
        "https://page.example, POST, 'Content-Type, Accept', true",
        "https://page.example, PUT, , false",
        "https://page.example, get, , false",
        "https://page.example, GET, x-secret, false",
        "https://page.example, GET, 'accept, x-secret', false",
        "http://page.example, GET, , false",
        "https://page.example:444, GET, , false",
        "https://page.example.evil, GET, , false",
        "null, GET, , false",
        "https://page%2eexample, GET, , false",
        "not an origin, GET, , false",
        "http://b.example, HEAD, '', true"
    })
    void preflight_matrix_isAnsweredByPolicy(
            String origin, String method, String headers, boolean allowed) throws Exception {
        FakeExchange exchange = from(origin, "OPTIONS");
        exchange.header("Access-Control-Request-Method", method);
        if (headers != null) {
            exchange.header("Access-Control-Request-Headers", headers);
        }
        assertFalse(exchange.passes(filter()), "a preflight is answered by the filter");
        assertEquals(allowed ? 200 : 403, exchange.status);
        assertEquals(allowed ? origin : null, exchange.field("Access-Control-Allow-Origin"));
        assertEquals(
                allowed ? "GET,POST,HEAD,OPTIONS" : null,
                exchange.field("Access-Control-Allow-Methods"));
        assertEquals(allowed ? "1800" : null, exchange.field("Access-Control-Max-Age"));
        assertTrue(exchange.field("Vary").startsWith("Origin"));
    }

    @ParameterizedTest
    @CsvSource({
        // method, content type, origin, kind, passes?
        "GET, , https://page.example, simple, true",
        "HEAD, , https://page.example, simple, true",
        "POST, text/plain;charset=utf-8, https://page.example, simple, true",
        "POST, , https://page.example, simple, true",
        "POST, application/json, https://page.example, actual, true",
        "OPTIONS, , https://page.example, actual, true",
        "PUT, , https://page.example, actual, false",
        "GET, , https://evil.example, simple, false",
        "GET, , http://shop.example, , true",
        "GET, , , , true"
    })
    void request_ofEachKind_isNamedAndJudged(
            String method, String type, String origin, String kind, boolean passes)
            throws Exception {
        FakeExchange exchange = from(origin, method);
        exchange.contentType = type;
        assertEquals(passes, exchange.passes(filter()));
        assertEquals(kind, exchange.attributes.get("cors.request.type"));
        assertEquals(kind != null, exchange.attributes.get("cors.isCorsRequest"));
        assertEquals(
                passes && kind != null ? origin : null,
                exchange.field("Access-Control-Allow-Origin"));
    }

    @Test
    void origins_whenNotConfigured_areAllRefused() throws Exception {
        FakeExchange exchange = from(PAGE, "GET");
        assertFalse(exchange.passes(started(new CorsFilter(), Map.of())));
        assertEquals(403, exchange.status);
    }

    @Test
    void anyOrigin_isAnsweredWithStarAndWithoutCredentials() throws Exception {
        FakeExchange exchange = from("https://any.example", "GET");
        assertTrue(exchange.passes(filter("cors.allowed.origins", "*")));
        assertEquals("*", exchange.field("Access-Control-Allow-Origin"));
        assertNull(exchange.field("Access-Control-Allow-Credentials"));
        assertNull(exchange.field("Vary"));
    }

    @Test
    void credentialsAndExposedHeaders_whenConfigured_areTold() throws Exception {
        FakeExchange exchange = from(PAGE, "GET");
        Filter filter =
                filter("cors.support.credentials", "true", "cors.exposed.headers", "X-A, X-B");
        assertTrue(exchange.passes(filter));
        assertEquals("true", exchange.field("Access-Control-Allow-Credentials"));
        assertEquals("X-A,X-B", exchange.field("Access-Control-Expose-Headers"));
    }

    @Test
    void maxAge_negative_isNotTold() throws Exception {
        FakeExchange exchange = from(PAGE, "OPTIONS");
        exchange.header("Access-Control-Request-Method", "GET");
        exchange.passes(filter("cors.preflight.maxage", "-1"));
        assertNull(exchange.field("Access-Control-Max-Age"));
    }

    @Test
    void decoration_switchedOff_setsNothing() throws Exception {
        FakeExchange exchange = from(PAGE, "GET");
        exchange.passes(filter("cors.request.decorate", "false"));
        assertTrue(exchange.attributes.isEmpty());
    }

    @ParameterizedTest
    @CsvSource({
        "cors.allowed.origins, '*,http://a.example'",
        "cors.support.credentials, maybe",
        "cors.preflight.maxage, soon",
        "cors.allowed.origin, http://a.example"
    })
    void parameter_wrong_isToldByName(String name, String value) {
        ServletException failure = assertThrows(ServletException.class, () -> filter(name, value));
        assertTrue(failure.getMessage().contains(name), failure.getMessage());
    }

    @Test
    void anyOrigin_withCredentials_isRefusedAtStart() {
        assertThrows(
                ServletException.class,
                () -> filter("cors.allowed.origins", "*", "cors.support.credentials", "true"));
    }
}
