package io.margay.server.files;

import io.margay.protocol.http.ByteRanges;
import io.margay.server.exchange.Exchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Sends several ranges of a file as `multipart/byteranges` (RFC 9110 §14.6), one after the other,
/// without waiting. Confined to the exchange's loop thread.
final class RangeSender implements Runnable {
    private final Exchange exchange;
    private final FileEntry entry;
    private final List<ByteRanges.Range> ranges;
    private final byte[][] heads;
    private final byte[] end;
    private int next;

    RangeSender(Exchange exchange, FileResponse answer, String boundary) {
        this.exchange = exchange;
        entry = answer.file();
        ranges = answer.ranges();
        String type = answer.found().type();
        heads = new byte[ranges.size()][];
        for (int i = 0; i < heads.length; i++) {
            String line = type == null ? "" : "Content-Type: " + type + "\r\n";
            heads[i] =
                    ascii(
                            (i == 0 ? "--" : "\r\n--")
                                    + boundary
                                    + "\r\n"
                                    + line
                                    + "Content-Range: "
                                    + ranges.get(i).contentRange(entry.length())
                                    + "\r\n\r\n");
        }
        end = ascii("\r\n--" + boundary + "--\r\n");
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /// Bytes of the whole content.
    long length() {
        long sum = end.length;
        for (int i = 0; i < heads.length; i++) {
            sum += heads[i].length + ranges.get(i).length();
        }
        return sum;
    }

    /// Goes on as far as the client takes it.
    @Override
    public void run() {
        try {
            while (next < heads.length) {
                if (!exchange.writable()) {
                    exchange.onWritable(this);
                    return;
                }
                ByteRanges.Range range = ranges.get(next);
                exchange.offer(heads[next], 0, heads[next].length);
                next++;
                byte[] content = entry.content();
                if (content != null) {
                    exchange.offer(content, (int) range.first(), (int) range.length());
                } else {
                    exchange.sendFile(StaticFiles.open(entry), range.first(), range.length());
                }
            }
            if (exchange.writable()) {
                exchange.end(end, 0, end.length);
            } else {
                exchange.onWritable(this);
            }
        } catch (IOException e) {
            exchange.abort();
        }
    }
}
