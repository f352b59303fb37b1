package io.margay.protocol.quic.connection;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import javax.crypto.KDF;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/// Resets for connections that nobody knows of any more (RFC 9000 §10.3).
public final class StatelessReset {
    /// Octets of a token.
    public static final int TOKEN_BYTES = 16;

    /// Smaller packets could not be told from packets of QUIC.
    public static final int LEAST_BYTES = 21;

    /// Larger resets look like nothing a packet of QUIC does.
    private static final int MOST_BYTES = 43;

    private StatelessReset() {}

    /// The token of a connection id.
    ///
    /// @param secret of the server, the same after it was started again
    public static byte[] token(byte[] secret, byte[] id) {
        try {
            return KDF.getInstance("HKDF-SHA256")
                    .deriveData(
                            HKDFParameterSpec.expandOnly(
                                    new SecretKeySpec(secret, "Generic"), id, TOKEN_BYTES));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("HKDF is missing", e);
        }
    }

    /// Makes a reset that answers a packet; it is smaller than that, so that two servers do not
    /// answer each other for ever. Empty when the packet is too small to be answered.
    public static byte[] answer(int packetBytes, byte[] token, RandomGenerator chance) {
        int size = Math.min(packetBytes - 1, MOST_BYTES);
        if (size < LEAST_BYTES) {
            return new byte[0];
        }
        byte[] reset = new byte[size];
        chance.nextBytes(reset);
        reset[0] = (byte) ((reset[0] & 0x3f) | 0x40);
        System.arraycopy(token, 0, reset, size - TOKEN_BYTES, TOKEN_BYTES);
        return reset;
    }

    /// Whether a datagram ends with a token.
    static boolean endsWith(byte[] datagram, int from, int to, byte[] token) {
        return to - from >= LEAST_BYTES
                && MessageDigest.isEqual(token, Arrays.copyOfRange(datagram, to - TOKEN_BYTES, to));
    }
}
