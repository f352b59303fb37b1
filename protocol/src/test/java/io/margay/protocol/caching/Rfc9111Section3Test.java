package io.margay.protocol.caching;

import static io.margay.protocol.caching.Exchanged.request;
import static io.margay.protocol.caching.Exchanged.verdict;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.protocol.caching.Storing.Verdict;
import io.margay.protocol.http.FieldList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Storing responses in caches.
final class Rfc9111Section3Test {
    private static final String FRESH = "Cache-Control: max-age=60";

    @Test
    void freshResponseToGet_isStored() {
        assertEquals(Verdict.STORED, verdict(200, request("GET"), FRESH));
        assertEquals(Verdict.STORED, verdict(599, request("GET"), FRESH));
        assertEquals(Verdict.STORED, verdict(302, request("GET"), "Expires: " + later()));
    }

    private static String later() {
        return "Sun, 06 Nov 1994 09:49:37 GMT";
    }

    @ParameterizedTest
    @ValueSource(strings = {"HEAD", "POST", "QUERY", "get"})
    void otherMethods_areNot(String method) {
        assertEquals(Verdict.METHOD_OR_STATUS, verdict(200, request(method), FRESH));
    }

    @ParameterizedTest
    @ValueSource(ints = {103, 206, 304})
    void partsAndInterimResponses_areNot(int status) {
        assertEquals(Verdict.METHOD_OR_STATUS, verdict(status, request("GET"), FRESH));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "no-store",
                "NO-STORE",
                "max-age=60, no-store",
                "max-age=60,no-store=\"x\"",
                " no-store ,max-age=60"
            })
    void noStore_isNot(String directives) {
        assertEquals(
                Verdict.NO_STORE, verdict(200, request("GET"), "Cache-Control: " + directives));
    }

    @Test
    void noStoreOfTheRequest_isNot() {
        assertEquals(
                Verdict.NO_STORE, verdict(200, request("GET", "Cache-Control: no-store"), FRESH));
    }

    @ParameterizedTest
    @ValueSource(strings = {"private", "Private", "private=\"Set-Cookie\"", "public, private"})
    void private_isNot(String directive) {
        assertEquals(
                Verdict.PRIVATE,
                verdict(200, request("GET"), "Cache-Control: max-age=60, " + directive));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Set-Cookie: a=1", "set-cookie: a=1", "Set-Cookie2: a=1"})
    void cookie_isNot_unlessAskedFor(String line) {
        assertEquals(Verdict.COOKIE, verdict(200, request("GET"), FRESH, line));
        CachePolicy policy = new CachePolicy(0, 0, CacheControl.SECONDS_MAX, 0, true);
        FieldList response = Exchanged.response(FRESH, line);
        Freshness freshness = Freshness.of(200, response, policy, 0, 0);
        assertEquals(Verdict.STORED, Storing.of(request("GET"), 200, response, freshness, policy));
    }

    /// RFC 9111 §3.5.
    @Test
    void responseToAuthorization_isStored_onlyIfItSaysSo() {
        var request = request("GET", "Authorization: Basic YTpi");
        assertEquals(Verdict.PRIVATE, verdict(200, request, FRESH));
        for (String word : new String[] {"public", "must-revalidate", "s-maxage=60"}) {
            assertEquals(
                    Verdict.STORED,
                    verdict(200, request, "Cache-Control: max-age=60, " + word),
                    word);
        }
    }

    @Test
    void mustUnderstand_overridesNoStore_ofKnownStatusesOnly() {
        String line = "Cache-Control: max-age=60, no-store, must-understand";
        assertEquals(Verdict.STORED, verdict(200, request("GET"), line));
        assertEquals(Verdict.NO_STORE, verdict(599, request("GET"), line));
    }

    @Test
    void whatIsNeverFresh_isStored_onlyWhereItCanBeValidated() {
        assertEquals(Verdict.USELESS, verdict(200, request("GET")));
        assertEquals(Verdict.STORED, verdict(200, request("GET"), "ETag: \"a\""));
        assertEquals(
                Verdict.STORED,
                verdict(200, request("GET"), "ETag: \"a\"", "Cache-Control: no-cache"));
        assertEquals(Verdict.METHOD_OR_STATUS, verdict(201, request("GET"), "ETag: \"a\""));
    }

    /// Nobody has said that it is the same with another cookie.
    @Test
    void defaultAge_isNotForRequestsWithCookies() {
        CachePolicy policy = new CachePolicy(60, 0, CacheControl.SECONDS_MAX, 0, false);
        FieldList response = Exchanged.response();
        Freshness freshness = Freshness.of(200, response, policy, 0, 0);
        assertEquals(Verdict.STORED, Storing.of(request("GET"), 200, response, freshness, policy));
        assertEquals(
                Verdict.PRIVATE,
                Storing.of(request("GET", "Cookie: a=1"), 200, response, freshness, policy));
    }

    @ParameterizedTest
    @ValueSource(strings = {"*", ", *", "*, *", "*, Foo", "Foo, *"})
    void varyStar_isNot(String value) {
        assertEquals(Verdict.VARIES, verdict(200, request("GET"), FRESH, "Vary: " + value));
    }
}
