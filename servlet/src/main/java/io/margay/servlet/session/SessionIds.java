package io.margay.servlet.session;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Random;

/// Makes and recognises session identifiers: 128 random bits as 32 upper-case hexadecimal digits.
/// Thread-safe.
///
/// Whatever a client sends is compared with that form before it is looked up anywhere, so that no
/// other text ever reaches a store (CVE-2020-9484).
public final class SessionIds {
    private static final int BYTES = 16;
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private final Random random;

    /// Identifiers from the operating system's generator.
    public SessionIds() {
        this(new SecureRandom());
    }

    SessionIds(Random random) {
        this.random = random;
    }

    /// A new identifier.
    public String next() {
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        return HEX.formatHex(bytes);
    }

    /// Whether the text has the form of an identifier.
    public static boolean isWellFormed(String id) {
        if (id.length() != 2 * BYTES) {
            return false;
        }
        for (int i = 0; i < id.length(); i++) {
            char c = id.charAt(i);
            boolean digit = c >= '0' && c <= '9';
            boolean letter = c >= 'A' && c <= 'F';
            if (!digit && !letter) {
                return false;
            }
        }
        return true;
    }
}
