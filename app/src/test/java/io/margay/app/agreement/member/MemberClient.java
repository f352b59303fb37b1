package io.margay.app.agreement.member;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/// Sends probes in bytes that no library has put right, and reads what is answered. Stateless.
final class MemberClient {
    private static final int TIMEOUT_MILLIS = 20_000;

    /// Bytes of the message that comes back, and of the one that ends the session.
    private static final int ECHO = 6;

    /// A WebSocket message of two characters.
    static final byte[] FRAME = {(byte) 0x81, (byte) 0x82, 1, 2, 3, 4, 'h' ^ 1, 'i' ^ 2};

    /// An answer, and the port of this end of the connection.
    record Answer(Seen seen, int clientPort) {}

    private MemberClient() {}

    /// @param tls null = in clear text
    static Answer send(MemberProbe probe, String host, int port, @Nullable SSLContext tls)
            throws IOException {
        try (Socket plain = new Socket()) {
            plain.connect(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
            plain.setSoTimeout(TIMEOUT_MILLIS);
            try (Socket socket = tls == null ? plain : over(plain, host, port, tls)) {
                OutputStream out = socket.getOutputStream();
                out.write(probe.text(host).getBytes(StandardCharsets.ISO_8859_1));
                InputStream in = new BufferedInputStream(socket.getInputStream());
                return new Answer(read(in, out, probe), plain.getLocalPort());
            }
        }
    }

    private static Socket over(Socket plain, String host, int port, SSLContext tls)
            throws IOException {
        SSLSocket socket = (SSLSocket) tls.getSocketFactory().createSocket(plain, host, port, true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setServerNames(List.of(new SNIHostName(host)));
        socket.setSSLParameters(parameters);
        return socket;
    }

    private static Seen read(InputStream in, OutputStream out, MemberProbe probe)
            throws IOException {
        Seen seen = new Seen();
        String line = HttpRecorder.line(in);
        while (line != null && line.startsWith("HTTP/1.1 1") && !line.startsWith("101", 9)) {
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
        boolean socket = seen.one("status").equals("101");
        if (socket) {
            out.write(FRAME);
        }
        byte[] content;
        try {
            content =
                    socket
                            ? in.readNBytes(ECHO)
                            : probe.hop().equals(MemberProbe.UPGRADE)
                                    ? framed(in, fields)
                                    : in.readAllBytes();
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

    /// The content of a response after which the connection stays open, with its chunks.
    private static byte[] framed(InputStream in, List<String> fields) throws IOException {
        String length = HttpRecorder.value(fields, "content-length");
        if (!length.isEmpty()) {
            return in.readNBytes(Integer.parseInt(length));
        }
        if (!HttpRecorder.value(fields, "transfer-encoding").equalsIgnoreCase("chunked")) {
            return in.readAllBytes();
        }
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        while (true) {
            String size = HttpRecorder.line(in);
            int octets = size == null ? 0 : Integer.parseInt(size.replaceAll("[; ].*", ""), 16);
            whole.writeBytes((size + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
            whole.writeBytes(in.readNBytes(octets + 2));
            if (octets == 0) {
                return whole.toByteArray();
            }
        }
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
