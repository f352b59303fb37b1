package io.margay.server;

import io.margay.protocol.http2.HpackDecoder;
import io.margay.protocol.http2.Http2;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/// An HTTP/2 client on a raw socket that sends exactly the frames it is told to. Its frames are
/// made by code of its own; only what the server compressed is read by the decoder of the project.
///
/// Confined to one thread. Every read is bounded in time.
final class Http2Client implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 20_000;

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

    /// What has come on one stream.
    static final class Response {
        final List<String> heads = new ArrayList<>();
        final ByteArrayOutputStream content = new ByteArrayOutputStream();
        boolean ended;
        boolean given;
        int reset = -1;

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

    private final Socket socket;
    private final DataInputStream in;
    private final OutputStream out;
    private final HpackDecoder decoder = new HpackDecoder(4096);
    private final Map<Integer, Response> responses = new HashMap<>();

    /// Whether room is given for content as it comes.
    boolean givesRoom = true;

    /// The error code of a GOAWAY that has come, or -1.
    int goAway = -1;

    int settingsAcks;
    int pongs;

    /// Connects and sends preface and SETTINGS.
    Http2Client(InetSocketAddress address, @Nullable SSLContext tls) throws IOException {
        this(address, tls, settings());
    }

    Http2Client(InetSocketAddress address, @Nullable SSLContext tls, byte[] settings)
            throws IOException {
        socket = tls == null ? new Socket() : tls.getSocketFactory().createSocket();
        socket.connect(address, TIMEOUT_MILLIS);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.setTcpNoDelay(true);
        if (socket instanceof SSLSocket secure) {
            SSLParameters parameters = secure.getSSLParameters();
            parameters.setApplicationProtocols(new String[] {"h2"});
            secure.setSSLParameters(parameters);
            secure.startHandshake();
        }
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 65_536));
        out = socket.getOutputStream();
        out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        send(Http2.SETTINGS, 0, 0, settings);
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

    void send(int type, int flags, int id, byte[] payload) throws IOException {
        raw(frame(type, flags, id, payload));
    }

    void raw(byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
    }

    /// The same octets again and again, until the server no longer takes them.
    ///
    /// @return whether it was the server that ended it
    boolean flood(byte[] bytes, int times) {
        try {
            for (int i = 0; i < times; i++) {
                out.write(bytes);
            }
            out.flush();
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    /// A header block without compression. Fields are `name: value`.
    static byte[] block(String... fields) {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        for (String field : fields) {
            int colon = field.indexOf(": ");
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

    void headers(int id, boolean ends, String... fields) throws IOException {
        send(
                Http2.HEADERS,
                Http2.FLAG_END_HEADERS | (ends ? Http2.FLAG_END_STREAM : 0),
                id,
                block(fields));
    }

    void get(int id, String path) throws IOException {
        headers(id, true, request("GET", path));
    }

    void data(int id, boolean ends, String text) throws IOException {
        send(Http2.DATA, ends ? 1 : 0, id, text.getBytes(StandardCharsets.ISO_8859_1));
    }

    void reset(int id, int code) throws IOException {
        send(Http2.RST_STREAM, 0, id, int32(code));
    }

    void room(int id, int count) throws IOException {
        send(Http2.WINDOW_UPDATE, 0, id, int32(count));
    }

    // Receiving

    /// What has come on a stream so far.
    Response on(int id) {
        return responses.computeIfAbsent(id, key -> new Response());
    }

    /// Reads one frame, and answers it as a client must.
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
        Response response = frame.id() == 0 ? new Response() : on(frame.id());
        switch (frame.type()) {
            case Http2.HEADERS -> {
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
                    throw new IOException("a head that this client cannot read");
                }
                response.heads.add(text.toString());
            }
            case Http2.DATA -> {
                response.content.writeBytes(frame.payload());
                if (givesRoom && frame.payload().length > 0) {
                    room(0, frame.payload().length);
                    if (!frame.ends()) {
                        room(frame.id(), frame.payload().length);
                    }
                }
            }
            case Http2.RST_STREAM -> response.reset = frame.code();
            case Http2.GOAWAY -> goAway = frame.code();
            case Http2.SETTINGS -> {
                if ((frame.flags() & Http2.FLAG_ACK) == 0) {
                    send(Http2.SETTINGS, Http2.FLAG_ACK, 0, new byte[0]);
                } else {
                    settingsAcks++;
                }
            }
            case Http2.PING -> {
                if ((frame.flags() & Http2.FLAG_ACK) == 0) {
                    send(Http2.PING, Http2.FLAG_ACK, 0, frame.payload());
                } else {
                    pongs++;
                }
            }
            default -> {}
        }
        response.ended |= frame.ends();
    }

    private static String latin(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }

    /// Reads until the stream has ended, well or by a reset.
    Response response(int id) throws IOException {
        Response response = on(id);
        while (!response.ended && response.reset < 0) {
            if (read() == null) {
                throw new EOFException("the connection ended; GOAWAY " + goAway);
            }
        }
        return response;
    }

    /// Reads until some stream has ended that was not given before.
    Response anyEnded() throws IOException {
        while (true) {
            for (Response response : responses.values()) {
                if (!response.given && (response.ended || response.reset >= 0)) {
                    response.given = true;
                    return response;
                }
            }
            if (read() == null) {
                throw new EOFException("the connection ended; GOAWAY " + goAway);
            }
        }
    }

    /// Reads until a PING of ours is answered: all that was sent before has been looked at then.
    void settle() throws IOException {
        int before = pongs;
        send(Http2.PING, 0, 0, new byte[8]);
        while (pongs == before) {
            Objects.requireNonNull(read(), "the connection ended");
        }
    }

    /// Reads until the server has closed the connection.
    ///
    /// @return the error code of its GOAWAY, or -1
    int awaitEnd() {
        try {
            while (read() != null) {}
        } catch (SocketTimeoutException e) {
            throw new AssertionError("the connection did not end", e);
        } catch (IOException e) {
            // A reset is an end too.
        }
        return goAway;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
