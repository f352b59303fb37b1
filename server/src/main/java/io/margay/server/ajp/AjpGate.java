package io.margay.server.ajp;

import io.margay.protocol.ajp.AjpAttribute;
import io.margay.protocol.ajp.AjpAttributes;
import io.margay.protocol.http.ProtocolError;
import io.margay.server.config.AjpConfig;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Decides whether a forwarded request may come in: by its secret and by the names of its
/// attributes (CVE-2020-1938). Immutable, thread-safe.
final class AjpGate {
    /// What front ends send by themselves: TLS properties under their old names, addresses, the
    /// balancer's state, and what IIS knows of a client's certificate.
    private static final Set<String> KNOWN =
            Set.of(
                    "javax.servlet.request.cipher_suite",
                    "javax.servlet.request.key_size",
                    "javax.servlet.request.ssl_session",
                    "javax.servlet.request.X509Certificate",
                    "AJP_LOCAL_ADDR",
                    "AJP_REMOTE_PORT",
                    "AJP_SSL_PROTOCOL",
                    "JK_LB_ACTIVATION",
                    "CERT_ISSUER",
                    "CERT_SUBJECT",
                    "CERT_COOKIE",
                    "CERT_FLAGS",
                    "CERT_SERIALNUMBER",
                    "HTTPS_SERVER_SUBJECT",
                    "HTTPS_SECRETKEYSIZE",
                    "HTTPS_SERVER_ISSUER",
                    "HTTPS_KEYSIZE");

    private static final ProtocolError NO_SECRET =
            ProtocolError.of(403, "AJP13", "The front end did not send the secret.");
    private static final ProtocolError WRONG_SECRET =
            ProtocolError.of(403, "AJP13", "The front end sent another secret.");
    private static final ProtocolError UNKNOWN_ATTRIBUTE =
            ProtocolError.of(403, "AJP13", "A request attribute is not allowed.");

    private final byte @Nullable [] secret;
    private final @Nullable Pattern allowed;

    AjpGate(AjpConfig config) {
        String text = config.secret();
        secret = text == null ? null : text.getBytes(StandardCharsets.ISO_8859_1);
        allowed = config.allowedRequestAttributes();
    }

    /// Why the request must be refused, or null.
    @Nullable ProtocolError check(AjpAttributes attributes) {
        if (secret != null) {
            String sent = attributes.get(AjpAttribute.SECRET);
            if (sent == null) {
                return NO_SECRET;
            }
            // Takes the same time wherever the two differ (CVE-2026-43514).
            if (!MessageDigest.isEqual(secret, sent.getBytes(StandardCharsets.ISO_8859_1))) {
                return WRONG_SECRET;
            }
        }
        for (int i = 0; i < attributes.namedCount(); i++) {
            if (!isAllowed(attributes.namedName(i))) {
                return UNKNOWN_ATTRIBUTE;
            }
        }
        return null;
    }

    private boolean isAllowed(String name) {
        if (KNOWN.contains(name)) {
            return true;
        }
        if (name.startsWith("javax.servlet.") || name.startsWith("jakarta.servlet.")) {
            // Include and forward paths among them: never from the wire, whatever the pattern says.
            return false;
        }
        return allowed != null && allowed.matcher(name).matches();
    }
}
