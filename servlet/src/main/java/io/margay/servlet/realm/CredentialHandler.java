package io.margay.servlet.realm;

import io.margay.servlet.security.StoredPassword;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.jspecify.annotations.Nullable;

/// How a stored credential is compared with the password that somebody gives. Immutable and
/// thread-safe.
public sealed interface CredentialHandler {
    /// Rounds beyond which a stored credential is taken for damaged.
    int ITERATIONS_MAX = 10_000_000;

    /// Whether `given` is the password behind `stored`; false when it cannot be read.
    boolean matches(String given, String stored);

    /// The password itself when it is stored in clear, which DIGEST needs; else null.
    default @Nullable String clear(String stored) {
        return null;
    }

    /// Something as costly to compare with as what is stored, that nobody's password is behind.
    String decoy();

    /// In clear, or `{PBKDF2}iterations$salt$hash`, as in the file of users.
    record AsInFile() implements CredentialHandler {
        @Override
        public boolean matches(String given, String stored) {
            return StoredPassword.matches(stored, given);
        }

        @Override
        public @Nullable String clear(String stored) {
            return StoredPassword.clear(stored);
        }

        @Override
        public String decoy() {
            return "";
        }
    }

    /// A digest: in hexadecimal, as `salt$iterations$digest`, or as directories have it, `{MD5}`,
    /// `{SHA}` and `{SSHA}` with Base64. Tomcat's `MessageDigestCredentialHandler`.
    ///
    /// @param algorithm of hexadecimal digests
    /// @param charset of the password's bytes
    record Digest(String algorithm, Charset charset) implements CredentialHandler {
        private static final int SHA1_BYTES = 20;

        /// @throws IllegalArgumentException when the platform has no such algorithm
        public Digest {
            digest(algorithm, 1, new byte[0]);
        }

        @Override
        public boolean matches(String given, String stored) {
            try {
                byte[] password = given.getBytes(charset);
                if (stored.startsWith("{MD5}")) {
                    return same(digest("MD5", 1, password), base64(stored, 5));
                }
                if (stored.startsWith("{SHA}")) {
                    return same(digest("SHA-1", 1, password), base64(stored, 5));
                }
                if (stored.startsWith("{SSHA}")) {
                    byte[] both = base64(stored, 6);
                    byte[] salt = Arrays.copyOfRange(both, SHA1_BYTES, both.length);
                    return same(
                            digest("SHA-1", 1, password, salt), Arrays.copyOf(both, SHA1_BYTES));
                }
                Salted salted = Salted.of(stored);
                return salted == null
                        ? same(digest(algorithm, 1, password), HexFormat.of().parseHex(stored))
                        : same(
                                digest(algorithm, salted.iterations(), salted.salt(), password),
                                salted.hash());
            } catch (IllegalArgumentException _) {
                return false; // What is stored is no credential of this kind.
            }
        }

        private static byte[] base64(String stored, int from) {
            byte[] bytes = Base64.getDecoder().decode(stored.substring(from));
            if (from == 6 && bytes.length < SHA1_BYTES) {
                throw new IllegalArgumentException("too short");
            }
            return bytes;
        }

        private static byte[] digest(String algorithm, int iterations, byte[]... parts) {
            try {
                MessageDigest digest = MessageDigest.getInstance(algorithm);
                for (byte[] part : parts) {
                    digest.update(part);
                }
                byte[] result = digest.digest();
                for (int i = 1; i < iterations; i++) {
                    result = digest.digest(result);
                }
                return result;
            } catch (GeneralSecurityException e) {
                throw new IllegalArgumentException("there is no digest " + algorithm, e);
            }
        }

        @Override
        public String decoy() {
            return "00";
        }
    }

    /// A derived key as `salt$iterations$key`, in hexadecimal. Tomcat's
    /// `SecretKeyCredentialHandler`.
    ///
    /// @param algorithm such as `PBKDF2WithHmacSHA512`
    /// @param iterations of the decoy
    record SecretKey(String algorithm, int iterations) implements CredentialHandler {
        /// @throws IllegalArgumentException when the platform has no such algorithm
        public SecretKey {
            try {
                SecretKeyFactory.getInstance(algorithm);
            } catch (GeneralSecurityException e) {
                throw new IllegalArgumentException("there is no algorithm " + algorithm, e);
            }
            if (iterations < 1 || iterations > ITERATIONS_MAX) {
                throw new IllegalArgumentException(
                        "iterations must be from 1 to " + ITERATIONS_MAX);
            }
        }

        @Override
        public boolean matches(String given, String stored) {
            PBEKeySpec spec = null;
            try {
                Salted salted = Salted.of(stored);
                if (salted == null) {
                    return false;
                }
                spec =
                        new PBEKeySpec(
                                given.toCharArray(),
                                salted.salt(),
                                salted.iterations(),
                                salted.hash().length * Byte.SIZE);
                byte[] key =
                        SecretKeyFactory.getInstance(algorithm).generateSecret(spec).getEncoded();
                return same(key, salted.hash());
            } catch (GeneralSecurityException | IllegalArgumentException _) {
                return false; // What is stored is no credential of this kind.
            } finally {
                if (spec != null) {
                    spec.clearPassword();
                }
            }
        }

        @Override
        public String decoy() {
            return "00".repeat(32) + "$" + iterations + "$" + "00".repeat(20);
        }
    }

    /// Whichever matches. Tomcat's `NestedCredentialHandler`.
    record AnyOf(List<CredentialHandler> handlers) implements CredentialHandler {
        public AnyOf {
            handlers = List.copyOf(handlers);
        }

        @Override
        public boolean matches(String given, String stored) {
            return handlers.stream().anyMatch(handler -> handler.matches(given, stored));
        }

        @Override
        public String decoy() {
            return handlers.isEmpty() ? "" : handlers.getLast().decoy();
        }
    }

    /// The parts of `salt$iterations$hash`.
    @SuppressWarnings("ArrayRecordComponent") // Used at once, and never compared.
    record Salted(byte[] salt, int iterations, byte[] hash) {
        /// Null when a text is not of that form.
        ///
        /// @throws IllegalArgumentException when it is, and its parts are damaged
        static @Nullable Salted of(String stored) {
            String[] parts = stored.split("\\$", -1);
            if (parts.length != 3) {
                return null;
            }
            if (!parts[1].matches("[1-9][0-9]{0,7}")
                    || Integer.parseInt(parts[1]) > ITERATIONS_MAX) {
                throw new IllegalArgumentException("iterations");
            }
            byte[] hash = HexFormat.of().parseHex(parts[2]);
            if (hash.length == 0) {
                throw new IllegalArgumentException("no hash");
            }
            return new Salted(HexFormat.of().parseHex(parts[0]), Integer.parseInt(parts[1]), hash);
        }
    }

    /// Whether two secrets are equal, in a time that does not tell where they differ.
    private static boolean same(byte[] a, byte[] b) {
        return MessageDigest.isEqual(a, b);
    }

    /// UTF-8 unless another character set is named.
    ///
    /// @throws IllegalArgumentException when there is none of that name
    static Charset charset(@Nullable String name) {
        return name == null ? StandardCharsets.UTF_8 : Charset.forName(name);
    }
}
