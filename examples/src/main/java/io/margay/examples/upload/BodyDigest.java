package io.margay.examples.upload;

import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// Length in bytes and SHA-256 (lower-case hexadecimal) of a stream. Immutable.
record BodyDigest(long bytes, String sha256) {
    private static final int BUFFER_BYTES = 64 * 1024;

    /// Reads the stream to its end, in bounded memory; does not close it.
    static BodyDigest of(InputStream in) throws IOException {
        MessageDigest digest = newDigest();
        byte[] buffer = new byte[BUFFER_BYTES];
        long bytes = 0;
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
            digest.update(buffer, 0, n);
            bytes += n;
        }
        return new BodyDigest(bytes, HexFormat.of().formatHex(digest.digest()));
    }

    private static MessageDigest newDigest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
