package io.margay.servlet.test;

import io.margay.protocol.http.FieldList;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/// The content of a response, held to the length that its fields promise. Guarded by the exchange.
final class SentContent {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final FieldList fields;
    private final boolean forbidden;

    /// @param forbidden whether none may be sent, as for a HEAD request
    SentContent(FieldList fields, boolean forbidden) {
        this.fields = fields;
        this.forbidden = forbidden;
    }

    void add(byte[] source, int offset, int length, boolean framed) {
        if (forbidden) {
            throw new AssertionError("content for a HEAD request");
        }
        bytes.write(source, offset, length);
        String promised = fields.get("Content-Length");
        if (promised != null && framed && bytes.size() > Long.parseLong(promised)) {
            throw new AssertionError("more content than Content-Length says");
        }
    }

    void end() {
        String promised = fields.get("Content-Length");
        if (!forbidden && promised != null && bytes.size() < Long.parseLong(promised)) {
            throw new AssertionError("less content than Content-Length says");
        }
    }

    byte[] bytes() {
        return bytes.toByteArray();
    }

    /// A part of a file, which is closed.
    static byte[] read(FileChannel file, long position, long count) throws IOException {
        byte[] part = new byte[(int) count];
        try (file) {
            ByteBuffer buffer = ByteBuffer.wrap(part);
            while (buffer.hasRemaining() && file.read(buffer, position + buffer.position()) > 0) {
                continue;
            }
        }
        return part;
    }
}
