package io.margay.protocol.quic.packet;

import io.margay.protocol.quic.QuicVersion;
import io.margay.protocol.quic.VarInt;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The header of one packet of a datagram, as far as it is not protected. One is used for packet
/// after packet; it points into the datagram and copies nothing.
///
/// ```
/// long   1TTTxxxx version(4) DCIL dcid SCIL scid [token length, token] length pn payload
/// short  01SxxKxx dcid pn payload
/// ```
public final class PacketHeader {
    /// Connection ids of the versions that are spoken have no more octets (RFC 9000 §17.2).
    public static final int ID_BYTES_MAX = 20;

    /// What tells a long header from a short one.
    public static final int FORM_LONG = 0x80;

    /// Always 1, unless both sides have agreed that it means nothing (RFC 9287).
    public static final int FIXED_BIT = 0x40;

    private byte[] datagram = {};
    private int from;
    private int end;
    private int versionNumber;
    private @Nullable QuicVersion version;
    private int idFrom;
    private int idLength;
    private int sourceFrom;
    private int sourceLength;
    private int tokenFrom;
    private int tokenLength;
    private int numberAt;

    /// Reads the header of the packet that begins at `start`.
    ///
    /// @param shortIdLength octets of the connection ids that were issued here
    /// @param greased whether the fixed bit may be 0 (RFC 9287 §3)
    /// @return what it is; [PacketType#MALFORMED] when it must be dropped with the rest of the
    ///   datagram
    public PacketType read(byte[] bytes, int start, int to, int shortIdLength, boolean greased) {
        datagram = bytes;
        from = start;
        end = to;
        version = null;
        versionNumber = 0;
        sourceLength = 0;
        tokenLength = 0;
        return start >= to ? PacketType.MALFORMED : readType(shortIdLength, greased);
    }

    private PacketType readType(int shortIdLength, boolean greased) {
        int first = datagram[from] & 0xff;
        if ((first & FORM_LONG) == 0) {
            idFrom = from + 1;
            idLength = shortIdLength;
            numberAt = idFrom + shortIdLength;
            boolean fixed = greased || (first & FIXED_BIT) != 0;
            return fixed && numberAt < end ? PacketType.ONE_RTT : PacketType.MALFORMED;
        }
        if (!readIds()) {
            return PacketType.MALFORMED;
        }
        if (versionNumber == QuicVersion.NEGOTIATION) {
            int rest = end - numberAt;
            return rest > 0 && rest % 4 == 0
                    ? PacketType.VERSION_NEGOTIATION
                    : PacketType.MALFORMED;
        }
        QuicVersion spoken = QuicVersion.of(versionNumber);
        if (spoken == null) {
            return PacketType.UNKNOWN_VERSION;
        }
        version = spoken;
        if (idLength > ID_BYTES_MAX || sourceLength > ID_BYTES_MAX) {
            return PacketType.MALFORMED;
        }
        if (!greased && (first & FIXED_BIT) == 0) {
            return PacketType.MALFORMED;
        }
        PacketType found = PacketType.ofLong(spoken.typeOf((first >> 4) & 3));
        if (found == PacketType.RETRY) {
            tokenFrom = numberAt;
            tokenLength = end - numberAt - RetryPacket.TAG_BYTES;
            return tokenLength > 0 ? found : PacketType.MALFORMED;
        }
        return readLength(found) ? found : PacketType.MALFORMED;
    }

    /// What all versions have in common (RFC 8999 §5.1). Leaves [#numberAt] behind the ids.
    private boolean readIds() {
        if (end - from < 7) {
            return false;
        }
        int number = 0;
        for (int i = 1; i <= 4; i++) {
            number = (number << 8) | (datagram[from + i] & 0xff);
        }
        versionNumber = number;
        idLength = datagram[from + 5] & 0xff;
        idFrom = from + 6;
        int at = idFrom + idLength;
        if (at >= end) {
            return false;
        }
        sourceLength = datagram[at] & 0xff;
        sourceFrom = at + 1;
        numberAt = sourceFrom + sourceLength;
        return numberAt <= end;
    }

    private boolean readLength(PacketType found) {
        int at = numberAt;
        if (found == PacketType.INITIAL) {
            long length = VarInt.get(datagram, at, end);
            if (length < 0) {
                return false;
            }
            tokenFrom = at + VarInt.sizeFrom(datagram[at]);
            if (length > end - tokenFrom) {
                return false;
            }
            tokenLength = (int) length;
            at = tokenFrom + tokenLength;
        }
        long length = VarInt.get(datagram, at, end);
        if (length < 0) {
            return false;
        }
        numberAt = at + VarInt.sizeFrom(datagram[at]);
        if (length == 0 || length > end - numberAt) {
            return false;
        }
        end = numberAt + (int) length;
        return true;
    }

    /// Where the packet begins in the datagram.
    public int from() {
        return from;
    }

    /// Where it ends: the next packet of the datagram may begin there.
    public int end() {
        return end;
    }

    /// Where the packet number begins, which is protected.
    public int numberAt() {
        return numberAt;
    }

    /// The version of a long header; null when it is not spoken, and of short headers.
    public @Nullable QuicVersion version() {
        return version;
    }

    /// The destination connection id; a copy.
    public byte[] id() {
        return Arrays.copyOfRange(datagram, idFrom, idFrom + idLength);
    }

    /// The source connection id; a copy, empty for short headers.
    public byte[] sourceId() {
        return sourceLength == 0
                ? new byte[0]
                : Arrays.copyOfRange(datagram, sourceFrom, sourceFrom + sourceLength);
    }

    /// Whether the source connection id is this.
    public boolean isFrom(byte[] id) {
        return Arrays.equals(datagram, sourceFrom, sourceFrom + sourceLength, id, 0, id.length);
    }

    /// Whether the destination connection id is this.
    public boolean isTo(byte[] id) {
        return Arrays.equals(datagram, idFrom, idFrom + idLength, id, 0, id.length);
    }

    /// The token of Initial and Retry packets; a copy, empty when there is none.
    public byte[] token() {
        return tokenLength == 0
                ? new byte[0]
                : Arrays.copyOfRange(datagram, tokenFrom, tokenFrom + tokenLength);
    }

    /// Whether a Version Negotiation packet offers a version.
    public boolean offers(QuicVersion wanted) {
        for (int at = sourceFrom + sourceLength; at + 4 <= end; at += 4) {
            int number = 0;
            for (int i = 0; i < 4; i++) {
                number = (number << 8) | (datagram[at + i] & 0xff);
            }
            if (number == wanted.number()) {
                return true;
            }
        }
        return false;
    }
}
