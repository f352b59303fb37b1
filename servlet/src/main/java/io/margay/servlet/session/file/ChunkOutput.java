package io.margay.servlet.session.file;

import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.security.SecureRandom;

/// Writes a file of chunks ([ChunkCodes]) of any length in memory of one chunk. Used by one thread.
public final class ChunkOutput extends OutputStream {
    private final DataOutputStream to;
    private final ChunkCodes codes;
    private final byte[] chunk = new byte[ChunkCodes.CHUNK_BYTES_MAX];
    private int length;

    /// @param magic what the file begins with
    public ChunkOutput(OutputStream to, byte[] magic, byte[] key) throws IOException {
        this.to = new DataOutputStream(to);
        byte[] salt = new byte[ChunkCodes.SALT_BYTES];
        new SecureRandom().nextBytes(salt);
        codes = new ChunkCodes(key, magic, salt);
        to.write(magic);
        to.write(salt);
    }

    @Override
    public void write(int one) throws IOException {
        if (length == chunk.length) {
            writeChunk();
        }
        chunk[length++] = (byte) one;
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
        for (int done = 0; done < count; ) {
            if (length == chunk.length) {
                writeChunk();
            }
            int part = Math.min(count - done, chunk.length - length);
            System.arraycopy(bytes, from + done, chunk, length, part);
            length += part;
            done += part;
        }
    }

    private void writeChunk() throws IOException {
        to.writeInt(length);
        to.write(chunk, 0, length);
        to.write(codes.next(chunk, length));
        length = 0;
    }

    /// Writes what is left and the end, without which the file is cut off. The stream below stays
    /// open.
    @Override
    public void close() throws IOException {
        if (length > 0) {
            writeChunk();
        }
        writeChunk();
        to.flush();
    }
}
