package io.margay.gateway.config;

import io.margay.protocol.http1.Http1Limits;
import io.margay.protocol.http1.Http1LimitsBuilder;
import io.margay.protocol.http2.Http2Limits;
import io.margay.protocol.http2.Http2LimitsBuilder;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;

/// Bounds on what is exchanged with a peer. Immutable.
///
/// @param responses what a message of an HTTP/1.1 peer may have; larger heads than clients may
///   send, since applications set many cookies
/// @param http2 the same for a connection to an HTTP/2 peer; `streamsMax` are requests on it at a
///   time, `streamWindowBytes` what is held of a response that the client does not take
/// @param requestHeadBytesMax the head of a request to a peer, bytes; over it 431; four times what
///   a client may send: the gateway adds fields
/// @param interimsMax interim responses to one request, since each costs the client a write; over
///   it 502
/// @param contentPieceBytes content of a request that is taken from the client at a time, bytes;
///   what one system call moves
/// @param contentPause how long a client may be waited for in its content before a peer that breaks
///   off the request is not to blame; members end such requests sooner or later, and one client
///   could put each of them into error
/// @param contentRateMin what the client must send in the time it is waited for, from then on, for
///   the peer to be to blame, bytes per second; members ask for 256 to 500; a client that drips
///   would do what one that pauses cannot
/// @param continueWait how long the content of a client that expects 100 is held back for the
///   peer's 100; a peer that does not know the expectation gets it then; servers that do not know
///   the expectation send none; most that do answer at once
/// @param replayBytesMax content of a request that is kept for another attempt while there is no
///   response, bytes; more is sent once only; most forms and calls are shorter
/// @param heldResponseBytesMax a response of declared length up to which it is passed on only when
///   it is complete, so that another peer can be asked when it is cut off, bytes; most pages are
///   shorter
/// @param openResponseHeld how long the begin of a response without declared length is held back
///   for the same reason, up to as many bytes; within 100 ms after it; most are complete by then;
///   no reader notices so little
/// @param upgradedIdle how long nothing may move after a switch of protocols; applications ping
///   more often
/// @param silence how long nothing may come on an HTTP/2 connection with requests before a PING is
///   sent, and again before the connection is given up; a peer that is stopped or cut off is found
///   before most responses are late
@RecordBuilder
public record PeerLimits(
        Http1Limits responses,
        Http2Limits http2,
        int requestHeadBytesMax,
        int interimsMax,
        int contentPieceBytes,
        Duration contentPause,
        int contentRateMin,
        Duration continueWait,
        int replayBytesMax,
        int heldResponseBytesMax,
        Duration openResponseHeld,
        Duration upgradedIdle,
        Duration silence)
        implements PeerLimitsBuilder.With {
    private static final int STREAMS = 100;
    private static final int STREAM_WINDOW_BYTES = 65_536;

    public PeerLimits {
        long windows = (long) http2.streamsMax() * http2.streamWindowBytes();
        if (http2.connectionWindowBytes() < 2 * windows) {
            throw new IllegalArgumentException(
                    "responses that are not taken could stop the others: connectionWindowBytes must"
                            + " be at least twice the windows of all streams");
        }
        if (requestHeadBytesMax < 1024 || contentPieceBytes < 1024) {
            throw new IllegalArgumentException(
                    "requestHeadBytesMax and contentPieceBytes must be at least 1024");
        }
        if (contentPause.isNegative() || contentRateMin < 0) {
            throw new IllegalArgumentException(
                    "contentPause and contentRateMin must not be negative");
        }
        if (interimsMax < 1 || replayBytesMax < 0 || heldResponseBytesMax < 0) {
            throw new IllegalArgumentException("a limit is negative, or there are no interims");
        }
    }

    /// Heads of 64 KiB, 100 requests on an HTTP/2 connection, 16 interim responses, 64 KiB kept for
    /// other attempts, clients slow after two seconds, ten minutes of silence on a WebSocket, ten
    /// seconds on an HTTP/2 connection.
    public static PeerLimits defaults() {
        return new PeerLimits(
                Http1LimitsBuilder.builder(Http1Limits.defaults())
                        .headBytesMax(65_536)
                        .fieldsMax(200)
                        .build(),
                Http2LimitsBuilder.builder(Http2Limits.defaults())
                        .streamsMax(STREAMS)
                        .executionsMax(STREAMS)
                        .firstWindowBytes(STREAM_WINDOW_BYTES)
                        .streamWindowBytes(STREAM_WINDOW_BYTES)
                        .connectionWindowBytes(2 * STREAMS * STREAM_WINDOW_BYTES)
                        .headBytesMax(65_536)
                        .fieldsMax(200)
                        .headerBlockBytesMax(131_072)
                        .continuationsMax(16)
                        .build(),
                65536,
                16,
                65536,
                Duration.ofSeconds(2),
                1_024,
                Duration.ofSeconds(1),
                65536,
                65536,
                Duration.ofMillis(50),
                Duration.ofMinutes(10),
                Duration.ofSeconds(10));
    }
}
