package io.margay.protocol.quic.recovery;

/// The packets of a space that were sent and whose fate is unknown, in the order of their numbers.
/// Confined to the connection's owner, who bounds how many there are.
final class SentPackets {
    private SentPacket[] ring = new SentPacket[16];
    private int first;
    private int count;

    /// Packets that are in flight, or wait before one that is.
    int count() {
        return count;
    }

    SentPacket get(int index) {
        return ring[(first + index) & (ring.length - 1)];
    }

    void add(SentPacket packet) {
        if (count == ring.length) {
            SentPacket[] larger = new SentPacket[2 * count];
            for (int i = 0; i < count; i++) {
                larger[i] = get(i);
            }
            ring = larger;
            first = 0;
        }
        ring[(first + count++) & (ring.length - 1)] = packet;
    }

    /// The index of the first packet with this number or a larger one.
    int find(long number) {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (get(middle).number() < number) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /// The fate of a packet is known.
    void done(SentPacket packet) {
        packet.done = true;
    }

    /// Forgets packets whose fate is known, as far as none before them is unknown.
    void trim() {
        while (count > 0 && get(0).done) {
            first = (first + 1) & (ring.length - 1);
            count--;
        }
        if (count == 0) {
            first = 0;
            ring = ring.length > 64 ? new SentPacket[16] : ring;
        }
    }
}
