package io.margay.servlet.session.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// The authentication codes of a file of chunks, each over the chunk and the code before, so that
/// none can be left out, added, exchanged or taken from another file. Used by one thread.
///
/// ```
/// magic, 8 bytes | salt, 16 bytes | chunks
/// chunk: length, 4 bytes, 1 to 65 536 | data | HMAC-SHA-256 of code before, length, data
/// end:   0, 4 bytes | HMAC-SHA-256 of code before, 0
/// ```
///
/// What stands for the code before the first one is that of magic and salt.
final class ChunkCodes {
    static final int CODE_BYTES = 32;
    static final int SALT_BYTES = 16;
    static final int CHUNK_BYTES_MAX = 64 << 10;

    private static final String MAC = "HmacSHA256";

    private final Mac mac;
    private byte[] last;

    ChunkCodes(byte[] key, byte[] magic, byte[] salt) throws IOException {
        try {
            mac = Mac.getInstance(MAC);
            mac.init(new SecretKeySpec(key, MAC));
        } catch (GeneralSecurityException e) {
            throw new IOException("this Java has no " + MAC, e);
        }
        mac.update(magic);
        last = mac.doFinal(salt);
    }

    /// The code of the next chunk.
    byte[] next(byte[] data, int length) {
        mac.update(last);
        mac.update(ByteBuffer.allocate(Integer.BYTES).putInt(length).flip());
        mac.update(data, 0, length);
        last = mac.doFinal();
        return last;
    }
}
