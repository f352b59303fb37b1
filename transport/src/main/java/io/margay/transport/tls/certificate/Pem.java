package io.margay.transport.tls.certificate;

import io.margay.transport.TlsSetupException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CRLException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.jspecify.annotations.Nullable;

/// Reads certificates, revocation lists and private keys from PEM files (RFC 7468): PKCS#8, and the
/// older PKCS#1 and SEC1 forms, which are put into a PKCS#8 envelope. Stateless.
final class Pem {
    /// Files larger than this are not read: no key or chain comes near it.
    private static final long FILE_BYTES_MAX = 1 << 20;

    /// Lists of revoked certificates grow with each of them: this is room for half a million.
    private static final long CRL_BYTES_MAX = 32 << 20;

    private static final String BEGIN = "-----BEGIN ";
    private static final String DASHES = "-----";

    // DER of the algorithm identifiers: SEQUENCE { OID rsaEncryption, NULL } and the OID
    // ecPublicKey.
    private static final byte[] RSA_ALGORITHM = hex("300d06092a864886f70d0101010500");
    private static final byte[] EC_OID = hex("06072a8648ce3d0201");
    private static final byte[] VERSION_0 = hex("020100");

    /// Within which the algorithm of a PKCS #8 key stands.
    private static final int HEAD_BYTES = 32;

    private static final List<String> RSA_FIRST = List.of("RSA", "EC", "EdDSA", "RSASSA-PSS");
    private static final List<String> EC_FIRST = List.of("EC", "RSA", "EdDSA", "RSASSA-PSS");

    private static final int SEQUENCE = 0x30;
    private static final int OCTET_STRING = 0x04;
    private static final int OID = 0x06;
    private static final int EC_PARAMETERS = 0xa0;

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Block(String label, byte[] bytes, boolean encrypted) {}

    private Pem() {}

    /// All certificates of a file, in its order; at least one.
    static List<X509Certificate> certificates(Path file) {
        List<X509Certificate> found = new ArrayList<>();
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            for (Block block : blocks(file)) {
                if (block.label.equals("CERTIFICATE")
                        || block.label.equals("X509 CERTIFICATE")
                        || block.label.equals("TRUSTED CERTIFICATE")) {
                    found.add(
                            (X509Certificate)
                                    factory.generateCertificate(
                                            new ByteArrayInputStream(block.bytes)));
                }
            }
        } catch (CertificateException e) {
            throw new TlsSetupException(
                    file + ": not a valid certificate (" + e.getMessage() + ")", e);
        }
        if (found.isEmpty()) {
            throw new TlsSetupException(
                    file + ": no certificate in it; expected '-----BEGIN CERTIFICATE-----' (PEM)");
        }
        return found;
    }

    /// All lists of revoked certificates of a file, at least one; also in DER form.
    static List<X509CRL> crls(Path file) {
        List<X509CRL> found = new ArrayList<>();
        byte[] content = content(file, CRL_BYTES_MAX);
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            if (content.length > 0 && (content[0] & 0xff) == SEQUENCE) {
                return List.of(crl(factory, content));
            }
            for (Block block : blocks(file, new String(content, StandardCharsets.ISO_8859_1))) {
                if (block.label.equals("X509 CRL")) {
                    found.add(crl(factory, block.bytes));
                }
            }
        } catch (CertificateException | CRLException e) {
            throw new TlsSetupException(
                    file + ": not a valid revocation list (" + e.getMessage() + ")", e);
        }
        if (found.isEmpty()) {
            throw new TlsSetupException(
                    file + ": no revocation list in it; expected '-----BEGIN X509 CRL-----' (PEM)");
        }
        return found;
    }

    private static X509CRL crl(CertificateFactory factory, byte[] der) throws CRLException {
        return (X509CRL) factory.generateCRL(new ByteArrayInputStream(der));
    }

    /// The private key of a file, which has no password.
    static PrivateKey privateKey(Path file) {
        return privateKey(file, null);
    }

    /// The private key of a file.
    ///
    /// @param password of an encrypted key (PKCS #8); null = there is none
    static PrivateKey privateKey(Path file, @Nullable String password) {
        byte[] curve = new byte[0];
        for (Block block : blocks(file)) {
            if (password != null && block.label.equals("ENCRYPTED PRIVATE KEY")) {
                return decrypted(file, block.bytes, password);
            }
            if (block.encrypted || block.label.equals("ENCRYPTED PRIVATE KEY")) {
                throw new TlsSetupException(
                        file
                                + ": the private key is encrypted; say its password, if it is in"
                                + " PKCS #8 form, or write one without: openssl pkey -in "
                                + file.getFileName()
                                + " -out plain.key");
            }
            switch (block.label) {
                case "PRIVATE KEY" -> {
                    return key(file, block.bytes);
                }
                case "RSA PRIVATE KEY" -> {
                    return key(file, pkcs8(RSA_ALGORITHM, block.bytes));
                }
                case "EC PRIVATE KEY" -> {
                    return key(file, pkcs8(ecAlgorithm(file, block.bytes, curve), block.bytes));
                }
                case "EC PARAMETERS" -> curve = block.bytes;
                default -> {}
            }
        }
        throw new TlsSetupException(
                file + ": no private key in it; expected '-----BEGIN PRIVATE KEY-----' (PEM)");
    }

    private static PrivateKey decrypted(Path file, byte[] der, String password) {
        try {
            EncryptedPrivateKeyInfo info = new EncryptedPrivateKeyInfo(der);
            // What PBES2 says of itself is its parameters; their name finds the algorithm.
            String name =
                    info.getAlgParameters() == null
                            ? info.getAlgName()
                            : info.getAlgParameters().toString();
            SecretKey secret =
                    SecretKeyFactory.getInstance(name)
                            .generateSecret(new PBEKeySpec(password.toCharArray()));
            Cipher cipher = Cipher.getInstance(name);
            cipher.init(Cipher.DECRYPT_MODE, secret, info.getAlgParameters());
            return key(file, info.getKeySpec(cipher).getEncoded());
        } catch (IOException | GeneralSecurityException e) {
            throw new TlsSetupException(
                    file
                            + ": the private key cannot be decrypted: the password is wrong, or its"
                            + " encryption unknown",
                    e);
        }
    }

    private static PrivateKey key(Path file, byte[] pkcs8) {
        PKCS8EncodedKeySpec spec = new PKCS8EncodedKeySpec(pkcs8);
        List<Exception> failures = new ArrayList<>();
        // Each that fails costs an exception; the OID stands among the first bytes.
        int head = Math.min(pkcs8.length, HEAD_BYTES);
        String text = new String(pkcs8, 0, head, StandardCharsets.ISO_8859_1);
        boolean ec = text.contains(new String(EC_OID, StandardCharsets.ISO_8859_1));
        for (String algorithm : ec ? EC_FIRST : RSA_FIRST) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(spec);
            } catch (GeneralSecurityException e) {
                failures.add(e);
            }
        }
        throw new TlsSetupException(
                file + ": not a private key of a known kind (RSA, EC, Ed25519)",
                failures.getFirst());
    }

    private static byte[] pkcs8(byte[] algorithm, byte[] key) {
        return der(SEQUENCE, VERSION_0, algorithm, der(OCTET_STRING, key));
    }

    /// The algorithm identifier of a SEC1 key: its curve stands in the key itself (RFC 5915,
    /// `parameters [0]`) or in a block before it.
    private static byte[] ecAlgorithm(Path file, byte[] sec1, byte[] before) {
        byte[] curve = before;
        for (int at = content(sec1, 0); at + 1 < sec1.length; at = next(sec1, at)) {
            if ((sec1[at] & 0xff) == EC_PARAMETERS) {
                int inner = content(sec1, at);
                int end = next(sec1, at);
                if (inner < end && end <= sec1.length) {
                    curve = Arrays.copyOfRange(sec1, inner, end);
                }
            }
        }
        if (curve.length == 0 || curve[0] != OID) {
            throw new TlsSetupException(
                    file
                            + ": the EC key names no curve; rewrite it: openssl pkey -in "
                            + file.getFileName()
                            + " -out pkcs8.key");
        }
        return der(SEQUENCE, EC_OID, curve);
    }

    /// Offset of the content of the DER element at `at`.
    private static int content(byte[] der, int at) {
        int first = der[at + 1] & 0xff;
        return at + 2 + (first < 0x80 ? 0 : first & 0x7f);
    }

    /// Offset of the element after the one at `at`; the array's length when it does not fit.
    private static int next(byte[] der, int at) {
        int start = content(der, at);
        int first = der[at + 1] & 0xff;
        long length = first < 0x80 ? first : 0;
        for (int i = at + 2; first >= 0x80 && i < Math.min(start, der.length); i++) {
            length = ((length << 8) | (der[i] & 0xff)) & 0xffffffffL;
        }
        return (int) Math.min(start + length, der.length);
    }

    private static byte[] der(int tag, byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream(length + 6);
        out.write(tag);
        if (length < 0x80) {
            out.write(length);
        } else {
            int bytes = (32 - Integer.numberOfLeadingZeros(length) + 7) / 8;
            out.write(0x80 | bytes);
            for (int i = bytes - 1; i >= 0; i--) {
                out.write(length >>> (8 * i));
            }
        }
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    private static List<Block> blocks(Path file) {
        byte[] content = content(file, FILE_BYTES_MAX);
        return blocks(file, new String(content, StandardCharsets.ISO_8859_1));
    }

    private static List<Block> blocks(Path file, String text) {
        List<Block> blocks = new ArrayList<>();
        int from = text.indexOf(BEGIN);
        while (from >= 0) {
            int labelEnd = text.indexOf(DASHES, from + BEGIN.length());
            if (labelEnd < 0) {
                break;
            }
            String label = text.substring(from + BEGIN.length(), labelEnd);
            int bodyFrom = labelEnd + DASHES.length();
            int bodyTo = text.indexOf(DASHES + "END " + label + DASHES, bodyFrom);
            if (bodyTo < 0) {
                throw new TlsSetupException(
                        file + ": '-----BEGIN " + label + "-----' without its END line");
            }
            blocks.add(block(file, label, text.substring(bodyFrom, bodyTo)));
            from = text.indexOf(BEGIN, bodyTo);
        }
        return blocks;
    }

    private static Block block(Path file, String label, String body) {
        if (body.contains("Proc-Type:")) {
            return new Block(label, new byte[0], true);
        }
        try {
            byte[] bytes = Base64.getMimeDecoder().decode(body.strip());
            if (bytes.length < 2) {
                throw new IllegalArgumentException("empty");
            }
            return new Block(label, bytes, false);
        } catch (IllegalArgumentException e) {
            throw new TlsSetupException(file + ": the " + label + " is not valid Base64", e);
        }
    }

    private static byte[] content(Path file, long bytesMax) {
        try {
            if (Files.size(file) > bytesMax) {
                throw new TlsSetupException(
                        file + ": too large for a PEM file (over " + (bytesMax >> 20) + " MiB)");
            }
            return Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            throw new TlsSetupException(file + ": no such file", e);
        } catch (IOException e) {
            throw new TlsSetupException(
                    file + ": cannot be read (" + e + "); check its owner and mode", e);
        }
    }

    private static byte[] hex(String digits) {
        return HexFormat.of().parseHex(digits);
    }
}
