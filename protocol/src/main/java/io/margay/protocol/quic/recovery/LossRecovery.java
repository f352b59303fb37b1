package io.margay.protocol.quic.recovery;

import io.margay.protocol.quic.Level;
import io.margay.protocol.quic.QuicError;
import io.margay.protocol.quic.frame.AckFrame;
import org.jspecify.annotations.Nullable;

/// Finds out what became of packets: acknowledged, or lost because later ones were acknowledged;
/// and when a peer that is silent is to be asked (RFC 9002 §5 and §6, Appendix A). Confined to the
/// connection's owner.
public final class LossRecovery {
    /// Learns what became of packets.
    public interface Fate {
        void acked(int space, SentPacket packet);

        void lost(int space, SentPacket packet);
    }

    /// Packets that may wait for their fate in one space: more than the largest window has of full
    /// size. It bounds what a peer costs that has a large window filled with small packets.
    static final int PACKETS_MAX = 16_384;

    /// What is remembered of a packet, and of each of its frames, of which a packet may have some
    /// hundred: a peer that gives each stream room for one octet at a time has them made.
    static final int PACKET_BYTES = 48;

    static final int FRAME_BYTES = 48;

    /// Packet numbers that are left out, so that a peer which acknowledges what it has not received
    /// is found out (RFC 9000 §21.4).
    private static final int SKIPPED = 8;

    private static final int PACKET_THRESHOLD = 3;
    private static final int PERSISTENT_FACTOR = 3;

    /// Beyond which the PTO does not grow: 333 ms doubled so often are more than any idle time-out.
    private static final int BACKOFF_MAX = 12;

    static final QuicError NEVER_SENT =
            QuicError.of(
                    QuicError.PROTOCOL_VIOLATION,
                    "RFC 9000 §13.1",
                    "a packet is acknowledged that was never sent");

    private final Fate fate;
    private final Congestion congestion;
    private final RoundTrip trip = new RoundTrip();
    private final Ecn ecn = new Ecn();
    private final SentPackets[] sent = new SentPackets[Level.SPACES];
    private final long[] next = new long[Level.SPACES];
    private final long[] largestAcked = {-1, -1, -1};
    private final long[] lossTime = {Times.NEVER, Times.NEVER, Times.NEVER};
    private final long[] lastEliciting = {-1, -1, -1};
    private final int[] elicitingInFlight = new int[Level.SPACES];
    private long frames;
    private final long[] skipped = new long[SKIPPED];
    private int skips;
    private int ptoCount;
    private long maxAckDelay = 25 * Times.MILLISECOND;
    private boolean addressValidated;
    private boolean confirmed;
    private boolean handshakeKeys;
    private long base;

    /// @param validated whether the peer knows our address: it does not wait for us then, which a
    ///   server's peer never does
    public LossRecovery(Congestion congestion, boolean validated, Fate fate) {
        this.congestion = congestion;
        this.fate = fate;
        addressValidated = validated;
        for (int i = 0; i < SKIPPED; i++) {
            skipped[i] = -1;
        }
        for (int i = 0; i < Level.SPACES; i++) {
            sent[i] = new SentPackets();
        }
    }

    public RoundTrip trip() {
        return trip;
    }

    /// The packet number that is sent next.
    public long next(int space) {
        return next[space];
    }

    /// The largest packet number that the peer has acknowledged, or -1.
    public long largestAcked(int space) {
        return largestAcked[space];
    }

    /// Leaves out the next packet number of 1-RTT packets.
    public void skip() {
        skipped[skips++ % SKIPPED] = next[2]++;
    }

    /// Whether the space has room for a further packet.
    public boolean hasRoom(int space) {
        return sent[space].count() < PACKETS_MAX;
    }

    /// Whether packets should be marked ECT(0).
    public boolean isMarking() {
        return ecn.isMarking();
    }

    /// The longest that the peer says it waits.
    public void maxAckDelay(long nanos) {
        maxAckDelay = nanos;
    }

    /// Whether keys of Handshake packets are there.
    public void handshakeKeys() {
        handshakeKeys = true;
    }

    /// The handshake is confirmed.
    public void confirmed() {
        confirmed = true;
        addressValidated = true;
    }

    /// Octets of memory that packets take whose fate is unknown.
    public long bytes() {
        int packets = sent[0].count() + sent[1].count() + sent[2].count();
        return (long) PACKET_BYTES * packets + FRAME_BYTES * frames;
    }

    // Sending

    /// A packet was sent, with the next number of its space.
    ///
    /// @param eliciting whether it asks for an acknowledgement; only those are waited for
    public void sent(
            int space, SentPacket packet, int bytes, boolean eliciting, boolean marked, long now) {
        next[space] = packet.number() + 1;
        packet.time = now;
        packet.size = bytes;
        packet.eliciting = eliciting;
        packet.marked = marked;
        if (marked) {
            ecn.sent();
        }
        if (eliciting) {
            sent[space].add(packet);
            frames += packet.frameCount();
            congestion.sent(bytes);
            elicitingInFlight[space]++;
            lastEliciting[space] = now;
        }
    }

    // Acknowledgements

    /// Takes an ACK frame.
    ///
    /// @param delay what the peer says it waited, nanoseconds
    public @Nullable QuicError ack(int space, AckFrame ack, long delay, long now) {
        if (ack.largest() >= next[space] || (space == 2 && hasSkipped(ack))) {
            return NEVER_SENT;
        }
        if (space == 1) {
            addressValidated = true;
        }
        SentPackets packets = sent[space];
        long before = congestion.inFlight();
        boolean newest = ack.largest() > largestAcked[space];
        largestAcked[space] = Math.max(largestAcked[space], ack.largest());
        int marked = 0;
        boolean any = false;
        boolean sampled = false;
        long newestTime = 0;
        for (int range = 0; range < ack.count(); range++) {
            long to = ack.to(range);
            for (int i = packets.find(ack.from(range)); i < packets.count(); i++) {
                SentPacket packet = packets.get(i);
                if (packet.number() > to) {
                    break;
                }
                if (!packet.done) {
                    any = true;
                    marked += packet.marked ? 1 : 0;
                    newestTime = Math.max(newestTime, packet.time);
                    if (packet.number() == ack.largest() && !sampled) {
                        sampled = true;
                        long allowed = confirmed ? Math.min(delay, maxAckDelay) : delay;
                        trip.sample(now - packet.time, space == 0 ? 0 : allowed, now);
                    }
                    acked(space, packet, before, now);
                }
            }
        }
        packets.trim();
        if (!any) {
            return null;
        }
        if (newest && ecn.acked(ack, marked)) {
            congestion.congested(newestTime, now);
        }
        detect(space, now);
        if (addressValidated) {
            ptoCount = 0;
        }
        return null;
    }

    private boolean hasSkipped(AckFrame ack) {
        for (long number : skipped) {
            for (int i = 0; number >= 0 && i < ack.count(); i++) {
                if (number >= ack.from(i) && number <= ack.to(i)) {
                    return true;
                }
            }
        }
        return false;
    }

    private void acked(int space, SentPacket packet, long before, long now) {
        gone(space, packet);
        congestion.acked(packet, before, next[space], now, trip);
        fate.acked(space, packet);
        packet.forget();
    }

    private void gone(int space, SentPacket packet) {
        sent[space].done(packet);
        frames -= packet.frameCount();
        congestion.left(packet.size);
        elicitingInFlight[space]--;
    }

    /// Finds packets that are lost because later ones were acknowledged.
    private void detect(int space, long now) {
        SentPackets packets = sent[space];
        lossTime[space] = Times.NEVER;
        long delay = trip.lossDelay();
        long newestLost = -1;
        long firstOfRun = -1;
        long lastNumber = -2;
        boolean persistent = false;
        for (int i = 0; i < packets.count(); i++) {
            SentPacket packet = packets.get(i);
            if (packet.number() > largestAcked[space]) {
                break;
            }
            if (packet.done) {
                continue;
            }
            boolean far = largestAcked[space] - packet.number() >= PACKET_THRESHOLD;
            if (!far && now - packet.time < delay) {
                lossTime[space] = Math.min(lossTime[space], packet.time + delay);
                continue;
            }
            boolean follows = lastNumber + 1 == packet.number();
            if (!follows) {
                firstOfRun = packet.time >= trip.firstSample() ? packet.time : -1;
            }
            lastNumber = packet.number();
            persistent |= firstOfRun >= 0 && packet.time - firstOfRun > persistentTime();
            boolean probe = isProbe(packet);
            gone(space, packet);
            if (!probe) {
                newestLost = packet.time;
            }
            fate.lost(space, packet);
            packet.forget();
        }
        packets.trim();
        if (newestLost >= 0) {
            congestion.congested(newestLost, now);
        }
        if (persistent) {
            congestion.persistent();
        }
    }

    private long persistentTime() {
        return PERSISTENT_FACTOR * (trip.timeout() + maxAckDelay);
    }

    private static boolean isProbe(SentPacket packet) {
        boolean[] probe = new boolean[1];
        packet.forEach(frame -> probe[0] |= frame.kind() == SentFrame.Kind.MTU_PROBE);
        return probe[0];
    }

    // Timers

    /// How long to wait for an acknowledgement before asking: without what grows with each time.
    public long pto() {
        return trip.timeout() + (confirmed ? maxAckDelay : 0);
    }

    /// How often in a row nothing was heard.
    public int ptoCount() {
        return ptoCount;
    }

    private int lossSpace() {
        int found = 0;
        for (int i = 1; i < Level.SPACES; i++) {
            found = lossTime[i] < lossTime[found] ? i : found;
        }
        return found;
    }

    /// When [#timeout] is to be called.
    public long deadline() {
        long loss = lossTime[lossSpace()];
        if (loss != Times.NEVER) {
            return loss;
        }
        int space = ptoSpace();
        return space < 0 ? Times.NEVER : ptoTime(space);
    }

    /// The space whose PTO ends first, or -1 for none.
    private int ptoSpace() {
        boolean waiting = elicitingInFlight[0] + elicitingInFlight[1] + elicitingInFlight[2] > 0;
        if (!waiting) {
            return addressValidated ? -1 : handshakeKeys ? 1 : 0;
        }
        int found = -1;
        for (int i = 0; i < Level.SPACES; i++) {
            if (elicitingInFlight[i] == 0 || (i == 2 && !confirmed)) {
                continue;
            }
            found = found < 0 || ptoTime(i) < ptoTime(found) ? i : found;
        }
        return found;
    }

    private long ptoTime(int space) {
        long duration = trip.timeout() + (space == 2 ? maxAckDelay : 0);
        long from = elicitingInFlight[space] > 0 ? lastEliciting[space] : base;
        return Times.after(from, duration << Math.min(ptoCount, BACKOFF_MAX));
    }

    /// A deadline has come.
    ///
    /// @return the space in which something that asks for an acknowledgement is to be sent, or -1
    ///   when packets were found lost instead
    public int timeout(long now) {
        int space = lossSpace();
        if (lossTime[space] <= now) {
            detect(space, now);
            return -1;
        }
        int asked = ptoSpace();
        ptoCount++;
        base = now;
        if (ptoCount == 3) {
            ecn.allLost();
        }
        return Math.max(asked, 0);
    }

    /// What of a space is to be sent again when nobody answers: the oldest packet in flight.
    public @Nullable SentPacket oldest(int space) {
        SentPackets packets = sent[space];
        for (int i = 0; i < packets.count(); i++) {
            if (!packets.get(i).done) {
                return packets.get(i);
            }
        }
        return null;
    }

    /// The keys of a space are gone, and what it had in flight (RFC 9002 §6.4).
    public void discard(int space) {
        SentPackets packets = sent[space];
        for (int i = 0; i < packets.count(); i++) {
            if (!packets.get(i).done) {
                gone(space, packets.get(i));
            }
        }
        sent[space] = new SentPackets();
        lossTime[space] = Times.NEVER;
        lastEliciting[space] = -1;
        ptoCount = 0;
    }

    /// Everything in flight in a space is to be sent again: a Retry packet has come.
    public void allLost(int space) {
        SentPackets packets = sent[space];
        for (int i = 0; i < packets.count(); i++) {
            if (!packets.get(i).done) {
                gone(space, packets.get(i));
                fate.lost(space, packets.get(i));
                packets.get(i).forget();
            }
        }
        packets.trim();
    }

    /// The path is another: nothing is known of it.
    public void newPath() {
        trip.reset();
        congestion.reset();
    }
}
