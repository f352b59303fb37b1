package io.margay.protocol.quic.connection;

import io.margay.protocol.quic.QuicError;
import io.margay.protocol.quic.RangeSet;
import io.margay.protocol.quic.frame.FrameWriter;
import io.margay.protocol.quic.recovery.SentFrame.Kind;
import io.margay.protocol.quic.recovery.SentPacket;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The connection ids by which we reach the peer (RFC 9000 §5.1). Confined to the connection's
/// owner.
final class PeerIds {
    /// Ids that are kept, as our transport parameters say.
    static final int ACTIVE_MAX = 4;

    /// Ids that wait to be retired, or whose retirement is not acknowledged: a peer that makes us
    /// retire ids and acknowledges nothing claims no more memory (CVE-2024-22189).
    static final int RETIRING_MAX = 4 * ACTIVE_MAX;

    private static final String SECTION = "RFC 9000 §19.15";

    static final QuicError TOO_MANY =
            QuicError.of(
                    QuicError.CONNECTION_ID_LIMIT_ERROR,
                    "RFC 9000 §5.1.1",
                    "more connection ids than are allowed");
    static final QuicError TOO_MANY_TO_RETIRE =
            QuicError.of(
                    QuicError.CONNECTION_ID_LIMIT_ERROR,
                    "RFC 9000 §5.1.2",
                    "too many connection ids are to be retired");
    static final QuicError CONTRADICTED =
            QuicError.of(
                    QuicError.PROTOCOL_VIOLATION,
                    SECTION,
                    "a connection id came twice with different content");
    static final QuicError NOT_WANTED =
            QuicError.of(
                    QuicError.PROTOCOL_VIOLATION,
                    SECTION,
                    "a peer that uses no connection ids issues one");

    @SuppressWarnings("ArrayRecordComponent") // compared by content
    private record Id(byte[] id, byte @Nullable [] token) {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Id that
                    && Arrays.equals(id, that.id)
                    && Arrays.equals(token, that.token);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(id);
        }
    }

    private final TreeMap<Long, Id> known = new TreeMap<>();
    private final RangeSet seen = new RangeSet();
    private final ArrayDeque<Long> toRetire = new ArrayDeque<>();
    private int retiring;
    private long retirePriorTo;
    private long used;
    private byte[] current;

    /// @param first the id that the handshake begins with
    PeerIds(byte[] first) {
        current = first;
        known.put(0L, new Id(first, null));
        seen.add(0, 1);
    }

    /// The destination connection id of our packets.
    byte[] current() {
        return current;
    }

    /// The handshake goes on with another id.
    void first(byte[] id) {
        current = id;
        known.put(0L, new Id(id, null));
    }

    /// What resets for the id of the handshake end with.
    void firstToken(byte[] token) {
        Id first = known.get(0L);
        if (first != null) {
            known.put(0L, new Id(first.id, token));
        }
    }

    /// Whether a datagram that no key opens is a reset.
    boolean isReset(byte[] datagram, int from, int to) {
        for (Id id : known.values()) {
            if (id.token != null && StatelessReset.endsWith(datagram, from, to, id.token)) {
                return true;
            }
        }
        return false;
    }

    /// The peer issues an id.
    @Nullable QuicError add(long sequence, long retireBelow, byte[] id, byte[] token) {
        if (current.length == 0) {
            return NOT_WANTED;
        }
        Id issued = new Id(id, token);
        Id before = known.get(sequence);
        if (before != null) {
            return before.equals(issued) ? null : CONTRADICTED;
        }
        if (known.values().stream().anyMatch(other -> Arrays.equals(other.id, id))) {
            return CONTRADICTED;
        }
        if (seen.contains(sequence)) {
            return null;
        }
        seen.add(sequence, sequence + 1);
        if (seen.count() > RETIRING_MAX) {
            seen.removeFirst();
        }
        known.put(sequence, issued);
        retirePriorTo = Math.max(retirePriorTo, retireBelow);
        while (!known.isEmpty() && known.firstKey() < retirePriorTo) {
            retire(known.firstKey());
        }
        if (retiring > RETIRING_MAX) {
            return TOO_MANY_TO_RETIRE;
        }
        if (known.size() > ACTIVE_MAX) {
            return TOO_MANY;
        }
        if (!known.containsKey(used) && !known.isEmpty()) {
            use(known.firstKey());
        }
        return null;
    }

    private void retire(long sequence) {
        known.remove(sequence);
        toRetire.add(sequence);
        retiring++;
    }

    private void use(long sequence) {
        Id id = known.get(sequence);
        if (id != null) {
            used = sequence;
            current = id.id;
        }
    }

    /// Uses an id that was never used, for another path; the one before is retired.
    ///
    /// @return whether there was one
    boolean useNext() {
        Long other = known.higherKey(used);
        if (other == null) {
            return false;
        }
        long before = used;
        use(other);
        retire(before);
        return true;
    }

    boolean wantsToSend() {
        return !toRetire.isEmpty();
    }

    void write(FrameWriter out, SentPacket packet) {
        while (!toRetire.isEmpty() && out.retireConnectionId(toRetire.element())) {
            packet.add(Kind.RETIRE_CONNECTION_ID, toRetire.remove());
        }
    }

    void acked() {
        retiring--;
    }

    void lost(long sequence) {
        toRetire.add(sequence);
    }
}
