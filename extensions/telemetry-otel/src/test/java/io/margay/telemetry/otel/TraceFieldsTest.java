package io.margay.telemetry.otel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.protocol.http.Fields;
import io.opentelemetry.api.trace.SpanContext;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TraceFieldsTest {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String SPAN = "b7ad6b7169203331";
    private static final String VALID = "00-" + TRACE + "-" + SPAN + "-01";

    private static Fields fields(String... namesAndValues) {
        Fields.Builder made = new Fields.Builder();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            made.add(namesAndValues[i], namesAndValues[i + 1]);
        }
        return made.build();
    }

    @Test
    void parent_isRead() {
        SpanContext read = TraceFields.read(fields("Traceparent", VALID, "tracestate", "a=1,b=2"));
        assertEquals(TRACE, read.getTraceId());
        assertEquals(SPAN, read.getSpanId());
        assertTrue(read.isSampled());
        assertTrue(read.isRemote());
        assertEquals("1", read.getTraceState().get("a"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "00",
                "ff-" + TRACE + "-" + SPAN + "-01",
                "00-00000000000000000000000000000000-" + SPAN + "-01",
                "00-" + TRACE + "-0000000000000000-01",
                "00-" + TRACE + "-" + SPAN,
                "00-" + TRACE + "-" + SPAN + "-01-more",
                "00-" + TRACE + "-" + SPAN + "-zz",
                "00-" + TRACE + SPAN + "-01",
                "00-0AF7651916CD43DD8448EB211C80319C-" + SPAN + "-01",
                "00-0af7651916cd43dd8448eb211c80319g-" + SPAN + "-01"
            })
    void parentThatMakesNoSense_isNone(String value) {
        assertFalse(TraceFields.read(fields("traceparent", value)).isValid());
    }

    @Test
    void twoParents_areNone_andALongStateIsDropped() {
        Fields two = fields("traceparent", VALID, "traceparent", VALID);
        assertFalse(TraceFields.read(two).isValid());
        Fields full = fields("traceparent", VALID, "tracestate", "a=" + "x".repeat(510));
        assertTrue(TraceFields.read(full).isValid());
        Fields longer = fields("traceparent", VALID, "tracestate", "a=" + "x".repeat(511));
        assertTrue(TraceFields.read(longer).isValid());
        assertTrue(TraceFields.read(longer).getTraceState().isEmpty());
    }

    @Test
    void fields_haveTheSpanInThePlaceOfWhatCame_andTheStateOfWhoIsBelieved() {
        Fields received =
                fields("A", "1", "traceparent", VALID, "tracestate", "a=1", "tracestate", "b=2");
        SpanContext span = TraceFields.read(received);
        Fields believed = TraceFields.with(received, span, true);
        assertEquals(List.of(VALID), believed.all("traceparent"));
        assertEquals(List.of("a=1,b=2"), believed.all("tracestate"));
        assertEquals("1", believed.get("A"));
        Fields other = TraceFields.with(received, span, false);
        assertEquals(List.of(), other.all("tracestate"));
        assertEquals(2, other.size());
    }
}
