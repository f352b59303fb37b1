package io.margay.protocol.http2;

import io.soabase.recordbuilder.core.RecordBuilder;

/// How much of each kind one HTTP/2 connection may have. Immutable; the reasons stand in
/// `docs/reference/limits.md`.
///
/// @param streamsMax streams of the peer at a time; over it REFUSED_STREAM. As many more may be at
///   work that the peer has reset; RFC 9113's minimum, and Tomcat's figure. As many reset streams
///   may still be executing; beyond that, and after the client's faults (CVE-2025-8671), they count
///   until their work ends
/// @param executionsMax streams that are worked on at a time by threads that may wait; others wait;
///   Tomcat's figure: one connection takes a tenth of the workers at most
/// @param firstWindowBytes content that a client may send on a stream, and twice as much on the
///   connection, before the application has read any; afterwards its windows grow up to the next
///   two; what a client can have held by an application that never reads
/// @param streamWindowBytes content that the peer may send on a stream before it is read; twice the
///   protocol's own, for uploads over long links
/// @param connectionWindowBytes the same for all streams together; eight streams whose applications
///   do not read leave the others room
/// @param headBytesMax octets of a head's field names and values; over it 431; as with HTTP/1
/// @param fieldsMax field lines in a head; over it 431; Tomcat's default
/// @param fieldBytesMax octets of one field of a head, name and value and 2 for `: `, of cookies
///   together; over it 431; [#NO_FIELD_LIMIT] means that the whole head alone is limited;
///   `LimitRequestFieldSize` says it
/// @param targetBytesMax octets of `:path`; over it 414; as with HTTP/1
/// @param headerBlockBytesMax encoded octets of a header block with its CONTINUATION frames; over
///   it the connection ends; twice what a head may have
/// @param continuationsMax CONTINUATION frames of one header block; over it the connection ends;
///   empty ones cost, too (CVE-2024-24549)
/// @param decodedBytesMax decoded octets of a header block, whether kept or not, 32 more for each
///   field; over it the connection ends; a block refers to the same entry again and again at one
///   byte each
/// @param headerTableBytes octets of the dynamic table for what the peer sends; the protocol's own
///   figure
/// @param settingsMax settings in one SETTINGS frame; over it the connection ends; clients send
///   about six
/// @param trailersMax trailer field lines; over it the stream ends; as with HTTP/1
/// @param pendingBytesMax frames that wait to be taken by the peer, octets; over it the connection
///   ends; answers to PING and SETTINGS that the client does not take
/// @param overheadMax what frames that bring nothing may cost at a time; over it the connection
///   ends; 125 cancelled requests in one go: more than a client may have at a time; what one costs
///   the server is a multiple of what it costs the client
/// @param overheadPerSecond what is forgiven of that cost each second; 20 cancelled requests or 50
///   pings each second, indefinitely; a message that ends takes 5 away, a KiB of content 1
@RecordBuilder
public record Http2Limits(
        int streamsMax,
        int executionsMax,
        int firstWindowBytes,
        int streamWindowBytes,
        int connectionWindowBytes,
        int headBytesMax,
        int fieldsMax,
        int fieldBytesMax,
        int targetBytesMax,
        int headerBlockBytesMax,
        int continuationsMax,
        int decodedBytesMax,
        int headerTableBytes,
        int settingsMax,
        int trailersMax,
        int pendingBytesMax,
        int overheadMax,
        int overheadPerSecond)
        implements Http2LimitsBuilder.With {
    /// A field may be as long as the head.
    public static final int NO_FIELD_LIMIT = 0;

    public Http2Limits {
        requireAtLeast(streamsMax, 1, "streamsMax");
        requireAtLeast(executionsMax, 1, "executionsMax");
        requireAtLeast(firstWindowBytes, 1_024, "firstWindowBytes");
        requireAtLeast(streamWindowBytes, 1_024, "streamWindowBytes");
        requireAtLeast(connectionWindowBytes, Http2.WINDOW_DEFAULT, "connectionWindowBytes");
        requireAtLeast(headBytesMax, 64, "headBytesMax");
        requireAtLeast(fieldsMax, 1, "fieldsMax");
        requireAtLeast(fieldBytesMax, NO_FIELD_LIMIT, "fieldBytesMax");
        requireAtLeast(targetBytesMax, 1, "targetBytesMax");
        requireAtLeast(headerBlockBytesMax, Http2.FRAME_SIZE_DEFAULT, "headerBlockBytesMax");
        requireAtLeast(continuationsMax, 0, "continuationsMax");
        requireAtLeast(decodedBytesMax, headBytesMax, "decodedBytesMax");
        requireAtLeast(headerTableBytes, 0, "headerTableBytes");
        requireAtLeast(settingsMax, 8, "settingsMax");
        requireAtLeast(trailersMax, 0, "trailersMax");
        requireAtLeast(pendingBytesMax, 65_536, "pendingBytesMax");
        requireAtLeast(overheadMax, 50, "overheadMax");
        requireAtLeast(overheadPerSecond, 0, "overheadPerSecond");
    }

    /// The defaults: as many streams as Tomcat, and of them as many at work; heads as large as with
    /// HTTP/1.
    public static Http2Limits defaults() {
        return new Http2Limits(
                100,
                20,
                65_536,
                131_072,
                1_048_576,
                16_384,
                100,
                NO_FIELD_LIMIT,
                8_192,
                32_768,
                8,
                131_072,
                4_096,
                32,
                100,
                262_144,
                1_000,
                100);
    }

    /// Octets that one field of a head may have.
    int fieldOctetsMax() {
        return fieldBytesMax == NO_FIELD_LIMIT ? headBytesMax : fieldBytesMax;
    }

    /// The window of a stream that begins.
    int streamWindow(boolean server) {
        return server ? Math.min(firstWindowBytes, streamWindowBytes) : streamWindowBytes;
    }

    /// The window of a connection that begins.
    int connectionWindow(boolean server) {
        long first = Math.max(Http2.WINDOW_DEFAULT, 2L * firstWindowBytes);
        return server ? (int) Math.min(first, connectionWindowBytes) : connectionWindowBytes;
    }

    private static void requireAtLeast(int value, int least, String name) {
        if (value < least) {
            throw new IllegalArgumentException(name + " is " + value + ", less than " + least);
        }
    }
}
