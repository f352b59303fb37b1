package io.margay.protocol.fastcgi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.margay.protocol.http.CanonicalPath;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.HttpVersion;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http.RequestTarget;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CgiRequestTest {
    private static CgiRequest request(String raw, @Nullable String query, Fields fields) {
        RequestTarget target =
                new RequestTarget(RequestTarget.Form.ORIGIN, raw, raw, query, "http", "h");
        RequestHead head =
                new RequestHead("POST", target, HttpVersion.HTTP_1_1, fields, 12, false, true);
        return new CgiRequest(
                head,
                query == null ? raw : raw + "?" + query,
                CanonicalPath.of(raw),
                query,
                "/srv/www",
                "192.0.2.7",
                4711,
                "shop.example",
                "192.0.2.1",
                443,
                true,
                null,
                null,
                Map.of(),
                null);
    }

    private static Map<String, String> parameters(String raw, Fields fields) {
        return request(raw, null, fields).parameters().toMap();
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "/info.php, /info.php, -",
                "/a/b.php/c/d, /a/b.php, /c/d",
                "/a.php/b.php, /a.php, /b.php",
                "/a.phpx/b.php, /a.phpx/b.php, -",
                "/, /index.php, -",
                "/blog/, /blog/index.php, -",
                "/a.php/, /a.php, /",
                "/a/b, /a/b, -",
                "/a%20b.php/%C3%A9, /a b.php, /\u00c3\u00a9"
            })
    void path_isSplitBehindTheFirstScript(String raw, String script, @Nullable String info) {
        Map<String, String> values = parameters(raw, Fields.EMPTY);
        assertEquals("/srv/www" + script, values.get("SCRIPT_FILENAME"));
        assertEquals(script, values.get("SCRIPT_NAME"));
        assertEquals(info, values.get("PATH_INFO"));
        assertEquals(info == null ? null : "/srv/www" + info, values.get("PATH_TRANSLATED"));
        assertEquals(raw, values.get("REQUEST_URI"));
    }

    @Test
    void parameters_tellOfTheRequest() {
        Fields fields =
                new Fields.Builder()
                        .add("Content-Type", "text/plain")
                        .add("Content-Length", "12")
                        .add("User-Agent", "u")
                        .add("Cookie", "a=b")
                        .add("Cookie", "c=d")
                        .add("Accept", "x/y")
                        .add("Accept", "x/z")
                        .add("Authorization", "Basic eA==")
                        .build();
        Map<String, String> values = request("/a.php", "x=%20&y", fields).parameters().toMap();
        assertEquals("POST", values.get("REQUEST_METHOD"));
        assertEquals("x=%20&y", values.get("QUERY_STRING"));
        assertEquals("/a.php?x=%20&y", values.get("REQUEST_URI"));
        assertEquals("text/plain", values.get("CONTENT_TYPE"));
        assertEquals("12", values.get("CONTENT_LENGTH"));
        assertEquals("a=b; c=d", values.get("HTTP_COOKIE"));
        assertEquals("x/y, x/z", values.get("HTTP_ACCEPT"));
        assertEquals("Basic eA==", values.get("HTTP_AUTHORIZATION"));
        assertEquals("u", values.get("HTTP_USER_AGENT"));
        assertEquals("192.0.2.7", values.get("REMOTE_ADDR"));
        assertEquals("443", values.get("SERVER_PORT"));
        assertEquals("on", values.get("HTTPS"));
        assertEquals("/srv/www", values.get("DOCUMENT_ROOT"));
        assertFalse(values.containsKey("HTTP_CONTENT_TYPE"));
        assertFalse(values.containsKey("HTTP_CONTENT_LENGTH"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Proxy", "proxy", "PROXY"})
    void proxyField_isNotPassedOn_CVE_2016_5385(String name) {
        Fields fields = new Fields.Builder().add(name, "http://evil/").build();
        assertFalse(parameters("/a.php", fields).containsKey("HTTP_PROXY"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"X_Forwarded_For", "X.Y", "Connection", "Transfer-Encoding", "TE"})
    void field_thatWouldBeTakenForAnother_isNotPassedOn(String name) {
        Fields fields = new Fields.Builder().add(name, "v").build();
        for (String parameter : parameters("/a.php", fields).keySet()) {
            assertFalse(parameter.startsWith("HTTP_"), parameter);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/a.php/%0a", "/a.php%0A/x", "/a%00.php", "/../a.php", "/a%2fb.php"})
    void path_withWhatConfusesPhpFpm_isRefused_CVE_2019_11043(String raw) {
        assertNotNull(request(raw, null, Fields.EMPTY).error());
        assertNull(request("/a.php", null, Fields.EMPTY).error());
    }

    @Test
    void extra_takesThePlaceOfOthers() {
        CgiRequest plain = request("/a.php", null, Fields.EMPTY);
        CgiRequest request =
                new CgiRequest(
                        plain.head(),
                        plain.target(),
                        plain.path(),
                        null,
                        plain.root(),
                        "a",
                        1,
                        "s",
                        "b",
                        2,
                        false,
                        "anna",
                        "BASIC",
                        Map.of("DOCUMENT_ROOT", "/other", "APP_MODE", "test"),
                        null);
        Map<String, String> values = request.parameters().toMap();
        assertEquals("/other", values.get("DOCUMENT_ROOT"));
        assertEquals("test", values.get("APP_MODE"));
        assertEquals("anna", values.get("REMOTE_USER"));
        assertEquals("BASIC", values.get("AUTH_TYPE"));
        assertFalse(values.containsKey("HTTPS"));
    }
}
