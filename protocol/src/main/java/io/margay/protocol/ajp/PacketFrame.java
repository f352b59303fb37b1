package io.margay.protocol.ajp;

import org.jspecify.annotations.Nullable;

/// Finds whole packets in what has been received. Confined to its decoder's thread.
final class PacketFrame {
    private final int magic;
    private final int packetBytesMax;
    private int payloadFrom;
    private int payloadTo;
    private @Nullable AjpError error;

    PacketFrame(int magic, int packetBytesMax) {
        this.magic = magic;
        this.packetBytesMax = packetBytesMax;
    }

    /// Looks for a packet at the start of `buffer[from,to)`.
    ///
    /// @return whether it is complete; if not, [#error] tells whether more may help
    boolean find(byte[] buffer, int from, int to) {
        int length = to - from;
        if ((length > 0 && (buffer[from] & 0xff) != magic >> 8)
                || (length > 1 && (buffer[from + 1] & 0xff) != (magic & 0xff))) {
            error = AjpError.BAD_MAGIC;
            return false;
        }
        if (length < Ajp.HEADER_BYTES) {
            return false;
        }
        int payload = (buffer[from + 2] & 0xff) << 8 | (buffer[from + 3] & 0xff);
        if (payload > packetBytesMax - Ajp.HEADER_BYTES) {
            error = AjpError.PACKET_TOO_LONG;
            return false;
        }
        payloadFrom = from + Ajp.HEADER_BYTES;
        payloadTo = payloadFrom + payload;
        return payloadTo <= to;
    }

    int payloadFrom() {
        return payloadFrom;
    }

    /// Offset after the packet.
    int payloadTo() {
        return payloadTo;
    }

    @Nullable AjpError error() {
        return error;
    }
}
