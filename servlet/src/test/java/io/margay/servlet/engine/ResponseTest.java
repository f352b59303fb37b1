package io.margay.servlet.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.servlet.test.ScriptedExchange;
import io.margay.servlet.test.TestApp;
import io.margay.testkit.LoggedLines;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.Cookie;
import java.io.PrintWriter;
import java.io.UnsupportedEncodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// The response (Servlet 6.1 §5).
final class ResponseTest {
    private static ScriptedExchange answer(TestApp.Service service) throws Exception {
        return TestApp.root().servlet("/a", service).get("/a");
    }

    @Test
    void buffer_overflow_commitsAndStreams() throws Exception {
        String text = "0123456789".repeat(5000);
        ScriptedExchange exchange = answer((q, r) -> r.getWriter().print(text));
        assertEquals(text, exchange.body());
        assertNull(exchange.field("Content-Length"));
        assertTrue(exchange.writes() > 0);
    }

    /// Libraries that support several versions of the specification call methods by reflection.
    @Test
    void methods_ofRequestAndResponse_canBeCalledByReflection() throws Exception {
        ScriptedExchange exchange =
                answer((q, r) -> {
                    try {
                        Object scheme = q.getClass().getMethod("getScheme").invoke(q);
                        r.getClass()
                                .getMethod("setHeader", String.class, String.class)
                                .invoke(r, "X-Scheme", scheme);
                    } catch (ReflectiveOperationException e) {
                        throw new ServletException(e);
                    }
                });
        assertEquals("http", exchange.field("X-Scheme"));
    }

    @Test
    void stream_largeArray_isWrittenAtOnce() throws Exception {
        byte[] bytes = new byte[100_000];
        new Random(1).nextBytes(bytes);
        ScriptedExchange exchange =
                answer((q, r) -> {
                    r.setContentLength(bytes.length);
                    r.getOutputStream().write(bytes);
                });
        assertArrayEquals(bytes, exchange.bytes());
        assertEquals(1, exchange.writes());
    }

    /// Tomcat sends what there is and closes; Jetty answers 500 as well.
    @Test
    void contentLength_notReached_isAnswered500AndLogged() throws Exception {
        try (LoggedLines logged = LoggedLines.of("margay.app.root")) {
            ScriptedExchange exchange =
                    answer((q, r) -> {
                        r.setContentLength(10);
                        r.getWriter().print("1234");
                    });
            assertEquals(500, exchange.status());
            assertFalse(exchange.isAborted());
            assertTrue(exchange.body().contains("500"), exchange.body());
            assertEquals(1, logged.count("Content-Length is 10, but only 4 bytes"), "" + logged);
        }
    }

    @Test
    void contentLength_notReachedAfterTheHead_aborts() throws Exception {
        try (LoggedLines logged = LoggedLines.of("margay.app.root")) {
            ScriptedExchange exchange =
                    answer((q, r) -> {
                        r.setContentLength(10);
                        r.getWriter().print("1234");
                        r.flushBuffer();
                    });
            assertTrue(exchange.isAborted());
            assertEquals(1, logged.count("Content-Length is 10, but only 4 bytes"), "" + logged);
        }
    }

    @Test
    void contentLength_ofResponsesWithoutContent_isNoMistake() throws Exception {
        TestApp app =
                TestApp.root()
                        .servlet("/head", (q, r) -> r.setContentLength(10))
                        .servlet(
                                "/unchanged",
                                (q, r) -> {
                                    r.setStatus(304);
                                    r.setContentLength(10);
                                });
        assertEquals(200, app.run(ScriptedExchange.of("HEAD", "/head", new byte[0])).status());
        assertEquals(304, app.get("/unchanged").status());
    }

    @Test
    void contentLength_reached_endsTheResponse() throws Exception {
        ScriptedExchange exchange =
                answer((q, r) -> {
                    r.setContentLength(4);
                    r.getWriter().print("1234567");
                    assertTrue(r.isCommitted());
                    r.getWriter().print("8");
                });
        assertEquals("1234", exchange.body());
    }

    @Test
    void writer_everyCharset_agreesWithTheJdk() throws Exception {
        Random random = new Random(42);
        for (String name :
                List.of("UTF-8", "ISO-8859-1", "US-ASCII", "UTF-16", "Shift_JIS", "ISO-2022-JP")) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < 5000; i++) {
                int kind = random.nextInt(10);
                int code =
                        kind < 6
                                ? 32 + random.nextInt(95)
                                : kind < 8
                                        ? 160 + random.nextInt(96)
                                        : kind < 9
                                                ? 0x3042 + random.nextInt(80)
                                                : 0x1d400 + random.nextInt(100);
                text.appendCodePoint(code);
            }
            String whole = text.toString();
            ScriptedExchange exchange =
                    answer((q, r) -> {
                        r.setCharacterEncoding(name);
                        PrintWriter writer = r.getWriter();
                        Random cuts = new Random(7);
                        int at = 0;
                        while (at < whole.length()) {
                            int to = Math.min(whole.length(), at + cuts.nextInt(40));
                            if (cuts.nextBoolean()) {
                                writer.write(whole, at, to - at);
                            } else if (cuts.nextBoolean()) {
                                writer.write(whole.toCharArray(), at, to - at);
                            } else {
                                for (int i = at; i < to; i++) {
                                    writer.write(whole.charAt(i));
                                }
                            }
                            at = to;
                        }
                    });
            byte[] expected = whole.getBytes(Charset.forName(name));
            if (name.equals("ISO-8859-1") || name.equals("US-ASCII")) {
                // A pair that was cut becomes two question marks at most.
                assertEquals(
                        new String(expected, StandardCharsets.ISO_8859_1).replace("?", ""),
                        new String(exchange.bytes(), StandardCharsets.ISO_8859_1).replace("?", ""));
            } else {
                assertEquals(
                        new String(expected, Charset.forName(name)),
                        new String(exchange.bytes(), Charset.forName(name)),
                        name);
            }
        }
    }

    @Test
    void writer_loneSurrogates_becomeQuestionMarks() throws Exception {
        ScriptedExchange exchange =
                answer((q, r) -> {
                    r.setCharacterEncoding("UTF-8");
                    r.getWriter().write("a\udc00b\ud800c\ud800");
                });
        assertEquals("a?b?c?", exchange.body());
    }

    @Test
    void writer_unknownCharset_throws() throws Exception {
        answer((q, r) -> {
            r.setCharacterEncoding("no-such");
            assertThrows(UnsupportedEncodingException.class, r::getWriter);
        });
    }

    @Test
    void writerAndStream_together_areRefused() throws Exception {
        answer((q, r) -> {
            r.getWriter();
            assertThrows(IllegalStateException.class, r::getOutputStream);
            r.reset();
            r.getOutputStream();
            assertThrows(IllegalStateException.class, r::getWriter);
        });
    }

    @Test
    void contentType_charsetAndLocale_followTheirPrecedence() throws Exception {
        ScriptedExchange exchange =
                TestApp.root()
                        .localeEncoding("ja", "Shift_JIS")
                        .servlet(
                                "/a",
                                (q, r) -> {
                                    assertEquals("ISO-8859-1", r.getCharacterEncoding());
                                    r.setContentType("text/html");
                                    assertEquals("text/html", r.getContentType());
                                    r.setLocale(Locale.JAPANESE);
                                    assertEquals("Shift_JIS", r.getCharacterEncoding());
                                    r.setCharacterEncoding("UTF-8");
                                    r.setLocale(Locale.JAPANESE);
                                    assertEquals("UTF-8", r.getCharacterEncoding());
                                    r.setContentType("text/xml; charset=iso-8859-1; x=y");
                                    assertEquals(
                                            "text/xml;x=y;charset=iso-8859-1", r.getContentType());
                                    r.getWriter();
                                    r.setCharacterEncoding("UTF-16");
                                    r.setContentType("text/plain;charset=UTF-16");
                                })
                        .get("/a");
        assertEquals("text/plain;charset=iso-8859-1", exchange.field("Content-Type"));
        assertEquals("ja", exchange.field("Content-Language"));
    }

    @Test
    void contentType_afterWriter_carriesTheCharset() throws Exception {
        ScriptedExchange exchange =
                answer((q, r) -> {
                    r.setContentType("text/html");
                    r.getWriter();
                    assertEquals("text/html;charset=ISO-8859-1", r.getContentType());
                });
        assertEquals("text/html;charset=ISO-8859-1", exchange.field("content-type"));
    }

    @Test
    void headers_afterCommit_areIgnored() throws Exception {
        ScriptedExchange exchange =
                answer((q, r) -> {
                    r.addHeader("X", "1");
                    r.addHeader("X", "2");
                    r.flushBuffer();
                    r.setHeader("X", "3");
                    r.setStatus(500);
                    assertEquals(List.of("1", "2"), List.copyOf(r.getHeaders("x")));
                    assertThrows(IllegalStateException.class, r::reset);
                    assertThrows(IllegalStateException.class, () -> r.sendError(404));
                    assertThrows(IllegalStateException.class, () -> r.sendRedirect("/elsewhere"));
                });
        assertEquals(200, exchange.status());
        assertEquals("1", exchange.field("X"));
    }

    @Test
    void headers_withLineBreaks_cannotSplitTheResponse() throws Exception {
        ScriptedExchange exchange =
                answer((q, r) -> {
                    r.setHeader("X", "a\r\nSet-Cookie: b=c");
                    assertThrows(IllegalArgumentException.class, () -> r.setHeader("a b", "c"));
                    assertThrows(IllegalArgumentException.class, () -> r.setHeader("a:b", "c"));
                });
        assertEquals("a  Set-Cookie: b=c", exchange.field("X"));
    }

    @Test
    void setHeader_null_removes() throws Exception {
        ScriptedExchange exchange =
                answer((q, r) -> {
                    r.setHeader("X", "1");
                    r.setHeader("X", null);
                    r.setContentType("text/plain");
                    r.setContentType(null);
                    r.setDateHeader("D", 0);
                    r.setIntHeader("I", 5);
                    assertTrue(r.containsHeader("i"));
                    assertFalse(r.containsHeader("x"));
                });
        assertNull(exchange.field("X"));
        assertEquals("Thu, 01 Jan 1970 00:00:00 GMT", exchange.field("D"));
    }

    @Test
    void cookie_attributes_areWritten() throws Exception {
        ScriptedExchange exchange =
                answer((q, r) -> {
                    Cookie cookie = new Cookie("n", "v");
                    cookie.setMaxAge(0);
                    cookie.setPath("/p");
                    cookie.setHttpOnly(true);
                    cookie.setSecure(true);
                    cookie.setAttribute("SameSite", "Strict");
                    r.addCookie(cookie);
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> r.addCookie(new Cookie("n", "a;b")));
                });
        String cookie = exchange.field("Set-Cookie");
        assertTrue(cookie.startsWith("n=v; Expires=Thu, 01 Jan 1970"), cookie);
        for (String part : List.of("; Path=/p", "; HttpOnly", "; Secure", "; SameSite=Strict")) {
            assertTrue(cookie.contains(part), cookie);
        }
    }

    @Test
    void status_informational_isRememberedButNotSent() throws Exception {
        ScriptedExchange exchange =
                answer((q, r) -> {
                    r.setStatus(201);
                    r.setStatus(100);
                    assertEquals(100, r.getStatus());
                });
        assertEquals(201, exchange.status());
    }

    /// The API sets no bound, and applications of Tomcat make their own.
    @Test
    void status_beyond599_isSent() throws Exception {
        assertEquals(600, answer((q, r) -> r.setStatus(600)).status());
        assertEquals(999, answer((q, r) -> r.setStatus(999)).status());
    }

    @Test
    void redirect_default_isRelative() throws Exception {
        ScriptedExchange exchange =
                answer((q, r) -> {
                    r.getWriter().print("dropped");
                    r.sendRedirect("b?x=ä");
                    assertTrue(r.isCommitted());
                    r.getWriter().print("dropped");
                });
        assertEquals(302, exchange.status());
        assertEquals("b?x=%C3%A4", exchange.field("Location"));
        assertEquals("", exchange.body());
    }

    @Test
    void redirect_absoluteBySetting_isResolved() throws Exception {
        TestApp app =
                TestApp.at("/c")
                        .settings(s -> s.withAbsoluteRedirects(true))
                        .servlet("/a/*", (q, r) -> r.sendRedirect(q.getParameter("to"), 303, true));
        assertEquals("http://localhost:8080/c/a/z", app.get("/c/a/x/y?to=../z").field("Location"));
        assertEquals("http://localhost:8080/z?q", app.get("/c/a?to=/z%3fq").field("Location"));
        assertEquals("http://else/", app.get("/c/a?to=http://else/").field("Location"));
        assertEquals("http://else/x", app.get("/c/a?to=//else/x").field("Location"));
        assertEquals(303, app.get("/c/a?to=/z").status());
    }

    @Test
    void redirect_keepingTheBuffer_sendsIt() throws Exception {
        ScriptedExchange exchange =
                answer((q, r) -> {
                    r.getWriter().print("body");
                    r.sendRedirect("/b", false);
                });
        assertEquals("body", exchange.body());
        assertEquals("/b", exchange.field("Location"));
    }

    @Test
    void head_answersLengthWithoutContent() throws Exception {
        TestApp app = TestApp.root().servlet("/a", (q, r) -> r.getWriter().print("12345"));
        ScriptedExchange exchange = app.run(ScriptedExchange.of("HEAD", "/a", new byte[0]));
        assertEquals("", exchange.body());
        assertEquals("5", exchange.field("Content-Length"));
    }

    @Test
    void head_ofLargeContent_sendsNone() throws Exception {
        TestApp app =
                TestApp.root()
                        .servlet(
                                "/a",
                                (q, r) -> {
                                    r.getWriter().print("x".repeat(50_000));
                                    r.getWriter().flush();
                                });
        ScriptedExchange exchange = app.run(ScriptedExchange.of("HEAD", "/a", new byte[0]));
        assertEquals("", exchange.body());
        assertFalse(exchange.isAborted());
    }

    @Test
    void setBufferSize_afterContent_throws() throws Exception {
        ScriptedExchange exchange =
                answer((q, r) -> {
                    r.setBufferSize(40_000);
                    assertTrue(r.getBufferSize() >= 40_000);
                    r.getWriter().print("x".repeat(39_000));
                    assertFalse(r.isCommitted());
                    assertThrows(IllegalStateException.class, () -> r.setBufferSize(50_000));
                });
        assertEquals("39000", exchange.field("Content-Length"));
    }

    /// In pieces that fit the first buffer and cross its end, as streams, characters and octets.
    @Test
    void buffer_outgrown_isSentWholeWithItsLength() throws Exception {
        ScriptedExchange exchange =
                answer((q, r) -> {
                    ServletOutputStream out = r.getOutputStream();
                    for (int i = 0; i < 30; i++) {
                        out.write("%1000d".formatted(i).getBytes(StandardCharsets.US_ASCII));
                    }
                    out.write('.');
                    assertFalse(r.isCommitted());
                });
        assertEquals("30001", exchange.field("Content-Length"));
        assertEquals(0, exchange.writes(), "all of it leaves with the end");
        assertEquals("%1000d".formatted(0), exchange.body().substring(0, 1000));
        assertEquals("%1000d.".formatted(29), exchange.body().substring(29_000));

        ScriptedExchange written = answer((q, r) -> r.getWriter().print("y".repeat(32_767)));
        assertEquals("32767", written.field("Content-Length"));
        assertEquals("y".repeat(32_767), written.body());
    }

    @Test
    void buffer_full_commitsAtTheSizeThatWasTold() throws Exception {
        ScriptedExchange exchange =
                answer((q, r) -> {
                    int size = r.getBufferSize();
                    r.getWriter().print("z".repeat(size - 1));
                    assertFalse(r.isCommitted());
                    r.getWriter().print("z");
                    assertTrue(r.isCommitted());
                    r.getWriter().print("end");
                });
        assertNull(exchange.field("Content-Length"));
        assertEquals("z".repeat(32_768) + "end", exchange.body());
    }

    @Test
    void trailers_areAskedForAtTheEnd() throws Exception {
        ScriptedExchange exchange =
                answer((q, r) -> {
                    r.setTrailerFields(() -> Map.of("myTrailer", "value"));
                    r.getWriter().print("x");
                });
        assertEquals("value", exchange.sentTrailers().get("mytrailer"));
        assertEquals(1, exchange.writes());
    }

    @Test
    void close_ofWriter_dropsTheRest() throws Exception {
        ScriptedExchange exchange =
                answer((q, r) -> {
                    PrintWriter writer = r.getWriter();
                    writer.print("a");
                    writer.close();
                    writer.print("b");
                    assertTrue(r.isCommitted());
                });
        assertEquals("a", exchange.body());
    }

    @Test
    void resetBuffer_keepsHeaders() throws Exception {
        ScriptedExchange exchange =
                answer((q, r) -> {
                    r.setHeader("X", "1");
                    r.getWriter().print("a");
                    r.resetBuffer();
                    r.getWriter().print("b");
                });
        assertEquals("b", exchange.body());
        assertEquals("1", exchange.field("X"));
    }

    @Test
    void header_beyondLatin1_isSentWithQuestionMarks() throws Exception {
        ScriptedExchange exchange =
                TestApp.root()
                        .servlet(
                                "/a",
                                (q, r) -> {
                                    r.setHeader("Content-Disposition", "filename=\u6587\u00e9.pdf");
                                    r.setContentType("text/x-\u6587");
                                    r.getWriter().print("content");
                                })
                        .get("/a");
        assertEquals("filename=?\u00e9.pdf", exchange.field("Content-Disposition"));
        assertEquals("text/x-?;charset=ISO-8859-1", exchange.field("Content-Type"));
    }
}
