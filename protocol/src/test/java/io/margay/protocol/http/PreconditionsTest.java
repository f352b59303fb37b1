package io.margay.protocol.http;

import static io.margay.protocol.http.Preconditions.Outcome.NOT_MODIFIED;
import static io.margay.protocol.http.Preconditions.Outcome.PRECONDITION_FAILED;
import static io.margay.protocol.http.Preconditions.Outcome.PROCEED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.protocol.http.Preconditions.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;

class PreconditionsTest {
    private static final long CHANGED = 784_111_777;
    private static final String SAME = HttpDate.format(CHANGED);
    private static final String BEFORE = HttpDate.format(CHANGED - 1);
    private static final String AFTER = HttpDate.format(CHANGED + 1);
    private static final EntityTag TAG = EntityTag.strong("v1");

    private static Fields fields(String... lines) {
        Fields.Builder fields = new Fields.Builder();
        for (int i = 0; i < lines.length; i += 2) {
            fields.add(lines[i], lines[i + 1]);
        }
        return fields.build();
    }

    private static Outcome get(String... lines) {
        return Preconditions.evaluate("GET", fields(lines), TAG, CHANGED);
    }

    private static Outcome put(String... lines) {
        return Preconditions.evaluate("PUT", fields(lines), TAG, CHANGED);
    }

    @Test
    void noCondition_proceeds() {
        assertEquals(PROCEED, get());
    }

    @Test
    void ifMatch_comparesStrongly() {
        assertEquals(PROCEED, put("If-Match", "\"v0\", \"v1\""));
        assertEquals(PROCEED, put("If-Match", "*"));
        assertEquals(PRECONDITION_FAILED, put("If-Match", "\"v0\""));
        assertEquals(PRECONDITION_FAILED, put("If-Match", "W/\"v1\""));
        assertEquals(PRECONDITION_FAILED, put("If-Match", "v1"));
        assertEquals(
                PRECONDITION_FAILED,
                Preconditions.evaluate("PUT", fields("If-Match", "\"v1\""), null, -1));
    }

    @Test
    void ifUnmodifiedSince_comparesDates() {
        assertEquals(PROCEED, put("If-Unmodified-Since", SAME));
        assertEquals(PRECONDITION_FAILED, put("If-Unmodified-Since", BEFORE));
        assertEquals(PROCEED, put("If-Unmodified-Since", "yesterday"));
        assertEquals(PROCEED, put("If-Match", "\"v1\"", "If-Unmodified-Since", BEFORE));
    }

    @Test
    void ifNoneMatch_comparesWeakly() {
        assertEquals(NOT_MODIFIED, get("If-None-Match", "\"v1\""));
        assertEquals(NOT_MODIFIED, get("If-None-Match", "\"v0\" , W/\"v1\""));
        assertEquals(NOT_MODIFIED, get("If-None-Match", "\"v0\"", "If-None-Match", "\"v1\""));
        assertEquals(NOT_MODIFIED, get("If-None-Match", "*"));
        assertEquals(PROCEED, get("If-None-Match", "\"v0\""));
        assertEquals(PRECONDITION_FAILED, put("If-None-Match", "*"));
        assertEquals(PRECONDITION_FAILED, put("If-None-Match", "\"v1\""));
    }

    @Test
    void ifModifiedSince_comparesDates() {
        assertEquals(NOT_MODIFIED, get("If-Modified-Since", SAME));
        assertEquals(NOT_MODIFIED, get("If-Modified-Since", AFTER));
        assertEquals(PROCEED, get("If-Modified-Since", BEFORE));
        assertEquals(PROCEED, get("If-Modified-Since", "x"));
        assertEquals(PROCEED, put("If-Modified-Since", SAME));
        assertEquals(PROCEED, get("If-None-Match", "\"v0\"", "If-Modified-Since", SAME));
        assertEquals(
                PROCEED,
                Preconditions.evaluate("GET", fields("If-Modified-Since", SAME), null, -1));
    }

    @Test
    void ifRange_decidesWhetherTheRangeApplies() {
        assertTrue(Preconditions.rangeApplies(fields(), TAG, CHANGED));
        assertTrue(Preconditions.rangeApplies(fields("If-Range", "\"v1\""), TAG, CHANGED));
        assertFalse(Preconditions.rangeApplies(fields("If-Range", "W/\"v1\""), TAG, CHANGED));
        assertFalse(Preconditions.rangeApplies(fields("If-Range", "\"v0\""), TAG, CHANGED));
        assertTrue(Preconditions.rangeApplies(fields("If-Range", SAME), TAG, CHANGED));
        assertFalse(Preconditions.rangeApplies(fields("If-Range", AFTER), TAG, CHANGED));
        assertFalse(Preconditions.rangeApplies(fields("If-Range", "x"), TAG, CHANGED));
    }

    @Test
    void entityTag_parsesAndPrints() {
        assertEquals(EntityTag.weak("a,b"), parsed("W/\"a,b\""));
        assertEquals("W/\"a\"", EntityTag.weak("a").toString());
        assertEquals("\"\"", EntityTag.strong("").toString());
        for (String bad :
                List.of("", "a", "\"a", "w/\"a\"", "\"a\"b", "\"a\" \"b\"", "\"a\", \"b\"")) {
            assertNull(EntityTag.parse(bad), bad);
        }
        assertThrows(IllegalArgumentException.class, () -> EntityTag.strong("a\"b"));
        assertThrows(IllegalArgumentException.class, () -> EntityTag.strong("a\r\nb"));
    }

    private static EntityTag parsed(String text) {
        EntityTag tag = EntityTag.parse(text);
        if (tag == null) {
            throw new AssertionError(text);
        }
        return tag;
    }
}
