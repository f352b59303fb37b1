package io.margay.servlet.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.TlsInfo;
import io.margay.servlet.settings.ServletLimits;
import io.margay.servlet.test.ScriptedExchange;
import io.margay.servlet.test.TestApp;
import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.Part;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The request (Servlet 6.1 §3).
final class RequestTest {
    private static ScriptedExchange ask(ScriptedExchange exchange, TestApp.Service service)
            throws Exception {
        return TestApp.root().servlet("/a/*", service).run(exchange);
    }

    @Test
    void trace_reachesAnApplicationOnlyWhereThatIsWanted() throws Exception {
        TestApp app = TestApp.root().servlet("/", (q, r) -> r.getWriter().print(q.getMethod()));
        ScriptedExchange refused = app.run(ScriptedExchange.of("TRACE", "/", new byte[0]));
        assertEquals(405, refused.status());
        assertTrue(refused.field("Allow").contains("GET"));
        TestApp open =
                TestApp.root()
                        .servlet("/", (q, r) -> r.getWriter().print(q.getMethod()))
                        .settings(settings -> settings.withTrace(true));
        assertEquals("TRACE", open.run(ScriptedExchange.of("TRACE", "/", new byte[0])).body());
    }

    @Test
    void options_offersTraceOnlyWhereItIsAnswered() throws Exception {
        HttpServlet servlet =
                new HttpServlet() {
                    @Override
                    protected void doGet(HttpServletRequest q, HttpServletResponse r) {}
                };
        TestApp app =
                TestApp.root().setup(context -> context.addServlet("s", servlet).addMapping("/s"));
        ScriptedExchange asked = ScriptedExchange.of("OPTIONS", "/s", new byte[0]);
        assertEquals("GET, HEAD, OPTIONS", app.run(asked).field("Allow"));
        TestApp open =
                TestApp.root()
                        .setup(context -> context.addServlet("s", servlet).addMapping("/s"))
                        .settings(settings -> settings.withTrace(true));
        asked = ScriptedExchange.of("OPTIONS", "/s", new byte[0]);
        assertEquals("GET, HEAD, TRACE, OPTIONS", open.run(asked).field("Allow"));
    }

    @Test
    void userAndAttributes_ofTheFrontEnd_areTheRequests() throws Exception {
        ScriptedExchange exchange =
                ScriptedExchange.get("/a")
                        .fromFrontEnd(
                                "ann",
                                Map.of(
                                        "JK_LB_ACTIVATION",
                                        "DIS",
                                        Exchange.AUTH_TYPE,
                                        "BASIC",
                                        Exchange.REMOTE_HOST,
                                        "client.example"));
        ask(
                exchange,
                (q, r) ->
                        r.getWriter()
                                .print(
                                        q.getRemoteUser()
                                                + q.getUserPrincipal().getName()
                                                + q.getAuthType()
                                                + q.isUserInRole("admin")
                                                + q.getRemoteHost()
                                                + Collections.list(q.getAttributeNames())
                                                        .contains("JK_LB_ACTIVATION")
                                                + q.getAttribute("JK_LB_ACTIVATION")
                                                + q.getAttribute("other")));
        assertEquals("annannBASICfalseclient.exampletrueDISnull", exchange.body());
    }

    @Test
    void parameters_ofQueryAndForm_areJoinedQueryFirst() throws Exception {
        ScriptedExchange exchange =
                ask(
                        ScriptedExchange.form("/a?x=1&y=%C3%A4", "x=2&z=%E2%82%AC+b"),
                        (q, r) -> {
                            r.setCharacterEncoding("UTF-8");
                            r.getWriter()
                                    .print(
                                            String.join(",", q.getParameterValues("x"))
                                                    + q.getParameter("y")
                                                    + q.getParameter("z")
                                                    + Collections.list(q.getParameterNames())
                                                    + q.getParameterMap().size());
                        });
        assertEquals("1,2ä€ b[x, y, z]3", exchange.body());
    }

    @Test
    void form_afterStreamWasTaken_isNotRead() throws Exception {
        ScriptedExchange exchange =
                ask(
                        ScriptedExchange.form("/a?x=1", "x=2"),
                        (q, r) -> {
                            byte[] body = q.getInputStream().readAllBytes();
                            r.getWriter()
                                    .print(
                                            new String(body, StandardCharsets.US_ASCII)
                                                    + q.getParameterValues("x").length);
                        });
        assertEquals("x=21", exchange.body());
    }

    @Test
    void form_inOtherEncoding_isDecodedByIt() throws Exception {
        ScriptedExchange exchange =
                ask(
                        ScriptedExchange.form("/a", "x=%E4"),
                        (q, r) -> {
                            q.setCharacterEncoding("ISO-8859-1");
                            r.setCharacterEncoding("UTF-8");
                            r.getWriter().print(q.getParameter("x"));
                        });
        assertEquals("ä", exchange.body());
    }

    @Test
    void parameters_malformed_answer400() throws Exception {
        assertEquals(
                400, ask(ScriptedExchange.get("/a?x=%zz"), (q, r) -> q.getParameter("x")).status());
        assertEquals(
                400, ask(ScriptedExchange.get("/a?x=%ff"), (q, r) -> q.getParameter("x")).status());
    }

    @Test
    void cve2011_4858_hashCollisionParameters_areLimited() throws Exception {
        StringBuilder form = new StringBuilder();
        for (int i = 0; i < 1001; i++) {
            form.append("p").append(i).append("=&");
        }
        ScriptedExchange exchange =
                ask(ScriptedExchange.form("/a", form.toString()), (q, r) -> q.getParameter("x"));
        assertEquals(413, exchange.status());
    }

    /// As Tomcat 9 does with those of query and form together.
    @Test
    void parametersBeyondTheLimit_areLeftOut_whereTheFirstCount() throws Exception {
        ServletLimits d = ServletLimits.defaults();
        ScriptedExchange exchange =
                TestApp.root()
                        .settings(s ->
                                s.withFirstParameters(true)
                                        .withLimits(
                                                new ServletLimits(
                                                        3, 100, 5, 512, 10, d.asyncTimeout(), 8)))
                        .servlet("/a", (q, r) -> r.getWriter().print(q.getParameterMap().keySet()))
                        .run(ScriptedExchange.form("/a?p=1&q=2", "r=3&s=%zz&t=5"));
        assertEquals(200, exchange.status());
        assertEquals("[p, q, r]", exchange.body());
    }

    @Test
    void form_largerThanTheLimit_answers413() throws Exception {
        ServletLimits d = ServletLimits.defaults();
        ScriptedExchange exchange =
                TestApp.root()
                        .settings(s ->
                                s.withLimits(
                                        new ServletLimits(
                                                10, 100, 5, 512, 10, d.asyncTimeout(), 8)))
                        .servlet("/a", (q, r) -> q.getParameter("x"))
                        .run(ScriptedExchange.form("/a", "x=" + "y".repeat(200)));
        assertEquals(413, exchange.status());
    }

    @Test
    void path_isTakenApart() throws Exception {
        ScriptedExchange exchange =
                TestApp.at("/c%20d".replace("%20", "-"))
                        .servlet(
                                "/a/*",
                                (q, r) ->
                                        r.getWriter()
                                                .print(
                                                        q.getRequestURI()
                                                                + " "
                                                                + q.getRequestURL()
                                                                + " "
                                                                + q.getServletPath()
                                                                + " "
                                                                + q.getPathInfo()))
                        .get("/c-d/a/b;v=1/x%2Dy?z");
        assertEquals(
                "/c-d/a/b;v=1/x%2Dy http://localhost:8080/c-d/a/b;v=1/x%2Dy /a /b/x-y",
                exchange.body());
    }

    @Test
    void contextRoot_withoutSlash_redirects() throws Exception {
        ScriptedExchange exchange = TestApp.at("/c").get("/c?x=1");
        assertEquals(302, exchange.status());
        assertEquals("/c/?x=1", exchange.field("Location"));
    }

    @Test
    void headers_datesAndNumbers_areParsed() throws Exception {
        ask(
                ScriptedExchange.get(
                        "/a",
                        "X-Num: 12",
                        "X-Date: Thu, 01 Jan 1970 00:00:01 GMT",
                        "X-Bad: b",
                        "M: 1",
                        "M: 2"),
                (q, r) -> {
                    assertEquals(12, q.getIntHeader("x-num"));
                    assertEquals(-1, q.getIntHeader("none"));
                    assertEquals(1000, q.getDateHeader("X-Date"));
                    assertEquals(-1, q.getDateHeader("none"));
                    assertThrows(IllegalArgumentException.class, () -> q.getDateHeader("X-Bad"));
                    assertThrows(NumberFormatException.class, () -> q.getIntHeader("X-Bad"));
                    assertEquals(List.of("1", "2"), Collections.list(q.getHeaders("m")));
                });
    }

    /// A page with a time, so that the API's `service` asks for `If-Modified-Since` itself.
    private static final class Dated extends HttpServlet {
        @Override
        protected long getLastModified(HttpServletRequest request) {
            return 1_700_000_000_000L;
        }

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response)
                throws IOException {
            String told = "told";
            try {
                told += request.getDateHeader("If-Modified-Since");
            } catch (IllegalArgumentException e) {
                told = "no date";
            }
            response.getWriter().print(told);
        }
    }

    @Test
    void ifModifiedSince_thatIsNoDate_isIgnoredByHttpServlet_andToldToTheApplication()
            throws Exception {
        TestApp app =
                TestApp.root()
                        .setup(context -> {
                            context.addServlet("dated", new Dated()).addMapping("/dated", "/w");
                        })
                        .filter(
                                "/w",
                                (q, r, chain) ->
                                        chain.doFilter(
                                                new HttpServletRequestWrapper(
                                                        (HttpServletRequest) q),
                                                r));
        for (String path : List.of("/dated", "/w")) {
            ScriptedExchange odd = app.run(ScriptedExchange.get(path, "If-Modified-Since: soon"));
            assertEquals(200, odd.status());
            assertEquals("no date", odd.body());
            assertEquals("Tue, 14 Nov 2023 22:13:20 GMT", odd.field("Last-Modified"));
            ScriptedExchange same =
                    app.run(
                            ScriptedExchange.get(
                                    path, "If-Modified-Since: Tue, 14 Nov 2023 22:13:20 GMT"));
            assertEquals(304, same.status());
        }
    }

    @Test
    void locales_areOrderedByQuality() throws Exception {
        ask(
                ScriptedExchange.get("/a", "Accept-Language: en;q=0.5, de-DE, ja;q=0"),
                (q, r) -> {
                    assertEquals(Locale.GERMANY, q.getLocale());
                    assertEquals(
                            List.of(Locale.GERMANY, Locale.ENGLISH),
                            Collections.list(q.getLocales()));
                });
        ask(
                ScriptedExchange.get("/a", "Accept-Language: ;;;"),
                (q, r) -> assertEquals(Locale.getDefault(), q.getLocale()));
    }

    @Test
    void cookies_malformedPair_isDroppedAndNeverMerged() throws Exception {
        ask(
                ScriptedExchange.get("/a", "Cookie: a=1; b=\"2; c=3\"; d=4"),
                (q, r) -> {
                    StringBuilder seen = new StringBuilder();
                    for (Cookie cookie : q.getCookies()) {
                        seen.append(cookie.getName()).append(cookie.getValue());
                    }
                    r.getWriter().print(seen);
                    assertEquals("a1d4", seen.toString());
                });
    }

    @Test
    void cookies_none_areNull() throws Exception {
        ask(ScriptedExchange.get("/a"), (q, r) -> assertNull(q.getCookies()));
    }

    private static @Nullable Object tls(HttpServletRequest request, String name) {
        return request.getAttribute("jakarta.servlet.request." + name);
    }

    @Test
    void tls_factsAreAttributes() throws Exception {
        TlsInfo tls = new TlsInfo("TLSv1.3", "TLS_AES_128_GCM_SHA256", 128, "ab12", List.of());
        ScriptedExchange exchange =
                ask(
                        ScriptedExchange.secure("/a", tls),
                        (q, r) ->
                                r.getWriter()
                                        .print(
                                                q.isSecure()
                                                        + q.getScheme()
                                                        + tls(q, "cipher_suite")
                                                        + tls(q, "key_size")
                                                        + tls(q, "ssl_session_id")
                                                        + tls(q, "secure_protocol")
                                                        + tls(q, "X509Certificate")
                                                        + q.getServletConnection().isSecure()));
        assertEquals("truehttpsTLS_AES_128_GCM_SHA256128ab12TLSv1.3nulltrue", exchange.body());
    }

    @Test
    void reader_decodesByDeclaredCharset() throws Exception {
        ScriptedExchange exchange =
                ask(
                        ScriptedExchange.of(
                                "PUT",
                                "/a",
                                "zwölf\nzeile".getBytes(StandardCharsets.UTF_8),
                                "Content-Type: text/plain; charset=\"utf-8\""),
                        (q, r) -> {
                            r.setCharacterEncoding("UTF-8");
                            r.getWriter().print(q.getReader().readLine());
                            assertThrows(IllegalStateException.class, q::getInputStream);
                        });
        assertEquals("zwölf", exchange.body());
    }

    @Test
    void trailers_withoutChunks_areReadyAtOnceAndNone() throws Exception {
        ScriptedExchange exchange =
                ask(
                        ScriptedExchange.form("/a", "x=2"),
                        (q, r) ->
                                r.getWriter()
                                        .print(
                                                q.isTrailerFieldsReady()
                                                        + ""
                                                        + q.getTrailerFields()));
        assertEquals("true{}", exchange.body());
    }

    @Test
    void trailer_sentTwice_isJoined() throws Exception {
        ScriptedExchange exchange =
                ScriptedExchange.of("POST", "/a", new byte[0], "Transfer-Encoding: chunked")
                        .openEnded();
        TestApp.root()
                .servlet(
                        "/a",
                        (q, r) -> {
                            q.getInputStream().readAllBytes();
                            r.getWriter().print(q.getTrailerFields());
                        })
                .handler()
                .handle(exchange);
        exchange.arriveEnd("T: a", "t: b");
        assertEquals("{t=a, b}", exchange.await().body());
    }

    @Test
    void trailers_areReadyAtTheEnd() throws Exception {
        ScriptedExchange exchange =
                ScriptedExchange.of("POST", "/a", new byte[0], "Transfer-Encoding: chunked")
                        .openEnded();
        TestApp app =
                TestApp.root()
                        .servlet(
                                "/a",
                                (q, r) -> {
                                    assertThrows(IllegalStateException.class, q::getTrailerFields);
                                    String body =
                                            new String(
                                                    q.getInputStream().readAllBytes(),
                                                    StandardCharsets.UTF_8);
                                    r.getWriter().print(body + q.getTrailerFields());
                                });
        app.handler().handle(exchange);
        exchange.arrive("abc");
        exchange.arriveEnd("myTrailer: t");
        assertEquals("abc{mytrailer=t}", exchange.await().body());
    }

    @Test
    void body_brokenOff_answers400() throws Exception {
        ScriptedExchange exchange =
                ScriptedExchange.of("POST", "/a", new byte[0], "Transfer-Encoding: chunked")
                        .openEnded();
        TestApp.root()
                .servlet("/a", (q, r) -> q.getInputStream().readAllBytes())
                .handler()
                .handle(exchange);
        exchange.breakOff();
        exchange.await();
        assertTrue(exchange.isAborted() || exchange.status() == 400);
    }

    // Multipart

    private static TestApp multipart(MultipartConfigElement config, TestApp.Service service) {
        return TestApp.root()
                .setup(context -> {
                    ServletRegistration.Dynamic added =
                            context.addServlet("m", TestApp.servlet(service));
                    added.addMapping("/a");
                    added.setMultipartConfig(config);
                });
    }

    private static ScriptedExchange upload(String... parts) {
        StringBuilder body = new StringBuilder();
        for (String part : parts) {
            body.append("--B\r\n").append(part).append("\r\n");
        }
        body.append("--B--\r\n");
        return ScriptedExchange.of(
                "POST",
                "/a?q=1",
                body.toString().getBytes(StandardCharsets.UTF_8),
                "Content-Type: multipart/form-data; boundary=B");
    }

    private static String field(String name, String value) {
        return "Content-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value;
    }

    private static String file(String name, String fileName, String value) {
        return "Content-Disposition: form-data; name=\""
                + name
                + "\"; filename=\""
                + fileName
                + "\"\r\nContent-Type: text/plain\r\nX: y\r\n\r\n"
                + value;
    }

    /// Within what a form may be long, as on Tomcat.
    @Test
    void parts_ofAServletWithoutConfiguration_areReadWhereTheApplicationSaysSo() throws Exception {
        TestApp.Service service =
                (q, r) -> r.getWriter().print(q.getParameter("a") + q.getParts().size());
        assertEquals(
                500, TestApp.root().servlet("/a", service).run(upload(field("a", "1"))).status());
        ServletLimits d = ServletLimits.defaults();
        TestApp casual =
                TestApp.root()
                        .settings(s ->
                                s.withCasualMultipart()
                                        .withLimits(
                                                new ServletLimits(
                                                        10, 400, 5, 512, 10, d.asyncTimeout(), 8)))
                        .servlet("/a", service);
        assertEquals("11", casual.run(upload(field("a", "1"))).body());
        assertEquals(413, casual.run(upload(file("f", "f", "y".repeat(500)))).status());
    }

    @Test
    void parts_fieldsAndFiles_areOffered(@TempDir Path folder) throws Exception {
        String large = "0123456789".repeat(1000);
        TestApp app =
                multipart(
                        new MultipartConfigElement(folder.toString(), -1, -1, 100),
                        (q, r) -> {
                            Part part = q.getPart("f");
                            assertEquals(10_000, part.getSize());
                            assertEquals("l.txt", part.getSubmittedFileName());
                            assertEquals("text/plain", part.getContentType());
                            assertEquals("y", part.getHeader("x"));
                            assertEquals(
                                    large,
                                    new String(
                                            part.getInputStream().readAllBytes(),
                                            StandardCharsets.UTF_8));
                            part.write("kept.txt");
                            assertEquals(2, q.getParts().size());
                            assertNull(q.getPart("none"));
                            r.setCharacterEncoding("UTF-8");
                            r.getWriter().print(q.getParameter("t") + q.getParameter("q"));
                        });
        ScriptedExchange exchange = app.run(upload(field("t", "ä"), file("f", "l.txt", large)));
        assertEquals("ä1", exchange.body());
        assertEquals(large, Files.readString(folder.resolve("kept.txt")));
        try (var left = Files.list(folder)) {
            assertEquals(1, left.count());
        }
    }

    @Test
    void part_writeOutOfTheFolder_isRefused(@TempDir Path folder) throws Exception {
        TestApp app =
                multipart(
                        new MultipartConfigElement(folder.toString()),
                        (q, r) ->
                                assertThrows(
                                        java.io.IOException.class,
                                        () -> q.getPart("f").write("../../evil.txt")));
        assertEquals(200, app.run(upload(file("f", "x", "y"))).status());
    }

    @Test
    void parts_ofEmptyContent_areNone() throws Exception {
        TestApp app =
                multipart(
                        new MultipartConfigElement(""),
                        (q, r) -> r.getWriter().print(q.getParts().size()));
        String type = "Content-Type: multipart/form-data; boundary=" + "B".repeat(120);
        assertEquals("0", app.run(ScriptedExchange.of("POST", "/a", new byte[0], type)).body());
        assertEquals(
                400, app.run(ScriptedExchange.of("POST", "/a", new byte[] {'x'}, type)).status());
    }

    @Test
    void cve2023_24998_tooManyParts_areRefused() throws Exception {
        String[] parts = new String[51];
        java.util.Arrays.setAll(parts, i -> field("p" + i, "v"));
        TestApp app = multipart(new MultipartConfigElement(""), (q, r) -> q.getParts());
        assertEquals(413, app.run(upload(parts)).status());
    }

    @Test
    void cve2025_48988_largePartHeaders_areRefused() throws Exception {
        TestApp app = multipart(new MultipartConfigElement(""), (q, r) -> q.getParts());
        String part = "X: " + "y".repeat(600) + "\r\n" + field("n", "v");
        assertEquals(413, app.run(upload(part)).status());
    }

    @Test
    void fields_overTheSizeOfAForm_answer413_andFilesDoNotCount(@TempDir Path folder)
            throws Exception {
        TestApp app =
                multipart(
                        new MultipartConfigElement(folder.toString()),
                        (q, r) -> r.getWriter().print(q.getParameter("a").length()));
        String half = "x".repeat(1 << 20);
        ScriptedExchange most =
                app.run(upload(field("a", half), file("f", "x", half), field("b", half)));
        assertEquals("1048576", most.body());
        assertEquals(413, app.run(upload(field("a", half), field("b", half + "x"))).status());
        try (var left = Files.list(folder)) {
            assertEquals(0, left.count());
        }
    }

    @Test
    void parts_overTheConfiguredSize_throwIllegalState(@TempDir Path folder) throws Exception {
        TestApp app =
                multipart(
                        new MultipartConfigElement(folder.toString(), 10, -1, 0),
                        (q, r) -> {
                            assertThrows(IllegalStateException.class, q::getParts);
                            r.getWriter().print("refused");
                        });
        assertEquals("refused", app.run(upload(file("f", "x", "y".repeat(11)))).body());
        try (var left = Files.list(folder)) {
            assertEquals(0, left.count());
        }
    }

    @Test
    void parts_withoutConfiguration_throw() throws Exception {
        ask(
                upload(field("a", "b")),
                (q, r) -> assertThrows(IllegalStateException.class, q::getParts));
        multipart(
                        new MultipartConfigElement(""),
                        (q, r) -> assertThrows(ServletException.class, q::getParts))
                .run(ScriptedExchange.form("/a", "x=y"));
    }

    @Test
    void stream_readsBytes() throws Exception {
        byte[] body = {1, 2, (byte) 0xff};
        ask(
                ScriptedExchange.of("POST", "/a", body),
                (q, r) -> {
                    assertEquals(3, q.getContentLength());
                    assertEquals(1, q.getInputStream().read());
                    assertArrayEquals(
                            new byte[] {2, (byte) 0xff}, q.getInputStream().readAllBytes());
                    assertEquals(-1, q.getInputStream().read());
                    assertTrue(q.getInputStream().isFinished());
                });
    }

    @Test
    void part_writtenUnderANameLikeATemporaryOne_stays(@TempDir Path folder) throws Exception {
        TestApp app =
                multipart(
                        new MultipartConfigElement(folder.toString()),
                        (q, r) -> q.getPart("f").write("part-1.txt"));
        app.run(upload(file("f", "x", "content")));
        assertEquals("content", Files.readString(folder.resolve("part-1.txt")));
    }
}
