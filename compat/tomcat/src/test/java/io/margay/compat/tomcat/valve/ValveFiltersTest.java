package io.margay.compat.tomcat.valve;

import static io.margay.compat.tomcat.FakeExchange.started;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.compat.tomcat.FakeExchange;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Filters that stand for valves.
final class ValveFiltersTest {
    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    @Test
    void requests_beyondTheConcurrency_areRefused_untilOneHasLeft() throws Exception {
        Filter filter =
                started(
                        new SemaphoreFilter(),
                        Map.of(
                                "concurrency",
                                "1",
                                "block",
                                "false",
                                "highConcurrencyStatus",
                                "503"));
        AtomicInteger refused = new AtomicInteger();
        HttpServletRequest request = proxy(HttpServletRequest.class, (_, _, _) -> null);
        HttpServletResponse response =
                proxy(
                        HttpServletResponse.class,
                        (_, method, args) -> {
                            assertEquals("sendError", method.getName());
                            refused.set((Integer) args[0]);
                            return null;
                        });
        List<String> passed = new ArrayList<>();
        FilterChain inner = (_, _) -> passed.add("inner");
        filter.doFilter(
                request,
                response,
                (_, _) -> {
                    passed.add("outer");
                    filter.doFilter(request, response, inner);
                });
        assertEquals(List.of("outer"), passed);
        assertEquals(503, refused.get());
        assertTrue(new FakeExchange().passes(filter));
    }

    @Test
    void parameter_thatIsUnknown_isRefused() {
        assertThrows(
                ServletException.class,
                () -> started(new SemaphoreFilter(), Map.of("concurency", "1")));
        assertThrows(
                ServletException.class,
                () -> started(new CrawlerSessionFilter(), Map.of("crawlerUserAgents", "(")));
    }

    /// A session that can end.
    private static HttpSession session(AtomicBoolean alive, AtomicInteger interval) {
        return proxy(
                HttpSession.class,
                (_, method, args) -> {
                    if (method.getName().equals("getCreationTime")) {
                        if (!alive.get()) {
                            throw new IllegalStateException();
                        }
                        return 1L;
                    }
                    if (method.getName().equals("setMaxInactiveInterval")) {
                        interval.set((Integer) args[0]);
                    }
                    return null;
                });
    }

    /// A request without a cookie, for which a session may be made.
    private static HttpServletRequest request(String agent, HttpSession made) {
        AtomicBoolean created = new AtomicBoolean();
        return proxy(
                HttpServletRequest.class,
                (_, method, args) ->
                        switch (method.getName()) {
                            case "getRemoteAddr" -> "192.0.2.1";
                            case "getServerName" -> "www.example";
                            case "getHeaders" -> Collections.enumeration(List.of(agent));
                            case "getSession" -> {
                                boolean create = args == null || (Boolean) args[0];
                                created.compareAndSet(false, create);
                                yield created.get() ? made : null;
                            }
                            default -> null;
                        });
    }

    @Test
    void crawler_withoutCookies_hasItsSessionAgain_untilItEnds() throws Exception {
        Filter filter = started(new CrawlerSessionFilter(), Map.of("sessionInactiveInterval", "7"));
        AtomicBoolean alive = new AtomicBoolean(true);
        AtomicInteger interval = new AtomicInteger();
        HttpSession first = session(alive, interval);
        HttpSession second = session(new AtomicBoolean(true), new AtomicInteger());
        HttpServletResponse response = proxy(HttpServletResponse.class, (_, _, _) -> null);
        List<HttpSession> seen = new ArrayList<>();
        FilterChain chain = (request, _) -> seen.add(((HttpServletRequest) request).getSession());
        filter.doFilter(request("a Bot", first), response, chain);
        assertEquals(7, interval.get());
        filter.doFilter(request("a Bot", second), response, chain);
        assertSame(first, seen.get(1));
        filter.doFilter(request("a browser", second), response, chain);
        assertSame(second, seen.get(2));
        alive.set(false);
        filter.doFilter(request("a Bot", second), response, chain);
        assertSame(second, seen.get(3));
        assertFalse(seen.contains(null));
    }
}
