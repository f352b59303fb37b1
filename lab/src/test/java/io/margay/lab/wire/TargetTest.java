package io.margay.lab.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.lab.load.LoadJob;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class TargetTest {
    private static final LoadJob JOB = LoadJob.closed(1, false, true);

    private static Target with(Map<String, String> fields) {
        return new Target(Target.with(fields, "/account?a=b&c=d"), JOB, null);
    }

    @Test
    void fields_areSentByBothProtocols() {
        Target target = with(Map.of("cookie", "JSESSIONID=a b&c=%1"));
        String head = String.valueOf(ISO_8859_1.decode(target.request()));
        assertTrue(head.startsWith("GET /account?a=b&c=d HTTP/1.1\r\n"), head);
        assertTrue(head.contains("\r\ncookie: JSESSIONID=a b&c=%1\r\n"), head);
        assertEquals("JSESSIONID=a b&c=%1", target.head().get("cookie"));
        assertEquals("/account?a=b&c=d", target.head().get(":path"));
    }

    @Test
    void host_isThatOfTheRequest() {
        Target target = with(Map.of("host", "h7.example"));
        String head = String.valueOf(ISO_8859_1.decode(target.request()));
        assertTrue(head.contains("\r\nHost: h7.example\r\n"), head);
        assertEquals(head.indexOf("h7.example"), head.lastIndexOf("h7.example"), head);
        assertEquals("h7.example", target.head().get(":authority"));
        assertEquals(null, target.head().get("host"));
    }
}
