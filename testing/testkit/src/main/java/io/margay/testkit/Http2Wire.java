package io.margay.testkit;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
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
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/// One end of an HTTP/2 connection on a raw socket that sends exactly the frames it is told to: a
/// client, or the server of a client under test. It shares no code with the codecs under test.
///
/// Confined to one thread. Every read is bounded in time.
public final class Http2Wire implements AutoCloseable {
    /// What a client sends first (RFC 9113 §3.4).
    public static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RST_STREAM = 3;
    private static final int SETTINGS = 4;
    private static final int PING = 6;
    private static final int GOAWAY = 7;
    private static final int WINDOW_UPDATE = 8;
    private static final int ACK = 1;
    private static final int END_STREAM = 1;
    private static final int END_HEADERS = 4;
    private static final int INITIAL_WINDOW_SIZE = 4;

    private static final int TIMEOUT_MILLIS = 20_000;
    private static final int TABLE_BYTES = 4096;
    private static final int WINDOW = 65_535;
    private static final int BUFFER_BYTES = 65_536;

    /// A frame as it came.
    @SuppressWarnings("ArrayRecordComponent")
    public record Frame(int type, int flags, int id, byte[] payload) {
        /// Whether its sender ends the stream with it.
        public boolean ends() {
            return (type == DATA || type == HEADERS) && (flags & END_STREAM) != 0;
        }

        /// The error code of a RST_STREAM or GOAWAY.
        public int code() {
            return number(type == GOAWAY ? 4 : 0);
        }

        private int number(int at) {
            return (payload[at] & 0xff) << 24
                    | (payload[at + 1] & 0xff) << 16
                    | (payload[at + 2] & 0xff) << 8
                    | (payload[at + 3] & 0xff);
        }
    }

    /// What has come on one stream so far.
    public static final class Message {
        private final List<String> heads = new ArrayList<>();
        private final ByteArrayOutputStream content = new ByteArrayOutputStream();
        private boolean ended;
        private boolean given;
        private int reset = -1;

        private Message() {}

        /// Heads and trailers, each of lines of `name: value`.
        public List<String> heads() {
            return heads;
        }

        /// The first head.
        public String head() {
            return heads.getFirst();
        }

        /// The status of the last head but for trailers, or -1.
        public int status() {
            return heads.stream()
                    .filter(head -> head.startsWith(":status: "))
                    .mapToInt(head -> Integer.parseInt(head.substring(9, 12)))
                    .reduce(-1, (before, status) -> status);
        }

        public byte[] content() {
            return content.toByteArray();
        }

        /// Octets of content.
        public int size() {
            return content.size();
        }

        /// The content as ISO 8859-1.
        public String text() {
            return content.toString(StandardCharsets.ISO_8859_1);
        }

        /// Whether the sender has ended the stream with DATA or HEADERS.
        public boolean ended() {
            return ended;
        }

        /// The code of a RST_STREAM that has come, or -1.
        public int reset() {
            return reset;
        }

        private boolean isOver() {
            return ended || reset >= 0;
        }
    }

    private final Socket socket;
    private final DataInputStream in;
    private final OutputStream out;
    private final HpackReader reader = new HpackReader(TABLE_BYTES);
    private final Map<Integer, Message> messages = new HashMap<>();

    private boolean givesRoom = true;
    private boolean answersPings = true;
    private boolean held;

    /// What may be sent on each stream, as far as it is asked of [#trySend], less what it began
    /// with.
    private final Map<Integer, Integer> windows = new HashMap<>();

    private int connectionWindow = WINDOW;
    private int peerWindow = WINDOW;
    private boolean ends;
    private int goAwayCode = -1;
    private int pings;

    private Http2Wire(Socket socket) throws IOException {
        this.socket = socket;
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.setTcpNoDelay(true);
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES));
        out = new BufferedOutputStream(socket.getOutputStream(), BUFFER_BYTES);
    }

    /// A client, which has sent the preface and empty SETTINGS.
    ///
    /// @param tls what a client over TLS trusts, or null for clear text
    public static Http2Wire connect(InetSocketAddress address, @Nullable SSLContext tls)
            throws IOException {
        Socket socket = tls == null ? new Socket() : tls.getSocketFactory().createSocket();
        socket.connect(address, TIMEOUT_MILLIS);
        if (socket instanceof SSLSocket secure) {
            SSLParameters parameters = secure.getSSLParameters();
            parameters.setApplicationProtocols(new String[] {"h2"});
            secure.setSSLParameters(parameters);
            secure.startHandshake();
        }
        Http2Wire wire = new Http2Wire(socket);
        wire.out.write(PREFACE.getBytes(StandardCharsets.US_ASCII));
        return wire.send(SETTINGS, 0, 0, settings());
    }

    /// A server, which has read the preface and not sent anything.
    public static Http2Wire accept(Socket socket) throws IOException {
        Http2Wire wire = new Http2Wire(socket);
        byte[] preface = new byte[PREFACE.length()];
        wire.in.readFully(preface);
        if (!Arrays.equals(PREFACE.getBytes(StandardCharsets.US_ASCII), preface)) {
            throw new IOException("no preface");
        }
        return wire;
    }

    /// The socket, for what has no method here.
    public Socket socket() {
        return socket;
    }

    // What frames are made of

    /// The payload of a SETTINGS frame.
    public static byte[] settings(int... namesAndValues) {
        byte[] payload = new byte[namesAndValues.length * 3];
        for (int i = 0; i < namesAndValues.length; i += 2) {
            payload[i * 3] = (byte) (namesAndValues[i] >> 8);
            payload[i * 3 + 1] = (byte) namesAndValues[i];
            System.arraycopy(int32(namesAndValues[i + 1]), 0, payload, i * 3 + 2, 4);
        }
        return payload;
    }

    /// Four octets, the highest first.
    public static byte[] int32(int value) {
        return new byte[] {
            (byte) (value >> 24), (byte) (value >> 16), (byte) (value >> 8), (byte) value
        };
    }

    /// A whole frame.
    public static byte[] frame(int type, int flags, int id, byte[] payload) {
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

    /// A header block without compression. Fields are `name: value`.
    public static byte[] block(String... fields) {
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
                block.write((length & 127) | 128);
            }
            block.write(length);
        }
        block.writeBytes(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /// The fields of a request to `localhost`.
    public static String[] request(String method, String path, String... fields) {
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

    // Sending

    public Http2Wire send(int type, int flags, int id, byte[] payload) throws IOException {
        return raw(frame(type, flags, id, payload));
    }

    /// Sends octets as they are.
    public Http2Wire raw(byte[] bytes) throws IOException {
        out.write(bytes);
        if (!held) {
            out.flush();
        }
        return this;
    }

    /// Keeps frames back until [#release], which has them leave in one write: what is answered in
    /// between cannot depend on which of them came first.
    public Http2Wire hold() {
        held = true;
        return this;
    }

    public Http2Wire release() throws IOException {
        held = false;
        out.flush();
        return this;
    }

    /// Sends the same octets again and again, until the other end no longer takes them.
    ///
    /// @return whether it was the other end that ended it
    public boolean flood(byte[] bytes, int times) {
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

    public Http2Wire headers(int id, boolean ends, String... fields) throws IOException {
        return send(HEADERS, END_HEADERS | (ends ? END_STREAM : 0), id, block(fields));
    }

    public Http2Wire get(int id, String path) throws IOException {
        return headers(id, true, request("GET", path));
    }

    public Http2Wire data(int id, boolean ends, String text) throws IOException {
        return send(DATA, ends ? END_STREAM : 0, id, text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /// Sends content if the windows have room for all of it.
    public boolean trySend(int id, String text, boolean ends) throws IOException {
        int own = windows.getOrDefault(id, 0) + peerWindow;
        if (connectionWindow < text.length() || own < text.length()) {
            return false;
        }
        connectionWindow -= text.length();
        windows.merge(id, -text.length(), Integer::sum);
        data(id, ends, text);
        return true;
    }

    public Http2Wire reset(int id, int code) throws IOException {
        return send(RST_STREAM, 0, id, int32(code));
    }

    /// Sends a WINDOW_UPDATE.
    public Http2Wire room(int id, int count) throws IOException {
        return send(WINDOW_UPDATE, 0, id, int32(count));
    }

    public Http2Wire goAway(int lastId, int code) throws IOException {
        byte[] payload = Arrays.copyOf(int32(lastId), 8);
        System.arraycopy(int32(code), 0, payload, 4, 4);
        return send(GOAWAY, 0, 0, payload);
    }

    // Receiving

    /// Whether room is given for content as it comes, which it is unless told otherwise.
    public void givesRoom(boolean whether) {
        givesRoom = whether;
    }

    /// Whether a PING is answered, which it is unless told otherwise.
    public void answersPings(boolean whether) {
        answersPings = whether;
    }

    /// The error code of a GOAWAY that has come, or -1.
    public int goAwayCode() {
        return goAwayCode;
    }

    /// How many PINGs have come.
    public int pings() {
        return pings;
    }

    /// What has come on a stream so far.
    public Message on(int id) {
        return messages.computeIfAbsent(id, _ -> new Message());
    }

    /// Reads one frame, and answers it as it must be.
    ///
    /// @return null at the end of the connection
    public @Nullable Frame read() throws IOException {
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
        boolean acknowledges = (frame.flags() & ACK) != 0;
        switch (frame.type()) {
            case HEADERS -> {
                if ((frame.flags() & END_HEADERS) == 0) {
                    throw new IOException("a head of several frames, which cannot be read here");
                }
                message.heads.add(String.join("\n", reader.read(frame.payload())));
            }
            case DATA -> {
                message.content.writeBytes(frame.payload());
                if (givesRoom && frame.payload().length > 0) {
                    room(0, frame.payload().length);
                    if (!frame.ends()) {
                        room(frame.id(), frame.payload().length);
                    }
                }
            }
            case RST_STREAM -> message.reset = frame.code();
            case GOAWAY -> goAwayCode = frame.code();
            case SETTINGS -> {
                if (!acknowledges) {
                    takeSettings(frame);
                    reply(SETTINGS, new byte[0]);
                }
            }
            case PING -> {
                if (!acknowledges) {
                    pings++;
                    if (answersPings) {
                        reply(PING, frame.payload());
                    }
                }
            }
            case WINDOW_UPDATE -> {
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

    /// Acknowledges a frame. An end that has closed the connection does not take that any more, and
    /// may have said why before.
    private void reply(int type, byte[] payload) throws IOException {
        try {
            send(type, ACK, 0, payload);
        } catch (IOException e) {
            if (!ends) {
                throw e;
            }
        }
    }

    private void takeSettings(Frame frame) {
        for (int at = 0; at < frame.payload().length; at += 6) {
            if (frame.payload()[at + 1] == INITIAL_WINDOW_SIZE) {
                peerWindow = frame.number(at + 2);
            }
        }
    }

    private Frame more() throws IOException {
        Frame frame = read();
        if (frame == null) {
            throw new EOFException("the connection ended; GOAWAY " + goAwayCode);
        }
        return frame;
    }

    /// Reads until the stream has ended, well or by a reset.
    public Message message(int id) throws IOException {
        Message message = on(id);
        while (!message.isOver()) {
            more();
        }
        return message;
    }

    /// Reads until some stream has ended that was not returned here before.
    public Message anyEnded() throws IOException {
        while (true) {
            for (Message message : messages.values()) {
                if (!message.given && message.isOver()) {
                    message.given = true;
                    return message;
                }
            }
            more();
        }
    }

    /// Reads until a head has come on the stream.
    public Message awaitHead(int id) throws IOException {
        Message message = on(id);
        while (message.heads.isEmpty()) {
            more();
        }
        return message;
    }

    /// Reads until a frame of this type comes.
    public Frame await(int type) throws IOException {
        Frame frame = more();
        while (frame.type() != type) {
            frame = more();
        }
        return frame;
    }

    /// Reads until a PING of ours is answered: the other end has looked at all that was sent
    /// before.
    public void settle() throws IOException {
        send(PING, 0, 0, new byte[8]);
        while ((await(PING).flags() & ACK) == 0) {}
    }

    /// Reads until the other end has closed the connection.
    ///
    /// @return the error code of its GOAWAY, or -1
    public int awaitEnd() {
        ends = true;
        try {
            while (read() != null) {}
        } catch (SocketTimeoutException e) {
            throw new AssertionError("the connection did not end", e);
        } catch (IOException e) {
            // A reset is an end too.
        }
        return goAwayCode;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
