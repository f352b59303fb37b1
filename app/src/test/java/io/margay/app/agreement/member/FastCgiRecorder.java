package io.margay.app.agreement.member;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/// A FastCGI responder. Stateless.
final class FastCgiRecorder implements RecordingMember.Protocol {
    private static final int BEGIN = 1;
    private static final int END = 3;
    private static final int PARAMS = 4;
    private static final int STDIN = 5;
    private static final int STDOUT = 6;
    private static final int KEEP = 1;

    @Override
    public boolean serve(InputStream in, OutputStream out, RecordingMember member)
            throws IOException {
        DataInputStream data = new DataInputStream(in);
        ByteArrayOutputStream params = new ByteArrayOutputStream();
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        boolean keep = false;
        int id = 0;
        while (true) {
            if (data.read() < 0) {
                return false;
            }
            int type = data.readUnsignedByte();
            id = data.readUnsignedShort();
            int length = data.readUnsignedShort();
            int padding = data.readUnsignedShort() >> 8;
            byte[] bytes = data.readNBytes(length);
            data.skipNBytes(padding);
            if (type == BEGIN) {
                keep = (bytes[2] & KEEP) != 0;
            } else if (type == PARAMS) {
                params.write(bytes);
            } else if (type == STDIN && length == 0) {
                break;
            } else if (type == STDIN) {
                content.write(bytes);
            }
        }
        Seen seen = new Seen();
        params(params.toByteArray(), seen);
        seen.add("content", content.toString(StandardCharsets.ISO_8859_1));
        MemberReply reply = member.record("fcgi", seen);
        StringBuilder text = new StringBuilder("Status: " + reply.status() + " Whatever\r\n");
        reply.fields().forEach(field -> text.append(field).append("\r\n"));
        text.append("\r\n");
        if (reply.hasContent(seen.one("param REQUEST_METHOD"))) {
            text.append(reply.content());
        }
        write(out, STDOUT, id, text.toString().getBytes(StandardCharsets.ISO_8859_1));
        write(out, STDOUT, id, new byte[0]);
        write(out, END, id, new byte[8]);
        return keep;
    }

    private static void params(byte[] bytes, Seen seen) {
        int[] at = {0};
        while (at[0] < bytes.length) {
            int name = length(bytes, at);
            int value = length(bytes, at);
            seen.add(
                    "param " + new String(bytes, at[0], name, StandardCharsets.ISO_8859_1),
                    new String(bytes, at[0] + name, value, StandardCharsets.ISO_8859_1));
            at[0] += name + value;
        }
    }

    private static int length(byte[] bytes, int[] at) {
        int first = bytes[at[0]++];
        if (first >= 0) {
            return first;
        }
        int length = first & 0x7f;
        for (int i = 0; i < 3; i++) {
            length = length << 8 | bytes[at[0]++] & 0xff;
        }
        return length;
    }

    private static void write(OutputStream out, int type, int id, byte[] bytes) throws IOException {
        byte[] head = {
            1,
            (byte) type,
            (byte) (id >> 8),
            (byte) id,
            (byte) (bytes.length >> 8),
            (byte) bytes.length,
            0,
            0
        };
        out.write(head);
        out.write(bytes);
    }
}
