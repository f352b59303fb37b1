package io.margay.protocol.quic.connection;

import io.margay.protocol.quic.QuicError;
import io.margay.protocol.quic.frame.FrameWriter;
import io.margay.protocol.quic.recovery.SentFrame.Kind;
import io.margay.protocol.quic.recovery.SentPacket;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The connection ids by which the peer reaches us (RFC 9000 §5.1). Confined to the connection's
/// owner.
final class LocalIds {
    /// Ids that are in use at a time: one, one for the next path, and two for those who retire
    /// early.
    static final int ACTIVE_MAX = 4;

    /// Ids that a peer may retire. A client that changes its address each minute does so for four
    /// hours.
    static final int RETIRED_MAX = 256;

    static final QuicError NEVER_ISSUED =
            QuicError.of(
                    QuicError.PROTOCOL_VIOLATION,
                    "RFC 9000 §19.16",
                    "a connection id is retired that was never issued");
    static final QuicError RETIRED_ITSELF =
            QuicError.of(
                    QuicError.PROTOCOL_VIOLATION,
                    "RFC 9000 §19.16",
                    "a packet retires the connection id that it was sent to");
    static final QuicError TOO_MANY_RETIRED =
            QuicError.of(
                    QuicError.CONNECTION_ID_LIMIT_ERROR,
                    "RFC 9000 §5.1.2",
                    "too many connection ids are retired");

    private final ConnectionIdSource source;
    private final Map<Long, byte[]> active = new TreeMap<>();
    private final ArrayDeque<Long> toAnnounce = new ArrayDeque<>();
    private final byte[] first;
    private byte @Nullable [] original;
    private long next = 1;
    private int retired;
    private int most = 1;

    LocalIds(ConnectionIdSource source) {
        this.source = source;
        first = source.issue();
        active.put(0L, first);
    }

    /// The source connection id of the handshake.
    byte[] first() {
        return first;
    }

    /// Packets may come to an id of the client's making until the handshake is over.
    void accept(byte[] id) {
        original = id;
        source.accept(id);
    }

    void handshakeOver() {
        if (original != null) {
            source.retire(original);
            original = null;
        }
    }

    boolean isOurs(byte[] id) {
        return active.values().stream().anyMatch(known -> Arrays.equals(known, id))
                || Arrays.equals(original, id);
    }

    /// The peer takes so many ids: the others are issued.
    void peerTakes(long limit) {
        most = (int) Math.min(limit, ACTIVE_MAX);
        fill();
    }

    private void fill() {
        while (first.length > 0 && active.size() < most) {
            active.put(next, source.issue());
            toAnnounce.add(next++);
        }
    }

    /// The peer needs an id no more.
    ///
    /// @param usedId the id that the packet was sent to
    @Nullable QuicError retire(long sequence, byte[] usedId) {
        if (sequence >= next) {
            return NEVER_ISSUED;
        }
        byte[] id = active.get(sequence);
        if (id == null) {
            return null;
        }
        if (Arrays.equals(id, usedId)) {
            return RETIRED_ITSELF;
        }
        if (++retired > RETIRED_MAX) {
            return TOO_MANY_RETIRED;
        }
        active.remove(sequence);
        source.retire(id);
        toAnnounce.remove(sequence);
        fill();
        return null;
    }

    boolean wantsToSend() {
        return !toAnnounce.isEmpty();
    }

    void write(FrameWriter out, SentPacket packet) {
        while (!toAnnounce.isEmpty()) {
            long sequence = toAnnounce.element();
            byte[] id = active.get(sequence);
            if (id != null) {
                if (!out.newConnectionId(sequence, 0, id, source.resetToken(id))) {
                    return;
                }
                packet.add(Kind.NEW_CONNECTION_ID, sequence);
            }
            toAnnounce.remove();
        }
    }

    void lost(long sequence) {
        if (active.containsKey(sequence) && !toAnnounce.contains(sequence)) {
            toAnnounce.add(sequence);
        }
    }

    /// All ids lead nowhere.
    void close() {
        active.values().forEach(source::retire);
        active.clear();
        handshakeOver();
    }
}
