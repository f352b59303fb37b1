package io.margay.protocol.quic.connection;

import io.margay.protocol.quic.Level;
import io.margay.protocol.quic.QuicError;
import io.margay.protocol.quic.QuicVersion;
import io.margay.protocol.quic.crypto.KeyPhases;
import io.margay.protocol.quic.frame.IntegerParameter;
import io.margay.protocol.quic.frame.TransportParameters;
import io.margay.protocol.quic.recovery.Times;
import io.margay.protocol.quic.stream.Streams;
import io.margay.protocol.quic.tls.QuicTls;
import java.net.InetSocketAddress;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// One QUIC connection as a state machine (RFC 9000): datagrams in, by [#receive], and out, by
/// [#send]; time comes in with each call and is never asked for. What it carries is in its
/// [#streams].
///
/// After any call the caller sends until [#send] gives 0, looks at [#streams], and calls [#timeout]
/// at the time that [#deadline] tells then. Not thread-safe: confined to its owner.
public final class QuicConnection {
    /// What [#deadline] gives when nothing is waited for.
    public static final long NEVER = Times.NEVER;

    private static final QuicError KEYS_SPENT =
            QuicError.of(
                    QuicError.AEAD_LIMIT_REACHED,
                    "RFC 9001 §6.6",
                    "the keys cannot be updated and must not be used any longer");

    private final ConnectionState state;
    private final Closing closing = new Closing();
    private final DatagramBuilder builder;
    private final PacketReceiver receiver;
    private final long epoch;
    private InetSocketAddress target;
    private InetSocketAddress peer;
    private @Nullable QuicError closeReason;

    private QuicConnection(ConnectionState state, byte[] scratch, long now) {
        this.state = state;
        epoch = now;
        builder = new DatagramBuilder(state, closing);
        receiver = new PacketReceiver(state, closing, scratch);
        target = state.path.peer;
        peer = target;
    }

    /// Begins a connection to a server.
    ///
    /// @param scratch an array of 65 536 octets, whose content does not matter between calls
    /// @param token what the server has given for later connections, or empty
    /// @param now nanoseconds of any clock that only goes forward
    public static QuicConnection client(
            ConnectionOptions options,
            QuicTls tls,
            ConnectionIdSource ids,
            RandomGenerator chance,
            InetSocketAddress server,
            byte[] scratch,
            byte[] token,
            long now) {
        byte[] first = new byte[8];
        chance.nextBytes(first);
        ConnectionState state =
                new ConnectionState(false, options, tls, ids, chance, server, first);
        state.token = token.clone();
        state.keys.initial(state.version, first, false);
        QuicConnection made = new QuicConnection(state, scratch, now);
        tls.start(state.ownParameters(ids).write(chance.nextInt()), state);
        return made;
    }

    /// Begins a connection that a client has asked for; its first datagram is given to [#receive]
    /// then.
    ///
    /// @param first what the door made of the client's first packet
    public static QuicConnection server(
            ConnectionOptions options,
            QuicTls tls,
            ConnectionIdSource ids,
            RandomGenerator chance,
            ServerDoor.Accepted first,
            byte[] scratch,
            long now) {
        ConnectionState state =
                new ConnectionState(
                        true, options, tls, ids, chance, first.client(), first.sourceId());
        state.version = first.version();
        state.peerFirstId = first.sourceId();
        state.originalId = first.originalId();
        state.retryId = first.retryId();
        state.localIds.accept(first.id());
        if (first.validated()) {
            state.path.validated();
        }
        state.keys.initial(state.version, first.id(), true);
        QuicConnection made = new QuicConnection(state, scratch, now);
        tls.start(state.ownParameters(ids).write(chance.nextInt()), state);
        return made;
    }

    // What the caller asks for

    public Streams streams() {
        return state.streams;
    }

    /// Whether streams can be used: the handshake is complete.
    public boolean isEstablished() {
        return state.complete && closing.isOpen();
    }

    /// The protocol that was agreed on, or null.
    public @Nullable String alpn() {
        return state.alpn;
    }

    /// Whether a packet of the peer was opened. A server forgets a connection whose first datagram
    /// has none: somebody has made it up, or it was damaged on the way.
    public boolean isGenuine() {
        return receiver.isGenuine();
    }

    /// Whether it is neither closing nor closed.
    public boolean isOpen() {
        return closing.isOpen();
    }

    /// Whether it can be forgotten.
    public boolean isClosed() {
        return closing.phase() == Closing.Phase.CLOSED;
    }

    /// Whether the peer has ended it.
    public boolean isClosedByPeer() {
        return closing.isByPeer();
    }

    /// The code with which it was ended: of QUIC, or of the application.
    public long closeCode() {
        return closing.code();
    }

    /// Whether the application has ended it, here or there.
    public boolean isClosedByApplication() {
        return closing.isByApplication();
    }

    /// What the peer did wrong, or null.
    public @Nullable QuicError error() {
        return state.error;
    }

    /// A version that the server has and the client could have begun with, when it has not the one
    /// that it began with (RFC 9000 §6); else null.
    public @Nullable QuicVersion offeredVersion() {
        return receiver.offered();
    }

    /// A token for later connections that the server has given, or null.
    public byte @Nullable [] token() {
        return state.receivedToken;
    }

    /// Gives the client a token for later connections.
    public void giveToken(byte[] token) {
        state.newToken = token;
    }

    /// The address that the last datagram of [#send] is for.
    public InetSocketAddress target() {
        return target;
    }

    /// The address at which the peer was shown to receive last; until it was, that from which the
    /// connection was begun. Packets from another address are the peer's, but whoever sees them on
    /// their way can have them come from any (RFC 9000 §9.3).
    public InetSocketAddress peer() {
        if (state.path.isValidated()) {
            peer = state.path.peer;
        }
        return peer;
    }

    /// Whether the last datagram of [#send] is to be marked ECT(0).
    public boolean isMarked() {
        return builder.isMarked();
    }

    /// Octets of memory that the peer makes it hold, beside what each connection takes.
    public long bytes() {
        return state.streams.bytes() + state.crypto.bytes(state.complete) + state.recovery.bytes();
    }

    // Receiving

    private void at(long now) {
        state.now = Math.max(state.now, now - epoch);
    }

    /// Takes a datagram, which is changed in its place.
    ///
    /// @param ecn its mark: 0 none, 1 ECT(1), 2 ECT(0), 3 congestion
    public void receive(
            byte[] datagram, int from, int to, InetSocketAddress peer, int ecn, long now) {
        at(now);
        if (closing.phase() == Closing.Phase.CLOSED || closing.phase() == Closing.Phase.DRAINING) {
            return;
        }
        receiver.receive(datagram, from, to, peer, ecn);
        if (closing.phase() == Closing.Phase.DRAINING) {
            closing.drain(state.now, state.recovery.pto());
            state.tls.close();
        }
        if (receiver.offered() != null) {
            end();
        }
        begin();
    }

    // Ending

    /// Begins to close when the peer did something wrong.
    private void begin() {
        QuicError error = state.error;
        if (error != null && closing.isOpen()) {
            closeReason = error;
            closing.begin(false, error.code(), state.now, state.recovery.pto());
            state.tls.close();
        }
    }

    /// Ends the connection for the application.
    ///
    /// @param reason safe to show to the peer
    public void close(long code, String reason, long now) {
        at(now);
        if (closing.isOpen()) {
            closeReason = new QuicError(code, 0, "RFC 9000 §10.2", reason);
            closing.begin(true, code, state.now, state.recovery.pto());
            state.tls.close();
        }
    }

    /// Ends without a word to the peer: nothing has shown that it is one.
    public void forget() {
        end();
    }

    private void end() {
        if (closing.isOpen()) {
            state.tls.close();
        }
        closing.end();
        state.keys.close();
        state.localIds.close();
    }

    // Sending

    /// Builds the next datagram.
    ///
    /// @param datagram room for it, at least 1 200 octets, more for larger ones
    /// @return its octets, or 0 when nothing is to be sent now
    public int send(byte[] datagram, long now) {
        at(now);
        target = state.path.peer;
        switch (closing.phase()) {
            case DRAINING, CLOSED -> {
                return 0;
            }
            case CLOSING -> {
                QuicError why = closeReason;
                if (!closing.isDue() || why == null) {
                    return 0;
                }
                closing.sent();
                return builder.buildClose(datagram, why);
            }
            case OPEN -> {}
        }
        Path other = state.other;
        if (other != null && other.wantsToSend() && state.keys.canSend(2)) {
            int size = builder.buildPath(datagram, other);
            if (size > 0) {
                target = other.peer;
                return size;
            }
        }
        KeyPhases phases = state.keys.phases();
        if (phases != null && phases.isWorn()) {
            if (phases.mayUpdate() && state.confirmed) {
                phases.update();
            } else if (phases.isSpent()) {
                state.fail(KEYS_SPENT);
                begin();
                return send(datagram, now);
            }
        }
        return builder.build(datagram);
    }

    /// Replaces the keys, if that is allowed now.
    ///
    /// @return whether they were replaced
    public boolean updateKeys() {
        KeyPhases phases = state.keys.phases();
        boolean allowed =
                isEstablished() && phases != null && state.confirmed && phases.mayUpdate();
        if (allowed && phases != null) {
            phases.update();
        }
        return allowed;
    }

    /// A client has another address of its own, or wants one: it goes on with another connection
    /// id, if the server has issued one, and asks whether the path carries.
    ///
    /// @return whether there was another id
    public boolean rebind() {
        boolean another = state.peerIds.useNext();
        state.path.challenge(state.chance.nextLong());
        return another;
    }

    // Time

    private long idleTimeout() {
        TransportParameters peer = state.peer;
        long ours = state.options.idleMillis();
        long peers = peer == null ? 0 : peer.get(IntegerParameter.MAX_IDLE_TIMEOUT);
        long millis = ours == 0 ? peers : peers == 0 ? ours : Math.min(ours, peers);
        if (millis == 0 || millis > Times.NEVER / Times.MILLISECOND) {
            return Times.NEVER;
        }
        long pto = Math.min(state.recovery.pto(), Closing.PTO_MAX);
        long timeout = Math.max(millis * Times.MILLISECOND, 3 * pto);
        return Times.after(state.idleFrom, timeout);
    }

    /// When [#timeout] is to be called, in the caller's nanoseconds, or [#NEVER].
    public long deadline() {
        if (closing.phase() == Closing.Phase.CLOSED) {
            return NEVER;
        }
        if (!closing.isOpen()) {
            return Times.after(closing.deadline(), epoch);
        }
        long first = Math.min(idleTimeout(), state.dropKeysAt);
        first = Math.min(first, state.path.challengeDeadline);
        if (builder.hasBudget()) {
            first = Math.min(first, state.recovery.deadline());
            first = Math.min(first, builder.paced());
            for (int i = 0; i < Level.SPACES; i++) {
                if (state.keys.canSend(i)) {
                    first = Math.min(first, state.received[i].due());
                }
            }
        }
        return first == Times.NEVER ? NEVER : Math.max(first, state.now) + epoch;
    }

    /// The time that [#deadline] told has come; or any other, which does nothing.
    public void timeout(long now) {
        at(now);
        if (!closing.isOpen()) {
            if (closing.phase() != Closing.Phase.CLOSED && closing.deadline() <= state.now) {
                end();
            }
            return;
        }
        if (idleTimeout() <= state.now) {
            end();
            return;
        }
        KeyPhases phases = state.keys.phases();
        if (state.dropKeysAt <= state.now && phases != null) {
            state.dropKeysAt = Times.NEVER;
            phases.dropBefore();
            receiver.updated();
        }
        if (state.path.challengeDeadline <= state.now) {
            challengeFailed();
        }
        if (builder.hasBudget() && state.recovery.deadline() <= state.now) {
            lossTimeout();
        }
    }

    /// The peer does not answer at its new address: it is spoken to at the one before, if that was
    /// good (RFC 9000 §9.3.2).
    private void challengeFailed() {
        Path failed = state.path;
        failed.challengeDeadline = Times.NEVER;
        failed.challengeOutstanding = false;
        Path left = state.other;
        if (!failed.isValidated() && left != null && left.isValidated()) {
            state.path = left;
            state.other = null;
        }
    }

    private void lossTimeout() {
        int space = state.recovery.timeout(state.now);
        if (space < 0) {
            return;
        }
        if (!state.keys.canSend(space)) {
            return;
        }
        state.probes[space] = space == 2 ? 2 : 1;
        var oldest = state.recovery.oldest(space);
        if (oldest != null) {
            oldest.forEach(frame -> state.lostInProbe(frame));
        }
        if (state.recovery.ptoCount() == 3) {
            state.mtu.blackHole();
            state.congestion.datagram(state.mtu.size());
        }
    }
}
