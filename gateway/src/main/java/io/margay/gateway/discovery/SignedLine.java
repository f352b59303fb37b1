package io.margay.gateway.discovery;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/// The line of a member with a signature before it, by the token of its upstream: whoever writes
/// into a registry without knowing that registers nobody. Stateless.
public final class SignedLine {
    private static final String ALGORITHM = "HmacSHA256";

    private SignedLine() {}

    /// Signs a line, for this name in this upstream.
    public static String of(String token, String upstream, String name, String line) {
        return signature(token, upstream, name, line) + " " + line;
    }

    /// The line, if its signature is right; else null.
    static @Nullable String verified(String token, String upstream, String name, String signed) {
        int blank = signed.indexOf(' ');
        if (blank < 0) {
            return null;
        }
        String line = signed.substring(blank + 1);
        byte[] given = signed.substring(0, blank).getBytes(StandardCharsets.UTF_8);
        byte[] right = signature(token, upstream, name, line).getBytes(StandardCharsets.UTF_8);
        return MessageDigest.isEqual(given, right) ? line : null;
    }

    private static String signature(String token, String upstream, String name, String line) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(token.getBytes(StandardCharsets.UTF_8), ALGORITHM));
            String text = upstream + "\n" + name + "\n" + line;
            return HexFormat.of().formatHex(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
