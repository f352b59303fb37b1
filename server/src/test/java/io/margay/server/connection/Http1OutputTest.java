package io.margay.server.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/// What leaves a connection in how many writes, and where the arrays go.
class Http1OutputTest {
    private static final byte[] HEAD = "head\r\n".getBytes(StandardCharsets.ISO_8859_1);

    private final ArrayPool large = new ArrayPool(2048, 4);
    private final ArrayPool wide = new ArrayPool(8192, 4);
    private final ScriptedConnection io = new ScriptedConnection();
    private final Http1Output output =
            new Http1Output(io, new BlockingWait(io), large, wide, 32_768, 1, new Pace(1, 0));
    private int writes;

    Http1OutputTest() {
        io.loop = false;
        io.onWrite = () -> writes++;
    }

    @Test
    void content_thatFitsTheWideArray_leavesWithItsHead() throws IOException {
        String content = "c".repeat(8000);
        put(HEAD);
        put(content.getBytes(StandardCharsets.ISO_8859_1));
        output.pushAll();
        assertEquals(1, writes);
        assertEquals("head\r\n" + content, io.written.toString());
    }

    @Test
    void content_thatFitsNoArray_isNotCopied() throws IOException {
        String content = "c".repeat(20_000);
        put(HEAD);
        put(content.getBytes(StandardCharsets.ISO_8859_1));
        output.pushAll();
        assertEquals("head\r\n" + content, io.written.toString());
        assertEquals(2048, output.array().length);
    }

    @Test
    void peerWithoutRoom_losesNothingWhenTheArrayGrows() throws IOException {
        io.room = false;
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < 12; i++) {
            String piece = "%1500d".formatted(i);
            all.append(piece);
            output.put(piece.getBytes(StandardCharsets.ISO_8859_1), 0, 1500, false);
        }
        io.room = true;
        assertTrue(output.push());
        assertEquals(all.toString(), io.written.toString());
    }

    @Test
    void arrays_areGivenBackToWhereTheyCameFrom() throws IOException {
        byte[] first = output.array();
        put(new byte[3000]);
        byte[] second = output.array();
        output.pushAll();
        output.releaseIfEmpty();
        assertSame(first, large.lease());
        assertSame(second, wide.lease());
    }

    private void put(byte[] bytes) throws IOException {
        output.put(bytes, 0, bytes.length, true);
    }
}
