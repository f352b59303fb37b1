package io.margay.servlet.websocket;

import java.time.Duration;

/// Bounds on what WebSocket peers may make the container hold.
///
/// @param messageBytesMax bytes of one frame on the wire, of one inflated frame, and of one message
///   until the application sets another bound; more ends the session with 1009
/// @param queuedBytesMax bytes of messages that wait for a peer that does not take them; more ends
///   its session
/// @param closeWait how long an application that stops waits for its sessions to be told
record WebSocketLimits(int messageBytesMax, int queuedBytesMax, Duration closeWait) {
    WebSocketLimits {
        if (messageBytesMax < 125 || queuedBytesMax < 125 || closeWait.isNegative()) {
            throw new IllegalArgumentException("a limit is too small to serve any session");
        }
    }

    /// 4 MiB in a message, 8 MiB in a queue, two seconds.
    static WebSocketLimits defaults() {
        return new WebSocketLimits(4 << 20, 8 << 20, Duration.ofSeconds(2));
    }

    /// These limits with another bound of a message.
    WebSocketLimits withMessageBytesMax(int bytes) {
        return new WebSocketLimits(bytes, queuedBytesMax, closeWait);
    }
}
