package io.margay.protocol.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Small values: media types, reasons, content codings, authorities, parameters.
class HttpValuesTest {
    @ParameterizedTest
    @CsvSource({
        "/index.html, text/html",
        "a/b/style.min.css, text/css",
        "app.mjs, text/javascript",
        "LOGO.PNG, image/png",
        "photo.jpeg, image/jpeg",
        "font.woff2, font/woff2",
        "icon.svg, image/svg+xml",
        "archive.tar.gz, application/gzip"
    })
    void mediaType_ofFileName_isFound(String name, String type) {
        assertEquals(type, MediaTypes.ofFileName(name));
    }

    @Test
    void mediaType_ofUnknownName_isNone() {
        assertNull(MediaTypes.ofFileName("README"));
        assertNull(MediaTypes.ofFileName("a.b/README"));
        assertNull(MediaTypes.ofFileName("a."));
        assertNull(MediaTypes.ofFileName("a.unknown"));
        assertTrue(MediaTypes.all().size() >= 150, () -> "only " + MediaTypes.all().size());
        for (var entry : MediaTypes.all().entrySet()) {
            assertTrue(entry.getValue().matches("[a-z]+/[a-z0-9.+-]+"), entry::toString);
            assertTrue(entry.getKey().matches("[a-z0-9]+"), entry::toString);
        }
    }

    @Test
    void reason_isThatOfTheRegistry() {
        assertEquals("OK", Status.reason(200));
        assertEquals("Content Too Large", Status.reason(413));
        assertEquals("", Status.reason(299));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    gzip, br              | gzip     | 1000
                    gzip, br              | br       | 1000
                    GZIP;q=0.5            | gzip     | 500
                    gzip;q=0.001          | gzip     | 1
                    gzip;q=0              | gzip     | 0
                    gzip; q=1.000         | gzip     | 1000
                    gzip;q=1.001          | gzip     | 0
                    gzip;q=-1             | gzip     | 0
                    gzip;q=2              | gzip     | 0
                    gzip;q=               | gzip     | 0
                    gzip;x=1              | gzip     | 0
                    *                     | gzip     | 1000
                    *;q=0.3, gzip;q=0.2   | gzip     | 200
                    *;q=0                 | identity | 0
                    identity;q=0          | identity | 0
                    br                    | identity | 1000
                    br                    | gzip     | 0
                    xgzip                 | gzip     | 0
                    """)
    void acceptEncoding_quality(String value, String coding, int quality) {
        Fields fields = new Fields.Builder().add("Accept-Encoding", value).build();
        assertEquals(quality, AcceptEncoding.quality(fields, coding));
    }

    @Test
    void acceptEncoding_absent_acceptsIdentityOnly() {
        assertEquals(1000, AcceptEncoding.quality(Fields.EMPTY, "identity"));
        assertEquals(0, AcceptEncoding.quality(Fields.EMPTY, "gzip"));
    }

    @ParameterizedTest
    @CsvSource({
        "a, true, a, -1",
        "a.example:8080, true, a.example, 8080",
        "a:, true, a, -1",
        "127.0.0.1:1, true, 127.0.0.1, 1",
        "[::1], true, [::1], -1",
        "[::ffff:1.2.3.4]:65535, true, [::ffff:1.2.3.4], 65535",
        "a_b~c-d, true, a_b~c-d, -1"
    })
    void authority_valid(String text, boolean valid, String host, int port) {
        assertEquals(valid, isValid(text));
        assertEquals(host, Authority.host(text));
        assertEquals(port, Authority.port(text));
    }

    @ParameterizedTest
    @CsvSource({
        "''",
        "':80'",
        "'a:b'",
        "'a:-1'",
        "'a:65536'",
        "'a@b'",
        "'[::1'",
        "'[]'",
        "'[1]'",
        "'[::g]'",
        "'a..b'",
        "'..a'",
        "'[::1]x'",
        "'a]'",
        "'::1'",
        "'a%41'",
        "'a,b'",
        "'a b'",
        "'a/'",
        "'[::1%eth0]'"
    })
    void authority_invalid(String text) {
        assertFalse(isValid(text));
    }

    private static boolean isValid(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        return Authority.isValid(bytes, 0, bytes.length);
    }

    @Test
    void fieldParameters_areRead() {
        FieldParameters type = FieldParameters.parse("Text/HTML; Charset=\"utf-8\" ;; x=1;");
        if (type == null) {
            throw new AssertionError();
        }
        assertEquals("text/html", type.value());
        assertEquals("utf-8", type.parameter("charset"));
        assertEquals("1", type.parameter("x"));
        assertNull(type.parameter("y"));
        assertNull(FieldParameters.parse("a; b"));
        assertNull(FieldParameters.parse("a; b=\"c"));
        assertNull(FieldParameters.parse("a; \"b\"=c"));
        assertNull(FieldParameters.parse("a; b=c d"));
    }

    @Test
    void names_repeatedInAnotherCase_standOnceAsFirstReceived() {
        Fields fields =
                new Fields.Builder().add("X-One", "1").add("host", "a").add("x-oNE", "2").build();
        assertEquals(List.of("X-One", "host"), fields.namesAsReceived());
    }
}
