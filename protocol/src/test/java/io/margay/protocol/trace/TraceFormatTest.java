package io.margay.protocol.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.protocol.http.Fields;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Traces are read as they were written, access logs as servers write them, and neither has what
/// nobody may keep.
final class TraceFormatTest {
    private static final Fields FIELDS =
            new Fields.Builder()
                    .add("Host", "shop.example")
                    .add("Cookie", "JSESSIONID=secret")
                    .add("Authorization", "Basic secret")
                    .add("Accept", "text/html\t*/*")
                    .add("X-Api-Key", "secret")
                    .build();

    @Test
    void request_isReadAsItWasWritten() {
        TracedRequest request = new TracedRequest(1_764_527_400_123L, "GET", "/a?b=c", 200, FIELDS);
        String line = TraceFormat.write(request);
        assertNotNull(line);
        TracedRequest read = TraceFormat.read(line);
        assertNotNull(read);
        assertEquals(line, TraceFormat.write(read));
        assertEquals("text/html */*", read.fields().get("accept"));
        assertNull(TraceFormat.read(TraceFormat.HEAD));
    }

    @Test
    void whatNobodyMayKeep_isNotKept() {
        Fields kept = TraceScrub.fields(FIELDS);
        assertEquals(2, kept.size());
        assertFalse(kept.toString().contains("secret"));
        assertEquals("/a?q=x&x", TraceScrub.target("/a;jsessionid=F00?q=typed&typed", false));
        assertEquals(
                "/a?q=typed&Password=x&resetToken=x&page=2",
                TraceScrub.target("/a?q=typed&Password=p&resetToken=t&page=2", true));
        assertEquals("/a;v=1/b", TraceScrub.target("/a;v=1/b;JSESSIONID=a.b", true));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1\tGET\t/",
                "x\tGET\t/\t200",
                "-1\tGET\t/\t200",
                "1\tGET\t/\t+20",
                "1\tG T\t/\t200",
                "1\tGET\thttp://a/\t200",
                "1\tGET\t/a b\t200",
                "1\tGET\t/\u00e4\t200",
                "1\tGET\t/\t200\tno field",
                "1\tGET\t/\t200\ta b: c",
                "1\tGET\t/\t200\tA: b\r",
                "1\tGET\t/\t1000",
                "9999999999999999\tGET\t/\t200",
            })
    void lineThatIsMalformed_isRefused(String line) {
        assertThrows(IllegalArgumentException.class, () -> TraceFormat.read(line));
    }

    /// A line of a request must stay one line.
    @Test
    void requestThatWouldBreakTheFile_isNotWritten() {
        assertNull(TraceFormat.write(new TracedRequest(1, "GET", "/\n", 0, Fields.EMPTY)));
        assertNull(TraceFormat.write(new TracedRequest(1, "GET", "/\t", 0, Fields.EMPTY)));
        assertNull(
                TraceFormat.write(
                        new TracedRequest(1, "GET", "/" + "a".repeat(20_000), 0, Fields.EMPTY)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10.0.0.7 - - [30/Nov/2026:18:31:02 +0000] \"GET /list?a=b HTTP/1.1\" 304 -",
                "10.0.0.7 - - [30/Nov/2026:18:31:02 +0000] \"GET /list?a=b HTTP/2.0\" 304 0"
                        + " \"-\" \"Mozilla \\\"5\"",
                "shop.example:443 ::1 - joe [30/Nov/2026:19:31:02 +0100] \"GET /list?a=b HTTP/1.1\""
                        + " 304 0 \"http://a/\" \"Mozilla \\\"5\" 0.002",
            })
    void accessLogs_areRead(String line) {
        assertTrue(AccessLogLine.isOne(line));
        TracedRequest read = AccessLogLine.read(line);
        assertNotNull(read);
        assertEquals(1_796_063_462_000L, read.atMillis());
        assertEquals(
                "GET /list?a=b 304", read.method() + " " + read.target() + " " + read.status());
        String agent = read.fields().get("user-agent");
        assertTrue(agent == null || agent.equals("Mozilla \"5"), agent);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "10.0.0.7 - - 30/Nov/2026 \"GET / HTTP/1.1\" 200 1",
                "10.0.0.7 - - [30/Xov/2026:18:31:02 +0000] \"GET / HTTP/1.1\" 200 1",
                "10.0.0.7 - - [30/Nov/2026:18:31:02 +0000] GET / HTTP/1.1 200 1",
                "10.0.0.7 - - [30/Nov/2026:18:31:02 +0000] \"GET / HTTP/1.1\" - 1",
                "10.0.0.7 - - [30/Nov/2026:18:31:02 +0000] \"GET / HTTP/1.1",
            })
    void otherLines_areNot(String line) {
        assertThrows(IllegalArgumentException.class, () -> AccessLogLine.read(line));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-", "\\x16\\x03\\x01", "GET / HTTP/1.1 x", "GET http://a/ HTTP/1.1"})
    void whatIsNotARequest_isNoRequest(String request) {
        assertNull(
                AccessLogLine.read("a - - [30/Nov/2026:18:31:02 +0000] \"" + request + "\" 400 0"));
    }
}
