package io.margay.transport.tls.certificate;

import io.margay.transport.TlsConfig;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeSet;

/// What must be the same where a session of another server is resumed: names, versions, suites and
/// what is asked of clients, but not the certificates themselves, which are renewed. Stateless.
public final class TicketSettings {
    private static final String DIGEST = "SHA-256";

    private TicketSettings() {}

    /// @param keys for whose names sessions are
    /// @param authorities whose clients are believed
    public static byte[] digest(
            TlsConfig config, List<CertifiedKey> keys, ClientAuthorities authorities) {
        TreeSet<String> names = new TreeSet<>();
        keys.forEach(key -> names.addAll(key.names()));
        String all =
                String.join(
                        "\n",
                        "names " + names,
                        "versions " + new TreeSet<>(config.protocols()),
                        "suites " + config.cipherSuites(),
                        "protocols " + config.applicationProtocols(),
                        "clients " + config.clients().auth(),
                        "depth " + authorities.depthMax(),
                        "revocation " + authorities.checksRevocation(),
                        "chain " + authorities.wholeChain(),
                        "trusted " + sorted(authorities));
        return digest(all.getBytes(StandardCharsets.UTF_8));
    }

    private static TreeSet<String> sorted(ClientAuthorities authorities) {
        TreeSet<String> digests = new TreeSet<>();
        try {
            for (X509Certificate one : authorities.trusted()) {
                digests.add(HexFormat.of().formatHex(digest(one.getEncoded())));
            }
            for (X509CRL one : authorities.crls()) {
                digests.add("crl " + HexFormat.of().formatHex(digest(one.getEncoded())));
            }
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
        return digests;
    }

    private static byte[] digest(byte[] bytes) {
        try {
            return MessageDigest.getInstance(DIGEST).digest(bytes);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
