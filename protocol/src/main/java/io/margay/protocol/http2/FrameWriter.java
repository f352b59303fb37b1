package io.margay.protocol.http2;

import io.margay.protocol.fields.FieldRules;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.FieldNames;
import org.jspecify.annotations.Nullable;

/// Puts frames into the buffer of a session. Guarded as the session is.
final class FrameWriter {
    final Http2Buffer out = new Http2Buffer();
    final HpackEncoder encoder = new HpackEncoder();
    private final SentHeads sent = new SentHeads();

    /// The largest payload that the peer takes, or less.
    int frameBytesMax = Http2.FRAME_SIZE_DEFAULT;

    // Control

    void settings(int... namesAndValues) {
        out.putFrameHeader(namesAndValues.length * 3, Http2.SETTINGS, 0, 0);
        for (int i = 0; i < namesAndValues.length; i += 2) {
            out.putShort(namesAndValues[i]);
            out.putInt(namesAndValues[i + 1]);
        }
    }

    void settingsAck() {
        out.putFrameHeader(0, Http2.SETTINGS, Http2.FLAG_ACK, 0);
    }

    void ping(int flags, byte[] bytes, int from) {
        out.putFrameHeader(8, Http2.PING, flags, 0);
        out.put(bytes, from, 8);
    }

    void windowUpdate(int streamId, int increment) {
        out.putFrameHeader(4, Http2.WINDOW_UPDATE, 0, streamId);
        out.putInt(increment);
    }

    void reset(int streamId, int code) {
        out.putFrameHeader(4, Http2.RST_STREAM, 0, streamId);
        out.putInt(code);
    }

    void goAway(int lastStreamId, int code) {
        out.putFrameHeader(8, Http2.GOAWAY, 0, 0);
        out.putInt(lastStreamId);
        out.putInt(code);
    }

    void data(int streamId, byte[] source, int offset, int length, boolean last) {
        out.putFrameHeader(length, Http2.DATA, last ? Http2.FLAG_END_STREAM : 0, streamId);
        out.put(source, offset, length);
    }

    // Heads

    /// Begins a header block; [#endBlock] follows.
    ///
    /// @return where it begins
    int beginBlock() {
        int start = out.size();
        out.putFrameHeader(0, Http2.HEADERS, 0, 0);
        encoder.begin(out);
        return start;
    }

    void field(String name, String value) {
        encoder.field(out, name, value);
    }

    /// Encodes fields but for those that belong to a connection of HTTP/1 (RFC 9113 §8.2.2), and
    /// those that the caller writes itself.
    void fields(FieldList fields) {
        for (int i = 0; i < fields.size(); i++) {
            String name = FieldNames.lowerCase(fields.name(i));
            if (!FieldRules.isOwn(name)) {
                encoder.field(out, name, fields.value(i).strip());
            }
        }
    }

    /// Ends a header block, in as many frames as it needs.
    void endBlock(int start, int streamId, boolean endStream) {
        int length = out.size() - start - Http2.FRAME_HEADER_BYTES;
        int flags = endStream ? Http2.FLAG_END_STREAM : 0;
        int type = Http2.HEADERS;
        int at = start;
        while (length > frameBytesMax) {
            out.setFrameHeader(at, frameBytesMax, type, flags, streamId);
            at += Http2.FRAME_HEADER_BYTES + frameBytesMax;
            length -= frameBytesMax;
            out.insert(at, Http2.FRAME_HEADER_BYTES);
            type = Http2.CONTINUATION;
            flags = 0;
        }
        out.setFrameHeader(at, length, type, flags | Http2.FLAG_END_HEADERS, streamId);
    }

    /// A head of a response.
    ///
    /// @param length for `content-length`, or negative
    /// @param date for `date` where the fields have none, or null
    /// @throws IllegalArgumentException when a field cannot be sent; nothing has been put then
    void response(
            int streamId,
            int status,
            FieldList fields,
            long length,
            @Nullable String date,
            boolean endStream) {
        long table = encoder.changes();
        byte[] known = sent.find(table, status, fields, length, date);
        if (known == null) {
            FieldRules.check(fields);
        }
        int start = beginBlock();
        if (known != null) {
            out.put(known, 0, known.length);
        } else {
            encoder.field(out, ":status", Integer.toString(status));
            fields(fields);
            if (length >= 0) {
                encoder.field(out, "content-length", Long.toString(length));
            }
            if (date != null && !fields.contains("date")) {
                encoder.field(out, "date", date);
            }
            if (encoder.changes() == table) {
                int from = start + Http2.FRAME_HEADER_BYTES;
                sent.put(table, status, fields, length, date, out.array(), from, out.size());
            }
        }
        endBlock(start, streamId, endStream);
    }

    /// Gives back what the buffer and the heads hold, as long as nothing is to be sent.
    void trim() {
        out.trim(0);
        sent.trim();
    }
}
