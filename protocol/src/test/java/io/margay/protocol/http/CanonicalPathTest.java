package io.margay.protocol.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.protocol.http.PathReading.EncodedSlash;
import io.margay.testkit.Vectors;
import io.margay.testkit.Vectors.Vector;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CanonicalPathTest {
    static Stream<Vector> good() {
        return Vectors.load("/vectors/http/path-good.txt").stream();
    }

    static Stream<Vector> bad() {
        return Vectors.load("/vectors/http/path-bad.txt").stream();
    }

    private static CanonicalPath of(Vector vector) {
        return CanonicalPath.of(new String(vector.input(), StandardCharsets.ISO_8859_1));
    }

    @ParameterizedTest
    @MethodSource("good")
    void path_wellFormed_isCanonicalised(Vector vector) {
        CanonicalPath path = of(vector);
        assertNull(path.error());
        List<String> told = new ArrayList<>();
        told.add(path.path());
        path.parameters().forEach(parameter -> told.add(";" + parameter));
        List<String> expected = vector.expected().stream().map(CanonicalPathTest::text).toList();
        assertEquals(expected, told);
    }

    private static String text(String escaped) {
        return escaped.replace("\\xe4", "ä").replace("\\u20ac", "€").replace("\\U1f600", "😀");
    }

    @ParameterizedTest
    @MethodSource("bad")
    void path_suspicious_is400(Vector vector) {
        ProtocolError error = of(vector).error();
        assertNotNull(error);
        assertEquals(400, error.status());
        assertEquals("Servlet 6.1 §3.5.2", error.section());
        assertThrows(IllegalStateException.class, () -> of(vector).path());
    }

    @Test
    void path_thatNeedsNoWork_isTheSameString() {
        String raw = "/shop/list.jsp";
        assertSame(raw, CanonicalPath.of(raw).path());
    }

    @Test
    void path_withCharacterBeyondLatin1_isRefused() {
        assertNotNull(CanonicalPath.of("/\u0141").error());
    }

    @Test
    void parameter_byName_isTheLastOne() {
        CanonicalPath path = CanonicalPath.of("/a;jsessionid=1;x/b;jsessionid=2;jsessionidx=3;y=");
        assertEquals("2", path.parameter("jsessionid"));
        assertEquals("", path.parameter("y"));
        assertNull(path.parameter("x"));
        assertNull(path.parameter("session"));
    }

    @Test
    void cve_2021_28164_encodedDotBeforeWebInf_is400() {
        assertNotNull(CanonicalPath.of("/context/%2e/WEB-INF/web.xml").error());
    }

    @Test
    void cve_2021_34429_encodedNulOrDotsBeforeWebInf_is400() {
        assertNotNull(CanonicalPath.of("/.%00/WEB-INF/web.xml").error());
        assertNotNull(CanonicalPath.of("/%u002e/WEB-INF/web.xml").error());
        assertNotNull(CanonicalPath.of("/a/b/..%00/WEB-INF/web.xml").error());
    }

    @Test
    void cve_2007_0450_slashesThatAProxyTakesForText_are400() {
        for (String separator : List.of("%2F", "%5C", "\\")) {
            assertNotNull(CanonicalPath.of("/app/" + ".." + separator + "manager").error());
        }
    }

    @Test
    void cve_2013_4547_spaceBeforeNul_is400() {
        assertNotNull(CanonicalPath.of("/file%20%00.php").error());
    }

    @Test
    void cve_2007_1860_doubleEncoding_isDecodedOnce() {
        assertEquals("/a/%2e%2e/b", CanonicalPath.of("/a/%252e%252e/b").path());
    }

    @Test
    void cve_2026_8384_dotsBehindAParameterWithoutAName_areResolved() {
        assertEquals("/admin/secret", CanonicalPath.of("/public;/../admin/secret").path());
        assertEquals("/admin/secret", CanonicalPath.of("/public;a=b/../admin/secret").path());
        assertNotNull(CanonicalPath.of("/public;/..;/admin/secret").error());
    }

    private static String read(String raw, EncodedSlash slash) {
        CanonicalPath path = CanonicalPath.of(raw, new PathReading(slash, false));
        ProtocolError error = path.error();
        return error == null ? path.path() : String.valueOf(error.status());
    }

    @Test
    void encodedSlash_asItIsRead_isRefusedASeparatorOrText() {
        String raw = "/repos/group%2Fproject/100%25";
        assertEquals("400", read(raw, EncodedSlash.REJECT));
        assertEquals("404", read(raw, EncodedSlash.NOT_FOUND));
        assertEquals("/repos/group/project/100%", read(raw, EncodedSlash.DECODE));
        assertEquals("/repos/group%2Fproject/100%25", read(raw, EncodedSlash.PASSTHROUGH));
        assertEquals("/a%2Fb", read("/a%2fb", EncodedSlash.PASSTHROUGH));
        assertEquals("/100%", read("/100%25", EncodedSlash.PASSTHROUGH));
        assertEquals("/private/x", read("/private%2fx", EncodedSlash.DECODE));
        assertEquals("/private/x", read("/private%2F%2Fx", EncodedSlash.DECODE));
        assertEquals("/a/b", read("/%2Fa%2Fb;v=1", EncodedSlash.DECODE));
        assertEquals("/a/", read("/a%2F", EncodedSlash.DECODE));
    }

    @Test
    void encodedSlash_nextToDotSegmentsOrInParameters_isRefused() {
        for (EncodedSlash slash : EncodedSlash.values()) {
            for (String raw :
                    List.of(
                            "/app/..%2Fadmin",
                            "/app%2F../admin",
                            "/app/x%2F..%2Fadmin",
                            "/app/x%2Fy/../admin",
                            "/app/./x%2Fy",
                            "/app/%2e%2e%2fadmin",
                            "/app/..;%2Fadmin",
                            "/app;p=1%2Fadmin/x",
                            "/app;p=%2F..%2Fx/y%2Fz",
                            "/x%2F%00",
                            "/x%2F%5Cy")) {
                String told = read(raw, slash);
                boolean refused = told.equals("400") || told.equals("404");
                assertTrue(refused, () -> raw + " by " + slash + " is " + told);
            }
        }
    }

    @Test
    void encodedSlash_inPathThatKeepsIt_isEncodedAsItCame() {
        PathReading kept = new PathReading(EncodedSlash.PASSTHROUGH, false);
        CanonicalPath path = CanonicalPath.of("/a%2Fb%252F%20%3Fc", kept);
        assertEquals("/a%2Fb%252F ?c", path.path());
        assertEquals("/a%2Fb%252F%20%3Fc", path.encoded());
        assertEquals("/a%252F", CanonicalPath.of("/a%252F", kept).encoded());
        assertEquals("%25%252F%2F", PercentEncoding.path("%%252F%2F", true));
    }

    @Test
    void backslash_readAsSlash_separates() {
        PathReading slashes = new PathReading(EncodedSlash.REJECT, true);
        for (String raw : List.of("/private\\x", "/private%5Cx", "/private%5cx", "/private/\\x")) {
            assertEquals("/private/x", CanonicalPath.of(raw, slashes).path());
            assertNotNull(CanonicalPath.of(raw).error());
        }
        for (String raw : List.of("/a\\..\\b", "/a/..%5Cb", "/a%2Fb", "/a;x\\b")) {
            assertNotNull(CanonicalPath.of(raw, slashes).error(), raw);
        }
    }
}
