package io.margay.protocol.ajp;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.Octets;
import io.margay.protocol.http.RequestHead;
import org.jspecify.annotations.Nullable;

/// Encodes what a front end sends: requests, content, CPING. The gateway's side of AJP13.
/// Stateless.
public final class AjpRequestEncoder {
    /// The packet does not fit into the array or is longer than agreed.
    public static final int FULL = PacketWriter.FULL;

    /// Bytes of a data packet before its content.
    public static final int DATA_PREFIX_BYTES = Ajp.HEADER_BYTES + 2;

    private static final byte[] CPING = {0x12, 0x34, 0, 1, Ajp.CPING};
    private static final byte[] DATA_END = {0x12, 0x34, 0, 0};

    private static final AjpAttribute[] ATTRIBUTES = AjpAttribute.values();

    private AjpRequestEncoder() {}

    /// Writes a forwarded request. Fields of one hop are left out; the content's length is written
    /// from [RequestHead#contentLength], so that the container reads what the gateway decided:
    /// `Content-Length: 0` when there is none, since without a length a container asks for content.
    ///
    /// @return the offset after the packet, or [#FULL]
    /// @throws IllegalArgumentException when a text holds what AJP13 cannot carry
    public static int encodeRequest(
            byte[] target, int offset, AjpLimits limits, AjpForwardRequest request) {
        Fields received = request.head().fields();
        FieldList fields = new FieldList();
        for (int i = 0; i < received.size(); i++) {
            fields.add(received, i);
        }
        return encodeRequest(target, offset, limits, request, fields);
    }

    /// The same with `fields` in the place of the head's.
    ///
    /// @return the offset after the packet, or [#FULL]
    /// @throws IllegalArgumentException when a text holds what AJP13 cannot carry
    public static int encodeRequest(
            byte[] target,
            int offset,
            AjpLimits limits,
            AjpForwardRequest request,
            FieldList fields) {
        PacketWriter packet =
                new PacketWriter(target, offset, limits.packetBytesMax(), Ajp.TO_CONTAINER);
        RequestHead head = request.head();
        int methodCode = Ajp.methodCode(head.method());
        packet.u8(Ajp.FORWARD_REQUEST);
        packet.u8(methodCode);
        packet.string(head.version().text());
        packet.string(head.target().rawPath());
        packet.string(request.remoteAddress());
        packet.string(request.remoteHost());
        packet.string(request.serverName());
        packet.u16(request.serverPort());
        packet.u8(request.secure() ? 1 : 0);
        fields(packet, head, fields);
        attributes(packet, request, methodCode);
        packet.u8(Ajp.ATTRIBUTES_END);
        return packet.finish();
    }

    private static void fields(PacketWriter packet, RequestHead head, FieldList fields) {
        int mark = packet.mark();
        packet.u16(0);
        int count = 1;
        if (head.contentLength() == RequestHead.UNKNOWN_LENGTH) {
            field(packet, "Transfer-Encoding", "chunked");
        } else {
            field(packet, "Content-Length", Long.toString(head.contentLength()));
        }
        for (int i = 0; i < fields.size(); i++) {
            String name = fields.name(i);
            if (!isOfThisHop(name)) {
                name(packet, name);
                Fields received = fields.received(i);
                if (received == null) {
                    packet.string(fields.value(i));
                } else {
                    packet.value(received, fields.receivedIndex(i));
                }
                count++;
            }
        }
        packet.u16At(mark, count);
    }

    /// Whether a field frames the content, which is told otherwise, or concerns the client's
    /// connection.
    private static boolean isOfThisHop(String name) {
        return switch (name.length()) {
            case 2 -> Octets.equalsIgnoreCase(name, "te");
            case 6 -> Octets.equalsIgnoreCase(name, "expect");
            case 7 ->
                    Octets.equalsIgnoreCase(name, "trailer")
                            || Octets.equalsIgnoreCase(name, "upgrade");
            case 10 ->
                    Octets.equalsIgnoreCase(name, "connection")
                            || Octets.equalsIgnoreCase(name, "keep-alive");
            case 14 -> Octets.equalsIgnoreCase(name, "content-length");
            case 16 -> Octets.equalsIgnoreCase(name, "proxy-connection");
            case 17 -> Octets.equalsIgnoreCase(name, "transfer-encoding");
            default -> false;
        };
    }

    private static void field(PacketWriter packet, String name, String value) {
        name(packet, name);
        packet.string(value);
    }

    private static void name(PacketWriter packet, String name) {
        int code = Ajp.requestFieldCode(name);
        if (code == 0) {
            packet.string(name);
        } else {
            packet.u16(Ajp.NAME_CODE << 8 | code);
        }
    }

    private static void attributes(PacketWriter packet, AjpForwardRequest request, int methodCode) {
        AjpAttributes attributes = request.attributes();
        for (AjpAttribute attribute : ATTRIBUTES) {
            attribute(packet, attribute, value(attribute, request, methodCode));
        }
        if (attributes.keyBits() != AjpAttributes.NO_KEY_BITS) {
            packet.u8(AjpAttribute.TLS_KEY_BITS);
            packet.u16(attributes.keyBits());
        }
        for (int i = 0; i < attributes.namedCount(); i++) {
            packet.u8(AjpAttribute.NAMED);
            packet.string(attributes.namedName(i));
            packet.string(attributes.namedValue(i));
        }
    }

    private static @Nullable String value(
            AjpAttribute attribute, AjpForwardRequest request, int methodCode) {
        return switch (attribute) {
            case QUERY_STRING -> request.head().target().rawQuery();
            case STORED_METHOD -> methodCode == Ajp.STORED_METHOD ? request.head().method() : null;
            default -> request.attributes().get(attribute);
        };
    }

    private static void attribute(
            PacketWriter packet, AjpAttribute attribute, @Nullable String value) {
        if (value != null) {
            packet.u8(attribute.code());
            packet.string(value);
        }
    }

    /// Writes what stands before `length` bytes of content in a data packet.
    ///
    /// @param length 1 to [AjpLimits#requestDataMax]
    public static int encodeDataPrefix(byte[] target, int offset, int length) {
        if (target.length - offset < DATA_PREFIX_BYTES) {
            return FULL;
        }
        target[offset] = 0x12;
        target[offset + 1] = 0x34;
        target[offset + 2] = (byte) ((length + 2) >> 8);
        target[offset + 3] = (byte) (length + 2);
        target[offset + 4] = (byte) (length >> 8);
        target[offset + 5] = (byte) length;
        return offset + DATA_PREFIX_BYTES;
    }

    /// Writes the empty packet that ends the content.
    public static int encodeDataEnd(byte[] target, int offset) {
        return put(target, offset, DATA_END);
    }

    /// Writes CPING.
    public static int encodePing(byte[] target, int offset) {
        return put(target, offset, CPING);
    }

    private static int put(byte[] target, int offset, byte[] packet) {
        if (target.length - offset < packet.length) {
            return FULL;
        }
        System.arraycopy(packet, 0, target, offset, packet.length);
        return offset + packet.length;
    }
}
