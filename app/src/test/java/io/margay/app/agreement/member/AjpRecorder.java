package io.margay.app.agreement.member;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A container that is asked by AJP13. Stateless.
final class AjpRecorder implements RecordingMember.Protocol {
    private static final int FORWARD = 2;
    private static final int PING = 10;
    private static final int PONG = 9;
    private static final int SEND_CONTENT = 3;
    private static final int SEND_HEADERS = 4;
    private static final int END = 5;
    private static final int GET_CONTENT = 6;
    private static final int PACKET = 8186;

    private static final List<String> METHODS =
            List.of(
                    "",
                    "OPTIONS",
                    "GET",
                    "HEAD",
                    "POST",
                    "PUT",
                    "DELETE",
                    "TRACE",
                    "PROPFIND",
                    "PROPPATCH",
                    "MKCOL",
                    "COPY",
                    "MOVE",
                    "LOCK",
                    "UNLOCK",
                    "ACL",
                    "REPORT");

    private static final List<String> FIELDS =
            List.of(
                    "",
                    "accept",
                    "accept-charset",
                    "accept-encoding",
                    "accept-language",
                    "authorization",
                    "connection",
                    "content-type",
                    "content-length",
                    "cookie",
                    "cookie2",
                    "host",
                    "pragma",
                    "referer",
                    "user-agent");

    private static final List<String> ATTRIBUTES =
            List.of(
                    "",
                    "context",
                    "servlet_path",
                    "remote_user",
                    "auth_type",
                    "query_string",
                    "route",
                    "ssl_cert",
                    "ssl_cipher",
                    "ssl_session",
                    "",
                    "ssl_key_size",
                    "secret",
                    "stored_method");

    @Override
    public boolean serve(InputStream in, OutputStream out, RecordingMember member)
            throws IOException {
        ByteBuffer packet = packet(in);
        if (packet == null) {
            return false;
        }
        int type = packet.get();
        if (type == PING) {
            send(out, new byte[] {PONG});
            return true;
        }
        if (type != FORWARD) {
            return true;
        }
        Seen seen = new Seen();
        String method = METHODS.get(Math.min(packet.get() & 0xff, METHODS.size() - 1));
        seen.add("method", method);
        seen.add("protocol", string(packet));
        seen.add("uri", string(packet));
        seen.add("remote_addr", string(packet));
        seen.add("remote_host", string(packet));
        seen.add("server_name", string(packet));
        seen.add("server_port", String.valueOf(packet.getShort() & 0xffff));
        seen.add("ssl", String.valueOf(packet.get()));
        int length = fields(packet, seen);
        attributes(packet, seen);
        if (length != 0) {
            seen.add("content", content(in, out, length));
        }
        answer(out, member.record("ajp", seen), method);
        return true;
    }

    /// @return how long the content is; -1 = it comes in chunks
    private static int fields(ByteBuffer packet, Seen seen) {
        int count = packet.getShort();
        int length = 0;
        for (int i = 0; i < count; i++) {
            int start = packet.position();
            int code = packet.getShort() & 0xffff;
            String name;
            if (code >> 8 == 0xa0) {
                name = FIELDS.get(code & 0xff);
            } else {
                packet.position(start);
                name = string(packet).toLowerCase(Locale.ROOT);
            }
            String value = string(packet);
            if (name.equals("content-length")) {
                length = Integer.parseInt(value);
            } else if (name.equals("transfer-encoding")) {
                length = -1;
            }
            if (!name.equals("connection")) {
                seen.add("field " + name, value);
            }
        }
        return length;
    }

    private static void attributes(ByteBuffer packet, Seen seen) {
        for (int code = packet.get() & 0xff; code != 0xff; code = packet.get() & 0xff) {
            if (code == 0x0a) {
                String name = string(packet);
                seen.add("attribute " + name, string(packet));
            } else if (code == 0x0b) {
                seen.add("ssl_key_size", String.valueOf(packet.getShort()));
            } else {
                seen.add(ATTRIBUTES.get(code), string(packet));
            }
        }
    }

    private static String content(InputStream in, OutputStream out, int length) throws IOException {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        boolean ask = length < 0;
        while (length < 0 || content.size() < length) {
            if (ask) {
                send(out, new byte[] {GET_CONTENT, PACKET >> 8, (byte) PACKET});
                out.flush();
            }
            ask = true;
            ByteBuffer packet = packet(in);
            if (packet == null || packet.remaining() < 2) {
                break;
            }
            byte[] bytes = new byte[packet.getShort() & 0xffff];
            if (bytes.length == 0) {
                break;
            }
            packet.get(bytes);
            content.writeBytes(bytes);
        }
        return content.toString(StandardCharsets.ISO_8859_1);
    }

    private static void answer(OutputStream out, MemberReply reply, String method)
            throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream data = new DataOutputStream(bytes);
        data.writeByte(SEND_HEADERS);
        data.writeShort(reply.status());
        write(data, "Whatever");
        data.writeShort(reply.fields().size());
        for (String field : reply.fields()) {
            int colon = field.indexOf(':');
            write(data, field.substring(0, colon));
            write(data, field.substring(colon + 1).strip());
        }
        send(out, bytes.toByteArray());
        if (reply.hasContent(method) && !reply.content().isEmpty()) {
            byte[] content = reply.content().getBytes(StandardCharsets.ISO_8859_1);
            bytes.reset();
            data.writeByte(SEND_CONTENT);
            data.writeShort(content.length);
            data.write(content);
            data.writeByte(0);
            send(out, bytes.toByteArray());
        }
        send(out, new byte[] {END, 1});
    }

    private static void write(DataOutputStream data, String text) throws IOException {
        data.writeShort(text.length());
        data.write(text.getBytes(StandardCharsets.ISO_8859_1));
        data.writeByte(0);
    }

    private static void send(OutputStream out, byte[] bytes) throws IOException {
        out.write(new byte[] {'A', 'B', (byte) (bytes.length >> 8), (byte) bytes.length});
        out.write(bytes);
    }

    private static @Nullable ByteBuffer packet(InputStream in) throws IOException {
        if (in.read() < 0) {
            return null;
        }
        DataInputStream data = new DataInputStream(in);
        int _ = data.readUnsignedByte();
        int length = data.readUnsignedShort();
        return ByteBuffer.wrap(data.readNBytes(length));
    }

    private static String string(ByteBuffer packet) {
        int length = packet.getShort() & 0xffff;
        if (length == 0xffff) {
            return "(none)";
        }
        byte[] bytes = new byte[length];
        packet.get(bytes);
        int _ = packet.get();
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
