package io.margay.protocol.quic.connection;

import io.margay.protocol.quic.Level;
import io.margay.protocol.quic.QuicError;
import io.margay.protocol.quic.QuicVersion;
import io.margay.protocol.quic.frame.IntegerParameter;
import io.margay.protocol.quic.frame.TransportParameters;
import io.margay.protocol.quic.recovery.Congestion;
import io.margay.protocol.quic.recovery.LossRecovery;
import io.margay.protocol.quic.recovery.Pacer;
import io.margay.protocol.quic.recovery.PathMtu;
import io.margay.protocol.quic.recovery.ReceivedPackets;
import io.margay.protocol.quic.recovery.SentFrame;
import io.margay.protocol.quic.recovery.SentPacket;
import io.margay.protocol.quic.recovery.Times;
import io.margay.protocol.quic.stream.Streams;
import io.margay.protocol.quic.tls.QuicTls;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// What the parts of a connection share. Confined to the connection's owner. Times are nanoseconds
/// since the connection began.
final class ConnectionState implements LossRecovery.Fate, QuicTls.Events {
    static final QuicError IDS_DIFFER =
            QuicError.of(
                    QuicError.TRANSPORT_PARAMETER_ERROR,
                    "RFC 9000 §7.3",
                    "the connection ids of the handshake are not those that were used");
    static final QuicError NO_PARAMETERS =
            QuicError.of(
                    QuicError.CRYPTO_ERROR + 109,
                    "RFC 9001 §8.2",
                    "the peer sent no transport parameters");
    static final QuicError VERSION_DIFFERS =
            QuicError.of(
                    QuicError.VERSION_NEGOTIATION_ERROR,
                    "RFC 9368 §4",
                    "the peer means another version than it uses");
    static final QuicError SUITE_UNKNOWN =
            QuicError.of(
                    QuicError.INTERNAL_ERROR, "RFC 9001 §5.3", "TLS agreed on an unknown suite");

    final boolean server;
    final ConnectionOptions options;
    final QuicTls tls;
    final RandomGenerator chance;
    final LocalIds localIds;
    final PeerIds peerIds;
    final LevelKeys keys;
    final CryptoStreams crypto = new CryptoStreams();
    final Streams streams;
    final Congestion congestion;
    final LossRecovery recovery;
    final Pacer pacer = new Pacer();
    final PathMtu mtu;
    final ReceivedPackets[] received = new ReceivedPackets[Level.SPACES];
    final int[] probes = new int[Level.SPACES];

    QuicVersion version;
    Path path;

    /// The path from which the peer has moved, or to which it may move.
    @Nullable Path other;

    /// The destination connection id of the client's first packet, of its first packet after a
    /// Retry, and the source connection id of the Retry packet.
    byte[] originalId;

    byte @Nullable [] retryId;
    byte[] peerFirstId = {};
    byte[] token = {};

    @Nullable TransportParameters peer;
    @Nullable String alpn;
    boolean complete;
    boolean confirmed;
    boolean doneDue;
    byte @Nullable [] newToken;
    byte @Nullable [] receivedToken;
    boolean handshakePacketSeen;

    /// Why the connection ends, or null; and how far that has come.
    @Nullable QuicError error;

    long now;
    long idleFrom;
    boolean sentSinceReceived;
    long dropKeysAt = Times.NEVER;

    ConnectionState(
            boolean server,
            ConnectionOptions options,
            QuicTls tls,
            ConnectionIdSource ids,
            RandomGenerator chance,
            InetSocketAddress peerAddress,
            byte[] peerId) {
        this.server = server;
        this.options = options;
        this.tls = tls;
        keys = new LevelKeys(tls::cipher);
        this.chance = chance;
        version = options.version();
        localIds = new LocalIds(ids);
        peerIds = new PeerIds(peerId);
        originalId = peerId;
        streams = new Streams(server, options.streams());
        congestion = new Congestion(options.algorithm(), PathMtu.LEAST);
        recovery = new LossRecovery(congestion, server, this);
        mtu = new PathMtu(options.datagramMax());
        path = new Path(peerAddress, !server);
        for (int i = 0; i < Level.SPACES; i++) {
            received[i] = new ReceivedPackets();
        }
    }

    /// Our transport parameters.
    TransportParameters ownParameters(ConnectionIdSource ids) {
        TransportParameters ours = new TransportParameters();
        streams.announce(ours);
        ours.set(IntegerParameter.MAX_IDLE_TIMEOUT, options.idleMillis())
                .set(IntegerParameter.ACTIVE_CONNECTION_ID_LIMIT, PeerIds.ACTIVE_MAX)
                .initialSourceId(localIds.first())
                .greaseBit()
                .versions(
                        version.number(),
                        Arrays.stream(QuicVersion.values())
                                .mapToInt(QuicVersion::number)
                                .toArray());
        if (!options.migration()) {
            ours.disableMigration();
        }
        if (server) {
            ours.originalId(originalId).resetToken(ids.resetToken(localIds.first()));
            if (retryId != null) {
                ours.retrySourceId(retryId);
            }
        }
        return ours;
    }

    /// Ends the connection because of what the peer did, unless it is ending.
    void fail(QuicError why) {
        if (error == null) {
            error = why;
        }
    }

    // What TLS tells

    @Override
    public void send(Level level, byte[] octets) {
        crypto.send(level, octets);
    }

    @Override
    public void secrets(Level level, int suite, byte @Nullable [] read, byte @Nullable [] write) {
        if (!keys.secrets(version, level, suite, read, write)) {
            fail(SUITE_UNKNOWN);
        }
        if (level == Level.HANDSHAKE) {
            if (server && peer == null) {
                fail(NO_PARAMETERS); // which a library of TLS may leave to us
            }
            recovery.handshakeKeys();
        }
    }

    @Override
    public void peerParameters(byte[] parameters) {
        TransportParameters read = TransportParameters.read(parameters, server);
        QuicError wrong = read.error();
        if (wrong != null) {
            fail(wrong);
            return;
        }
        if (!hasRightIds(read)) {
            fail(IDS_DIFFER);
            return;
        }
        if (read.chosenVersion() != 0 && read.chosenVersion() != version.number()) {
            fail(VERSION_DIFFERS);
            return;
        }
        peer = read;
        streams.peerParameters(read);
        recovery.maxAckDelay(read.get(IntegerParameter.MAX_ACK_DELAY) * Times.MILLISECOND);
        localIds.peerTakes(read.get(IntegerParameter.ACTIVE_CONNECTION_ID_LIMIT));
        byte[] reset = read.resetToken();
        if (reset != null) {
            peerIds.firstToken(reset);
        }
    }

    private boolean hasRightIds(TransportParameters read) {
        boolean first = Arrays.equals(read.initialSourceId(), peerFirstId);
        return server
                ? first
                : first
                        && Arrays.equals(read.originalId(), originalId)
                        && Arrays.equals(read.retrySourceId(), retryId);
    }

    @Override
    public void complete(@Nullable String protocol) {
        complete = true;
        alpn = protocol;
        TransportParameters known = peer;
        if (known == null) {
            fail(NO_PARAMETERS);
            return;
        }
        mtu.begin(known.get(IntegerParameter.MAX_UDP_PAYLOAD_SIZE));
        if (server) {
            doneDue = true;
            localIds.handshakeOver();
            confirm();
        }
    }

    @Override
    public void alert(int description) {
        fail(QuicError.ofAlert(description));
    }

    /// The handshake is confirmed (RFC 9001 §4.1.2).
    void confirm() {
        if (!confirmed) {
            confirmed = true;
            recovery.confirmed();
            discard(1);
        }
    }

    /// The keys of a space are needed no more (RFC 9001 §4.9).
    void discard(int space) {
        if (keys.canSend(space) || keys.canReceive(space)) {
            keys.discard(space);
            crypto.discard(space);
            recovery.discard(space);
            probes[space] = 0;
        }
    }

    // What becomes of packets

    @Override
    public void acked(int space, SentPacket packet) {
        if (space == 2 && keys.phases() != null) {
            keys.phases().acknowledged(packet.number());
        }
        packet.forEach(frame -> acked(space, frame, packet));
    }

    private void acked(int space, SentFrame frame, SentPacket packet) {
        switch (frame.kind()) {
            case ACK -> received[space].told(frame.id());
            case CRYPTO -> crypto.acked(frame);
            case RETIRE_CONNECTION_ID -> peerIds.acked();
            case MTU_PROBE -> {
                mtu.acked(packet.size());
                congestion.datagram(mtu.size());
            }
            case STREAM,
                    RESET_STREAM,
                    STOP_SENDING,
                    MAX_DATA,
                    MAX_STREAM_DATA,
                    MAX_STREAMS_BIDI,
                    MAX_STREAMS_UNI ->
                    streams.acked(frame);
            case NEW_CONNECTION_ID, NEW_TOKEN, HANDSHAKE_DONE -> {}
        }
    }

    @Override
    public void lost(int space, SentPacket packet) {
        packet.forEach(frame -> lost(frame, packet));
    }

    /// What a packet carried that may yet arrive is sent again in a probe.
    void lostInProbe(SentFrame frame) {
        switch (frame.kind()) {
            case CRYPTO -> crypto.lost(frame);
            case STREAM -> streams.lost(frame);
            case HANDSHAKE_DONE -> doneDue = true;
            default -> {}
        }
    }

    private void lost(SentFrame frame, SentPacket packet) {
        switch (frame.kind()) {
            case CRYPTO -> crypto.lost(frame);
            case NEW_CONNECTION_ID -> localIds.lost(frame.id());
            case RETIRE_CONNECTION_ID -> peerIds.lost(frame.id());
            case HANDSHAKE_DONE -> doneDue = true;
            case MTU_PROBE -> mtu.lost(packet.size());
            case STREAM,
                    RESET_STREAM,
                    STOP_SENDING,
                    MAX_DATA,
                    MAX_STREAM_DATA,
                    MAX_STREAMS_BIDI,
                    MAX_STREAMS_UNI ->
                    streams.lost(frame);
            case ACK, NEW_TOKEN -> {}
        }
    }
}
