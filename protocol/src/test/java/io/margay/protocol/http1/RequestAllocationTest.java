package io.margay.protocol.http1;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/// Guards how many bytes are allocated for one decoded request: what is handed on and nothing else.
///
/// With compressed references (sizes rounded up to 8):
///
/// ```
/// RequestHead                   48   header 12, five references, one long, two booleans
/// RequestTarget                 40   header 12, six references
/// target text                   24 + 16 + length; path and query again if there is a query
/// authority text                none: it is that of an earlier request of the decoder's, if equal
/// Fields                        24
/// their bytes                   16 + length up to the last value's end
/// their spans                   16 + 16 per line
/// ```
class RequestAllocationTest {
    private static final int ROUNDS = 20_000;
    private static final String SHORT =
            "GET /heartbeat HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nConnection: Keep-Alive\r\n\r\n";
    private static final String ROOT = "GET / HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n\r\n";
    private static final String QUERY =
            "GET /shop/list?page=2&order=name HTTP/1.1\r\nHost: shop.example:8080\r\n"
                    + "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\n"
                    + "Accept-Encoding: gzip, deflate, br\r\nConnection: keep-alive\r\n"
                    + "Cookie: JSESSIONID=5A2C9E0B7D3F41868A9B0C1D2E3F4A5B\r\n\r\n";

    private static int align(int bytes) {
        return (bytes + 7) / 8 * 8;
    }

    private static int text(int length) {
        return 24 + align(16 + length);
    }

    /// The bytes of the table above.
    private static int expected(String request) {
        int targetFrom = request.indexOf(' ') + 1;
        String target = request.substring(targetFrom, request.indexOf(' ', targetFrom));
        int question = target.indexOf('?');
        String fields = request.substring(request.indexOf('\n') + 1, request.length() - 4);
        int bytes = 48 + 40;
        bytes += target.equals("/") ? 0 : text(target.length());
        bytes += question < 0 ? 0 : text(question) + text(target.length() - question - 1);
        bytes += 24 + align(16 + fields.length()) + 16 + 16 * (int) fields.lines().count();
        return bytes;
    }

    private static double perRequest(String text, int cut) {
        byte[] request = text.getBytes(StandardCharsets.ISO_8859_1);
        Http1RequestDecoder decoder = new Http1RequestDecoder(Http1Limits.defaults(), false);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long heads = 0;
        long before = 0;
        for (int i = 0; i < 2 * ROUNDS; i++) {
            if (i == ROUNDS) {
                before = threads.getCurrentThreadAllocatedBytes();
            }
            decoder.reset();
            decoder.decode(request, 0, cut);
            decoder.decode(request, 0, request.length);
            heads += decoder.head().fields().size();
        }
        long after = threads.getCurrentThreadAllocatedBytes();
        assertTrue(heads > 0);
        return (after - before) / (double) ROUNDS;
    }

    private static void assertOnlyWhatIsHandedOn(String request) {
        for (int cut : new int[] {request.length(), request.length() / 2}) {
            double bytes = perRequest(request, cut);
            int most = expected(request);
            assertTrue(bytes <= most + 1, () -> bytes + " bytes a request, not " + most);
            assertTrue(bytes > 100, () -> "measured nothing: " + bytes);
        }
    }

    @Test
    void shortRequest_allocatesOnlyWhatIsHandedOn() {
        assertOnlyWhatIsHandedOn(SHORT);
    }

    @Test
    void requestOfTheRoot_allocatesNoTextForItsTarget() {
        assertOnlyWhatIsHandedOn(ROOT);
    }

    @Test
    void browserRequest_allocatesOnlyWhatIsHandedOn() {
        assertOnlyWhatIsHandedOn(QUERY);
    }
}
