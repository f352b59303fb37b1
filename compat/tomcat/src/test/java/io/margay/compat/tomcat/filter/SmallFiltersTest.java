package io.margay.compat.tomcat.filter;

import static io.margay.compat.tomcat.FakeExchange.started;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.compat.tomcat.FakeExchange;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ResourceBundle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SmallFiltersTest {
    private final FakeExchange exchange = new FakeExchange();

    @Test
    void headerSecurity_withoutParameters_setsTheDefaults() throws Exception {
        Filter filter = started(new HttpHeaderSecurityFilter(), Map.of());
        assertTrue(exchange.passes(filter));
        assertNull(exchange.field("Strict-Transport-Security"), "only over TLS");
        assertEquals("DENY", exchange.field("X-Frame-Options"));
        assertEquals("nosniff", exchange.field("X-Content-Type-Options"));
        exchange.secure = true;
        exchange.passes(filter);
        assertEquals("max-age=0", exchange.field("Strict-Transport-Security"));
    }

    @Test
    void headerSecurity_withEverything_tellsIt() throws Exception {
        exchange.secure = true;
        exchange.passes(
                started(
                        new HttpHeaderSecurityFilter(),
                        Map.of(
                                "hstsMaxAgeSeconds", "31536000",
                                "hstsIncludeSubDomains", "true",
                                "hstsPreload", "TRUE",
                                "antiClickJackingOption", "allow-from",
                                "antiClickJackingUri", "https://a.example/x")));
        assertEquals(
                "max-age=31536000;includeSubDomains;preload",
                exchange.field("Strict-Transport-Security"));
        assertEquals("ALLOW-FROM https://a.example/x", exchange.field("X-Frame-Options"));
    }

    @Test
    void headerSecurity_switchedOff_setsNothing() throws Exception {
        exchange.secure = true;
        exchange.passes(
                started(
                        new HttpHeaderSecurityFilter(),
                        Map.of(
                                "hstsEnabled", "false",
                                "antiClickJackingEnabled", "false",
                                "blockContentTypeSniffingEnabled", "false")));
        assertTrue(exchange.fields.isEmpty());
    }

    @ParameterizedTest
    @CsvSource({
        "hstsEnabled, yes",
        "hstsMaxAgeSeconds, a year",
        "antiClickJackingOption, SOMEWHERE",
        "antiClickJackingUri, 'not a uri'",
        "hstsMaxAge, 5"
    })
    void headerSecurity_wrongParameter_isToldByName(String name, String value) {
        failsNaming(new HttpHeaderSecurityFilter(), name, value);
    }

    @ParameterizedTest
    @CsvSource({
        "UTF-8, , , UTF-8",
        "UTF-8, , ISO-8859-1, ISO-8859-1",
        "UTF-8, true, ISO-8859-1, UTF-8",
        ", , , ",
        ", true, ISO-8859-1, ISO-8859-1"
    })
    void requestEncoding_isSetWhenTheClientGaveNone_orIsIgnored(
            String encoding, String ignore, String given, String result) throws Exception {
        Map<String, String> params = new HashMap<>();
        if (encoding != null) {
            params.put("encoding", encoding);
        }
        if (ignore != null) {
            params.put("ignore", ignore);
        }
        exchange.requestEncoding = given;
        exchange.passes(started(new SetCharacterEncodingFilter(), params));
        assertEquals(result, exchange.requestEncoding);
    }

    @ParameterizedTest
    @CsvSource({"encoding, UTF-88", "encoding, ''", "ignore, si"})
    void requestEncoding_wrongParameter_isToldByName(String name, String value) {
        failsNaming(new SetCharacterEncodingFilter(), name, value);
    }

    @ParameterizedTest
    @CsvSource({
        ", text/html, text/html;charset=ISO-8859-1",
        "default, text/html, text/html;charset=ISO-8859-1",
        "utf-8, Text/Plain, Text/Plain;charset=UTF-8",
        "utf-8, text/html;charset=koi8-r, text/html;charset=koi8-r",
        "utf-8, image/png, image/png"
    })
    void charset_ofTexts_isNamedWhenTheServletDidNot(String encoding, String type, String told)
            throws Exception {
        Filter filter =
                started(
                        new AddDefaultCharsetFilter(),
                        encoding == null ? Map.of() : Map.of("encoding", encoding));
        exchange.passes(filter, (request, response) -> response.setContentType(type));
        assertEquals(told, exchange.field("Content-Type"));
        exchange.passes(
                filter,
                (request, response) ->
                        ((HttpServletResponse) response).setHeader("content-type", type));
        assertEquals(told, exchange.field("Content-Type"));
    }

    @Test
    void charset_unknown_isToldByName() {
        failsNaming(new AddDefaultCharsetFilter(), "encoding", "utf-99");
    }

    @Test
    void session_isBegunBeforeTheServlet() throws Exception {
        exchange.passes(
                started(new SessionInitializerFilter(), Map.of()),
                (request, response) -> assertNotNull(exchange.session));
        assertNotNull(exchange.session);
    }

    @Test
    void failedRequest_withUnreadableParameters_isAnswered400() throws Exception {
        Filter filter = started(new FailedRequestFilter(), Map.of());
        assertTrue(exchange.passes(filter));
        exchange.badParameters = true;
        assertFalse(exchange.passes(filter));
        assertEquals(400, exchange.error);
    }

    @Test
    void cookies_getTheAttributes_unlessTheyHaveTheirOwn() throws Exception {
        Cookie bare = new Cookie("a", "1");
        Cookie own = new Cookie("b", "2");
        own.setAttribute("SameSite", "None");
        exchange.passes(
                started(new CookieAttributesFilter(), Map.of("SameSite", "Strict")),
                (request, response) -> {
                    ((HttpServletResponse) response).addCookie(bare);
                    ((HttpServletResponse) response).addCookie(own);
                });
        assertEquals("Strict", exchange.cookies.get(0).getAttribute("SameSite"));
        assertEquals("None", exchange.cookies.get(1).getAttribute("SameSite"));
        assertNull(bare.getAttribute("SameSite"), "the application's own object stays as it was");
    }

    @Test
    void dumper_logsOneFactALine_withoutSecretsAndForgedLines() throws Exception {
        List<String> lines = new ArrayList<>();
        exchange.header("Authorization", "Basic c2VjcmV0").header("Accept", "a\r\nforged=1");
        exchange.parameters.put("q", "x\nforged=2\u2028");
        exchange.fields.put("Set-Cookie", List.of("JSESSIONID=topsecret"));
        Filter filter = new RequestDumperFilter(new LineLogger(lines));
        assertTrue(exchange.passes(started(filter, Map.of())));
        assertTrue(lines.contains("START=GET /app/page"), lines.toString());
        assertTrue(lines.contains("header Accept=a\\u000d\\u000aforged=1"), lines.toString());
        assertTrue(lines.contains("parameter q=[x\\u000aforged=2\\u2028]"), lines.toString());
        assertTrue(lines.contains("status=200"));
        assertTrue(lines.stream().noneMatch(line -> line.contains("c2Vjc")));
        assertTrue(lines.stream().noneMatch(line -> line.contains("topsecret")));
        assertTrue(lines.stream().noneMatch(line -> line.indexOf('\n') >= 0));
    }

    private static void failsNaming(Filter filter, String name, String value) {
        ServletException failure =
                assertThrows(ServletException.class, () -> started(filter, Map.of(name, value)));
        assertTrue(failure.getMessage().contains(name), failure.getMessage());
    }

    private record LineLogger(List<String> lines) implements System.Logger {
        @Override
        public String getName() {
            return "lines";
        }

        @Override
        public boolean isLoggable(Level level) {
            return true;
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String text, Throwable thrown) {
            lines.add(text);
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String format, Object... params) {
            lines.add(format);
        }
    }
}
