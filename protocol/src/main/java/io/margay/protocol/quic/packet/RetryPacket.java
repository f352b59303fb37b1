package io.margay.protocol.quic.packet;

import io.margay.protocol.quic.QuicVersion;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/// Retry packets, and the tag by which a client tells that its own Initial packet is answered (RFC
/// 9000 §17.2.5, RFC 9001 §5.8).
public final class RetryPacket {
    /// Octets of the tag.
    static final int TAG_BYTES = 16;

    private RetryPacket() {}

    /// Makes a Retry packet.
    ///
    /// @param to the source connection id of the client's Initial packet
    /// @param from the connection id that the client is to use from now on
    /// @param original the destination connection id of the client's Initial packet
    public static byte[] make(
            QuicVersion version, byte[] to, byte[] from, byte[] original, byte[] token) {
        byte[] packet = new byte[7 + to.length + from.length + token.length + TAG_BYTES];
        int at = LongHeader.put(packet, 0, version, PacketType.RETRY, to, from);
        packet[0] |= 0x0f;
        System.arraycopy(token, 0, packet, at, token.length);
        at += token.length;
        byte[] tag = tag(version, original, packet, 0, at);
        System.arraycopy(tag, 0, packet, at, TAG_BYTES);
        return packet;
    }

    /// Whether the tag of a Retry packet is right.
    ///
    /// @param original the destination connection id of the Initial packet that it answers
    public static boolean isGenuine(
            QuicVersion version, byte[] original, byte[] packet, int from, int to) {
        int end = to - TAG_BYTES;
        return end > from
                && MessageDigest.isEqual(
                        tag(version, original, packet, from, end),
                        Arrays.copyOfRange(packet, end, to));
    }

    private static byte[] tag(
            QuicVersion version, byte[] original, byte[] packet, int from, int to) {
        try {
            Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
            cipher.init(
                    Cipher.ENCRYPT_MODE,
                    new SecretKeySpec(version.retryKey(), "AES"),
                    new GCMParameterSpec(8 * TAG_BYTES, version.retryNonce()));
            cipher.updateAAD(new byte[] {(byte) original.length});
            cipher.updateAAD(original);
            cipher.updateAAD(packet, from, to - from);
            return cipher.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES-GCM is missing", e);
        }
    }
}
