package io.margay.gateway.proxy;

import io.margay.protocol.http2.HpackDecoder;
import io.margay.protocol.http2.Http2;
import io.margay.testkit.TestCertificate;
import io.margay.transport.TlsConfig;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/// One end of an HTTP/2 connection on a raw socket that sends exactly the frames it is told to: a
/// client before the gateway, or a server behind it. Its frames are made by code of its own; only
/// what was compressed is read by the decoder of the project.
///
/// Confined to one thread. Every read is bounded in time.
final class Http2Wire implements AutoCloseable {
    static final TestCertificate CERTIFICATE = TestCertificate.temporary();
    private static final int TIMEOUT_MILLIS = 20_000;
    private static final byte[] PREFACE =
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    /// A frame as it came.
    @SuppressWarnings("ArrayRecordComponent")
    record Frame(int type, int flags, int id, byte[] payload) {
        boolean ends() {
            return (type == Http2.DATA || type == Http2.HEADERS) && (flags & 1) != 0;
        }

        int code() {
            return number(type == Http2.GOAWAY ? 4 : 0);
        }

        int number(int at) {
            return (payload[at] & 0xff) << 24
                    | (payload[at + 1] & 0xff) << 16
                    | (payload[at + 2] & 0xff) << 8
                    | payload[at + 3] & 0xff;
        }
    }

    /// What has come on one stream: heads are lines of `name: value`.
    static final class Message {
        final List<String> heads = new ArrayList<>();
        final ByteArrayOutputStream content = new ByteArrayOutputStream();
        boolean ended;
        int reset = -1;

        String head() {
            return heads.getFirst();
        }

        /// The status of the last head but for trailers.
        int status() {
            return heads.stream()
                    .filter(head -> head.startsWith(":status: "))
                    .mapToInt(head -> Integer.parseInt(head.substring(9, 12)))
                    .reduce(-1, (before, status) -> status);
        }

        String text() {
            return content.toString(StandardCharsets.ISO_8859_1);
        }
    }

    final Socket socket;
    private final DataInputStream in;
    private final OutputStream out;
    private final HpackDecoder decoder = new HpackDecoder(4096);
    private final Map<Integer, Message> messages = new HashMap<>();

    /// Whether room is given for content as it comes.
    boolean givesRoom = true;

    // What may be sent, as far as it is asked of trySend: of a stream less than what it began with
    private final Map<Integer, Integer> windows = new HashMap<>();
    private int connectionWindow = 65_535;
    private int peerWindow = 65_535;

    private boolean held;

    int goAway = -1;
    int pings;
    boolean answersPings = true;

    private Http2Wire(Socket socket) throws IOException {
        this.socket = socket;
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.setTcpNoDelay(true);
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 65_536));
        out = new BufferedOutputStream(socket.getOutputStream(), 65_536);
    }

    /// A client.
    static Http2Wire connect(InetSocketAddress address, boolean secure) throws IOException {
        Socket socket =
                secure ? CERTIFICATE.client().getSocketFactory().createSocket() : new Socket();
        socket.connect(address, TIMEOUT_MILLIS);
        if (socket instanceof SSLSocket tls) {
            SSLParameters parameters = tls.getSSLParameters();
            parameters.setApplicationProtocols(new String[] {"h2"});
            tls.setSSLParameters(parameters);
            tls.startHandshake();
        }
        Http2Wire wire = new Http2Wire(socket);
        wire.out.write(PREFACE);
        wire.send(Http2.SETTINGS, 0, 0, settings());
        return wire;
    }

    /// A server, which has read the preface and not sent anything.
    static Http2Wire accept(Socket socket) throws IOException {
        Http2Wire wire = new Http2Wire(socket);
        byte[] preface = new byte[PREFACE.length];
        wire.in.readFully(preface);
        if (!java.util.Arrays.equals(PREFACE, preface)) {
            throw new IOException("no preface");
        }
        return wire;
    }

    /// TLS of a listener that offers HTTP/2.
    static TlsConfig tls() {
        return TlsConfig.of(CERTIFICATE.cert(), CERTIFICATE.key())
                .withApplicationProtocols(List.of("h2", "http/1.1"));
    }

    /// The payload of a SETTINGS frame.
    static byte[] settings(int... namesAndValues) {
        byte[] payload = new byte[namesAndValues.length * 3];
        for (int i = 0; i < namesAndValues.length; i += 2) {
            payload[i * 3] = (byte) (namesAndValues[i] >> 8);
            payload[i * 3 + 1] = (byte) namesAndValues[i];
            System.arraycopy(int32(namesAndValues[i + 1]), 0, payload, i * 3 + 2, 4);
        }
        return payload;
    }

    static byte[] int32(int value) {
        return new byte[] {
            (byte) (value >> 24), (byte) (value >> 16), (byte) (value >> 8), (byte) value
        };
    }

    // Sending

    static byte[] frame(int type, int flags, int id, byte[] payload) {
        byte[] frame = new byte[9 + payload.length];
        frame[0] = (byte) (payload.length >> 16);
        frame[1] = (byte) (payload.length >> 8);
        frame[2] = (byte) payload.length;
        frame[3] = (byte) type;
        frame[4] = (byte) flags;
        System.arraycopy(int32(id), 0, frame, 5, 4);
        System.arraycopy(payload, 0, frame, 9, payload.length);
        return frame;
    }

    Http2Wire send(int type, int flags, int id, byte[] payload) throws IOException {
        return raw(frame(type, flags, id, payload));
    }

    Http2Wire raw(byte[] bytes) throws IOException {
        out.write(bytes);
        if (!held) {
            out.flush();
        }
        return this;
    }

    /// Keeps frames back until [#release], which has them leave in one write: what is answered in
    /// between cannot depend on which of them came first.
    Http2Wire hold() {
        held = true;
        return this;
    }

    Http2Wire release() throws IOException {
        held = false;
        out.flush();
        return this;
    }

    /// A header block without compression. Fields are `name: value`.
    static byte[] block(String... fields) {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        for (String field : fields) {
            int colon = field.startsWith(": ") ? 0 : field.indexOf(": ", 1);
            block.write(0);
            string(block, field.substring(0, colon));
            string(block, field.substring(colon + 2));
        }
        return block.toByteArray();
    }

    private static void string(ByteArrayOutputStream block, String text) {
        int length = text.length();
        if (length < 127) {
            block.write(length);
        } else {
            block.write(127);
            for (length -= 127; length >= 128; length >>= 7) {
                block.write(length & 127 | 128);
            }
            block.write(length);
        }
        block.writeBytes(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    static String[] request(String method, String path, String... fields) {
        List<String> all =
                new ArrayList<>(
                        List.of(
                                ":method: " + method,
                                ":scheme: http",
                                ":path: " + path,
                                ":authority: localhost"));
        all.addAll(List.of(fields));
        return all.toArray(String[]::new);
    }

    Http2Wire headers(int id, boolean ends, String... fields) throws IOException {
        return send(
                Http2.HEADERS,
                Http2.FLAG_END_HEADERS | (ends ? Http2.FLAG_END_STREAM : 0),
                id,
                block(fields));
    }

    Http2Wire get(int id, String path) throws IOException {
        return headers(id, true, request("GET", path));
    }

    Http2Wire data(int id, boolean ends, String text) throws IOException {
        return send(Http2.DATA, ends ? 1 : 0, id, text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /// Sends content if the windows have room for all of it.
    boolean trySend(int id, String text, boolean ends) throws IOException {
        int own = windows.getOrDefault(id, 0) + peerWindow;
        if (connectionWindow < text.length() || own < text.length()) {
            return false;
        }
        connectionWindow -= text.length();
        windows.merge(id, -text.length(), Integer::sum);
        data(id, ends, text);
        return true;
    }

    Http2Wire reset(int id, int code) throws IOException {
        return send(Http2.RST_STREAM, 0, id, int32(code));
    }

    Http2Wire room(int id, int count) throws IOException {
        return send(Http2.WINDOW_UPDATE, 0, id, int32(count));
    }

    Http2Wire goAway(int lastId, int code) throws IOException {
        byte[] payload = new byte[8];
        System.arraycopy(int32(lastId), 0, payload, 0, 4);
        System.arraycopy(int32(code), 0, payload, 4, 4);
        return send(Http2.GOAWAY, 0, 0, payload);
    }

    // Receiving

    /// What has come on a stream so far.
    Message on(int id) {
        return messages.computeIfAbsent(id, key -> new Message());
    }

    /// Reads one frame, and answers it as it must be.
    ///
    /// @return null at the end of the connection
    @Nullable Frame read() throws IOException {
        Frame frame;
        try {
            int first = in.readInt();
            int flags = in.readUnsignedByte();
            int id = in.readInt();
            byte[] payload = new byte[first >>> 8];
            in.readFully(payload);
            frame = new Frame(first & 0xff, flags, id, payload);
        } catch (EOFException e) {
            return null;
        }
        take(frame);
        return frame;
    }

    private void take(Frame frame) throws IOException {
        Message message = frame.id() == 0 ? new Message() : on(frame.id());
        switch (frame.type()) {
            case Http2.HEADERS -> message.heads.add(decoded(frame));
            case Http2.DATA -> {
                message.content.writeBytes(frame.payload());
                if (givesRoom && frame.payload().length > 0) {
                    room(0, frame.payload().length);
                    if (!frame.ends()) {
                        room(frame.id(), frame.payload().length);
                    }
                }
            }
            case Http2.RST_STREAM -> message.reset = frame.code();
            case Http2.GOAWAY -> goAway = frame.code();
            case Http2.SETTINGS -> {
                if ((frame.flags() & Http2.FLAG_ACK) == 0) {
                    for (int at = 0; at < frame.payload().length; at += 6) {
                        if (frame.payload()[at + 1] == Http2.SETTINGS_INITIAL_WINDOW_SIZE) {
                            peerWindow = frame.number(at + 2);
                        }
                    }
                    send(Http2.SETTINGS, Http2.FLAG_ACK, 0, new byte[0]);
                }
            }
            case Http2.PING -> {
                if ((frame.flags() & Http2.FLAG_ACK) == 0) {
                    pings++;
                    if (answersPings) {
                        send(Http2.PING, Http2.FLAG_ACK, 0, frame.payload());
                    }
                }
            }
            case Http2.WINDOW_UPDATE -> {
                if (frame.id() == 0) {
                    connectionWindow += frame.number(0);
                } else {
                    windows.merge(frame.id(), frame.number(0), Integer::sum);
                }
            }
            default -> {}
        }
        message.ended |= frame.ends();
    }

    private String decoded(Frame frame) throws IOException {
        StringBuilder text = new StringBuilder();
        boolean decoded =
                decoder.decode(
                        frame.payload(),
                        0,
                        frame.payload().length,
                        (name, nf, nt, value, vf, vt) ->
                                text.append(text.isEmpty() ? "" : "\n")
                                        .append(latin(name, nf, nt))
                                        .append(": ")
                                        .append(latin(value, vf, vt)));
        if (!decoded || (frame.flags() & Http2.FLAG_END_HEADERS) == 0) {
            throw new IOException("a head that cannot be read here");
        }
        return text.toString();
    }

    private static String latin(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }

    private Frame more() throws IOException {
        Frame frame = read();
        if (frame == null) {
            throw new EOFException("the connection ended; GOAWAY " + goAway);
        }
        return frame;
    }

    /// Reads until the stream has ended, well or by a reset.
    Message message(int id) throws IOException {
        Message message = on(id);
        while (!message.ended && message.reset < 0) {
            more();
        }
        return message;
    }

    /// Reads until a head has come on the stream.
    Message awaitHead(int id) throws IOException {
        Message message = on(id);
        while (message.heads.isEmpty()) {
            more();
        }
        return message;
    }

    /// Reads until a frame of this type comes.
    Frame await(int type) throws IOException {
        Frame frame = more();
        while (frame.type() != type) {
            frame = more();
        }
        return frame;
    }

    /// Reads until the other end has looked at all that was sent before.
    void settle() throws IOException {
        send(Http2.PING, 0, 0, new byte[8]);
        Frame frame = Objects.requireNonNull(more());
        while (frame.type() != Http2.PING || (frame.flags() & Http2.FLAG_ACK) == 0) {
            frame = more();
        }
    }

    /// Reads until the other end has closed the connection.
    void awaitEnd() {
        try {
            while (read() != null) {}
        } catch (java.net.SocketTimeoutException e) {
            throw new AssertionError("the connection did not end", e);
        } catch (IOException e) {
            // A reset is an end too.
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
