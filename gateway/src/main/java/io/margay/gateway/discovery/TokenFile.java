package io.margay.gateway.discovery;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;

/// A secret in a file, read whenever it is asked for, so that it may change. Immutable.
///
/// @param charsMin the shortest that is taken
public record TokenFile(Path path, int charsMin) {
    private static final int BYTES_MAX = 16 << 10;

    /// The secret, without blanks around it.
    ///
    /// @throws IOException when there is none; its message says so
    public String read() throws IOException {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(path)) {
            bytes = in.readNBytes(BYTES_MAX + 1);
        } catch (NoSuchFileException e) {
            throw new IOException("the token file " + path + " does not exist", e);
        } catch (IOException e) {
            throw new IOException("the token file " + path + " cannot be read: " + e, e);
        }
        String token = new String(bytes, StandardCharsets.UTF_8).strip();
        if (bytes.length > BYTES_MAX || token.length() < charsMin) {
            throw new IOException(
                    "the token file "
                            + path
                            + " must have "
                            + charsMin
                            + " to "
                            + BYTES_MAX
                            + " characters");
        }
        return token;
    }

    /// Whether it is the secret.
    boolean is(String given) throws IOException {
        return MessageDigest.isEqual(
                given.getBytes(StandardCharsets.UTF_8), read().getBytes(StandardCharsets.UTF_8));
    }
}
