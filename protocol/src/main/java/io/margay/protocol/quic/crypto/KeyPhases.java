package io.margay.protocol.quic.crypto;

import io.margay.protocol.quic.QuicError;
import io.margay.protocol.quic.QuicVersion;
import io.margay.protocol.quic.tls.PacketCipher;
import org.jspecify.annotations.Nullable;

/// The keys of 1-RTT packets in both directions, which either side may have replaced (RFC 9001 §6).
/// Confined to the connection's owner.
///
/// The phase bit of a packet says which of two neighbouring keys it was sealed with. The keys that
/// come next are made before they are needed, so that a forged phase bit costs what any forged
/// packet does; those of the phase before are kept for packets that were overtaken, until the
/// caller drops them.
public final class KeyPhases {
    static final QuicError UPDATED_TWICE =
            QuicError.of(
                    QuicError.KEY_UPDATE_ERROR,
                    "RFC 9001 §6.2",
                    "keys were updated again before the last update was confirmed");
    static final QuicError UPDATED_TOO_OFTEN =
            QuicError.of(QuicError.KEY_UPDATE_ERROR, "RFC 9001 §6.6", "keys are updated too often");
    static final QuicError OLD_KEY_REUSED =
            QuicError.of(
                    QuicError.KEY_UPDATE_ERROR,
                    "RFC 9001 §6.4",
                    "a packet was protected with keys of an earlier phase");
    static final QuicError LIMIT_REACHED =
            QuicError.of(
                    QuicError.AEAD_LIMIT_REACHED,
                    "RFC 9001 §6.6",
                    "too many packets could not be opened");

    /// Phases with fewer packets than [#PHASE_PACKETS_LEAST] that a peer may begin: each update
    /// costs as much as some hundred packets do.
    static final int SHORT_PHASES_MAX = 64;

    static final int PHASE_PACKETS_LEAST = 64;

    private final QuicVersion version;
    private final CipherSuite suite;
    private final PacketCipher.Source ciphers;
    private final HeaderKey readHeader;
    private final HeaderKey writeHeader;
    private byte[] readSecret;
    private byte[] writeSecret;
    private @Nullable PacketKey before;
    private PacketKey read;
    private PacketKey next;
    private PacketKey write;
    private boolean phase;

    /// The first packet number that was received in this phase, or -1.
    private long firstRead = -1;

    private long readInPhase;

    /// The first packet number that was sent in this phase, or -1.
    private long firstWritten = -1;

    private boolean confirmed;
    private int shortPhases;
    private long failures;
    private long number;
    private int opened;
    private boolean updated;
    private @Nullable QuicError error;

    /// Keys for the JDK's ciphers.
    public KeyPhases(QuicVersion version, CipherSuite suite, byte[] read, byte[] write) {
        this(version, suite, read, write, PacketCipher.Source.JDK);
    }

    /// @param ciphers that seal and open
    public KeyPhases(
            QuicVersion version,
            CipherSuite suite,
            byte[] read,
            byte[] write,
            PacketCipher.Source ciphers) {
        this.version = version;
        this.suite = suite;
        this.ciphers = ciphers;
        readSecret = read.clone();
        writeSecret = write.clone();
        readHeader = new HeaderKey(version, suite, read);
        writeHeader = new HeaderKey(version, suite, write);
        this.read = reading(read);
        this.write = new PacketKey(version, suite, write, ciphers, true);
        next = reading(Secrets.next(version, suite, read));
    }

    private PacketKey reading(byte[] secret) {
        return new PacketKey(version, suite, secret, ciphers, false);
    }

    /// The phase bit of the packets that are sent now.
    public boolean phase() {
        return phase;
    }

    /// Protects a packet in its place, whose header has the bit of [#phase].
    ///
    /// @return where the packet ends
    public int seal(
            byte[] packet, int from, int numberAt, int numberBytes, int to, long packetNumber) {
        packet[from] |= (byte) (numberBytes - 1);
        if (firstWritten < 0) {
            firstWritten = packetNumber;
        }
        int end = write.seal(packet, from, numberAt + numberBytes, to, packetNumber);
        writeHeader.apply(packet, from, numberAt, numberBytes);
        return end;
    }

    /// Takes the protection off. The header is changed in its place.
    ///
    /// @param largest the largest packet number that was received, or -1
    /// @param target gets the payload
    /// @return octets of the payload, or -1 when the packet is not genuine, or the connection is to
    ///   end with [#error]
    public int open(byte[] packet, int from, int numberAt, int to, long largest, byte[] target) {
        updated = false;
        if (to - numberAt < 4 + HeaderKey.SAMPLE_BYTES) {
            return -1;
        }
        int numberBytes = readHeader.remove(packet, from, numberAt);
        number = KeyPair.restore(packet, numberAt, numberBytes, largest);
        int payloadAt = numberAt + numberBytes;
        boolean bit = (packet[from] & 0x04) != 0;
        if (bit == phase) {
            opened = read.open(packet, from, payloadAt, to, number, target);
            if (opened >= 0) {
                readInPhase++;
                firstRead = firstRead < 0 ? number : Math.min(firstRead, number);
            }
        } else if (before != null && (firstRead < 0 || number < firstRead)) {
            opened = before.open(packet, from, payloadAt, to, number, target);
        } else {
            opened = next.open(packet, from, payloadAt, to, number, target);
            if (opened >= 0) {
                followed();
            }
        }
        if (opened < 0 && ++failures > suite.failuresMax()) {
            error = LIMIT_REACHED;
        }
        return error == null ? opened : -1;
    }

    /// The peer has updated its keys.
    private void followed() {
        if (number < firstRead) {
            error = OLD_KEY_REUSED;
            return;
        }
        if (firstWritten < 0) {
            error = UPDATED_TWICE;
            return;
        }
        if (readInPhase < PHASE_PACKETS_LEAST && ++shortPhases > SHORT_PHASES_MAX) {
            error = UPDATED_TOO_OFTEN;
            return;
        }
        advance();
        firstRead = number;
        readInPhase = 1;
        updated = true;
    }

    private void advance() {
        if (before != null) {
            before.close();
        }
        before = read;
        read = next;
        readSecret = Secrets.next(version, suite, readSecret);
        writeSecret = Secrets.next(version, suite, writeSecret);
        next = reading(Secrets.next(version, suite, readSecret));
        write.close();
        write = new PacketKey(version, suite, writeSecret, ciphers, true);
        phase = !phase;
        firstRead = -1;
        readInPhase = 0;
        firstWritten = -1;
        confirmed = false;
    }

    /// Whether the packet that was opened last has begun a new phase.
    public boolean isUpdated() {
        return updated;
    }

    /// Forgets the keys of the phase before: three times the PTO after the first packet of this
    /// phase has come (RFC 9001 §6.5). As long as none has, the peer still uses them.
    public void dropBefore() {
        if (firstRead >= 0 && before != null) {
            before.close();
            before = null;
        }
    }

    /// Gives the memory of its ciphers back; nothing is sealed or opened afterwards. Idempotent.
    public void close() {
        read.close();
        next.close();
        write.close();
        if (before != null) {
            before.close();
        }
    }

    /// Whether keys of the phase before are still there.
    public boolean hasBefore() {
        return before != null;
    }

    /// The peer has acknowledged a packet of ours: when it is one of this phase, keys may be
    /// updated again.
    public void acknowledged(long packetNumber) {
        confirmed |= firstWritten >= 0 && packetNumber >= firstWritten;
    }

    /// Whether [#update] may be called: the peer has acknowledged a packet of this phase.
    public boolean mayUpdate() {
        return confirmed && before == null;
    }

    /// Replaces the keys from our side. The peer follows when it gets a packet of the new phase.
    public void update() {
        if (!mayUpdate()) {
            throw new IllegalStateException("the last update is not confirmed");
        }
        advance();
    }

    /// Whether so many packets were sealed that the keys should be replaced.
    public boolean isWorn() {
        return write.seals() > suite.sealsMax() / 2;
    }

    /// Whether nothing more may be sealed: the connection is to end.
    public boolean isSpent() {
        return write.seals() >= suite.sealsMax();
    }

    /// The packet number of the packet that was opened last.
    public long number() {
        return number;
    }

    /// Why the connection is to end, or null.
    public @Nullable QuicError error() {
        return error;
    }
}
