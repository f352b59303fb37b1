package io.margay.servlet.http;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http2.Http2Limits;
import io.margay.protocol.http2.Http2Session;
import io.margay.protocol.http2.Http2Session.Event;
import io.margay.protocol.http2.Http2Session.Role;
import io.margay.protocol.http2.Http2Stream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A client of HTTP/2 in clear text, made of the project's own session. Confined to one thread;
/// every read is bounded in time.
public final class Http2Talk implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 20_000;

    /// What has come on a stream.
    public static final class Answer {
        int status;
        String fields = "";
        Fields trailers = Fields.EMPTY;
        final ByteArrayOutputStream content = new ByteArrayOutputStream();
        boolean ended;
        boolean isReset;

        /// The status of the final head.
        public int status() {
            return status;
        }

        /// Its fields, a line each.
        public String fields() {
            return fields;
        }

        /// The trailers, empty before the end.
        public Fields trailers() {
            return trailers;
        }

        /// The content so far.
        public byte[] content() {
            return content.toByteArray();
        }

        /// The content so far as ISO 8859-1.
        public String text() {
            return content.toString(StandardCharsets.ISO_8859_1);
        }
    }

    private final Http2Session session =
            new Http2Session(Role.CLIENT, Http2Limits.defaults(), false, -1);
    private final Map<Integer, Answer> answers = new HashMap<>();
    private final Socket socket = new Socket();
    private byte[] input = new byte[65_536];
    private int from;
    private int to;

    /// Connects, and waits for the server's settings.
    public Http2Talk(InetSocketAddress address) throws IOException {
        socket.connect(address, TIMEOUT_MILLIS);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.setTcpNoDelay(true);
        send();
        while (!session.mayConnectProtocols()) {
            receive();
        }
    }

    private void send() throws IOException {
        int count = session.output().size();
        if (count > 0) {
            socket.getOutputStream().write(session.output().exchange(new byte[0]), 0, count);
        }
    }

    /// Begins a stream with the pseudo-header fields of a request, and these fields.
    public Http2Stream request(String method, String path, boolean ends, String... fields)
            throws IOException {
        FieldList head =
                new FieldList()
                        .add(":method", method)
                        .add(":scheme", "http")
                        .add(":authority", "a.example:80")
                        .add(":path", path);
        for (String field : fields) {
            int colon = field.indexOf(": ");
            head.add(field.substring(0, colon), field.substring(colon + 2));
        }
        Http2Stream made = Objects.requireNonNull(session.request(head, -1, ends));
        answers.put(made.id(), new Answer());
        send();
        return made;
    }

    /// Sends content as the server gives room.
    public void content(Http2Stream stream, byte[] bytes, boolean ends) throws IOException {
        int at = 0;
        do {
            int count = session.send(stream, bytes, at, bytes.length - at, ends);
            at += count;
            send();
            if (count == 0 && at < bytes.length) {
                receive();
            }
        } while (at < bytes.length);
    }

    /// Sends trailers, which end the request.
    public void trailers(Http2Stream stream, FieldList fields) throws IOException {
        session.sendTrailers(stream, fields);
        send();
    }

    /// What has come so far.
    public Answer on(Http2Stream stream) {
        return Objects.requireNonNull(answers.get(stream.id()));
    }

    /// Receives until the stream has ended.
    public Answer end(Http2Stream stream) throws IOException {
        Answer answer = on(stream);
        while (!answer.ended && !answer.isReset) {
            receive();
        }
        session.release(stream);
        return answer;
    }

    /// Receives until so much content has come.
    public Answer await(Http2Stream stream, int bytes) throws IOException {
        Answer answer = on(stream);
        while (answer.content.size() < bytes && !answer.ended && !answer.isReset) {
            receive();
        }
        return answer;
    }

    private void receive() throws IOException {
        if (from > 0) {
            System.arraycopy(input, from, input, 0, to - from);
            to -= from;
            from = 0;
        }
        int count = socket.getInputStream().read(input, to, input.length - to);
        if (count < 0) {
            throw new IOException("the server has closed the connection");
        }
        to += count;
        Event event;
        do {
            event = session.receive(input, from, to);
            from = session.consumed();
            take(event, session.stream());
        } while (event != Event.NEED_MORE);
        send();
    }

    private void take(Event event, @Nullable Http2Stream stream) throws IOException {
        if (event == Event.FAILED) {
            throw new IOException("the server broke the protocol: " + session.refusal());
        }
        Answer answer = stream == null ? null : answers.get(stream.id());
        if (stream == null || answer == null) {
            return;
        }
        switch (event) {
            case HEAD -> {
                answer.status = session.responseHead().status();
                answer.fields = session.responseHead().fields().toString();
            }
            case DATA -> {
                int length = session.dataTo() - session.dataFrom();
                answer.content.write(input, session.dataFrom(), length);
                session.used(stream, length);
            }
            case TRAILERS -> answer.trailers = session.trailers();
            case RESET -> answer.isReset = true;
            default -> {}
        }
        answer.ended |= stream.isInputEnded();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
