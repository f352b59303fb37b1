package io.margay.transport.tls.certificate;

import io.margay.transport.KeySource;
import io.margay.transport.TlsConfig;
import io.margay.transport.TlsSetupException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECKey;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAKey;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.interfaces.RSAPublicKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A certificate chain, its key, and the host names it is good for (SAN dNSName, lower case).
/// Immutable.
///
/// @param ocsp the DER form of the OCSP response to be stapled, or null; not to be changed
public record CertifiedKey(
        List<X509Certificate> chain,
        PrivateKey key,
        List<String> names,
        @Nullable ByteBuffer ocsp) {
    /// A response is a few kilobytes.
    private static final int OCSP_BYTES_MAX = 64 * 1024;

    private static final int SAN_DNS_NAME = 2;

    /// What a certificate demands of the TLS that it is shown by (RFC 7633).
    private static final String FEATURES = "1.3.6.1.5.5.7.1.24";

    /// `status_request` as a DER integer.
    private static final String STATUS_REQUEST = "020105";

    private static final int QUICK_FIELD_BITS = 256;
    private static final byte UNCOMPRESSED = 4;

    public CertifiedKey {
        chain = List.copyOf(chain);
        names = List.copyOf(names);
    }

    /// Reads the files and checks that they belong together.
    public static CertifiedKey read(TlsConfig.Certificate files) {
        KeySource source = files.source();
        if (source != null) {
            return of(source.current());
        }
        Path cert = files.cert();
        Path key = files.key();
        List<X509Certificate> chain = new ArrayList<>();
        PrivateKey privateKey;
        if (KeyStores.isOne(cert)) {
            KeyStores.Entry entry = KeyStores.entry(cert, files.access());
            chain.addAll(entry.chain());
            privateKey = entry.key();
        } else {
            chain.addAll(Pem.certificates(cert));
            privateKey =
                    Pem.privateKey(key, files.access() == null ? null : files.access().password());
        }
        Path authorities = files.chain();
        if (authorities != null) {
            Pem.certificates(authorities).stream()
                    .filter(one -> !chain.contains(one))
                    .forEach(chain::add);
        }
        if (!belongTogether(chain.getFirst(), privateKey)) {
            throw new TlsSetupException(
                    key
                            + ": this key does not belong to the certificate in "
                            + cert
                            + "; the server's own certificate must come first in the file");
        }
        Path ocsp = files.ocsp();
        return new CertifiedKey(
                chain,
                privateKey,
                names(cert, chain.getFirst()),
                ocsp == null ? null : response(ocsp));
    }

    private static CertifiedKey of(KeySource.Keys keys) {
        if (!belongTogether(keys.chain().getFirst(), keys.key())) {
            throw new TlsSetupException(
                    "the key does not belong to the certificate of "
                            + keys.chain().getFirst().getSubjectX500Principal());
        }
        Path none = Path.of("memory");
        return new CertifiedKey(
                keys.chain(), keys.key(), names(none, keys.chain().getFirst()), null);
    }

    private static ByteBuffer response(Path file) {
        try {
            byte[] der = Files.readAllBytes(file);
            if (der.length == 0 || der.length > OCSP_BYTES_MAX || der[0] != 0x30) {
                throw new TlsSetupException(
                        file + ": no OCSP response in DER form (openssl ocsp -respout makes one)");
            }
            return ByteBuffer.wrap(der).asReadOnlyBuffer();
        } catch (IOException e) {
            throw new TlsSetupException(file + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static boolean belongTogether(X509Certificate certificate, PrivateKey key) {
        return isSaidToBelong(certificate.getPublicKey(), key) || signsFor(certificate, key);
    }

    /// Whether the private key has the public one in it, which OpenSSL is content with, too: with
    /// thousands of files a signature of each costs more than all the rest. Where it has not, or
    /// another one, a signature decides.
    private static boolean isSaidToBelong(PublicKey known, PrivateKey key) {
        if (known instanceof RSAPublicKey of && key instanceof RSAPrivateCrtKey own) {
            return of.getModulus().equals(own.getModulus())
                    && of.getPublicExponent().equals(own.getPublicExponent());
        }
        if (!(known instanceof ECPublicKey of) || !(key instanceof ECPrivateKey)) {
            return false;
        }
        int field = (of.getParams().getCurve().getField().getFieldSize() + 7) / 8;
        byte[] point = known.getEncoded(); // ends with it: 4, x, y (RFC 5480 §2.2)
        byte[] own = key.getEncoded(); // ends with it, too, where it is there (RFC 5915)
        int bytes = 1 + 2 * field;
        try {
            return point.length > bytes
                    && own.length > bytes
                    && point[point.length - bytes] == UNCOMPRESSED
                    && Arrays.equals(
                            point,
                            point.length - bytes,
                            point.length,
                            own,
                            own.length - bytes,
                            own.length);
        } finally {
            Arrays.fill(own, (byte) 0);
        }
    }

    private static boolean signsFor(X509Certificate certificate, PrivateKey key) {
        String algorithm =
                switch (key.getAlgorithm()) {
                    case "RSA" -> "SHA256withRSA";
                    case "EC" -> "SHA256withECDSA";
                    default -> key.getAlgorithm();
                };
        try {
            byte[] text = "margay".getBytes(StandardCharsets.US_ASCII);
            Signature signer = Signature.getInstance(algorithm);
            signer.initSign(key);
            signer.update(text);
            byte[] signature = signer.sign();
            Signature verifier = Signature.getInstance(algorithm);
            verifier.initVerify(certificate.getPublicKey());
            verifier.update(text);
            return verifier.verify(signature);
        } catch (GeneralSecurityException e) {
            return false; // keys of different kinds
        }
    }

    private static List<String> names(Path file, X509Certificate certificate) {
        List<String> names = new ArrayList<>();
        try {
            Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
            if (alternatives != null) {
                for (List<?> alternative : alternatives) {
                    if (Integer.valueOf(SAN_DNS_NAME).equals(alternative.get(0))) {
                        names.add(String.valueOf(alternative.get(1)).toLowerCase(Locale.ROOT));
                    }
                }
            }
        } catch (CertificateParsingException e) {
            throw new TlsSetupException(file + ": unreadable subject alternative names", e);
        }
        return names;
    }

    /// Whether clients trust it only with an OCSP response ("must staple").
    public boolean mustStaple() {
        byte[] features = chain.getFirst().getExtensionValue(FEATURES);
        return features != null && HexFormat.of().formatHex(features).contains(STATUS_REQUEST);
    }

    /// Whether it is one of those that responses are stapled to.
    public boolean isStapled(TlsConfig.Stapling.Which which) {
        return switch (which) {
            case NONE -> false;
            case REQUIRED -> mustStaple();
            case ALL -> true;
        };
    }

    /// What the certificates of its chain are made with: libraries that refuse one refuse all of
    /// the same kinds.
    public List<String> kinds() {
        return chain.stream().map(CertifiedKey::kind).toList();
    }

    private static String kind(X509Certificate one) {
        PublicKey key = one.getPublicKey();
        int bits =
                switch (key) {
                    case RSAKey rsa -> rsa.getModulus().bitLength();
                    case ECKey ec -> ec.getParams().getOrder().bitLength();
                    default -> 0;
                };
        return one.getVersion() + " " + one.getSigAlgName() + " " + key.getAlgorithm() + bits;
    }

    /// Whether a signature takes well below a millisecond: by the curve P-256, the only one of 256
    /// bits that the JDK reads. RSA takes a millisecond and more, and so do other curves.
    public boolean signsQuickly() {
        return chain.getFirst().getPublicKey() instanceof ECPublicKey own
                && own.getParams().getCurve().getField().getFieldSize() == QUICK_FIELD_BITS;
    }

    /// `RSA`, `EC` or `EdDSA`, as JSSE names key types.
    public String keyType() {
        return chain.getFirst().getPublicKey().getAlgorithm();
    }
}
