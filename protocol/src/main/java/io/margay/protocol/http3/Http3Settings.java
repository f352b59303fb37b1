package io.margay.protocol.http3;

import io.margay.protocol.quic.VarInt;
import io.margay.protocol.quic.WireReader;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What one side says in SETTINGS (RFC 9114 §7.2.4, RFC 9204 §5, RFC 9220). Immutable.
///
/// @param tableCapacity octets of QPACK's dynamic table
/// @param blockedStreams streams that may be blocked by QPACK
/// @param sectionBytesMax octets of a field section, decoded; [VarInt#MAX] for any
/// @param extendedConnect whether CONNECT may name a protocol
public record Http3Settings(
        long tableCapacity, long blockedStreams, long sectionBytesMax, boolean extendedConnect) {
    private static final int TABLE_CAPACITY = 0x01;
    private static final int SECTION_BYTES_MAX = 0x06;
    private static final int BLOCKED_STREAMS = 0x07;
    private static final int EXTENDED_CONNECT = 0x08;

    /// Settings that a peer may send, known or not.
    static final int COUNT_MAX = 64;

    /// What holds before anything was said.
    public static final Http3Settings INITIAL = new Http3Settings(0, 0, VarInt.MAX, false);

    /// What was read: settings, or what is wrong with them.
    public record Read(Http3Settings settings, @Nullable Http3Error error) {}

    /// Reads the payload of a SETTINGS frame.
    public static Read read(byte[] bytes, int from, int to) {
        WireReader in = new WireReader().begin(bytes, from, to);
        Set<Long> seen = new HashSet<>();
        long capacity = 0;
        long blocked = 0;
        long section = VarInt.MAX;
        boolean connect = false;
        while (in.left() > 0) {
            long id = in.varInt();
            long value = in.varInt();
            if (in.failed() || seen.size() == COUNT_MAX) {
                return new Read(INITIAL, Http3Error.SETTINGS_MALFORMED);
            }
            if (!seen.add(id)) {
                return new Read(INITIAL, Http3Error.SETTING_REPEATED);
            }
            if (id >= 2 && id <= 5) {
                return new Read(INITIAL, Http3Error.SETTING_OF_HTTP2);
            }
            if (id == EXTENDED_CONNECT && value > 1) {
                return new Read(INITIAL, Http3Error.SETTING_OUT_OF_RANGE);
            }
            capacity = id == TABLE_CAPACITY ? value : capacity;
            blocked = id == BLOCKED_STREAMS ? value : blocked;
            section = id == SECTION_BYTES_MAX ? value : section;
            connect |= id == EXTENDED_CONNECT && value == 1;
        }
        return new Read(new Http3Settings(capacity, blocked, section, connect), null);
    }

    /// Writes a whole SETTINGS frame.
    ///
    /// @param greased any number: a setting that nobody knows is made of it (RFC 9114 §7.2.4.1)
    public byte[] frame(int greased) {
        long[] pairs = {
            TABLE_CAPACITY,
            tableCapacity,
            BLOCKED_STREAMS,
            blockedStreams,
            SECTION_BYTES_MAX,
            sectionBytesMax,
            EXTENDED_CONNECT,
            extendedConnect ? 1 : 0,
            0x1fL * (greased & 0xffff) + 0x21,
            greased & 0xff
        };
        int length = 0;
        for (long number : pairs) {
            length += VarInt.size(number);
        }
        byte[] frame = new byte[1 + VarInt.size(length) + length];
        int at = VarInt.put(frame, 0, Http3FrameReader.SETTINGS);
        at = VarInt.put(frame, at, length);
        for (long number : pairs) {
            at = VarInt.put(frame, at, number);
        }
        return frame;
    }
}
