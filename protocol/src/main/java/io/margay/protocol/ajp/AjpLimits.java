package io.margay.protocol.ajp;

import io.soabase.recordbuilder.core.RecordBuilder;

/// How much of each kind one AJP13 message may have.
///
/// @param packetBytesMax bytes of a packet with its four-byte header, both ways, 8192 to 65536; the
///   front end must be told the same number. A longer packet closes the connection; what every
///   front end sends unless told otherwise (`max_packet_size`, `ProxyIOBufferSize`)
/// @param targetBytesMax bytes of the request URI, and of the query; over it 414; as for HTTP/1
/// @param fieldsMax header fields of a request or response; over it 431; as for HTTP/1
/// @param attributesMax attributes of a request, named ones included; over it 400; a certificate
///   chain and what administrators add, several times over
/// @param bodyBytesMax bytes of content; over it 413; [#NO_BODY_LIMIT] means no limit; applications
///   limit it themselves
@RecordBuilder
public record AjpLimits(
        int packetBytesMax, int targetBytesMax, int fieldsMax, int attributesMax, long bodyBytesMax)
        implements AjpLimitsBuilder.With {
    /// Content of any length is allowed.
    public static final long NO_BODY_LIMIT = -1;

    /// The packet size of AJP13 where nothing else was agreed, bytes.
    public static final int PACKET_BYTES_DEFAULT = 8192;

    /// The largest packet size that may be agreed, bytes.
    public static final int PACKET_BYTES_LIMIT = 65536;

    public AjpLimits {
        if (packetBytesMax < PACKET_BYTES_DEFAULT || packetBytesMax > PACKET_BYTES_LIMIT) {
            throw new IllegalArgumentException(
                    "packetBytesMax is " + packetBytesMax + ", not 8192 to 65536");
        }
        if (targetBytesMax < 1 || fieldsMax < 1 || attributesMax < 1) {
            throw new IllegalArgumentException(
                    "targetBytesMax, fieldsMax and attributesMax must be at least 1");
        }
        if (bodyBytesMax < NO_BODY_LIMIT) {
            throw new IllegalArgumentException("bodyBytesMax is " + bodyBytesMax);
        }
    }

    /// The defaults: packets as small as every front end makes them, the target and the number of
    /// fields as for HTTP/1, and room for a certificate chain among the attributes.
    public static AjpLimits defaults() {
        return new AjpLimits(PACKET_BYTES_DEFAULT, 8192, 100, 64, NO_BODY_LIMIT);
    }

    /// Content bytes that fit into one data packet to the container.
    public int requestDataMax() {
        return packetBytesMax - Ajp.HEADER_BYTES - 2;
    }

    /// Content bytes that fit into one SEND_BODY_CHUNK packet to the front end.
    public int responseDataMax() {
        return packetBytesMax - Ajp.HEADER_BYTES - Ajp.CHUNK_EXTRA_BYTES;
    }
}
