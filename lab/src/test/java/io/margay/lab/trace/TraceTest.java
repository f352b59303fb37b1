package io.margay.lab.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.protocol.trace.TracedRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Traces, access logs and archives of browsers give the same requests.
final class TraceTest {
    @TempDir Path folder;

    private Trace read(String text) throws IOException {
        return Trace.read(Files.writeString(folder.resolve("file"), text));
    }

    private static List<String> words(Trace trace) {
        return trace.requests().stream()
                .map(one ->
                        one.atMillis()
                                + " "
                                + one.method()
                                + " "
                                + one.target()
                                + " "
                                + one.status())
                .toList();
    }

    @Test
    void trace_isReadInOrder_withoutWhatCannotBeSentAgain() throws IOException {
        Trace trace =
                read(
                        """
                        # margay trace 1
                        1500\tGET\t/b\t304\tHost: shop.example
                        1000\tGET\t/a?q=x\t200
                        1200\tPOST\t/login\t302
                        broken
                        1600\tHEAD\t/b\t200
                        """);
        assertEquals(
                List.of("1000 GET /a?q=x 200", "1500 GET /b 304", "1600 HEAD /b 200"),
                words(trace));
        assertEquals("3 requests of 1 s, 1 left out, 1 lines not understood", trace.words());
        assertEquals("shop.example", trace.requests().get(1).fields().get("host"));
    }

    /// A log has whole seconds: all at once would be another load.
    @Test
    void requestsOfASecond_areSpreadOverIt() throws IOException {
        String line = "a - - [30/Nov/2026:18:31:0%d +0000] \"GET /%s HTTP/1.1\" 200 1%n";
        Trace trace =
                read(
                        line.formatted(2, "a")
                                + line.formatted(2, "b")
                                + line.formatted(3, "c")
                                + "a - - [30/Nov/2026:18:31:03 +0000] \"-\" 400 0\n");
        List<Long> at = trace.requests().stream().map(TracedRequest::atMillis).toList();
        assertEquals(List.of(500L, 500L), List.of(at.get(1) - at.get(0), at.get(2) - at.get(1)));
        assertEquals(0, trace.malformed());
    }

    @Test
    void archiveOfABrowser_isRead_withoutOtherHosts_andSecrets() throws IOException {
        Trace trace =
                read(
                        """
                        {"log": {"entries": [
                          {"startedDateTime": "2026-11-30T18:31:02.250+01:00",
                           "request": {"method": "GET", "url": "https://shop.example/a?b=c",
                             "headers": [{"name": ":path", "value": "/a"},
                                         {"name": "Cookie", "value": "SID=secret"},
                                         {"name": "Accept", "value": "text/html"}]},
                           "response": {"status": 200}},
                          {"startedDateTime": "2026-11-30T17:31:03Z",
                           "request": {"method": "GET", "url": "https://cdn.example/x.js"}},
                          {"startedDateTime": "2026-11-30T17:31:03Z",
                           "request": {"method": "GET", "url": "https://shop.example"}}
                        ]}}
                        """);
        assertEquals(
                List.of("1796059862250 GET /a?b=c 200", "1796059863000 GET / 0"), words(trace));
        assertEquals(1, trace.leftOut());
        assertFalse(trace.requests().toString().contains("secret"));
        assertEquals("text/html", trace.requests().getFirst().fields().get("accept"));
    }

    @Test
    void fileOfAnotherKind_isToldOf() {
        for (String text : List.of("", "nothing\n", "{\"log\": {}}", "{", "# margay trace 1\n")) {
            IOException e = assertThrows(IOException.class, () -> read(text));
            assertTrue(
                    String.valueOf(e.getMessage()).contains("HAR")
                            || String.valueOf(e.getMessage()).contains("JSON"),
                    e::toString);
        }
    }
}
