package io.margay.servlet.session.file;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.Arrays;

/// Reads a file of chunks ([ChunkCodes]); no byte is given before its chunk was authenticated. Used
/// by one thread.
public final class ChunkInput extends InputStream {
    private final DataInputStream from;
    private final ChunkCodes codes;
    private byte[] chunk = {};
    private int at;
    private boolean ended;

    /// @throws IOException when the file begins with something else
    public ChunkInput(InputStream from, byte[] magic, byte[] key) throws IOException {
        this.from = new DataInputStream(from);
        if (!Arrays.equals(from.readNBytes(magic.length), magic)) {
            throw new IOException("not a session file");
        }
        codes = new ChunkCodes(key, magic, from.readNBytes(ChunkCodes.SALT_BYTES));
    }

    @Override
    public int read() throws IOException {
        return isAtEnd() ? -1 : chunk[at++] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int count) throws IOException {
        if (count == 0) {
            return 0;
        }
        if (isAtEnd()) {
            return -1;
        }
        int part = Math.min(count, chunk.length - at);
        System.arraycopy(chunk, at, bytes, offset, part);
        at += part;
        return part;
    }

    private boolean isAtEnd() throws IOException {
        if (at == chunk.length && !ended) {
            readChunk();
        }
        return ended;
    }

    private void readChunk() throws IOException {
        byte[] data;
        byte[] code;
        try {
            int length = from.readInt();
            if (length < 0 || length > ChunkCodes.CHUNK_BYTES_MAX) {
                throw wrong();
            }
            data = new byte[length];
            from.readFully(data);
            code = new byte[ChunkCodes.CODE_BYTES];
            from.readFully(code);
        } catch (EOFException e) {
            throw new IOException("session file is cut off", e);
        }
        if (!MessageDigest.isEqual(code, codes.next(data, data.length))) {
            throw wrong();
        }
        chunk = data;
        at = 0;
        ended = data.length == 0;
    }

    private static IOException wrong() {
        return new IOException("session file does not carry the right authentication code");
    }
}
