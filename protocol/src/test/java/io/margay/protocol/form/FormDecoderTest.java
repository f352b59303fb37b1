package io.margay.protocol.form;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FormDecoderTest {
    private static FormDecoder utf8() {
        return new FormDecoder(StandardCharsets.UTF_8, FormDecoder.PAIRS_MAX);
    }

    private static String read(String text) {
        FormDecoder decoder = utf8();
        assertTrue(decoder.decode(text));
        return decoder.pairs().stream()
                .map(p -> p.name() + "[" + p.value() + "]")
                .collect(Collectors.joining(" "));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    a=b             | a[b]
                    a=b&c=d         | a[b] c[d]
                    a=b&a=c         | a[b] a[c]
                    a               | a[]
                    a=              | a[]
                    =b              | [b]
                    &&a=b&&         | a[b]
                    a=b=c           | a[b=c]
                    a=b;c=d         | a[b;c=d]
                    a+b=c+d         | a b[c d]
                    a%2Bb=%26%3d    | a+b[&=]
                    %C3%A4=%e2%82%ac | ä[€]
                    a[1]=b          | a[1][b]
                    """)
    void pair_wellFormed_isRead(String text, String expected) {
        assertEquals(expected, read(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a=%", "a=%4", "a=%zz", "%=b", "a=%C3", "a=%C0%AF", "a=\u00e4", "a=%+1"})
    void pair_malformed_is400(String text) {
        FormDecoder decoder = utf8();
        assertFalse(decoder.decode("x=1&" + text + "&y=2"));
        assertEquals(400, decoder.error().status());
        assertEquals(1, decoder.pairs().size());
    }

    @Test
    void charset_other_isUsed() {
        FormDecoder decoder = new FormDecoder(StandardCharsets.ISO_8859_1, 10);
        assertTrue(decoder.decode("a=%e4\u00f6"));
        assertEquals("äö", decoder.pairs().getFirst().value());
    }

    @Test
    void cve_2011_4858_tooManyParameters_are413() {
        FormDecoder decoder = utf8();
        assertTrue(decoder.decode("a=b&".repeat(600)));
        assertTrue(decoder.decode("a=b&".repeat(400)));
        assertFalse(decoder.decode("a"));
        assertEquals(413, decoder.error().status());
        assertEquals(FormDecoder.PAIRS_MAX, decoder.pairs().size());
    }
}
