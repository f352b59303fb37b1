package io.margay.protocol.quic.connection;

import io.margay.protocol.quic.Level;
import io.margay.protocol.quic.QuicError;
import io.margay.protocol.quic.QuicVersion;
import io.margay.protocol.quic.crypto.KeyPhases;
import io.margay.protocol.quic.frame.FrameReader;
import io.margay.protocol.quic.packet.PacketHeader;
import io.margay.protocol.quic.packet.PacketType;
import io.margay.protocol.quic.packet.RetryPacket;
import io.margay.protocol.quic.recovery.PathMtu;
import io.margay.protocol.quic.recovery.Times;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/// Takes datagrams apart, opens their packets and has their frames done (RFC 9000 §12). Confined to
/// the connection's owner.
final class PacketReceiver {
    private static final QuicError RESERVED_BITS =
            QuicError.of(
                    QuicError.PROTOCOL_VIOLATION,
                    "RFC 9000 §17",
                    "reserved bits of a header are not 0");
    private final ConnectionState state;
    private final Closing closing;
    private final ReceivedFrames frames;
    private final FrameReader reader;
    private final PacketHeader header = new PacketHeader();
    private final byte[] payload;
    private boolean retried;
    private boolean genuine;

    /// Whether the peer's connection id is known.
    private boolean answered;

    private @Nullable QuicVersion offered;

    PacketReceiver(ConnectionState state, Closing closing, byte[] scratch) {
        this.state = state;
        this.closing = closing;
        payload = scratch;
        frames = new ReceivedFrames(state, closing);
        reader = new FrameReader(state.server);
        answered = state.server;
    }

    /// Whether a packet of the peer was opened.
    boolean isGenuine() {
        return genuine;
    }

    /// A version that the server has, and not the one that it was asked for; else null.
    @Nullable QuicVersion offered() {
        return offered;
    }

    /// Takes a datagram.
    void receive(byte[] datagram, int from, int to, InetSocketAddress peer, int ecn) {
        Path path = pathOf(peer);
        if (path == null) {
            return;
        }
        path.received(to - from);
        int at = from;
        byte[] firstId = {};
        while (at < to
                && closing.phase() != Closing.Phase.DRAINING
                && (state.error == null || !closing.isOpen())) {
            int idLength = state.localIds.first().length;
            PacketType type = header.read(datagram, at, to, idLength, state.complete);
            if (type == PacketType.MALFORMED || type == PacketType.UNKNOWN_VERSION) {
                break;
            }
            if (at == from) {
                firstId = header.id();
            } else if (!header.isTo(firstId)) {
                break;
            }
            at = header.end();
            packet(type, datagram, path, ecn);
        }
    }

    /// The path of an address; null when packets from there are dropped.
    private @Nullable Path pathOf(InetSocketAddress peer) {
        if (state.path.peer.equals(peer)) {
            return state.path;
        }
        if (!state.server || !state.confirmed || !state.options.migration()) {
            return null;
        }
        Path other = state.other;
        if (other != null && other.peer.equals(peer)) {
            return other;
        }
        return new Path(peer, false);
    }

    private void packet(PacketType type, byte[] datagram, Path path, int ecn) {
        switch (type) {
            case INITIAL -> protectedPacket(Level.INITIAL, datagram, path, ecn);
            case HANDSHAKE -> protectedPacket(Level.HANDSHAKE, datagram, path, ecn);
            case ONE_RTT -> protectedPacket(Level.ONE_RTT, datagram, path, ecn);
            case RETRY -> retry(datagram);
            case VERSION_NEGOTIATION -> versionNegotiation();
            case ZERO_RTT, UNKNOWN_VERSION, MALFORMED -> {}
        }
    }

    private void protectedPacket(Level level, byte[] datagram, Path path, int ecn) {
        int space = level.space();
        int start = header.from();
        if (level != Level.ONE_RTT && header.version() != state.version) {
            return;
        }
        if (answered && level != Level.ONE_RTT && !header.isFrom(state.peerFirstId)) {
            return;
        }
        // A client that has learnt nothing of the server takes the id from its first packet.
        byte[] source = answered ? state.peerFirstId : header.sourceId();
        byte[] id = header.id();
        if (!state.localIds.isOurs(id)) {
            unopened(level, datagram, start);
            return;
        }
        int opened =
                state.keys.open(
                        space,
                        datagram,
                        start,
                        header.numberAt(),
                        header.end(),
                        state.received[space].largest(),
                        payload);
        if (opened < 0) {
            unopened(level, datagram, start);
            return;
        }
        if (closing.phase() == Closing.Phase.CLOSING) {
            closing.packet();
            return;
        }
        long number = state.keys.number();
        if (state.received[space].isDuplicate(number)) {
            return;
        }
        if ((datagram[start] & (level == Level.ONE_RTT ? 0x18 : 0x0c)) != 0) {
            state.fail(RESERVED_BITS);
            return;
        }
        accepted(level, source);
        frames.begin(level, id, path);
        QuicError error = reader.read(level, payload, 0, opened, frames);
        if (error != null) {
            state.fail(error);
            return;
        }
        if (closing.isOpen()) {
            // Nothing is signed for a client that says hello and ends in one packet.
            state.crypto.deliver(level, state.tls);
        }
        if (state.error != null) {
            return;
        }
        boolean newest = number > state.received[space].largest();
        long delay = level == Level.ONE_RTT && state.confirmed ? ackDelay() : 0;
        state.received[space].add(number, reader.isAckEliciting(), ecn, state.now, delay);
        if (level == Level.ONE_RTT) {
            updated();
            if (path != state.path) {
                fromElsewhere(path, newest && !reader.isProbing());
            }
        }
    }

    private static long ackDelay() {
        return 25 * Times.MILLISECOND;
    }

    /// A packet that no key opens may be a reset; the keys may have been tried too often.
    private void unopened(Level level, byte[] datagram, int start) {
        QuicError limit = state.keys.error();
        if (limit != null) {
            state.fail(limit);
        } else if (level == Level.ONE_RTT && state.peerIds.isReset(datagram, start, header.end())) {
            closing.closedByPeer(false, QuicError.NO_ERROR);
        }
    }

    private void accepted(Level level, byte[] source) {
        genuine = true;
        state.idleFrom = state.now;
        state.sentSinceReceived = false;
        if (!answered) {
            answered = true;
            state.peerFirstId = source;
            state.peerIds.first(source);
        }
        if (state.server && level == Level.HANDSHAKE && !state.handshakePacketSeen) {
            state.handshakePacketSeen = true;
            state.path.validated();
            state.discard(0);
        }
    }

    /// After an update of keys those before are kept for a while.
    void updated() {
        KeyPhases phases = state.keys.phases();
        if (phases != null && phases.hasBefore() && state.dropKeysAt == Times.NEVER) {
            state.dropKeysAt = Times.after(state.now, 3 * state.recovery.pto());
        }
    }

    /// A genuine packet came from another address (RFC 9000 §9).
    ///
    /// @param moved whether the peer means to be there from now on
    private void fromElsewhere(Path from, boolean moved) {
        if (!moved) {
            state.other = from;
            return;
        }
        Path left = state.path;
        boolean moves = !from.peer.getAddress().equals(left.peer.getAddress());
        // An address that was shown to be the peer's may be another's by now.
        boolean again = moves && left.isValidated() && from.isValidated();
        Path path = again ? from.again(header.end() - header.from()) : from;
        if (left.isValidated()) {
            state.other = left;
        }
        state.path = path;
        if (!path.isValidated()) {
            path.challenge(state.chance.nextLong());
            // It is not waited for longer even if too little came for a datagram to be sent there.
            path.challengeDeadline = Times.after(state.now, 3 * state.recovery.pto());
            state.peerIds.useNext();
            if (moves) {
                state.recovery.newPath();
                state.mtu.reset();
                state.congestion.datagram(PathMtu.LEAST);
            }
        }
    }

    private void retry(byte[] datagram) {
        boolean wanted = !state.server && !answered && !retried;
        if (!wanted
                || header.version() != state.version
                || !header.isTo(state.localIds.first())
                || !RetryPacket.isGenuine(
                        state.version, state.originalId, datagram, header.from(), header.end())) {
            return;
        }
        retried = true;
        state.token = header.token();
        byte[] id = header.sourceId();
        state.retryId = id;
        state.peerIds.first(id);
        state.keys.initial(state.version, id, false);
        state.recovery.allLost(0);
        state.crypto.restart(0);
    }

    private void versionNegotiation() {
        boolean wanted =
                !state.server
                        && !answered
                        && !retried
                        && header.isTo(state.localIds.first())
                        && header.isFrom(state.originalId)
                        && !header.offers(state.version);
        if (!wanted) {
            return;
        }
        for (QuicVersion version : QuicVersion.values()) {
            offered = offered == null && header.offers(version) ? version : offered;
        }
    }
}
