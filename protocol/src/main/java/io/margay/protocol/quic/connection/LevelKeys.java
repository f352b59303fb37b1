package io.margay.protocol.quic.connection;

import io.margay.protocol.quic.Level;
import io.margay.protocol.quic.QuicError;
import io.margay.protocol.quic.QuicVersion;
import io.margay.protocol.quic.crypto.CipherSuite;
import io.margay.protocol.quic.crypto.KeyPair;
import io.margay.protocol.quic.crypto.KeyPhases;
import io.margay.protocol.quic.tls.PacketCipher;
import org.jspecify.annotations.Nullable;

/// The keys of a connection, by the space of packet numbers. Confined to the connection's owner.
final class LevelKeys {
    /// What [#open] gives when there is no key for the packet.
    static final int NO_KEY = -2;

    private final @Nullable KeyPair[] read = new KeyPair[Level.SPACES];
    private final @Nullable KeyPair[] write = new KeyPair[Level.SPACES];
    private @Nullable KeyPhases phases;
    private final PacketCipher.Source ciphers;
    private byte @Nullable [] oneRttWrite;
    private long number;

    /// @param ciphers for 1-RTT packets: handshakes come from anybody, and leave nothing behind
    LevelKeys(PacketCipher.Source ciphers) {
        this.ciphers = ciphers;
    }

    /// Makes the keys of Initial packets.
    void initial(QuicVersion version, byte[] id, boolean server) {
        read[0] = KeyPair.initial(version, id, !server);
        write[0] = KeyPair.initial(version, id, server);
    }

    /// Takes secrets as TLS gives them.
    ///
    /// @return false when the cipher suite is not known here
    boolean secrets(
            QuicVersion version,
            Level level,
            int suiteNumber,
            byte @Nullable [] reading,
            byte @Nullable [] writing) {
        CipherSuite suite = CipherSuite.of(suiteNumber);
        if (suite == null) {
            return false;
        }
        if (level == Level.HANDSHAKE) {
            read[1] = reading == null ? read[1] : new KeyPair(version, suite, reading);
            write[1] = writing == null ? write[1] : new KeyPair(version, suite, writing);
        } else if (level == Level.ONE_RTT) {
            if (writing != null) {
                oneRttWrite = writing;
                write[2] = new KeyPair(version, suite, writing);
            }
            byte[] ours = oneRttWrite;
            if (reading != null && ours != null) {
                phases = new KeyPhases(version, suite, reading, ours, ciphers);
                write[2] = null;
                oneRttWrite = null;
            }
        }
        return true;
    }

    boolean canSend(int space) {
        return write[space] != null || (space == 2 && phases != null);
    }

    boolean canReceive(int space) {
        return space == 2 ? phases != null : read[space] != null;
    }

    @Nullable KeyPhases phases() {
        return phases;
    }

    void discard(int space) {
        read[space] = null;
        write[space] = null;
    }

    /// Gives the memory of ciphers back; nothing is sealed or opened afterwards. Idempotent.
    void close() {
        if (phases != null) {
            phases.close();
        }
    }

    /// Opens a packet into `target`.
    ///
    /// @return octets of the payload, -1 when it is not genuine, or [#NO_KEY]
    int open(
            int space, byte[] packet, int from, int numberAt, int to, long largest, byte[] target) {
        KeyPhases oneRtt = phases;
        if (space == 2) {
            if (oneRtt == null) {
                return NO_KEY;
            }
            int opened = oneRtt.open(packet, from, numberAt, to, largest, target);
            number = oneRtt.number();
            return opened;
        }
        KeyPair keys = read[space];
        if (keys == null) {
            return NO_KEY;
        }
        int opened = keys.open(packet, from, numberAt, to, largest, target);
        number = keys.number();
        return opened;
    }

    /// The packet number of the packet that was opened last.
    long number() {
        return number;
    }

    /// The error that the keys of 1-RTT packets end the connection with, or null.
    @Nullable QuicError error() {
        return phases == null ? null : phases.error();
    }

    /// Seals a packet in its place.
    ///
    /// @return where it ends
    int seal(
            int space,
            byte[] packet,
            int from,
            int numberAt,
            int numberBytes,
            int to,
            long packetNumber) {
        KeyPhases oneRtt = phases;
        if (space == 2 && oneRtt != null) {
            return oneRtt.seal(packet, from, numberAt, numberBytes, to, packetNumber);
        }
        KeyPair keys = write[space];
        if (keys == null) {
            throw new IllegalStateException("there are no keys to send with");
        }
        return keys.seal(packet, from, numberAt, numberBytes, to, packetNumber);
    }
}
