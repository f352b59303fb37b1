package io.margay.protocol.quic.connection;

import io.margay.protocol.quic.recovery.Times;
import java.net.InetSocketAddress;

/// An address of the peer, and what is known of it (RFC 9000 §8). Confined to the connection's
/// owner.
final class Path {
    /// Octets that may be sent to an address for each that came from it, before it is known that
    /// the peer is there.
    static final int AMPLIFICATION = 3;

    final InetSocketAddress peer;
    private boolean validated;
    private long received;
    private long sent;

    /// What the peer is to send back, and until when.
    long challenge;

    boolean challengePending;
    boolean challengeOutstanding;
    long challengeDeadline = Times.NEVER;

    /// What the peer wants back. Of several that come before we send, the last counts, so that a
    /// flood of them is answered by one datagram at a time.
    long response;

    boolean responsePending;

    Path(InetSocketAddress peer, boolean validated) {
        this.peer = peer;
        this.validated = validated;
    }

    boolean isValidated() {
        return validated;
    }

    void validated() {
        validated = true;
        challengePending = false;
        challengeOutstanding = false;
        challengeDeadline = Times.NEVER;
    }

    /// The same address, of which it is to be shown again that the peer is there.
    Path again(int bytes) {
        Path made = new Path(peer, false);
        made.received = bytes;
        made.response = response;
        made.responsePending = responsePending;
        return made;
    }

    void received(int bytes) {
        received += bytes;
    }

    void sent(int bytes) {
        sent += bytes;
    }

    /// Octets that may be sent.
    int budget() {
        return validated
                ? Integer.MAX_VALUE
                : Math.clamp(AMPLIFICATION * received - sent, 0, Integer.MAX_VALUE);
    }

    /// Asks the peer to show that it is there.
    void challenge(long data) {
        challenge = data;
        challengePending = true;
    }

    void respond(long data) {
        response = data;
        responsePending = true;
    }

    boolean wantsToSend() {
        return (challengePending || responsePending) && budget() > 0;
    }
}
