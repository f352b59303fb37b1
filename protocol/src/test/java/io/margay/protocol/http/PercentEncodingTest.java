package io.margay.protocol.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PercentEncodingTest {
    @ParameterizedTest
    @CsvSource({
        "/a-b._~c, /a-b._~c",
        "/!$&()*+=:@, /!$&()*+=:@",
        "'/a b', /a%20b",
        "/a;b?c%d, /a%3Bb%3Fc%25d",
        "/grün, /gr%C3%BCn",
        "/€, /%E2%82%AC",
        "/😀, /%F0%9F%98%80",
    })
    void path_decoded_isEncodedByItsOctets(String decoded, String expected) {
        assertEquals(expected, PercentEncoding.path(decoded));
    }

    @Test
    void encode_withOtherCharactersKept_leavesThem() {
        assertEquals("/a;b%20%3F", PercentEncoding.encode("/a;b%20?", PercentEncoding.PATH + ";%"));
    }

    @Test
    void encode_ofControlCharacters_leavesNone() {
        assertEquals("%0D%0A%00%7F", PercentEncoding.path("\r\n\0\u007f"));
    }
}
