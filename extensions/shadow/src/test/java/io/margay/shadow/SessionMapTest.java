package io.margay.shadow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.mirror.ShadowLimits;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The new server gets of a client's cookies its own alone, and never those of another client.
final class SessionMapTest {
    private final SessionMap map = new SessionMap(ShadowLimits.defaults(), new Random(1));

    private static Fields sent(String cookies) {
        return new Fields.Builder().add("Cookie", cookies).build();
    }

    private static FieldList set(String... cookies) {
        FieldList fields = new FieldList();
        for (String cookie : cookies) {
            fields.add("Set-Cookie", cookie);
        }
        return fields;
    }

    private String cookies(String sent) {
        return map.cookies(sent(sent), map.client(sent(sent)).session());
    }

    @Test
    void valueThatManyClientsHave_namesNobody() {
        map.both(null, set("lang=de", "JSESSIONID=a"), set("JSESSIONID=x"), true);
        assertEquals("JSESSIONID=x", cookies("lang=de; JSESSIONID=a"));
        SessionMap.Client other = map.client(sent("lang=de; JSESSIONID=b"));
        assertNull(other.session());
        assertFalse(other.known());
        assertEquals("", cookies("lang=de; JSESSIONID=b"));
    }

    @Test
    void valueThatTwoSessionsGot_namesNone() {
        map.both(null, set("lang=de", "JSESSIONID=a"), set("JSESSIONID=x"), true);
        map.both(null, set("lang=de", "JSESSIONID=b"), set("JSESSIONID=y"), true);
        assertEquals("", cookies("lang=de"));
    }

    /// A cart and a login: a form that was sent with both may have changed either.
    @Test
    void sessionsOfAllCookies_areParted_byAFormThatIsSent() {
        map.both(null, set("JSESSIONID=a"), set("JSESSIONID=x"), true);
        map.both(null, set("PHPSESSID=b"), set("PHPSESSID=y"), true);
        assertTrue(map.client(sent("PHPSESSID=b")).known());
        map.oldAlone(sent("JSESSIONID=a; lang=de; PHPSESSID=b"), set("JSESSIONID=c"));
        for (String cookie : List.of("JSESSIONID=a", "PHPSESSID=b", "JSESSIONID=c")) {
            assertFalse(map.client(sent(cookie)).known(), cookie);
        }
    }

    /// A page of which the new server says 403 alone, so that it has begun no session.
    @Test
    void session_thatTheOldServerAloneHasBegun_isParted_whereStatusesDiffer() {
        map.both(null, set("JSESSIONID=a"), set(), false);
        assertFalse(map.client(sent("JSESSIONID=a")).known());
        map.both(null, set("JSESSIONID=b"), set("JSESSIONID=y"), false);
        assertTrue(map.client(sent("JSESSIONID=b")).known());
        map.both(null, set("JSESSIONID=c"), set(), true);
        assertTrue(map.client(sent("JSESSIONID=c")).known());
    }

    @Test
    void namesOfCredentials_stayApart_alsoWhenThereAreTooMany() {
        assertEquals("theme=dark", cookies("theme=dark; laravel_session=secret"));
        String[] many = new String[64];
        for (int i = 0; i < many.length; i++) {
            many[i] = "c" + i + "=" + i;
        }
        map.both(null, set(), set(many), true);
        assertEquals("", cookies("theme=dark; plain=secret"));
    }

    @Test
    void cookiesOfASession_areBounded_together() {
        String long1 = "a=" + "1".repeat(3_000);
        map.both(null, set("JSESSIONID=a"), set("JSESSIONID=x", long1, "b" + long1), true);
        assertEquals("JSESSIONID=x; " + long1, cookies("JSESSIONID=a"));
    }

    @Test
    @Timeout(30)
    void pathOfDigits_isReadInOneGo() {
        String digits = "1".repeat(8_000);
        assertEquals("/{}.b", PathPattern.of("/" + digits + ".b"));
        assertEquals(digits + ".a.b", PathPattern.part(digits + ".a.b"));
    }
}
