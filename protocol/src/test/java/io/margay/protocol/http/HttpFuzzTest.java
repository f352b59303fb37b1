package io.margay.protocol.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Fuzz targets for paths and cookies. In a normal build the inputs beside this class are replayed;
/// with `JAZZER_FUZZ=1` the fuzzer looks for new ones.
class HttpFuzzTest {
    @FuzzTest
    void canonicalPath(byte[] input) {
        String raw = new String(input, StandardCharsets.ISO_8859_1);
        CanonicalPath path = CanonicalPath.of(raw);
        if (path.error() != null) {
            return;
        }
        String text = path.path();
        assertTrue(text.startsWith("/"));
        assertFalse(text.contains("//"));
        for (String segment : text.substring(1).split("/", -1)) {
            assertFalse(segment.equals("..") || segment.equals("."), text);
        }
        assertTrue(text.chars().noneMatch(c -> Character.isISOControl(c) || c == '\\'));
        for (PathReading.EncodedSlash slash : PathReading.EncodedSlash.values()) {
            // What is read in one way is read so however others are.
            assertEquals(text, CanonicalPath.of(raw, new PathReading(slash, true)).path());
        }
        boolean plain = text.chars().allMatch(c -> c > ' ' && c < 127 && "%;#?".indexOf(c) < 0);
        if (plain) {
            CanonicalPath again = CanonicalPath.of(text);
            assertNull(again.error());
            assertEquals(text, again.path());
        }
    }

    @FuzzTest
    void cookies(byte[] input) {
        String value = new String(input, StandardCharsets.ISO_8859_1);
        List<Cookies.Cookie> cookies = Cookies.decode(value);
        assertTrue(cookies.size() <= Cookies.COOKIES_MAX);
        for (Cookies.Cookie cookie : cookies) {
            assertTrue(Octets.isToken(cookie.name()));
            assertTrue(cookie.value().chars().noneMatch(c -> c <= ' ' || c == ';' || c == ','));
            assertTrue(value.contains(cookie.name()) && value.contains(cookie.value()));
            // What was read is read again as the same.
            List<Cookies.Cookie> again = Cookies.decode(cookie.name() + "=" + cookie.value());
            assertEquals(List.of(cookie), again);
        }
    }
}
