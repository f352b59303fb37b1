package io.margay.protocol.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.protocol.http.Cookies.Cookie;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CookiesTest {
    private static String read(String value) {
        return Cookies.decode(value).stream()
                .map(c -> c.name() + "[" + c.value() + "]")
                .collect(Collectors.joining(" "));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    a=b              | a[b]
                    a=b; c=d         | a[b] c[d]
                    a=b;c=d          | a[b] c[d]
                    a=               | a[]
                    a="b"            | a["b"]
                    a=b=c            | a[b=c]
                    a==              | a[=]
                    a =1             | a[1]
                    a= 1; b = 2 ;c=3 | a[1] b[2] c[3]
                    a = "b"          | a["b"]
                    a=b; a=c         | a[b] a[c]
                    A=1; a=2         | A[1] a[2]
                    JSESSIONID=5A.n1 | JSESSIONID[5A.n1]
                    $Version=1; a=b  | $Version[1] a[b]
                    a="              | ''
                    a=""             | a[""]
                    """)
    void pair_wellFormed_isRead(String value, String expected) {
        assertEquals(expected, read(value));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "=b",
                "a b=c",
                "a=b c",
                "a=b,c=d",
                "a=\"b c\"",
                "a=\"b",
                "a=b\"",
                "a=b\\c",
                "a\u0000=b",
                "a=\u0001",
                "\u00e4=b",
                "a,b=c",
                "a=\u007f"
            })
    void pair_malformed_isDroppedAlone(String pair) {
        assertEquals("x[1] y[2]", read("x=1; " + pair + "; y=2"));
    }

    @Test
    void quotedSemicolon_doesNotHideAPair() {
        // Other readings take all of it for the value of a.
        assertEquals("JSESSIONID[1]", read("a=\"b; JSESSIONID=1; c=\""));
    }

    @Test
    void octetsBeyondAscii_areKept() {
        assertEquals("a[\u00e4\u00ff]", read("a=\u00e4\u00ff"));
    }

    @Test
    void severalLines_areReadInOrder() {
        Fields fields =
                new Fields.Builder()
                        .add("Cookie", "a=1")
                        .add("X", "y=2")
                        .add("cookie", "b=3")
                        .build();
        assertEquals(List.of(new Cookie("a", "1"), new Cookie("b", "3")), Cookies.decode(fields));
        assertEquals(List.of(), Cookies.decode(Fields.EMPTY));
    }

    @Test
    void cookies_overTheLimit_areDropped() {
        String many = "a=b;".repeat(Cookies.COOKIES_MAX + 50);
        assertEquals(Cookies.COOKIES_MAX, Cookies.decode(many).size());
        Fields lines = new Fields.Builder().add("Cookie", many).add("Cookie", "c=d").build();
        assertEquals(Cookies.COOKIES_MAX, Cookies.decode(lines).size());
    }
}
