package io.margay.gateway.shield;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Makes and reads the signed texts that challenges and cookies are: when they were made, for which
/// network and host. Nothing is remembered of them. Thread-safe.
///
/// ```
/// kind (1) | seconds since 1970 (8) | chance (8) | HMAC-SHA-256 of these, network and host (16)
/// ```
final class ClearanceTokens {
    /// What a text says.
    enum Kind {
        /// It asks for an answer.
        QUESTION(1),

        /// Its holder has answered.
        PASS(2);

        private final byte code;

        Kind(int code) {
            this.code = (byte) code;
        }
    }

    /// Characters of a text.
    static final int CHARS = 44;

    private static final int SIGNED_BYTES = 17;
    private static final int MAC_BYTES = 16;
    private static final long CLOCKS_DIFFER_SECONDS = 60;
    private static final long MILLIS = 1000;
    private static final String HMAC = "HmacSHA256";

    private final byte[] master;
    private final long keySeconds;
    private final LongSupplier millis;
    private final RandomGenerator random;

    /// @param secret of which keys are made
    /// @param keyLife how long one key signs
    /// @param millis since 1970
    ClearanceTokens(byte[] secret, Duration keyLife, LongSupplier millis, RandomGenerator random) {
        this.master = secret.clone();
        this.keySeconds = Math.max(1, keyLife.toSeconds());
        this.millis = millis;
        this.random = random;
    }

    /// Makes one.
    ///
    /// @param holder network and host of the client
    String make(Kind kind, byte[] holder) {
        byte[] token = new byte[SIGNED_BYTES + MAC_BYTES];
        byte[] chance = new byte[Long.BYTES];
        random.nextBytes(chance);
        ByteBuffer.wrap(token).put(kind.code).putLong(seconds()).put(chance);
        return signed(token, holder);
    }

    /// The pass of who has answered a question. It is made of the question, so that a question that
    /// is answered again gives the same.
    ///
    /// @param question one of ours
    String pass(String question, byte[] holder) {
        byte[] token = decode(question);
        token[0] = Kind.PASS.code;
        return signed(token, holder);
    }

    private String signed(byte[] token, byte[] holder) {
        System.arraycopy(mac(token, holder), 0, token, SIGNED_BYTES, MAC_BYTES);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(token);
    }

    /// How many seconds ago one was made; -1 when it is not of that kind, not ours, not the
    /// holder's, or older than it may be.
    long age(String text, Kind kind, byte[] holder, Duration lifetime) {
        byte[] token = decode(text);
        if (token.length != SIGNED_BYTES + MAC_BYTES || token[0] != kind.code) {
            return -1;
        }
        long age = seconds() - ByteBuffer.wrap(token).getLong(1);
        if (age < -CLOCKS_DIFFER_SECONDS || age > lifetime.toSeconds()) {
            return -1;
        }
        byte[] said = Arrays.copyOfRange(token, SIGNED_BYTES, token.length);
        byte[] right = Arrays.copyOf(mac(token, holder), MAC_BYTES);
        return MessageDigest.isEqual(said, right) ? Math.max(0, age) : -1;
    }

    private static byte[] decode(String text) {
        if (text.length() != CHARS) {
            return new byte[0];
        }
        try {
            return Base64.getUrlDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            return new byte[0];
        }
    }

    /// Whether a text and a number have so many zero bits in front of their SHA-256.
    static boolean isProof(String text, String number, int bits) {
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256")
                            .digest((text + "." + number).getBytes(StandardCharsets.US_ASCII));
            return Integer.numberOfLeadingZeros(ByteBuffer.wrap(hash).getInt()) >= bits;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private long seconds() {
        return millis.getAsLong() / MILLIS;
    }

    /// By the key of the time at which it was made.
    private byte[] mac(byte[] token, byte[] holder) {
        long period = ByteBuffer.wrap(token).getLong(1) / keySeconds;
        byte[] key = hmac(master, ByteBuffer.allocate(Long.BYTES).putLong(period).array(), holder);
        return hmac(key, Arrays.copyOf(token, SIGNED_BYTES), holder);
    }

    private static byte[] hmac(byte[] key, byte[] first, byte[] second) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(key, HMAC));
            mac.update(first);
            return mac.doFinal(second);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
