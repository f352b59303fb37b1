package io.margay.acme;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.security.KeyPair;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.random.RandomGenerator;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/// Certificates that their own key has signed: those shown until an authority has issued one, and
/// those that authorities look for (RFC 8737 §3). Stateless.
final class OwnSigned {
    private static final String PLACEHOLDER = "CN=Margay until an authority has issued one";
    private static final String CHALLENGE = "CN=acme.invalid";
    private static final ASN1ObjectIdentifier IDENTIFIER =
            new ASN1ObjectIdentifier("1.3.6.1.5.5.7.1.31");
    private static final Duration CHALLENGE_FOR = Duration.ofDays(7);
    private static final Duration PLACEHOLDER_FOR = Duration.ofDays(3650);
    private static final int SERIAL_BITS = 127;

    private OwnSigned() {}

    /// What is shown until there is a real one.
    static X509Certificate placeholder(
            KeyPair pair, List<String> domains, Instant now, RandomGenerator random)
            throws IOException {
        return make(
                maker(PLACEHOLDER, pair, domains, now, now.plus(PLACEHOLDER_FOR), random), pair);
    }

    /// Whether a certificate is one of those.
    static boolean isPlaceholder(X509Certificate certificate) {
        return new X500Name(certificate.getSubjectX500Principal().getName())
                .equals(new X500Name(PLACEHOLDER));
    }

    /// What an authority looks for.
    ///
    /// @param digest of the key authorization
    static X509Certificate challenge(
            KeyPair pair, String domain, byte[] digest, Instant now, RandomGenerator random)
            throws IOException {
        JcaX509v3CertificateBuilder maker =
                maker(CHALLENGE, pair, List.of(domain), now, now.plus(CHALLENGE_FOR), random);
        maker.addExtension(IDENTIFIER, true, new DEROctetString(digest));
        return make(maker, pair);
    }

    private static JcaX509v3CertificateBuilder maker(
            String subject,
            KeyPair pair,
            List<String> domains,
            Instant now,
            Instant end,
            RandomGenerator random)
            throws IOException {
        byte[] serial = new byte[SERIAL_BITS / Byte.SIZE];
        random.nextBytes(serial);
        X500Name name = new X500Name(subject);
        JcaX509v3CertificateBuilder maker =
                new JcaX509v3CertificateBuilder(
                        name,
                        new BigInteger(1, serial).add(BigInteger.ONE),
                        Date.from(now.minus(Duration.ofDays(1))),
                        Date.from(end),
                        name,
                        pair.getPublic());
        GeneralName[] names =
                domains.stream()
                        .map(domain -> new GeneralName(GeneralName.dNSName, domain))
                        .toArray(GeneralName[]::new);
        maker.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(names));
        return maker;
    }

    private static X509Certificate make(JcaX509v3CertificateBuilder maker, KeyPair pair)
            throws IOException {
        boolean rsa = pair.getPrivate().getAlgorithm().equals("RSA");
        try {
            byte[] der =
                    maker.build(
                                    new JcaContentSignerBuilder(
                                                    rsa ? "SHA256withRSA" : "SHA256withECDSA")
                                            .build(pair.getPrivate()))
                            .getEncoded();
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509")
                            .generateCertificate(new ByteArrayInputStream(der));
        } catch (OperatorCreationException | CertificateException e) {
            throw new IOException("a self-signed certificate cannot be made", e);
        }
    }
}
