package io.margay.server.config;

import io.margay.protocol.ajp.AjpLimits;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// How an AJP13 listener behaves. Immutable.
///
/// @param secret what the front end must send with each request, or null
/// @param secretRequired whether there must be a secret; without one every local process, and
///   whoever can make one send bytes, is taken for the front end (CVE-2020-1938)
/// @param allowedRequestAttributes names of request attributes that are taken beside the known
///   ones, or null for none. Names of the Servlet API are never taken this way
/// @param limits sizes of packets and messages; the packet size must be the front end's
/// @param idleTimeout between two requests. Front ends keep connections in pools, so it is long
/// @param trustRemoteUser whether the front end's user is the request's user
/// @param trustTls whether `is_ssl` and the TLS attributes are believed
@RecordBuilder
public record AjpConfig(
        @Nullable String secret,
        boolean secretRequired,
        @Nullable Pattern allowedRequestAttributes,
        AjpLimits limits,
        Duration idleTimeout,
        boolean trustRemoteUser,
        boolean trustTls) {
    /// How long a connection may wait for the next request where nothing is said.
    public static final Duration IDLE_DEFAULT = Duration.ofMinutes(10);

    public AjpConfig {
        if (secret != null && (secret.isEmpty() || !isLatin1(secret))) {
            throw new IllegalArgumentException(
                    "an AJP secret must have at least one character, and none beyond ISO 8859-1");
        }
        if (secretRequired && secret == null) {
            throw new IllegalArgumentException(
                    "an AJP listener needs a secret; only where nobody else can reach it may it be"
                            + " opened without one, by saying so");
        }
        if (idleTimeout.isNegative() || idleTimeout.isZero()) {
            throw new IllegalArgumentException("idleTimeout must be positive");
        }
    }

    /// A listener with a secret, and the figures that `docs/reference/limits.md` gives.
    public static AjpConfig withSecret(String secret) {
        return new AjpConfig(secret, true, null, AjpLimits.defaults(), IDLE_DEFAULT, true, true);
    }

    /// A listener that anybody may use who reaches it.
    public static AjpConfig withoutSecret() {
        return new AjpConfig(null, false, null, AjpLimits.defaults(), IDLE_DEFAULT, true, true);
    }

    /// The same with another packet size, 8192 to 65536.
    public AjpConfig withPacketBytes(int bytes) {
        return withLimits(limits.withPacketBytesMax(bytes));
    }

    /// The same with other sizes.
    public AjpConfig withLimits(AjpLimits other) {
        return AjpConfigBuilder.builder(this).limits(other).build();
    }

    /// The same with further request attributes.
    public AjpConfig withAllowedRequestAttributes(@Nullable Pattern names) {
        return AjpConfigBuilder.builder(this).allowedRequestAttributes(names).build();
    }

    /// The same with another time between requests.
    public AjpConfig withIdleTimeout(Duration timeout) {
        return AjpConfigBuilder.builder(this).idleTimeout(timeout).build();
    }

    /// The same with another trust in what the front end says of user and TLS.
    public AjpConfig withTrust(boolean remoteUser, boolean tls) {
        return AjpConfigBuilder.builder(this).trustRemoteUser(remoteUser).trustTls(tls).build();
    }

    /// Without the secret.
    @Override
    public String toString() {
        return "AjpConfig[secret " + (secret == null ? "none" : "set") + ", " + limits + "]";
    }

    private static boolean isLatin1(String text) {
        return StandardCharsets.ISO_8859_1.newEncoder().canEncode(text) && text.indexOf(0) < 0;
    }
}
