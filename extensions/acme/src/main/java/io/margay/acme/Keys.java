package io.margay.acme;

import io.margay.server.acme.AcmeCertificate.KeyKind;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Makes keys, and writes them and certificates as PEM (RFC 7468). Stateless.
public final class Keys {
    private static final Base64.Encoder LINES =
            Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII));

    private static final int SAN_DNS_NAME = 2;

    private Keys() {}

    /// A new pair.
    static KeyPair make(KeyKind kind) {
        try {
            return switch (kind) {
                case EC256 -> curve("secp256r1");
                case EC384 -> curve("secp384r1");
                case RSA2048 -> rsa(2048);
                case RSA3072 -> rsa(3072);
                case RSA4096 -> rsa(4096);
            };
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the JDK lacks keys of the kind " + kind, e);
        }
    }

    private static KeyPair curve(String name) throws GeneralSecurityException {
        KeyPairGenerator maker = KeyPairGenerator.getInstance("EC");
        maker.initialize(new ECGenParameterSpec(name));
        return maker.generateKeyPair();
    }

    private static KeyPair rsa(int bits) throws GeneralSecurityException {
        KeyPairGenerator maker = KeyPairGenerator.getInstance("RSA");
        maker.initialize(bits);
        return maker.generateKeyPair();
    }

    /// Both halves.
    static String pem(KeyPair pair) {
        return privatePem(pair) + pem("PUBLIC KEY", pair.getPublic().getEncoded());
    }

    /// The certificates, then the private half.
    static String pem(KeyPair pair, List<X509Certificate> chain) throws CertificateException {
        StringBuilder text = new StringBuilder();
        for (X509Certificate one : chain) {
            text.append(pem("CERTIFICATE", one.getEncoded()));
        }
        return text.append(privatePem(pair)).toString();
    }

    private static String privatePem(KeyPair pair) {
        return pem("PRIVATE KEY", pair.getPrivate().getEncoded());
    }

    private static String pem(String label, byte[] der) {
        return "-----BEGIN "
                + label
                + "-----\n"
                + LINES.encodeToString(der)
                + "\n-----END "
                + label
                + "-----\n";
    }

    /// The pair in a text that [#pem(KeyPair)] has made.
    static KeyPair pair(String text) throws IOException {
        byte[] secret = block(text, "PRIVATE KEY");
        byte[] open = block(text, "PUBLIC KEY");
        if (secret == null || open == null) {
            throw new IOException("no pair of keys in PEM form");
        }
        try {
            return pair("EC", secret, open);
        } catch (GeneralSecurityException notOfACurve) {
            try {
                return pair("RSA", secret, open);
            } catch (GeneralSecurityException e) {
                throw new IOException("keys of an unknown kind", e);
            }
        }
    }

    private static KeyPair pair(String algorithm, byte[] secret, byte[] open)
            throws GeneralSecurityException {
        KeyFactory factory = KeyFactory.getInstance(algorithm);
        PublicKey key = factory.generatePublic(new X509EncodedKeySpec(open));
        return new KeyPair(key, factory.generatePrivate(new PKCS8EncodedKeySpec(secret)));
    }

    /// The first certificate of a text, which is the server's own; null when there is none.
    static @Nullable X509Certificate certificate(String text) throws IOException {
        byte[] der = block(text, "CERTIFICATE");
        if (der == null) {
            return null;
        }
        try {
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509")
                            .generateCertificate(new ByteArrayInputStream(der));
        } catch (CertificateException e) {
            throw new IOException("not a certificate", e);
        }
    }

    /// The host names of a certificate, in its order and in lower case.
    public static Set<String> names(X509Certificate certificate) {
        Set<String> names = new LinkedHashSet<>();
        try {
            Collection<List<?>> all = certificate.getSubjectAlternativeNames();
            for (List<?> one : all == null ? List.<List<?>>of() : all) {
                if (Integer.valueOf(SAN_DNS_NAME).equals(one.get(0))) {
                    names.add(String.valueOf(one.get(1)).toLowerCase(Locale.ROOT));
                }
            }
        } catch (CertificateParsingException e) {
            return Set.of();
        }
        return names;
    }

    private static byte @Nullable [] block(String text, String label) throws IOException {
        String begin = "-----BEGIN " + label + "-----";
        int from = text.indexOf(begin);
        int to = text.indexOf("-----END " + label + "-----", Math.max(0, from));
        if (from < 0 || to < 0) {
            return null;
        }
        try {
            return Base64.getMimeDecoder()
                    .decode(text.substring(from + begin.length(), to).strip());
        } catch (IllegalArgumentException e) {
            throw new IOException(label + " is not Base64", e);
        }
    }
}
