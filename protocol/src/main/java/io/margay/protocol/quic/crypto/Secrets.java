package io.margay.protocol.quic.crypto;

import io.margay.protocol.quic.QuicVersion;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.KDF;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/// Derives secrets and keys (RFC 8446 §7.1, RFC 9001 §5.1, §5.2).
public final class Secrets {
    private static final String GENERIC = "Generic";

    private Secrets() {}

    /// The secret by which one side protects its Initial packets.
    ///
    /// @param id the destination connection id of the client's first Initial packet
    public static byte[] initial(QuicVersion version, byte[] id, boolean ofServer) {
        CipherSuite suite = CipherSuite.AES_128_GCM_SHA256;
        try {
            byte[] common =
                    KDF.getInstance(suite.hkdf())
                            .deriveData(
                                    HKDFParameterSpec.ofExtract()
                                            .addSalt(version.initialSalt())
                                            .addIKM(id)
                                            .extractOnly());
            return expand(suite, common, ofServer ? "server in" : "client in", 32);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("HKDF is missing", e);
        }
    }

    /// The secret that follows another at a key update (RFC 9001 §6.1).
    public static byte[] next(QuicVersion version, CipherSuite suite, byte[] secret) {
        return expand(suite, secret, version.label("ku"), suite.secretBytes());
    }

    /// HKDF-Expand-Label without a context.
    static byte[] expand(CipherSuite suite, byte[] secret, String label, int length) {
        byte[] name = ("tls13 " + label).getBytes(StandardCharsets.US_ASCII);
        byte[] info = new byte[4 + name.length];
        info[0] = (byte) (length >> 8);
        info[1] = (byte) length;
        info[2] = (byte) name.length;
        System.arraycopy(name, 0, info, 3, name.length);
        try {
            return KDF.getInstance(suite.hkdf())
                    .deriveData(
                            HKDFParameterSpec.expandOnly(
                                    new SecretKeySpec(secret, GENERIC), info, length));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("HKDF is missing", e);
        }
    }
}
