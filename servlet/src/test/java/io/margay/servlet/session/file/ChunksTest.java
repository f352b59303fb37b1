package io.margay.servlet.session.file;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class ChunksTest {
    private static final byte[] MAGIC = "MAGIC".getBytes();
    private static final byte[] KEY = new byte[32];
    private static final int HEAD = MAGIC.length + ChunkCodes.SALT_BYTES;
    private static final int LARGEST = ChunkCodes.CHUNK_BYTES_MAX;

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new Random(7).nextBytes(bytes);
        return bytes;
    }

    private static byte[] written(byte[] data) throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (ChunkOutput out = new ChunkOutput(file, MAGIC, KEY)) {
            out.write(data, 0, data.length / 2);
            for (int i = data.length / 2; i < Math.min(data.length, data.length / 2 + 10); i++) {
                out.write(data[i]);
            }
            int rest = Math.min(data.length, data.length / 2 + 10);
            out.write(data, rest, data.length - rest);
        }
        return file.toByteArray();
    }

    private static byte[] read(byte[] file) throws IOException {
        return new ChunkInput(new ByteArrayInputStream(file), MAGIC, KEY).readAllBytes();
    }

    @Test
    void data_ofAnyLength_comesBack() throws IOException {
        for (int length : new int[] {0, 1, LARGEST - 1, LARGEST, LARGEST + 1, 3 * LARGEST}) {
            byte[] data = random(length);
            assertArrayEquals(data, read(written(data)), () -> length + " bytes");
        }
    }

    @Test
    void file_changedInAnyByte_orCutAnywhere_isSeen() throws IOException {
        byte[] file = written(random(60));
        for (int i = 0; i < file.length; i++) {
            byte[] changed = file.clone();
            changed[i] ^= 1;
            assertThrows(IOException.class, () -> read(changed), "byte " + i);
            byte[] cut = Arrays.copyOf(file, i);
            assertThrows(IOException.class, () -> read(cut), "cut at " + i);
        }
    }

    @Test
    void chunks_exchanged_leftOut_orOfAnotherFile_areSeen_andWhatIsBeforeIsGiven()
            throws IOException {
        byte[] data = random(3 * LARGEST);
        byte[] file = written(data);
        int whole = Integer.BYTES + LARGEST + ChunkCodes.CODE_BYTES;
        byte[] exchanged = file.clone();
        System.arraycopy(file, HEAD + whole, exchanged, HEAD + 2 * whole, whole);
        System.arraycopy(file, HEAD + 2 * whole, exchanged, HEAD + whole, whole);
        assertThrows(IOException.class, () -> read(exchanged));
        byte[] without = new byte[file.length - whole];
        System.arraycopy(file, 0, without, 0, HEAD + whole);
        System.arraycopy(
                file, HEAD + 2 * whole, without, HEAD + whole, without.length - HEAD - whole);
        assertThrows(IOException.class, () -> read(without));
        byte[] mixed = written(data);
        System.arraycopy(file, HEAD + whole, mixed, HEAD + whole, whole);
        assertThrows(IOException.class, () -> read(mixed));
        ChunkInput in = new ChunkInput(new ByteArrayInputStream(exchanged), MAGIC, KEY);
        assertArrayEquals(Arrays.copyOf(data, LARGEST), in.readNBytes(LARGEST));
    }

    @Test
    void chunk_thatIsTooLong_isNotRead() throws IOException {
        byte[] file = written(random(60));
        ByteBuffer.wrap(file).putInt(HEAD, LARGEST + 1);
        IOException e = assertThrows(IOException.class, () -> read(file));
        assertEquals("session file does not carry the right authentication code", e.getMessage());
    }
}
