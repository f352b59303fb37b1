package io.margay.servlet.security;

import io.margay.server.users.KeyedHash;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.jspecify.annotations.Nullable;

/// A password as a file keeps it: `{PBKDF2}iterations$salt$hash` (HMAC-SHA-256, hexadecimal), or in
/// clear. Thread-safe.
sealed interface Password {
    /// Whether this is the password, in a time that does not tell where the two differ.
    boolean matches(String candidate);

    /// Begins a hashed password.
    String MARK = "{PBKDF2}";

    /// Rounds beyond which a file is taken for damaged.
    int ITERATIONS_MAX = 10_000_000;

    /// Reads what a file keeps.
    ///
    /// @throws IllegalArgumentException when a hash is malformed
    static Password of(String text) {
        if (!text.startsWith(MARK)) {
            return new Clear(text);
        }
        String[] parts = text.substring(MARK.length()).split("\\$", -1);
        if (parts.length != 3 || !parts[0].matches("[1-9][0-9]{0,7}")) {
            throw new IllegalArgumentException(
                    "a hashed password is " + MARK + "iterations$salt$hash");
        }
        int iterations = Integer.parseInt(parts[0]);
        byte[] salt = HexFormat.of().parseHex(parts[1]);
        byte[] hash = HexFormat.of().parseHex(parts[2]);
        if (iterations > ITERATIONS_MAX || salt.length == 0 || hash.length != Hashed.BYTES) {
            throw new IllegalArgumentException(
                    "a hashed password has at most "
                            + ITERATIONS_MAX
                            + " iterations, a salt, and "
                            + Hashed.BYTES
                            + " bytes of hash");
        }
        return new Hashed(iterations, salt, hash);
    }

    /// The user cannot log in by a password.
    record None() implements Password {
        @Override
        public boolean matches(String candidate) {
            return false;
        }
    }

    /// In clear, as `tomcat-users.xml` has it.
    record Clear(String text) implements Password {
        @Override
        public boolean matches(String candidate) {
            return MessageDigest.isEqual(
                    text.getBytes(StandardCharsets.UTF_8),
                    candidate.getBytes(StandardCharsets.UTF_8));
        }
    }

    /// Derived by PBKDF2, which takes long on purpose. So that BASIC, which sends the password with
    /// each request, does not wait each time, a password that has matched is known again by a quick
    /// hash under a key that exists in this process alone. Thread-safe.
    final class Hashed implements Password {
        static final int BYTES = 32;

        private final int iterations;
        private final byte[] salt;
        private final byte[] hash;
        private final KeyedHash quick = new KeyedHash();
        private volatile byte @Nullable [] proven;

        private Hashed(int iterations, byte[] salt, byte[] hash) {
            this.iterations = iterations;
            this.salt = salt;
            this.hash = hash;
        }

        @Override
        public boolean matches(String candidate) {
            byte[] given = quick.of(candidate.getBytes(StandardCharsets.UTF_8));
            byte[] known = proven;
            if (known != null && MessageDigest.isEqual(known, given)) {
                return true;
            }
            boolean same = MessageDigest.isEqual(hash, derive(candidate, iterations, salt));
            if (same) {
                proven = given;
            }
            return same;
        }

        static byte[] derive(String password, int iterations, byte[] salt) {
            PBEKeySpec spec =
                    new PBEKeySpec(password.toCharArray(), salt, iterations, BYTES * Byte.SIZE);
            try {
                return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                        .generateSecret(spec)
                        .getEncoded();
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("every Java platform has PBKDF2", e);
            } finally {
                spec.clearPassword();
            }
        }
    }
}
