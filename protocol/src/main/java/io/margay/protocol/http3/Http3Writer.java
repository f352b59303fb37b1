package io.margay.protocol.http3;

import io.margay.protocol.fields.FieldRules;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.FieldNames;
import io.margay.protocol.quic.VarInt;
import io.margay.protocol.quic.stream.QuicStream;
import org.jspecify.annotations.Nullable;

/// Puts messages into frames (RFC 9114 §4.1, §7.2.1, §7.2.2). Guarded as its session is.
final class Http3Writer {
    /// Octets of content in a frame, so that streams take turns.
    private static final int DATA_BYTES_MAX = 16_384;

    /// Octets of a frame's header with which content goes: a type and a length below 2^30.
    private static final int HEADER_BYTES_MAX = 5;

    final QpackEncoder encoder = new QpackEncoder();
    private final Http3Session session;
    private final Http3Buffer section = new Http3Buffer();
    private final byte[] header = new byte[1 + 8];

    Http3Writer(Http3Session session) {
        this.session = session;
    }

    private int header(int type, long length) {
        header[0] = (byte) type;
        return VarInt.put(header, 1, length);
    }

    /// See [Http3Stream#respond].
    void respond(
            Http3Stream to,
            int status,
            FieldList fields,
            long length,
            @Nullable String date,
            boolean ends) {
        FieldRules.check(fields);
        if (to.isOutputEnded()) {
            return;
        }
        encoder.begin(to.number());
        encoder.field(":status", Integer.toString(status));
        fields(fields, length);
        if (date != null && !fields.contains("date")) {
            encoder.field("date", date);
        }
        put(to.quic, ends);
    }

    /// The head of a request, whose pseudo-header fields come first.
    void request(QuicStream to, FieldList head, long length, boolean ends) {
        encoder.begin(to.id());
        fields(head, length);
        put(to, ends);
    }

    private void fields(FieldList fields, long length) {
        for (int i = 0; i < fields.size(); i++) {
            String name = FieldNames.lowerCase(fields.name(i));
            if (!FieldRules.isOwn(name)) {
                encoder.field(name, fields.value(i).strip());
            }
        }
        if (length >= 0) {
            encoder.field("content-length", Long.toString(length));
        }
    }

    /// Writes the section that was encoded, after what the peer needs for it.
    private void put(QuicStream to, boolean ends) {
        encoder.end(section);
        byte[] octets = section.take();
        session.putInstructions();
        to.writeWhole(header, 0, header(Http3FrameReader.HEADERS, octets.length), false);
        to.writeWhole(octets, 0, octets.length, ends);
    }

    /// See [Http3Stream#sendTrailers].
    void sendTrailers(Http3Stream to, FieldList fields) {
        FieldRules.check(fields);
        if (to.isOutputEnded()) {
            return;
        }
        encoder.begin(to.number());
        fields(fields, -1);
        put(to.quic, true);
    }

    /// See [Http3Stream#send].
    int send(Http3Stream to, byte[] source, int offset, int length, boolean ends) {
        if (to.isOutputEnded()) {
            return length;
        }
        QuicStream quic = to.quic;
        // What the peer does not let go would keep other streams from the connection's output.
        int room = (int) Math.min(quic.room(), quic.peerRoom()) - HEADER_BYTES_MAX;
        int count = Math.max(0, Math.min(Math.min(length, room), DATA_BYTES_MAX));
        if (count == 0 && length > 0) {
            return 0;
        }
        boolean last = ends && count == length;
        if (count > 0) {
            quic.writeWhole(header, 0, header(Http3FrameReader.DATA, count), false);
        }
        quic.writeWhole(source, offset, offset + count, last);
        session.budget.moved(count);
        return count;
    }
}
