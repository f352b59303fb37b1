package io.margay.protocol.http2;

import io.margay.protocol.http.ProtocolError;
import org.jspecify.annotations.Nullable;

/// What the peer has said about itself (RFC 9113 §6.5.2). Guarded as its session is.
final class PeerSettings {
    int headerTableBytes = HpackEncoder.TABLE_BYTES_MAX;
    int streamsMax = Integer.MAX_VALUE;
    int initialWindow = Http2.WINDOW_DEFAULT;
    int frameBytesMax = Http2.FRAME_SIZE_DEFAULT;
    boolean connectProtocol;

    /// Reads the payload of a SETTINGS frame.
    ///
    /// @param fromClient whether a client sent it
    @Nullable ProtocolError read(byte[] bytes, int from, int to, boolean fromClient) {
        for (int p = from; p < to; p += 6) {
            int name = ((bytes[p] & 0xff) << 8) | (bytes[p + 1] & 0xff);
            long value = int32(bytes, p + 2) & 0xffff_ffffL;
            ProtocolError error = set(name, value, fromClient);
            if (error != null) {
                return error;
            }
        }
        return null;
    }

    private @Nullable ProtocolError set(int name, long value, boolean fromClient) {
        int clamped = (int) Math.min(value, Integer.MAX_VALUE);
        switch (name) {
            case Http2.SETTINGS_HEADER_TABLE_SIZE -> headerTableBytes = clamped;
            case Http2.SETTINGS_ENABLE_PUSH -> {
                if (value > (fromClient ? 1 : 0)) {
                    return Http2Error.BAD_SETTING;
                }
            }
            case Http2.SETTINGS_MAX_CONCURRENT_STREAMS -> streamsMax = clamped;
            case Http2.SETTINGS_INITIAL_WINDOW_SIZE -> {
                if (value > Http2.WINDOW_MAX) {
                    return Http2Error.BAD_WINDOW_SETTING;
                }
                initialWindow = clamped;
            }
            case Http2.SETTINGS_MAX_FRAME_SIZE -> {
                if (value < Http2.FRAME_SIZE_DEFAULT || value > Http2.FRAME_SIZE_LIMIT) {
                    return Http2Error.BAD_SETTING;
                }
                frameBytesMax = clamped;
            }
            case Http2.SETTINGS_ENABLE_CONNECT_PROTOCOL -> {
                if (value > 1) {
                    return Http2Error.BAD_SETTING;
                }
                connectProtocol = value == 1;
            }
            case Http2.SETTINGS_NO_RFC7540_PRIORITIES -> {
                if (value > 1) {
                    return Http2Error.BAD_SETTING;
                }
            }
            default -> {
                // Unknown settings are ignored.
            }
        }
        return null;
    }

    static int int32(byte[] bytes, int at) {
        return (bytes[at] << 24)
                | ((bytes[at + 1] & 0xff) << 16)
                | ((bytes[at + 2] & 0xff) << 8)
                | (bytes[at + 3] & 0xff);
    }

    /// An integer behind a reserved bit, which is ignored.
    static int int31(byte[] bytes, int at) {
        return int32(bytes, at) & Integer.MAX_VALUE;
    }

    static int int24(byte[] bytes, int at) {
        return ((bytes[at] & 0xff) << 16) | ((bytes[at + 1] & 0xff) << 8) | (bytes[at + 2] & 0xff);
    }
}
