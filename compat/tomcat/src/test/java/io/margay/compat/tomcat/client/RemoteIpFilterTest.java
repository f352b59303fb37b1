package io.margay.compat.tomcat.client;

import static io.margay.compat.tomcat.FakeExchange.started;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.compat.tomcat.FakeExchange;
import io.margay.servlet.settings.ForwardedRequests;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RemoteIpFilterTest {
    private static Filter filter(String... params) throws ServletException {
        Map<String, String> all = new HashMap<>(Map.of("internalProxies", "192.168.0.10/31"));
        for (int i = 0; i < params.length; i += 2) {
            all.put(params[i], params[i + 1]);
        }
        return started(new RemoteIpFilter(), all);
    }

    private static FakeExchange by(String peer, String forwardedFor) {
        FakeExchange exchange = new FakeExchange();
        exchange.remoteAddr = peer;
        exchange.remoteHost = peer;
        exchange.header("X-Forwarded-For", forwardedFor);
        return exchange;
    }

    @ParameterizedTest
    @CsvSource({
        // way, client, X-Forwarded-For left, X-Forwarded-By
        "'140.211.11.130', 140.211.11.130, , ",
        "'140.211.11.130, 192.168.0.10', 140.211.11.130, , ",
        "'140.211.11.130, proxy1, proxy2', 140.211.11.130, , 'proxy1, proxy2'",
        "'140.211.11.130, proxy1, proxy2, 192.168.0.11', 140.211.11.130, , 'proxy1, proxy2'",
        "'140.211.11.130, 203.0.113.9, proxy1', 203.0.113.9, 140.211.11.130, proxy1",
        "'140.211.11.130, unknown, proxy1', proxy1, '140.211.11.130, unknown', proxy1",
        "'192.168.0.10', 192.168.0.10, , ",
        "'2001:db8::7', 2001:db8::7, , "
    })
    void way_throughBelievedProxies_leadsToTheNearestOther(
            String way, String client, String left, String by) throws Exception {
        FakeExchange exchange = by("192.168.0.10", way);
        assertTrue(exchange.passes(filter("trustedProxies", "proxy1|proxy2")));
        assertEquals(client, exchange.seen.getRemoteAddr());
        assertEquals(client, exchange.seen.getRemoteHost());
        assertEquals(left, exchange.seen.getHeader("X-Forwarded-For"));
        assertEquals(by, exchange.seen.getHeader("X-Forwarded-By"));
    }

    @Test
    void way_inSeveralFields_isOneList() throws Exception {
        FakeExchange exchange = by("192.168.0.10", "1.1.1.1");
        exchange.header("X-Forwarded-For", "1.1.1.1", "2.2.2.2");
        exchange.passes(filter());
        assertEquals("2.2.2.2", exchange.seen.getRemoteAddr());
        assertEquals("1.1.1.1", exchange.seen.getHeader("X-Forwarded-For"));
    }

    @Test
    void peer_notBelieved_losesItsForwardingFields() throws Exception {
        FakeExchange exchange = by("10.0.0.1", "127.0.0.1");
        exchange.header("X-Forwarded-Proto", "https").header("X-Forwarded-By", "10.0.0.9");
        exchange.header("Accept", "text/html");
        exchange.passes(filter());
        assertEquals("10.0.0.1", exchange.seen.getRemoteAddr());
        assertFalse(exchange.seen.isSecure());
        assertNull(exchange.seen.getHeader("x-forwarded-for"));
        assertNull(exchange.seen.getHeader("X-Forwarded-Proto"));
        assertEquals(java.util.List.of("Accept"), Collections.list(exchange.seen.getHeaderNames()));
        assertEquals(false, exchange.attributes.get(ForwardedRequests.SECURE));
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, true", "127.8.8.8, true", "::1, true", "0:0:0:0:0:0:0:1, true",
        "10.0.0.1, false", "172.16.0.1, false", "192.168.0.1, false", "169.254.1.1, false",
        "100.64.0.1, false", "fe80::1, false", "fc00::1, false", "192.0.2.1, false"
    })
    void peer_whenNoneIsListed_isBelievedOnThisMachineOnly(String peer, boolean believed)
            throws Exception {
        FakeExchange exchange = by(peer, "198.51.100.1");
        exchange.passes(started(new RemoteIpFilter(), Map.of()));
        assertEquals(believed ? "198.51.100.1" : peer, exchange.seen.getRemoteAddr());
    }

    @Test
    void protocol_https_isSecureForTheApplicationAndTheContainer_CVE_2023_28708() throws Exception {
        FakeExchange exchange = by("192.168.0.10", "198.51.100.1");
        exchange.header("X-Forwarded-Proto", "HTTPS");
        exchange.passes(filter());
        assertTrue(exchange.seen.isSecure());
        assertEquals("https", exchange.seen.getScheme());
        assertEquals(443, exchange.seen.getServerPort());
        assertEquals("https://shop.example/app/page", exchange.seen.getRequestURL().toString());
        assertEquals(true, exchange.attributes.get(ForwardedRequests.SECURE));
    }

    @Test
    void protocol_oneOfSeveralPlain_isPlain() throws Exception {
        FakeExchange exchange = by("192.168.0.10", "198.51.100.1");
        exchange.header("X-Forwarded-Proto", "https, http");
        exchange.secure = true;
        exchange.passes(filter("httpServerPort", "8080"));
        assertFalse(exchange.seen.isSecure());
        assertEquals("http://shop.example:8080/app/page", exchange.seen.getRequestURL().toString());
    }

    @ParameterizedTest
    @CsvSource({
        "www.example, 8443, www.example, 8443",
        "www.example:9443, , www.example, 443",
        "[2001:db8::1], 99999, [2001:db8::1], 443",
        "'evil.example/x', 8443, shop.example, 8443"
    })
    void hostAndPort_fromConfiguredFields_areShown(
            String host, String port, String name, int shownPort) throws Exception {
        FakeExchange exchange = by("192.168.0.10", "198.51.100.1");
        exchange.header("X-Forwarded-Proto", "https").header("X-Forwarded-Host", host);
        if (port != null) {
            exchange.header("X-Forwarded-Port", port);
        }
        exchange.passes(filter("hostHeader", "X-Forwarded-Host", "portHeader", "X-Forwarded-Port"));
        assertEquals(name, exchange.seen.getServerName());
        assertEquals(shownPort, exchange.seen.getServerPort());
    }

    @Test
    void host_withPort_whenNoPortFieldIsConfigured_givesThePort() throws Exception {
        FakeExchange exchange = by("192.168.0.10", "198.51.100.1");
        exchange.header("X-Forwarded-Host", "www.example:9443");
        exchange.passes(filter("hostHeader", "X-Forwarded-Host"));
        assertEquals("www.example", exchange.seen.getServerName());
        assertEquals(9443, exchange.seen.getServerPort());
    }

    @ParameterizedTest
    @CsvSource({
        "internalProxies, 10.0.0.0/99",
        "internalProxies, (",
        "internalProxies, ${proxies}",
        "httpsServerPort, 70000",
        "changeLocalName, yes",
        "internalProxy, 10.0.0.0/8"
    })
    void parameter_wrong_isToldByName(String name, String value) {
        ServletException failure = assertThrows(ServletException.class, () -> filter(name, value));
        assertTrue(failure.getMessage().contains(name), failure.getMessage());
    }
}
