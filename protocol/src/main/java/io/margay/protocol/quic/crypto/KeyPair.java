package io.margay.protocol.quic.crypto;

import io.margay.protocol.quic.QuicVersion;
import io.margay.protocol.quic.packet.PacketNumbers;
import io.margay.protocol.quic.tls.PacketCipher;

/// What protects the packets of one level in one direction, with a key that is never replaced:
/// Initial, 0-RTT and Handshake packets. Confined to the connection's owner.
public final class KeyPair {
    private final HeaderKey header;
    private final PacketKey payload;
    private long number;

    public KeyPair(QuicVersion version, CipherSuite suite, byte[] secret) {
        header = new HeaderKey(version, suite, secret);
        payload = new PacketKey(version, suite, secret, PacketCipher.Source.JDK, true);
    }

    /// The keys of Initial packets.
    ///
    /// @param id the destination connection id of the client's first Initial packet
    public static KeyPair initial(QuicVersion version, byte[] id, boolean ofServer) {
        return new KeyPair(
                version, CipherSuite.AES_128_GCM_SHA256, Secrets.initial(version, id, ofServer));
    }

    /// Protects a packet in its place. The packet number is written already.
    ///
    /// @param numberAt where the packet number begins
    /// @param to where the payload ends; room for the tag follows
    /// @return where the packet ends
    public int seal(
            byte[] packet, int from, int numberAt, int numberBytes, int to, long packetNumber) {
        packet[from] |= (byte) (numberBytes - 1);
        int end = payload.seal(packet, from, numberAt + numberBytes, to, packetNumber);
        header.apply(packet, from, numberAt, numberBytes);
        return end;
    }

    /// Takes the protection off. The header is changed in its place.
    ///
    /// @param to where the packet ends
    /// @param largest the largest packet number that was received, or -1
    /// @param target gets the payload
    /// @return octets of the payload, or -1 when the packet is not genuine; [#number] then says
    ///   nothing
    public int open(byte[] packet, int from, int numberAt, int to, long largest, byte[] target) {
        if (to - numberAt < 4 + HeaderKey.SAMPLE_BYTES) {
            return -1;
        }
        int numberBytes = header.remove(packet, from, numberAt);
        number = restore(packet, numberAt, numberBytes, largest);
        return payload.open(packet, from, numberAt + numberBytes, to, number, target);
    }

    /// Reads the packet number, off which the protection was taken.
    static long restore(byte[] packet, int numberAt, int numberBytes, long largest) {
        long low = 0;
        for (int i = 0; i < numberBytes; i++) {
            low = (low << 8) | (packet[numberAt + i] & 0xff);
        }
        return PacketNumbers.restore(low, numberBytes, largest);
    }

    /// The packet number of the packet that was opened last.
    public long number() {
        return number;
    }
}
