package io.margay.app.agreement.member;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// HTTP/1.1 as it comes, without a library that would put it right. Stateless.
final class HttpRecorder implements RecordingMember.Protocol {
    /// Fields by which the connection and the message are held together.
    private static final List<String> FRAMING =
            List.of("content-length", "transfer-encoding", "connection", "keep-alive");

    @Override
    public boolean serve(InputStream in, OutputStream out, RecordingMember member)
            throws IOException {
        String line = line(in);
        if (line == null) {
            return false;
        }
        Seen seen = new Seen();
        seen.add("line", line);
        List<String> fields = fields(in);
        for (String field : fields) {
            String name = field.substring(0, Math.max(0, field.indexOf(':')));
            String lower = name.toLowerCase(Locale.ROOT);
            if (!FRAMING.contains(lower)) {
                seen.add("field " + lower, field.substring(name.length() + 1).strip());
            }
        }
        if (value(fields, "expect").equalsIgnoreCase("100-continue")) {
            out.write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
        }
        if (value(fields, "transfer-encoding").toLowerCase(Locale.ROOT).contains("chunked")) {
            seen.add("framing", "chunked");
            chunks(in, seen);
        } else if (!value(fields, "content-length").isEmpty()) {
            seen.add("framing", "length");
            byte[] content = in.readNBytes(Integer.parseInt(value(fields, "content-length")));
            seen.add("content", new String(content, StandardCharsets.ISO_8859_1));
        }
        boolean upgrade = value(fields, "upgrade").equalsIgnoreCase("websocket");
        MemberReply reply = member.record("http", seen);
        if (reply.status() == 101 && upgrade) {
            socket(in, out, reply, value(fields, "sec-websocket-key"));
            return false;
        }
        if (reply.status() == 101) {
            reply = RecordingMember.GREETING;
        }
        boolean close = value(fields, "connection").toLowerCase(Locale.ROOT).contains("close");
        answer(out, reply, line.substring(0, line.indexOf(' ')), close);
        return !close;
    }

    /// Sends back the frame that comes, and ends the session.
    private static void socket(InputStream in, OutputStream out, MemberReply reply, String key)
            throws IOException {
        StringBuilder text = new StringBuilder("HTTP/1.1 101 Whatever\r\nUpgrade: websocket\r\n");
        text.append("Connection: Upgrade\r\nSec-WebSocket-Accept: ").append(accepted(key));
        reply.fields().forEach(field -> text.append("\r\n").append(field));
        out.write(text.append("\r\n\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
        byte[] frame = in.readNBytes(MemberClient.FRAME.length);
        byte[] back = new byte[] {frame[0], 2, (byte) (frame[6] ^ frame[2]), 0};
        back[3] = (byte) (frame[7] ^ frame[3]);
        out.write(back);
        out.write(new byte[] {(byte) 0x88, 0});
    }

    private static String accepted(String key) {
        try {
            byte[] text =
                    (key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11")
                            .getBytes(StandardCharsets.ISO_8859_1);
            return Base64.getEncoder()
                    .encodeToString(MessageDigest.getInstance("SHA-1").digest(text));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void chunks(InputStream in, Seen seen) throws IOException {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        while (true) {
            String size = line(in);
            int length = Integer.parseInt(size == null ? "0" : size.replaceAll(";.*", ""), 16);
            if (length == 0) {
                break;
            }
            content.write(in.readNBytes(length));
            boolean _ = line(in) == null;
        }
        seen.add("content", content.toString(StandardCharsets.ISO_8859_1));
        fields(in).forEach(trailer -> seen.add("trailer", trailer));
    }

    private static void answer(OutputStream out, MemberReply reply, String method, boolean close)
            throws IOException {
        StringBuilder text = new StringBuilder("HTTP/1.1 " + reply.status() + " Whatever\r\n");
        reply.fields().forEach(field -> text.append(field).append("\r\n"));
        boolean content = reply.hasContent(method);
        if (reply.chunked() && content) {
            text.append("Transfer-Encoding: chunked\r\n");
        } else if (content || method.equals("HEAD")) {
            text.append("Content-Length: ").append(reply.content().length()).append("\r\n");
        }
        text.append(close ? "Connection: close\r\n\r\n" : "\r\n");
        if (content && reply.chunked()) {
            text.append(Integer.toHexString(reply.content().length())).append("\r\n");
            text.append(reply.content()).append("\r\n0\r\n\r\n");
        } else if (content) {
            text.append(reply.content());
        }
        out.write(text.toString().getBytes(StandardCharsets.ISO_8859_1));
    }

    static List<String> fields(InputStream in) throws IOException {
        List<String> fields = new ArrayList<>();
        for (String line = line(in); line != null && !line.isEmpty(); line = line(in)) {
            fields.add(line);
        }
        return fields;
    }

    /// The value of a field; empty where it is not there.
    static String value(List<String> fields, String name) {
        for (String field : fields) {
            int colon = field.indexOf(':');
            if (colon > 0 && field.substring(0, colon).equalsIgnoreCase(name)) {
                return field.substring(colon + 1).strip();
            }
        }
        return "";
    }

    /// A line without its end; null at the end of the connection.
    static @Nullable String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                if (line.size() == 0) {
                    return null;
                }
                throw new EOFException();
            }
            line.write(b);
        }
        String text = line.toString(StandardCharsets.ISO_8859_1);
        return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
    }
}
