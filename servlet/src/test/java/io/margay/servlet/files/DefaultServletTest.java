package io.margay.servlet.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.servlet.test.ScriptedExchange;
import io.margay.servlet.test.TestApp;
import org.junit.jupiter.api.Test;

/// Static files of an application.
final class DefaultServletTest {
    private static TestApp files() {
        return TestApp.root()
                .file("/a.txt", "0123456789")
                .file("/z.txt", "plain text")
                .file("/z.txt.gz", "gzipped")
                .file("/z.txt.br", "brotli");
    }

    @Test
    void file_whole_carriesValidators() throws Exception {
        ScriptedExchange exchange = files().get("/a.txt");
        assertEquals("0123456789", exchange.body());
        assertEquals("text/plain", exchange.field("Content-Type"));
        assertEquals("10", exchange.field("Content-Length"));
        assertEquals("bytes", exchange.field("Accept-Ranges"));
        assertEquals("Tue, 14 Nov 2023 22:13:20 GMT", exchange.field("Last-Modified"));
        assertTrue(exchange.field("ETag").startsWith("\""));
    }

    @Test
    void conditions_areEvaluated() throws Exception {
        TestApp app = files();
        String tag = app.get("/a.txt").field("ETag");
        ScriptedExchange same = app.get("/a.txt", "If-None-Match: " + tag);
        assertEquals(304, same.status());
        assertEquals("", same.body());
        assertEquals(200, app.get("/a.txt", "If-None-Match: \"other\"").status());
        assertEquals(
                304,
                app.get("/a.txt", "If-Modified-Since: Tue, 14 Nov 2023 22:13:20 GMT").status());
        assertEquals(412, app.get("/a.txt", "If-Match: \"other\"").status());
        assertEquals(
                412,
                app.get("/a.txt", "If-Unmodified-Since: Mon, 13 Nov 2023 22:13:20 GMT").status());
    }

    @Test
    void ranges_areCut() throws Exception {
        TestApp app = files();
        ScriptedExchange one = app.get("/a.txt", "Range: bytes=2-4");
        assertEquals(206, one.status());
        assertEquals("234", one.body());
        assertEquals("bytes 2-4/10", one.field("Content-Range"));
        assertEquals("89", app.get("/a.txt", "Range: bytes=-2").body());
        ScriptedExchange none = app.get("/a.txt", "Range: bytes=10-");
        assertEquals(416, none.status());
        assertEquals("bytes */10", none.field("Content-Range"));
        ScriptedExchange stale = app.get("/a.txt", "Range: bytes=2-4", "If-Range: \"old\"");
        assertEquals(200, stale.status());
        ScriptedExchange two = app.get("/a.txt", "Range: bytes=0-1,8-9");
        assertEquals(206, two.status());
        assertTrue(
                two.field("Content-Type").startsWith("multipart/byteranges; boundary=")
                        || two.field("Content-Type").startsWith("multipart/byteranges;boundary="),
                two.field("Content-Type"));
        assertTrue(two.body().contains("Content-Range: bytes 8-9/10\r\n\r\n89\r\n--"), two.body());
    }

    @Test
    void cve2011_3192_manyRanges_giveTheWhole() throws Exception {
        StringBuilder ranges = new StringBuilder("Range: bytes=0-0");
        for (int i = 1; i < 20; i++) {
            ranges.append(",").append(i % 10).append("-");
        }
        ScriptedExchange exchange = files().get("/a.txt", ranges.toString());
        assertEquals(200, exchange.status());
        assertEquals("0123456789", exchange.body());
    }

    @Test
    void variants_followAcceptEncoding() throws Exception {
        TestApp app = files();
        ScriptedExchange gzip = app.get("/z.txt", "Accept-Encoding: gzip");
        assertEquals("gzipped", gzip.body());
        assertEquals("gzip", gzip.field("Content-Encoding"));
        assertEquals("text/plain", gzip.field("Content-Type"));
        assertEquals("Accept-Encoding", gzip.field("Vary"));
        assertEquals("brotli", app.get("/z.txt", "Accept-Encoding: gzip, br").body());
        ScriptedExchange plain = app.get("/z.txt", "Accept-Encoding: gzip;q=0");
        assertEquals("plain text", plain.body());
        assertNull(plain.field("Content-Encoding"));
        assertNotEquals(plain.field("ETag"), gzip.field("ETag"));
    }

    @Test
    void cve2017_12615_putAndDelete_areRefused() throws Exception {
        for (String method : new String[] {"PUT", "DELETE", "TRACE", "PROPFIND"}) {
            ScriptedExchange exchange =
                    files().run(ScriptedExchange.of(method, "/new.jsp", "x".getBytes()));
            assertEquals(405, exchange.status(), method);
            assertTrue(exchange.field("Allow").contains("GET"));
        }
    }

    @Test
    void cve2025_24813_partialPut_isRefused() throws Exception {
        ScriptedExchange exchange =
                files().run(
                                ScriptedExchange.of(
                                        "PUT",
                                        "/a.session",
                                        "x".getBytes(),
                                        "Content-Range: bytes 0-0/100"));
        assertTrue(exchange.status() == 400 || exchange.status() == 405);
    }

    @Test
    void options_tellsMethods() throws Exception {
        ScriptedExchange exchange =
                files().run(ScriptedExchange.of("OPTIONS", "/a.txt", new byte[0]));
        assertEquals("GET, HEAD, POST, OPTIONS", exchange.field("Allow"));
    }

    @Test
    void head_hasLengthOnly() throws Exception {
        ScriptedExchange exchange = files().run(ScriptedExchange.of("HEAD", "/a.txt", new byte[0]));
        assertEquals("10", exchange.field("Content-Length"));
        assertEquals("", exchange.body());
    }

    @Test
    void file_withTrailingSlash_isNotFound() throws Exception {
        assertEquals(404, files().get("/a.txt/").status());
    }
}
