package io.margay.compat.tomcat.filter;

import static io.margay.compat.tomcat.FakeExchange.started;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.compat.tomcat.FakeExchange;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CsrfPreventionFilterTest {
    private final FakeExchange exchange = new FakeExchange();

    @BeforeEach
    void atTheEntry() {
        exchange.servletPath = "/";
        exchange.uri = "/app/";
    }

    private static Filter filter(String... params) throws ServletException {
        Map<String, String> all = new HashMap<>(Map.of("entryPoints", "/,/login"));
        for (int i = 0; i < params.length; i += 2) {
            all.put(params[i], params[i + 1]);
        }
        return started(new CsrfPreventionFilter(), all);
    }

    /// The nonce of the page that is served at the entry.
    private String enter(Filter filter) throws Exception {
        exchange.method = "GET";
        exchange.servletPath = "/";
        exchange.parameters.clear();
        assertTrue(exchange.passes(filter));
        return (String) exchange.attributes.get(CsrfPreventionFilter.REQUEST_NONCE);
    }

    private boolean posts(Filter filter, String nonce) throws Exception {
        exchange.method = "POST";
        exchange.servletPath = "/transfer";
        exchange.parameters.clear();
        if (nonce != null) {
            exchange.parameters.put(CsrfPreventionFilter.NONCES, nonce);
        }
        return exchange.passes(filter);
    }

    @Test
    void entry_isFree_andItsAddressesCarryTheNonce() throws Exception {
        String nonce = enter(filter());
        assertEquals(32, nonce.length());
        assertEquals(
                "/app/x?" + CsrfPreventionFilter.NONCES + "=" + nonce,
                exchange.given.encodeURL("/app/x"));
        assertEquals(
                "x?a=b&" + CsrfPreventionFilter.NONCES + "=" + nonce + "#top",
                exchange.given.encodeRedirectURL("x?a=b#top"));
    }

    @Test
    void request_withTheNonce_passes_andWithoutDoesNot() throws Exception {
        Filter filter = filter();
        String nonce = enter(filter);
        assertTrue(posts(filter, nonce));
        assertFalse(posts(filter, null));
        assertEquals(403, exchange.error);
        assertFalse(posts(filter, nonce + "0"));
        assertFalse(posts(filter, ""));
    }

    @Test
    void nonce_ofAnotherSession_isNotAccepted() throws Exception {
        Filter filter = filter();
        String nonce = enter(filter);
        exchange.session = null;
        assertFalse(posts(filter, nonce));
        assertNull(exchange.session, "a refused request begins no session");
        enter(filter);
        assertFalse(posts(filter, nonce));
    }

    @Test
    void entry_asPost_isNotFree() throws Exception {
        exchange.method = "POST";
        assertFalse(exchange.passes(filter()));
    }

    @Test
    void nonces_beyondTheCache_areForgotten_leastRecentlyUsedFirst() throws Exception {
        Filter filter = filter("nonceCacheSize", "2");
        String first = enter(filter);
        String second = enter(filter);
        assertNotEquals(first, second);
        // Using the first makes it recent; the page of that request gets a third.
        assertTrue(posts(filter, first));
        assertFalse(posts(filter, second));
        assertTrue(posts(filter, first));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://evil.example/app/x",
                "//evil.example/x",
                "\\\\evil.example\\x",
                "http://shop.example.evil/x",
                "http://shop.example@evil.example/x",
                "https://shop.example/x",
                "mailto:a@shop.example",
                "javascript:f()",
                "#here",
                "/app/style.css",
                "/app/logo.png?v=2",
                "pic.svg"
            })
    void address_elsewhereOrPlain_carriesNoNonce(String url) throws Exception {
        enter(filter());
        assertEquals(url, exchange.given.encodeURL(url));
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://shop.example/app/x", "http://shop.example", "?a=b", "a/b:c"})
    void address_ofThisHost_carriesTheNonce(String url) throws Exception {
        enter(filter());
        assertTrue(exchange.given.encodeURL(url).contains(CsrfPreventionFilter.NONCES));
    }

    @ParameterizedTest
    @CsvSource({
        "'/images/*', /images/a, true",
        "'/images/*', /other/a, false",
        "*.txt, /a.txt, true",
        "'mime:image/*', /a.webp, true",
        "'mime:image/*', /a.bin, false",
        "//static/.*|/s/.*/, /s/1, true",
        "//static/.*|/s/.*/, /t/s/1, false"
    })
    void path_withoutNonce_isFreeForGetOnly(String patterns, String path, boolean free)
            throws Exception {
        Filter filter = filter("noNonceURLPatterns", patterns);
        exchange.servletPath = path;
        assertEquals(free, exchange.passes(filter));
        exchange.method = "POST";
        assertFalse(exchange.passes(filter));
    }

    @Test
    void enforcement_switchedOff_letsEverythingThrough() throws Exception {
        assertTrue(posts(filter("enforce", "false"), "wrong"));
    }

    @Test
    void nonceName_andStatus_canBeChosen() throws Exception {
        Filter filter = filter("nonceRequestParameterName", "n", "denyStatus", "404");
        String nonce = enter(filter);
        assertEquals("x?n=" + nonce, exchange.given.encodeURL("x"));
        assertFalse(posts(filter, nonce), "the old name says nothing");
        assertEquals(404, exchange.error);
    }

    @Test
    void nonces_inTheSession_areClassesOfTheJdk() throws Exception {
        enter(filter());
        Object kept = exchange.session.get(CsrfPreventionFilter.NONCES);
        assertTrue(kept instanceof java.io.Serializable);
        assertTrue(kept.getClass().getName().startsWith("java.util."));
    }

    @ParameterizedTest
    @CsvSource({
        "nonceCacheSize, 0",
        "denyStatus, 99",
        "enforce, no",
        "noNonceURLPatterns, /(/",
        "nonceRequestParameterName, a&b",
        "entrypoints, /"
    })
    void parameter_wrong_isToldByName(String name, String value) {
        ServletException failure = assertThrows(ServletException.class, () -> filter(name, value));
        assertTrue(failure.getMessage().contains(name), failure.getMessage());
    }
}
