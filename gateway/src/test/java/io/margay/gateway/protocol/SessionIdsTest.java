package io.margay.gateway.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.protocol.http.Fields;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SessionIdsTest {
    private static Fields cookies(String... lines) {
        Fields.Builder fields = new Fields.Builder();
        for (String line : lines) {
            fields.add("Cookie", line);
        }
        return fields.build();
    }

    private static List<String> find(Fields fields, String path, @Nullable String query) {
        return SessionIds.find(fields, path, query, "JSESSIONID", "jsessionid");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/a;jsessionid=1F.r1 | 1F.r1",
                "/a;jsessionid=1F.r1/b;x=y | 1F.r1",
                "/a;x=y;jsessionid=1F.r1 | 1F.r1",
                "/a;v=1/b;jsessionid=1F.r1;z | 1F.r1",
                "/a;xjsessionid=1F.r1 | ",
                "/a;jsessionid= | ",
                "/a;jsessionid | ",
                "/jsessionid=1F.r1 | ",
                "/ | "
            })
    void path_parameterOfTheName_isTheSession(String path, @Nullable String id) {
        assertEquals(id == null ? List.of() : List.of(id), find(Fields.EMPTY, path, null));
    }

    @Test
    void query_isLookedIntoWhenGiven() {
        assertEquals(List.of("1F.r1"), find(Fields.EMPTY, "/", "a=b&jsessionid=1F.r1&c=d"));
        assertEquals(List.of(), find(Fields.EMPTY, "/", "a=b&xjsessionid=1F.r1"));
        assertEquals(List.of(), find(Fields.EMPTY, "/", null));
    }

    @Test
    void path_goesBeforeCookies() {
        assertEquals(List.of("1.a"), find(cookies("JSESSIONID=2.b"), "/;jsessionid=1.a", null));
    }

    @Test
    void cookies_ofOneNameAreAllFound() {
        assertEquals(
                List.of("1.a", "2.b", "3.c"),
                find(cookies("x=y; JSESSIONID=1.a; JSESSIONID=2.b", "JSESSIONID=3.c"), "/", null));
    }

    @Test
    void cookie_inQuotes_isUnquoted() {
        assertEquals(List.of("1.a"), find(cookies("JSESSIONID=\"1.a\""), "/", null));
    }

    @Test
    void cookie_ofALongerName_isAnother() {
        assertEquals(
                List.of(),
                find(cookies("XJSESSIONID=1.a; JSESSIONIDX=1.b; jsessionid=1.c"), "/", null));
    }

    @Test
    void cookies_beyondTheLimit_areIgnored() {
        assertEquals(16, find(cookies("JSESSIONID=1.a;".repeat(40)), "/", null).size());
    }

    @Test
    void names_thatAreEmpty_findNothing() {
        assertEquals(
                List.of(),
                SessionIds.find(cookies("JSESSIONID=1.a"), "/;jsessionid=1.a", "a=b", "", ""));
    }
}
