package io.margay.gateway.login;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.codec.digest.Crypt;
import org.apache.commons.codec.digest.Md5Crypt;
import org.springframework.security.crypto.bcrypt.BCrypt;

/// Passwords as `htpasswd` writes them: bcrypt (`$2y$`), MD5-crypt (`$apr1$`), `{SHA}`, and those
/// of `crypt`: `$6$`, `$5$`, `$1$` and DES. A password in clear is none of them. Stateless.
final class PasswordHash {
    private static final Pattern BCRYPT =
            Pattern.compile("\\$2[aby]\\$([0-3][0-9])\\$[./A-Za-z0-9]{53}");
    private static final Pattern SHA_CRYPT =
            Pattern.compile(
                    "\\$[56]\\$(?:rounds=([0-9]{1,9})\\$)?[^$]{0,16}\\$[./A-Za-z0-9]{43,86}");
    private static final Pattern MD5_CRYPT =
            Pattern.compile("\\$(?:apr1|1)\\$[^$]{0,8}\\$[./A-Za-z0-9]{22}");
    private static final Pattern DES = Pattern.compile("[./A-Za-z0-9]{13}");
    private static final String SHA = "{SHA}";
    private static final int SHA_CHARACTERS = 28;

    private PasswordHash() {}

    /// Whether it is a password that can be verified at a bearable cost.
    static boolean isKnown(String stored, LoginLimits limits) {
        Matcher bcrypt = BCRYPT.matcher(stored);
        if (bcrypt.matches()) {
            int cost = Integer.parseInt(bcrypt.group(1));
            return cost >= 4 && cost <= limits.bcryptCostMax();
        }
        Matcher sha = SHA_CRYPT.matcher(stored);
        if (sha.matches()) {
            String rounds = sha.group(1);
            return rounds == null || Integer.parseInt(rounds) <= limits.roundsMax();
        }
        return MD5_CRYPT.matcher(stored).matches()
                || DES.matcher(stored).matches()
                || (stored.startsWith(SHA) && stored.length() == SHA.length() + SHA_CHARACTERS);
    }

    /// Whether a password is the one behind a stored one that [#isKnown].
    static boolean matches(byte[] password, String stored) {
        if (stored.startsWith("$2")) {
            return BCrypt.checkpw(password, stored);
        }
        String made;
        if (stored.startsWith(SHA)) {
            made = SHA + Base64.getEncoder().encodeToString(sha1(password));
        } else if (stored.startsWith("$apr1$")) {
            made = Md5Crypt.apr1Crypt(password, stored);
        } else {
            made = Crypt.crypt(password, stored);
        }
        return MessageDigest.isEqual(
                made.getBytes(StandardCharsets.ISO_8859_1),
                stored.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static byte[] sha1(byte[] password) {
        try {
            return MessageDigest.getInstance("SHA-1").digest(password);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has SHA-1", e);
        }
    }
}
