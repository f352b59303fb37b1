package io.margay.protocol.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The `priority` field (RFC 9218 §4), a Dictionary of Structured Fields (RFC 8941).
final class PriorityTest {
    private static final Priority OTHER = new Priority(5, true);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "u=0 | 0 | true",
                "u=7, i=?0 | 7 | false",
                "u=2,i | 2 | true",
                "i=?0 | 5 | false",
                "'' | 5 | true",
                "u=1 , \ti=?0 | 1 | false",
                "u=1;a=2;b, i=?0;c=\"x\\\"y\" | 1 | false",
                "u=1, u=4 | 4 | true",
                "u=6, x=(1 \"two\" three;p=?1 :Zm91cg==:), y=-1.25 | 6 | true",
                "u=8 | 5 | true",
                "u=-1 | 5 | true",
                "u=1.0 | 5 | true",
                "u=?1, i=1 | 5 | true",
                "u=1, u=x | 5 | true",
                "urgency=1, u | 5 | true",
                "u=000000000000001 | 1 | true",
                "*=1, a-b_c.d*=*t/x:y, u=3 | 3 | true",
            })
    void wellFormedValue_says(String value, int urgency, boolean incremental) {
        assertEquals(new Priority(urgency, incremental), OTHER.changedBy(value));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "u=1,",
                "u=1,,i",
                "u=1 i",
                "U=1",
                "u =1",
                "u= 1",
                "u=",
                "u=1;",
                "u=1;A",
                "u=0000000000000001",
                "u=1, x=1.",
                "u=1, x=1.2345",
                "u=1, x=1234567890123.1",
                "u=1, x=\"open",
                "u=1, x=\"\\n\"",
                "u=1, x=\"\u00e4\"",
                "u=1, x=?2",
                "u=1, x=:a",
                "u=1, x=(1",
                "u=1, x=(1\"2\")",
                "u=1, x=-",
                "u=1\n",
                "=1",
                "\tu=1",
            })
    void malformedValue_saysNothing(String value) {
        assertEquals(OTHER, OTHER.changedBy(value));
    }

    @Test
    void fields_ofARequest_areJoined() {
        Fields none = Fields.EMPTY;
        assertNull(Priority.of(none));
        byte[] bytes = "Priorityu=1i".getBytes(StandardCharsets.US_ASCII);
        Fields.Builder two = new Fields.Builder();
        two.add(bytes, 0, 8, bytes, 8, 11);
        two.add(bytes, 0, 8, bytes, 11, 12);
        assertEquals(new Priority(1, true), Priority.of(two.build()));
    }

    @Test
    void urgency_thatThereIsNot_isRefused() {
        assertThrows(IllegalArgumentException.class, () -> new Priority(8, false));
        assertThrows(IllegalArgumentException.class, () -> new Priority(-1, false));
    }
}
