package io.margay.protocol.ajp;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Octets;
import io.margay.protocol.http.Status;
import java.util.Locale;
import java.util.Set;

/// Encodes what a container sends: the response's head, its content and end, requests for content,
/// CPONG. Stateless.
///
/// ```
/// 'A' 'B' len | 04 status(2) message n(2) (name value)*n     SEND_HEADERS
/// 'A' 'B' len | 03 length(2) content 00                      SEND_BODY_CHUNK; length 0 = flush
/// 'A' 'B' len | 05 reuse(1)                                  END_RESPONSE
/// 'A' 'B' len | 06 length(2)                                 GET_BODY_CHUNK
/// ```
public final class AjpResponseEncoder {
    /// The packet does not fit into the array or is longer than agreed.
    public static final int FULL = PacketWriter.FULL;

    /// The length of the content is not known, or the fields tell it.
    public static final long NO_LENGTH = -1;

    /// Bytes of an END_RESPONSE packet.
    public static final int END_BYTES = 6;

    /// Bytes of a GET_BODY_CHUNK packet.
    public static final int GET_BODY_BYTES = 7;

    /// Bytes of a SEND_BODY_CHUNK packet before its content.
    public static final int CHUNK_PREFIX_BYTES = Ajp.HEADER_BYTES + Ajp.CHUNK_EXTRA_BYTES - 1;

    /// Bytes of a SEND_BODY_CHUNK packet after its content.
    public static final int CHUNK_SUFFIX_BYTES = 1;

    private static final byte[] CPONG = {'A', 'B', 0, 1, Ajp.CPONG};

    /// Fields of one hop: the front end frames its own messages.
    private static final Set<String> HOP_BY_HOP =
            Set.of(
                    "connection",
                    "keep-alive",
                    "proxy-connection",
                    "te",
                    "trailer",
                    "transfer-encoding",
                    "upgrade");

    private AjpResponseEncoder() {}

    /// Writes SEND_HEADERS. Fields of one hop are left out, as is `Content-Length` when
    /// `contentLength` is given.
    ///
    /// @param contentLength to be sent as `Content-Length`, or [#NO_LENGTH]
    /// @return the offset after the packet, or [#FULL]
    /// @throws IllegalArgumentException when a name is no token, or a value holds what none may
    ///   (RFC 9110 §5.5)
    public static int encodeHead(
            byte[] target,
            int offset,
            AjpLimits limits,
            int status,
            FieldList fields,
            long contentLength) {
        if (status < 200 || status > 999) {
            throw new IllegalArgumentException("status " + status);
        }
        PacketWriter packet =
                new PacketWriter(target, offset, limits.packetBytesMax(), Ajp.TO_FRONT_END);
        packet.u8(Ajp.SEND_HEADERS);
        packet.u16(status);
        String reason = Status.reason(status);
        packet.string(reason.isEmpty() ? Integer.toString(status) : reason);
        int mark = packet.mark();
        packet.u16(0);
        int count = 0;
        if (contentLength >= 0) {
            field(packet, "Content-Length", Long.toString(contentLength));
            count++;
        }
        for (int i = 0; i < fields.size(); i++) {
            String name = fields.name(i);
            if (!isLeftOut(name, contentLength)) {
                require(name, fields.value(i));
                field(packet, name, fields.value(i));
                count++;
            }
        }
        packet.u16At(mark, count);
        return packet.finish();
    }

    private static boolean isLeftOut(String name, long contentLength) {
        return switch (name.length()) {
            case 2, 7, 10, 16, 17 -> HOP_BY_HOP.contains(name.toLowerCase(Locale.ROOT));
            case 14 -> contentLength >= 0 && Octets.equalsIgnoreCase(name, "content-length");
            default -> false;
        };
    }

    private static void require(String name, String value) {
        if (!Octets.isToken(name)) {
            throw new IllegalArgumentException("a field name is not a token");
        }
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c > 255 || !Octets.isFieldValue((byte) c)) {
                throw new IllegalArgumentException("the value of " + name + " is not allowed");
            }
        }
    }

    private static void field(PacketWriter packet, String name, String value) {
        int code = Ajp.responseFieldCode(name);
        if (code == 0) {
            packet.string(name);
        } else {
            packet.u16(Ajp.NAME_CODE << 8 | code);
        }
        packet.string(value);
    }

    /// Writes what stands before `length` bytes of content in SEND_BODY_CHUNK; after them comes
    /// [#encodeChunkSuffix]. A length of 0 makes the front end flush.
    ///
    /// @param length 0 to [AjpLimits#responseDataMax]
    public static int encodeChunkPrefix(byte[] target, int offset, int length) {
        if (target.length - offset < CHUNK_PREFIX_BYTES) {
            return FULL;
        }
        int payload = length + Ajp.CHUNK_EXTRA_BYTES;
        target[offset] = 'A';
        target[offset + 1] = 'B';
        target[offset + 2] = (byte) (payload >> 8);
        target[offset + 3] = (byte) payload;
        target[offset + 4] = Ajp.SEND_BODY_CHUNK;
        target[offset + 5] = (byte) (length >> 8);
        target[offset + 6] = (byte) length;
        return offset + CHUNK_PREFIX_BYTES;
    }

    /// Writes the NUL that ends a SEND_BODY_CHUNK.
    public static int encodeChunkSuffix(byte[] target, int offset) {
        if (target.length - offset < CHUNK_SUFFIX_BYTES) {
            return FULL;
        }
        target[offset] = 0;
        return offset + CHUNK_SUFFIX_BYTES;
    }

    /// Writes END_RESPONSE.
    ///
    /// @param reuse whether the connection may carry another request
    public static int encodeEnd(byte[] target, int offset, boolean reuse) {
        PacketWriter packet = new PacketWriter(target, offset, END_BYTES, Ajp.TO_FRONT_END);
        packet.u8(Ajp.END_RESPONSE);
        packet.u8(reuse ? 1 : 0);
        return packet.finish();
    }

    /// Writes GET_BODY_CHUNK.
    ///
    /// @param length content bytes wanted, 1 to [AjpLimits#requestDataMax]
    public static int encodeGetBody(byte[] target, int offset, int length) {
        PacketWriter packet = new PacketWriter(target, offset, GET_BODY_BYTES, Ajp.TO_FRONT_END);
        packet.u8(Ajp.GET_BODY_CHUNK);
        packet.u16(length);
        return packet.finish();
    }

    /// Writes CPONG.
    public static int encodePong(byte[] target, int offset) {
        if (target.length - offset < CPONG.length) {
            return FULL;
        }
        System.arraycopy(CPONG, 0, target, offset, CPONG.length);
        return offset + CPONG.length;
    }
}
