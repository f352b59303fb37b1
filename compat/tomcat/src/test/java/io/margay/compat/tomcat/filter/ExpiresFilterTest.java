package io.margay.compat.tomcat.filter;

import static io.margay.compat.tomcat.FakeExchange.started;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.compat.tomcat.FakeExchange;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExpiresFilterTest {
    private static final Instant NOW = Instant.parse("2026-01-31T12:00:00Z");

    private static Filter filter(String... params) throws ServletException {
        Map<String, String> all = new HashMap<>();
        for (int i = 0; i < params.length; i += 2) {
            all.put(params[i], params[i + 1]);
        }
        return started(new ExpiresFilter(() -> NOW), all);
    }

    private static FakeExchange answered(Filter filter, String type) throws Exception {
        FakeExchange exchange = new FakeExchange();
        exchange.passes(
                filter,
                (request, response) -> {
                    response.setContentType(type);
                    response.getOutputStream().write('x');
                });
        return exchange;
    }

    @ParameterizedTest
    @CsvSource({
        "access plus 10 minutes, 600",
        "now 1 day 2 hours 3 seconds, 93603",
        "access plus 4 weeks, 2419200",
        // 31 January plus a month is 28 February.
        "ACCESS PLUS 1 MONTH, 2419200",
        "access plus 1 year, 31536000",
        "A3600, 3600",
        "A0, 0"
    })
    void time_afterAccess_isToldInBothFields(String rule, long seconds) throws Exception {
        FakeExchange exchange = answered(filter("ExpiresByType text/css", rule), "text/css");
        assertEquals("max-age=" + seconds, exchange.field("Cache-Control"));
        assertEquals(
                io.margay.protocol.http.HttpDate.format(NOW.getEpochSecond() + seconds),
                exchange.field("Expires"));
        assertEquals("x", exchange.bodyText());
    }

    @ParameterizedTest
    @CsvSource({
        "text/xml; charset=UTF-8, 1",
        "text/xml;charset=ISO-8859-1, 2",
        "text/xml, 2",
        "text/plain, 3",
        "image/png, 4"
    })
    void type_mostSpecificRule_isTaken(String type, long seconds) throws Exception {
        Filter filter =
                filter(
                        "ExpiresByType text/xml;charset=utf-8", "A1",
                        "ExpiresByType text/xml", "A2",
                        "ExpiresByType text", "A3",
                        "ExpiresDefault", "A4");
        assertEquals("max-age=" + seconds, answered(filter, type).field("Cache-Control"));
    }

    @Test
    void type_withoutRule_isLeftAlone() throws Exception {
        FakeExchange exchange = answered(filter("ExpiresByType image", "A1"), "text/html");
        assertNull(exchange.field("Cache-Control"));
        assertNull(exchange.field("Expires"));
    }

    @Test
    void modification_known_isTheBase_andUnknown_saysNothing() throws Exception {
        Filter filter = filter("ExpiresDefault", "modification plus 2 days");
        FakeExchange exchange = new FakeExchange();
        exchange.passes(
                filter,
                (request, response) -> {
                    response.setContentType("text/html");
                    ((HttpServletResponse) response)
                            .setHeader("Last-Modified", "Fri, 30 Jan 2026 12:00:00 GMT");
                    response.getWriter().print("x");
                    response.getWriter().flush();
                });
        assertEquals("max-age=86400", exchange.field("Cache-Control"));
        assertEquals("Sun, 01 Feb 2026 12:00:00 GMT", exchange.field("Expires"));
        assertEquals("x", exchange.text.toString());
        assertNull(answered(filter, "text/html").field("Expires"));
    }

    @ParameterizedTest
    @CsvSource({
        "Cache-Control, max-age=5, max-age=5",
        "Cache-Control, private, 'private, max-age=60'",
        "Expires, 0, "
    })
    void application_thatSaysItItself_isBelieved(String name, String value, String control)
            throws Exception {
        FakeExchange exchange = new FakeExchange();
        exchange.passes(
                filter("ExpiresDefault", "A60"),
                (request, response) -> {
                    response.setContentType("text/html");
                    ((HttpServletResponse) response).setHeader(name, value);
                });
        assertEquals(control, exchange.field("Cache-Control"));
    }

    @ParameterizedTest
    @CsvSource({"304, , false", "200, , true", "500, '500,302', false", "304, '500', true"})
    void status_excluded_isLeftAlone(int status, String excluded, boolean told) throws Exception {
        Filter filter =
                excluded == null
                        ? filter("ExpiresDefault", "A60")
                        : filter(
                                "ExpiresDefault",
                                "A60",
                                "ExpiresExcludedResponseStatusCodes",
                                excluded);
        FakeExchange exchange = new FakeExchange();
        exchange.passes(
                filter,
                (request, response) -> {
                    response.setContentType("text/html");
                    ((HttpServletResponse) response).setStatus(status);
                });
        assertEquals(told ? "max-age=60" : null, exchange.field("Cache-Control"));
    }

    @Test
    void response_reset_isToldOnceMore() throws Exception {
        FakeExchange exchange = new FakeExchange();
        exchange.passes(
                filter("ExpiresByType text/css", "A60"),
                (request, response) -> {
                    response.setContentType("text/html");
                    response.getOutputStream().write('x');
                    response.reset();
                    response.setContentType("text/css");
                });
        assertEquals("max-age=60", exchange.field("Cache-Control"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tomorrow",
                "access",
                "access plus",
                "access plus 1",
                "access plus one day",
                "access plus 1 fortnight",
                "access plus -1 days",
                "access plus 2000 years",
                "access plus 999999999 years",
                "B60",
                ""
            })
    void rule_malformed_isToldByName(String rule) {
        ServletException failure =
                assertThrows(ServletException.class, () -> filter("ExpiresByType text/css", rule));
        assertTrue(failure.getMessage().contains("ExpiresByType text/css"), failure.getMessage());
    }
}
