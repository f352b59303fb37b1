package io.margay.servlet.websocket;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;

/// Bounds on what WebSocket peers may make the container hold.
///
/// @param messageBytesMax bytes of one frame on the wire, of one inflated frame, and of one message
///   until the application sets another bound; more ends the session with 1009
/// @param queuedBytesMax bytes of messages that wait for a peer that does not take them; more ends
///   its session
/// @param framePause longest pause within a frame, or between the frames of a message
/// @param frameGrace waiting for a frame that is free before a rate is asked for
/// @param frameRateMin bytes that the peer must send of a frame it has begun, per second of waiting
/// @param sessionBytes counted for each open session: what it takes of the heap while it idles, and
///   some for the application's own of it
/// @param closeWait how long an application that stops waits for its sessions to be told
@RecordBuilder
record WebSocketLimits(
        int messageBytesMax,
        int queuedBytesMax,
        Duration framePause,
        Duration frameGrace,
        int frameRateMin,
        int sessionBytes,
        Duration closeWait)
        implements WebSocketLimitsBuilder.With {
    WebSocketLimits {
        if (messageBytesMax < 125 || queuedBytesMax < 125 || frameRateMin < 0 || sessionBytes < 0) {
            throw new IllegalArgumentException("a limit is too small to serve any session");
        }
        if (framePause.isNegative() || frameGrace.isNegative() || closeWait.isNegative()) {
            throw new IllegalArgumentException("a time is negative");
        }
    }

    /// 64 KiB in a message, 8 MiB in a queue, for a frame as slow as the content of a request may
    /// be, 6 KiB for a session, two seconds.
    static WebSocketLimits defaults() {
        return new WebSocketLimits(
                64 << 10,
                8 << 20,
                Duration.ofSeconds(20),
                Duration.ofSeconds(10),
                256,
                6 << 10,
                Duration.ofSeconds(2));
    }
}
