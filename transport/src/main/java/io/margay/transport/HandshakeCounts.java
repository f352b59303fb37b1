package io.margay.transport;

/// The TLS handshakes of a listener since it was opened. Immutable.
///
/// @param done handshakes that have ended well
/// @param failed handshakes that have not, for whatever reason: what came was not TLS, too slow, or
///   nothing that both sides can do. A client that sends nothing at all does not count
/// @param nanos how long those that ended well took together
public record HandshakeCounts(long done, long failed, long nanos) {
    /// The sum of both.
    public HandshakeCounts plus(HandshakeCounts other) {
        return new HandshakeCounts(done + other.done, failed + other.failed, nanos + other.nanos);
    }
}
