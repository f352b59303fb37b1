package io.margay.app.agreement.member;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/// Sends probes in bytes that no library has put right, and reads what is answered. Stateless.
final class MemberClient {
    private static final int TIMEOUT_MILLIS = 20_000;

    /// An answer, and the port of this end of the connection.
    record Answer(Seen seen, int clientPort) {}

    private MemberClient() {}

    static Answer send(MemberProbe probe, String host, int port) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.getOutputStream().write(probe.text(host).getBytes(StandardCharsets.ISO_8859_1));
            InputStream in = new BufferedInputStream(socket.getInputStream());
            return new Answer(read(in), socket.getLocalPort());
        }
    }

    private static Seen read(InputStream in) throws IOException {
        Seen seen = new Seen();
        String line = HttpRecorder.line(in);
        while (line != null && line.startsWith("HTTP/1.1 1")) {
            boolean _ = HttpRecorder.fields(in).isEmpty();
            line = HttpRecorder.line(in);
        }
        seen.add("status", line == null || line.length() < 12 ? "none" : line.substring(9, 12));
        List<String> fields = HttpRecorder.fields(in);
        for (String field : fields) {
            int colon = field.indexOf(':');
            String name = field.substring(0, Math.max(0, colon)).toLowerCase(Locale.ROOT);
            seen.add("field " + name, field.substring(colon + 1).strip());
        }
        byte[] content;
        try {
            content = in.readAllBytes();
        } catch (IOException e) {
            seen.add("content", "cut off");
            return seen;
        }
        String text = new String(content, StandardCharsets.ISO_8859_1);
        if (HttpRecorder.value(fields, "transfer-encoding").equalsIgnoreCase("chunked")) {
            text = unchunked(text);
        }
        seen.add("content", text);
        return seen;
    }

    private static String unchunked(String text) {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        int at = 0;
        while (true) {
            int end = text.indexOf("\r\n", at);
            if (end < 0) {
                return "cut off";
            }
            int length = Integer.parseInt(text.substring(at, end).replaceAll("[; ].*", ""), 16);
            if (length == 0) {
                return whole.toString(StandardCharsets.ISO_8859_1);
            }
            String chunk = text.substring(end + 2, Math.min(text.length(), end + 2 + length));
            whole.writeBytes(chunk.getBytes(StandardCharsets.ISO_8859_1));
            at = end + 4 + length;
        }
    }
}
