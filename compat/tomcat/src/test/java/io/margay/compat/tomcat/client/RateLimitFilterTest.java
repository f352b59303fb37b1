package io.margay.compat.tomcat.client;

import static io.margay.compat.tomcat.FakeExchange.started;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.compat.tomcat.FakeExchange;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RateLimitFilterTest {
    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
    private final FakeExchange exchange = new FakeExchange();

    private Filter filter(Map<String, String> params) throws ServletException {
        return started(new RateLimitFilter(now::get), params);
    }

    @Test
    void client_aboveItsLimit_isRefusedUntilTheStretchEnds() throws Exception {
        Filter filter = filter(Map.of("bucketDuration", "10", "bucketRequests", "2"));
        assertTrue(exchange.passes(filter));
        assertTrue(exchange.passes(filter));
        assertFalse(exchange.passes(filter));
        assertEquals(429, exchange.error);
        exchange.remoteAddr = "192.0.2.8";
        assertTrue(exchange.passes(filter), "another client has its own count");
        exchange.remoteAddr = "192.0.2.7";
        now.addAndGet(TimeUnit.SECONDS.toNanos(10) - 1);
        assertFalse(exchange.passes(filter));
        now.incrementAndGet();
        assertTrue(exchange.passes(filter));
    }

    @Test
    void addresses_ofOneIpv6Network_areOneClient() throws Exception {
        Filter filter = filter(Map.of("bucketRequests", "1"));
        exchange.remoteAddr = "2001:db8:0:1::1";
        assertTrue(exchange.passes(filter));
        exchange.remoteAddr = "2001:db8:0:1:ffff::2";
        assertFalse(exchange.passes(filter));
        exchange.remoteAddr = "2001:db8:0:2::1";
        assertTrue(exchange.passes(filter));
    }

    @Test
    void limit_notEnforced_onlyCounts() throws Exception {
        Filter filter = filter(Map.of("bucketRequests", "1", "enforce", "false"));
        exchange.passes(filter);
        assertTrue(exchange.passes(filter));
        assertEquals(2, exchange.attributes.get(RateLimitFilter.COUNT));
    }

    @Test
    void state_exposed_isToldInFields() throws Exception {
        exchange.passes(filter(Map.of("exposeHeaders", "true")));
        assertEquals("\"default\";q=300;w=60", exchange.field("RateLimit-Policy"));
        assertTrue(exchange.field("RateLimit").startsWith("\"default\";r=299;t="));
    }

    @Test
    void clients_beyondTheirNumber_areCountedTogether() {
        RequestCounts counts = new RequestCounts(1000, 2, () -> 0);
        assertEquals(1, counts.add("a"));
        assertEquals(1, counts.add("b"));
        assertEquals(1, counts.add("c"));
        assertEquals(2, counts.add("d"));
        assertEquals(2, counts.add("a"));
    }

    @ParameterizedTest
    @CsvSource({
        "bucketDuration, 0",
        "bucketRequests, many",
        "statusCode, 200",
        "rateLimitClassName, com.example.Limiter",
        "bucketRequest, 5"
    })
    void parameter_wrong_isToldByName(String name, String value) {
        ServletException failure =
                assertThrows(ServletException.class, () -> filter(Map.of(name, value)));
        assertTrue(failure.getMessage().contains(name), failure.getMessage());
    }
}
