package io.margay.protocol.fastcgi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/// Records of a hostile application.
final class FastCgiRecordsTest {
    private static final FastCgiLimits LIMITS = new FastCgiLimits(32_768, 100, 1 << 20, 1000);

    private static byte[] record(int type, byte[] content, int padding) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int length = content.length;
        int[] head = {1, type, 0, 1, length >> 8, length & 0xff, padding, 0};
        for (int octet : head) {
            out.write(octet);
        }
        out.writeBytes(content);
        // Padding that looks like the end of the response, again and again.
        byte[] end = {1, 3, 0, 1, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
        for (int i = 0; i < padding; i++) {
            out.write(end[i % end.length]);
        }
        return out.toByteArray();
    }

    /// The longest content with the longest padding is longer than sixteen bits can say.
    @Test
    void longestRecord_withPaddingLikeRecords_isSkippedWhole_cve2026_55203() {
        byte[] head = "Content-Type: x/y\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        byte[] first = Arrays.copyOf(head, 65_535);
        Arrays.fill(first, head.length, first.length, (byte) 'a');
        for (int padding : new int[] {1, 2, 8, 255}) {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            all.writeBytes(record(FastCgi.STDOUT, first, padding));
            all.writeBytes(record(FastCgi.STDOUT, new byte[] {'!'}, padding));
            all.writeBytes(record(FastCgi.STDOUT, new byte[0], padding));
            all.writeBytes(record(FastCgi.END_REQUEST, new byte[8], 0));
            String content = content(all.toByteArray());
            assertEquals("a".repeat(65_535 - head.length) + "!", content, "padding " + padding);
        }
    }

    private static String content(byte[] received) {
        FastCgiResponseDecoder decoder = new FastCgiResponseDecoder(LIMITS);
        decoder.reset(false);
        StringBuilder content = new StringBuilder();
        int from = 0;
        while (true) {
            FastCgiResponseDecoder.Result result = decoder.decode(received, from, received.length);
            from = decoder.consumed();
            switch (result) {
                case HEAD -> assertEquals(200, decoder.head().status());
                case DATA ->
                        content.append(
                                new String(
                                        received,
                                        decoder.dataFrom(),
                                        decoder.dataTo() - decoder.dataFrom(),
                                        StandardCharsets.ISO_8859_1));
                case END -> {
                    assertEquals(received.length, from, "all of it is the response");
                    return content.toString();
                }
                default -> throw new AssertionError(result + " after " + content.length());
            }
        }
    }
}
