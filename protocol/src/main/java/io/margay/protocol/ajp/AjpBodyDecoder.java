package io.margay.protocol.ajp;

import org.jspecify.annotations.Nullable;

/// Takes the content of one forwarded request out of its data packets, in pieces as they arrive.
///
/// Confined to the thread that owns the connection. The connection feeds it only while a data
/// packet is due: after a request that declared content, and after each GET_BODY_CHUNK; so it stops
/// at the end of each packet.
///
/// ```
/// MAGIC --4 bytes--> LENGTH --2 bytes--> CONTENT --all--> MAGIC
/// MAGIC --empty packet--> ENDED          LENGTH --0--> ENDED        CONTENT --declared--> ENDED
/// ```
public final class AjpBodyDecoder {
    /// What [#decode] found.
    public enum Result {
        /// The packet goes on.
        NEED_MORE,
        /// Content: see [#dataFrom] and [#dataTo].
        DATA,
        /// A packet has ended, the content has not.
        PACKET_END,
        /// The content has ended.
        END,
        /// Not AJP13, less or more than declared, or too much; see [#error].
        ERROR
    }

    private enum State {
        MAGIC,
        LENGTH,
        CONTENT,
        PACKET_OVER,
        ENDED
    }

    private final AjpLimits limits;
    private final byte[] prefix = new byte[Ajp.HEADER_BYTES];

    private State state = State.MAGIC;
    private int prefixUsed;
    private int payload;
    private int packetRemaining;
    private long remaining;
    private long allowed;
    private int consumed;
    private int dataFrom;
    private int dataTo;
    private @Nullable AjpError error;

    /// A decoder for one request.
    ///
    /// @param contentLength as the request's head tells it
    public AjpBodyDecoder(AjpLimits limits, long contentLength) {
        this.limits = limits;
        remaining = contentLength;
        long max = limits.bodyBytesMax();
        allowed = max == AjpLimits.NO_BODY_LIMIT ? Long.MAX_VALUE : max;
        if (contentLength == 0) {
            state = State.ENDED;
        }
    }

    /// Consumes from `buffer[from,to)`; [#consumed] tells how far.
    public Result decode(byte[] buffer, int from, int to) {
        if (error != null) {
            return Result.ERROR;
        }
        consumed = from;
        if (state == State.PACKET_OVER) {
            state = State.MAGIC;
            return Result.PACKET_END;
        }
        while (state == State.MAGIC || state == State.LENGTH) {
            if (consumed == to) {
                return Result.NEED_MORE;
            }
            prefix(buffer[consumed++]);
            if (error != null) {
                return Result.ERROR;
            }
        }
        if (state == State.ENDED) {
            return Result.END;
        }
        if (consumed == to) {
            return Result.NEED_MORE;
        }
        dataFrom = consumed;
        dataTo = consumed + Math.min(packetRemaining, to - consumed);
        consumed = dataTo;
        count(dataTo - dataFrom);
        return Result.DATA;
    }

    /// Takes one byte of what stands before the content.
    private void prefix(byte b) {
        prefix[prefixUsed++] = b;
        if (state == State.LENGTH) {
            if (prefixUsed == 2) {
                prefixUsed = 0;
                length((prefix[0] & 0xff) << 8 | (prefix[1] & 0xff));
            }
            return;
        }
        if ((prefixUsed == 1 && b != 0x12) || (prefixUsed == 2 && b != 0x34)) {
            error = AjpError.BAD_MAGIC;
        } else if (prefixUsed == Ajp.HEADER_BYTES) {
            prefixUsed = 0;
            payload = (prefix[2] & 0xff) << 8 | (prefix[3] & 0xff);
            header();
        }
    }

    private void header() {
        if (payload == 0) {
            end();
        } else if (payload > limits.packetBytesMax() - Ajp.HEADER_BYTES) {
            error = AjpError.PACKET_TOO_LONG;
        } else if (payload == 1) {
            error = AjpError.SHORT_PACKET;
        } else {
            state = State.LENGTH;
        }
    }

    private void length(int length) {
        if (length != payload - 2) {
            error = AjpError.BAD_DATA_LENGTH;
        } else if (length == 0) {
            end();
        } else if (remaining >= 0 && length > remaining) {
            error = AjpError.TOO_MUCH_DATA;
        } else if (length > allowed) {
            error = AjpError.CONTENT_TOO_LARGE;
        } else {
            packetRemaining = length;
            state = State.CONTENT;
        }
    }

    /// An empty packet: the front end has no more.
    private void end() {
        state = State.ENDED;
        if (remaining > 0) {
            error = AjpError.TRUNCATED;
        }
    }

    private void count(int bytes) {
        packetRemaining -= bytes;
        allowed -= bytes;
        if (remaining >= 0) {
            remaining -= bytes;
        }
        if (packetRemaining == 0) {
            state = remaining == 0 ? State.ENDED : State.PACKET_OVER;
        }
    }

    /// Whether all content has been taken.
    public boolean ended() {
        return state == State.ENDED;
    }

    /// Whether the last packet has been taken to its end and more content follows in another.
    public boolean atPacketEnd() {
        return state == State.PACKET_OVER;
    }

    /// Content bytes that are declared and have not been taken, or -1 when no length is declared.
    public long remaining() {
        return remaining;
    }

    /// Offset after what was used.
    public int consumed() {
        return consumed;
    }

    /// Offset of the content's first byte, after DATA.
    public int dataFrom() {
        return dataFrom;
    }

    /// Offset after the content's last byte, after DATA.
    public int dataTo() {
        return dataTo;
    }

    /// What is wrong, after ERROR.
    public AjpError error() {
        if (error == null) {
            throw new IllegalStateException("there is no error");
        }
        return error;
    }
}
