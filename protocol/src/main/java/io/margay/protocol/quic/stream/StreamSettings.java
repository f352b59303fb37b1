package io.margay.protocol.quic.stream;

/// What one side allows the other, and itself, on the streams of a connection. Immutable.
///
/// @param streamWindow octets that the peer may send on a stream before any are read
/// @param connectionWindow the same for all streams together
/// @param bidirectionalMax streams that the peer may have open at a time, in both directions
/// @param unidirectionalMax streams on which only the peer sends
/// @param sendBuffer octets of a stream that are kept until they are acknowledged
public record StreamSettings(
        long streamWindow,
        long connectionWindow,
        int bidirectionalMax,
        int unidirectionalMax,
        int sendBuffer) {
    /// As many streams as with HTTP/2, and windows of its size; three of the unidirectional streams
    /// are HTTP/3's own, the others are for what is unknown.
    public static StreamSettings defaults() {
        return new StreamSettings(131_072, 1_048_576, 100, 8, 131_072);
    }

    public StreamSettings {
        if (streamWindow < 1
                || connectionWindow < 1
                || bidirectionalMax < 0
                || unidirectionalMax < 0
                || sendBuffer < 1) {
            throw new IllegalArgumentException("settings of streams below their least");
        }
    }
}
