package io.margay.protocol.caching;

import static io.margay.protocol.caching.Exchanged.DATE;
import static io.margay.protocol.caching.Exchanged.NOW;
import static io.margay.protocol.caching.Exchanged.fields;
import static io.margay.protocol.caching.Exchanged.freshness;
import static io.margay.protocol.caching.Exchanged.response;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.protocol.caching.Freshness.Use;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Constructing responses from caches: variants (§4.1), freshness and age (§4.2), and what requests
/// say of both (§5.2.1).
final class Rfc9111Section4Test {
    // §4.1

    @Test
    void vary_matchesTheSameValues_howeverTheyAreWritten() {
        Vary vary = Vary.of(response("Vary: Foo, bar"), fields("Foo: 1, 2", "Bar: x"));
        assertEquals(List.of("bar", "foo"), vary.names());
        assertTrue(vary.matches(fields("bar: x", "foo: 1", "Foo:  2 ")));
        assertFalse(vary.matches(fields("bar: x", "foo: 1")));
        assertFalse(vary.matches(fields("foo: 1, 2")));
        assertFalse(vary.matches(fields("bar: X", "foo: 1, 2")));
    }

    /// A field that is absent is not one that is empty.
    @Test
    void absentField_matchesOnlyAbsentOnes() {
        Vary vary = Vary.of(response("Vary: Foo"), fields());
        assertTrue(vary.matches(fields("Bar: 1")));
        assertFalse(vary.matches(fields("Foo: ")));
    }

    @Test
    void acceptEncoding_countsByWhatIsAccepted() {
        Vary vary = Vary.of(response("Vary: Accept-Encoding"), fields("Accept-Encoding: br, gzip"));
        assertTrue(vary.matches(fields("Accept-Encoding: gzip;q=0.8,  br;q=1, unknown")));
        assertFalse(vary.matches(fields("Accept-Encoding: gzip, br;q=0")));
        assertFalse(vary.matches(fields()));
    }

    @Test
    void acceptLanguage_countsWithoutOrderAndCase() {
        Vary vary = Vary.of(response("Vary: accept-language"), fields("Accept-Language: en, de"));
        assertTrue(vary.matches(fields("Accept-Language:  De ,en")));
        assertFalse(vary.matches(fields("Accept-Language: de")));
    }

    // §4.2.1

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "max-age=60|60",
                "max-age=60, s-maxage=10|10",
                "s-maxage=100, max-age=0|100",
                "max-age=\"60\"|60",
                "MaX-AgE=60|60",
                "max-age=003600|3600",
                "max-age=99999999999|2147483647",
                "foo=\"max-age=60\", max-age=5|5",
                "max-age=10, max-age=60|10",
                "max-age='60'|0",
                "max-age=-1|0",
                "max-age=60.5|0",
                "max-age|0",
                "|0",
            })
    void lifetime_ofDirectives(String directives, long seconds) {
        String line = "Cache-Control: " + (directives == null ? "" : directives);
        assertEquals(seconds, freshness(line, "Expires: 0").lifetime());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Sun, 06 Nov 1994 08:50:37 GMT|60",
                "sun, 06 nov 1994 08:50:37 gmt|60",
                "Sunday, 06-Nov-94 08:50:37 GMT|60",
                "Sun Nov  6 08:50:37 1994|60",
                "Sun, 06 Nov 1994 08:49:37 GMT|0",
                "Sun, 06 Nov 1994 08:50:37 UTC|0",
                "Sun, 06 Nov 94 08:50:37 GMT|0",
                "Sun 06 Nov 1994 08:50:37 GMT|0",
                "0|0",
            })
    void lifetime_ofExpires(String expires, long seconds) {
        assertEquals(seconds, freshness(DATE, "Expires: " + expires).lifetime());
    }

    @Test
    void twoExpires_areNone() {
        String line = "Expires: Sun, 06 Nov 1994 08:50:37 GMT";
        assertEquals(0, freshness(DATE, line, line).lifetime());
    }

    // §4.2.2

    @Test
    void heuristics_areOff_unlessAskedFor_andADayAtMost() {
        String old = "Last-Modified: Sat, 05 Nov 1994 08:49:37 GMT";
        assertEquals(0, freshness(DATE, old).lifetime());
        CachePolicy tenth = new CachePolicy(0, 10, CacheControl.SECONDS_MAX, 0, false);
        assertEquals(8_640, freshness(tenth, DATE, old).lifetime());
        String ancient = "Last-Modified: Sat, 05 Nov 1988 08:49:37 GMT";
        assertEquals(86_400, freshness(tenth, DATE, ancient).lifetime());
        assertEquals(
                0,
                Freshness.of(201, response(DATE, old), tenth, NOW, NOW).lifetime(),
                "only of statuses that may");
    }

    // §4.2.3

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"7200|7200", "7200, 0|7200", "0, 7200|0", "x|0", "-7|0", "7.5|0", "|0"})
    void age_ofTheField(String age, long seconds) {
        Freshness freshness = freshness(DATE, "Age: " + (age == null ? "" : age));
        assertEquals(seconds, freshness.age(NOW));
        assertEquals(seconds + 5, freshness.age(NOW + 5));
    }

    @Test
    void age_isNoLessThanItSeems_andThanItTook() {
        assertEquals(60, freshness("Date: Sun, 06 Nov 1994 08:48:37 GMT").age(NOW));
        Freshness slow =
                Freshness.of(200, response(DATE, "Age: 3"), CachePolicy.EXPLICIT, NOW - 4, NOW);
        assertEquals(7, slow.age(NOW));
    }

    // §5.2.1

    private static Use use(String asked, String directives, long age) {
        Freshness freshness = freshness(DATE, "Cache-Control: " + directives, "Age: " + age);
        return freshness.use(CacheControl.of(List.of(asked)), NOW);
    }

    @Test
    void requestsMayAskForFresherOnes() {
        assertEquals(Use.FRESH, use("", "max-age=60", 10));
        assertEquals(Use.VALIDATE, use("", "max-age=60", 60));
        assertEquals(Use.VALIDATE, use("no-cache", "max-age=60", 10));
        assertEquals(Use.VALIDATE, use("max-age=5", "max-age=60", 10));
        assertEquals(Use.FRESH, use("max-age=10", "max-age=60", 10));
        assertEquals(Use.VALIDATE, use("min-fresh=51", "max-age=60", 10));
        assertEquals(Use.FRESH, use("min-fresh=50", "max-age=60", 10));
        assertEquals(Use.VALIDATE, use("", "max-age=60, no-cache", 10));
    }

    @Test
    void requestsMayAcceptStaleOnes_unlessTheResponseForbids() {
        assertEquals(Use.STALE, use("max-stale", "max-age=60", 100));
        assertEquals(Use.STALE, use("max-stale=40", "max-age=60", 100));
        assertEquals(Use.VALIDATE, use("max-stale=39", "max-age=60", 100));
        for (String word : List.of("must-revalidate", "proxy-revalidate", "s-maxage=60")) {
            assertEquals(Use.VALIDATE, use("max-stale", "max-age=60, " + word, 100), word);
        }
    }

    // RFC 5861

    @Test
    void staleWhileRevalidate_hasItsTime() {
        assertEquals(Use.REVALIDATE, use("", "max-age=60, stale-while-revalidate=30", 89));
        assertEquals(Use.VALIDATE, use("", "max-age=60, stale-while-revalidate=30", 90));
        assertEquals(
                Use.VALIDATE,
                use("", "max-age=60, stale-while-revalidate=30, must-revalidate", 80));
    }

    @ParameterizedTest
    @ValueSource(strings = {"must-revalidate", "proxy-revalidate", "no-cache", "s-maxage=60"})
    void staleIfError_hasItsTime_andIsForbiddenBy(String word) {
        String directives = "Cache-Control: max-age=60, stale-if-error=30";
        CacheControl none = CacheControl.NONE;
        assertTrue(freshness(DATE, directives, "Age: 80").mayReplaceError(none, NOW));
        assertFalse(freshness(DATE, directives, "Age: 90").mayReplaceError(none, NOW));
        assertFalse(
                freshness(DATE, directives + ", " + word, "Age: 80").mayReplaceError(none, NOW));
        CacheControl asked = CacheControl.of(List.of("stale-if-error=300"));
        assertTrue(freshness(DATE, directives, "Age: 90").mayReplaceError(asked, NOW));
    }

    // RFC 9213

    @Test
    void targetedField_takesThePlaceOfTheOthers() {
        assertEquals(
                60,
                freshness("CDN-Cache-Control: max-age=60", "Cache-Control: no-store", "Expires: 0")
                        .lifetime());
        assertEquals(
                5,
                freshness(
                                "CDN-Cache-Control: max-age=60",
                                "Margay-Cache-Control: max-age=5",
                                "Cache-Control: max-age=7")
                        .lifetime());
        assertEquals(
                7,
                freshness("CDN-Cache-Control: max-age=\"60\"", "Cache-Control: max-age=7")
                        .lifetime(),
                "a value of another type makes it malformed");
        assertEquals(
                7,
                freshness("CDN-Cache-Control: max-age=60, &", "Cache-Control: max-age=7")
                        .lifetime());
        assertEquals(
                Storing.Verdict.PRIVATE,
                Exchanged.verdict(
                        200,
                        Exchanged.request("GET"),
                        "CDN-Cache-Control: private",
                        "Cache-Control: max-age=60"));
        assertEquals(
                Storing.Verdict.STORED,
                Exchanged.verdict(
                        200,
                        Exchanged.request("GET"),
                        "CDN-Cache-Control: max-age=60",
                        "Cache-Control: no-store"));
    }

    // RFC 9211

    @Test
    void cacheStatus_isAStructuredField() {
        assertEquals("margay; hit; ttl=-3; detail=max-stale", CacheStatus.hit(-3, "max-stale"));
        assertEquals(
                "margay; fwd=uri-miss; fwd-status=304; stored; collapsed",
                CacheStatus.forwarded(CacheStatus.Forward.URI_MISS, 304, true, true));
        assertEquals("margay; detail=only-if-cached", CacheStatus.none("only-if-cached"));
    }
}
