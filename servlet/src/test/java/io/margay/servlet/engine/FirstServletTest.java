package io.margay.servlet.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.servlet.test.ScriptedExchange;
import io.margay.servlet.test.TestApp;
import org.junit.jupiter.api.Test;

/// A servlet and a filter from the outside: the shortest way through the container.
final class FirstServletTest {
    @Test
    void servlet_smallAnswer_leavesInOneEnd() throws Exception {
        ScriptedExchange exchange =
                TestApp.root()
                        .servlet(
                                "/hello",
                                (request, response) -> {
                                    response.setContentType("text/plain;charset=UTF-8");
                                    response.getWriter().print("Grüße 𝄞 " + request.getMethod());
                                })
                        .get("/hello");
        assertEquals(200, exchange.status());
        assertEquals("Grüße 𝄞 GET", exchange.body());
        assertEquals("text/plain;charset=UTF-8", exchange.field("content-type"));
        assertEquals(0, exchange.writes());
        assertEquals("16", exchange.field("content-length"));
    }

    @Test
    void filter_beforeServlet_seesRequestAndResponse() throws Exception {
        ScriptedExchange exchange =
                TestApp.at("/shop")
                        .filter(
                                "/*",
                                (request, response, chain) -> {
                                    response.getWriter().print("[");
                                    chain.doFilter(request, response);
                                    response.getWriter().print("]");
                                })
                        .servlet(
                                "/a/*",
                                (q, r) ->
                                        r.getWriter()
                                                .print(q.getServletPath() + "|" + q.getPathInfo()))
                        .get("/shop/a/b%20c?x=1");
        assertEquals("[/a|/b c]", exchange.body());
    }

    @Test
    void servlet_unknownPath_answers404() throws Exception {
        ScriptedExchange exchange = TestApp.root().get("/nothing");
        assertEquals(404, exchange.status());
        assertTrue(exchange.body().contains("404"), exchange.body());
    }
}
