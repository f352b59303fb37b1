package io.margay.gateway.canary;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Divides what requests have in common into those of the new and of the old version: by a number
/// from 0 to 1 that a keyed hash makes of it, which is the same on all gateways that have the same
/// secret, and after a restart. The new version has those below its share, so that one changes
/// sides only when the share does. Immutable.
final class CanaryShare {
    private static final String HMAC = "HmacSHA256";
    private static final double PERCENT = 100;

    private final List<CanaryConfig.Step> steps;
    private final SecretKeySpec key;

    /// @param secret not empty
    CanaryShare(List<CanaryConfig.Step> steps, String secret) {
        this.steps = steps;
        key = new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), HMAC);
    }

    /// The part of the new version, 0 to 1.
    ///
    /// @param nanos since the first step began
    double at(long nanos) {
        int step = step(nanos);
        return step == steps.size() ? 1 : steps.get(step).percent() / PERCENT;
    }

    /// Which step that is, from 0; as many as there are = all are over.
    int step(long nanos) {
        long left = nanos;
        for (int i = 0; i < steps.size(); i++) {
            long lasts = steps.get(i).lasts().toNanos();
            if (lasts == 0 || left < lasts) {
                return i;
            }
            left -= lasts;
        }
        return steps.size();
    }

    /// The number of what requests have in common, from 0 to 1, without 1.
    double place(String common) {
        long bits = ByteBuffer.wrap(hmac("side " + common)).getLong();
        return (bits >>> 11) / (double) (1L << 53);
    }

    /// A text that stands for a session in a cookie, and does not tell its id.
    byte[] token(String session) {
        return hmac("token " + session);
    }

    private byte[] hmac(String text) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(key);
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no " + HMAC, e);
        }
    }
}
