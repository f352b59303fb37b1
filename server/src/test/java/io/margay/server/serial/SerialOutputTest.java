package io.margay.server.serial;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.server.connection.BlockingWait;
import io.margay.server.connection.ScriptedConnection;
import io.margay.server.connection.TransferRate;
import io.margay.server.exchange.ArrayPool;
import io.margay.server.exchange.MemoryBudget;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What leaves a connection in how many writes, and where the arrays go.
class SerialOutputTest {
    private static final byte[] HEAD = "head\r\n".getBytes(StandardCharsets.ISO_8859_1);

    private final ArrayPool large = new ArrayPool(2048, 4);
    private final ArrayPool wide = new ArrayPool(8192, 4);
    private final ScriptedConnection io = new ScriptedConnection();
    private final SerialOutput output =
            new SerialOutput(
                    io,
                    new BlockingWait(io, System::nanoTime),
                    new SerialOutput.Room(large, wide, 32_768, MemoryBudget.UNBOUNDED),
                    1,
                    () -> new TransferRate(1, 0, System::nanoTime));
    private int writes;

    SerialOutputTest() {
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

    @Test
    void fileThatWaitsForThePeer_keepsNoArray(@TempDir Path folder) throws IOException {
        Path path = Files.write(folder.resolve("file"), new byte[1]);
        byte[] array = output.array();
        output.put(HEAD, 0, HEAD.length, false);
        output.putFile(FileChannel.open(path), 0, 300_000, "\r\n0\r\n\r\n".getBytes());
        assertFalse(output.push());
        assertSame(array, large.lease());
        assertTrue(output.push());
        assertEquals("head\r\n\r\n0\r\n\r\n", io.written.toString());
        assertEquals(300_000, io.fileBytes);
    }

    @Test
    void constantThatWaitsForThePeer_keepsNoArray() throws IOException {
        byte[] array = output.array();
        output.put(HEAD, 0, HEAD.length, false);
        output.putConstant("c".repeat(20_000).getBytes(StandardCharsets.ISO_8859_1), 0, 20_000);
        io.onWrite = () -> io.room = writes++ == 0;
        assertFalse(output.push());
        assertSame(array, large.lease());
        io.onWrite = () -> {};
        io.room = true;
        assertTrue(output.push());
        assertEquals("head\r\n" + "c".repeat(20_000), io.written.toString());
    }

    @Test
    void file_isSentInTurns_soThatOthersHaveTheirs(@TempDir Path folder) throws IOException {
        Path path = Files.write(folder.resolve("file"), new byte[1]);
        FileChannel file = FileChannel.open(path);
        output.put(HEAD, 0, HEAD.length, false);
        output.putFile(file, 0, 3_000_000, new byte[0]);
        int turns = 1;
        while (!output.push()) {
            assertEquals(turns++ * 262_144, io.fileBytes);
            assertTrue(output.isPending());
        }
        assertEquals(12, turns);
        assertEquals(3_000_000, io.fileBytes);
        assertFalse(file.isOpen());
    }

    @Test
    void file_thatIsWaitedFor_isSentInOne(@TempDir Path folder) throws IOException {
        Path path = Files.write(folder.resolve("file"), new byte[1]);
        output.putFile(FileChannel.open(path), 0, 3_000_000, new byte[0]);
        io.onAwait =
                () -> {
                    throw new AssertionError("there is room");
                };
        output.pushAll();
        assertEquals(3_000_000, io.fileBytes);
    }

    private void put(byte[] bytes) throws IOException {
        output.put(bytes, 0, bytes.length, true);
    }
}
