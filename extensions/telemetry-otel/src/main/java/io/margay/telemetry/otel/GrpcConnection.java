package io.margay.telemetry.otel;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.ProtocolError;
import io.margay.protocol.http.ResponseHead;
import io.margay.protocol.http2.Http2;
import io.margay.protocol.http2.Http2Limits;
import io.margay.protocol.http2.Http2Session;
import io.margay.protocol.http2.Http2Session.Event;
import io.margay.protocol.http2.Http2Stream;
import io.opentelemetry.sdk.common.export.GrpcResponse;
import io.opentelemetry.sdk.common.export.GrpcSenderConfig;
import io.opentelemetry.sdk.common.export.GrpcStatusCode;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/// A connection to a collector that speaks gRPC: HTTP/2 by prior knowledge, or by ALPN over TLS.
/// Used by one thread at a time, which waits; any thread may close it.
final class GrpcConnection implements Closeable {
    private static final int READ_BYTES = 16 * 1024;
    private static final int PREFIX_BYTES = 5;

    /// The one below TLS, where there is any: closing it does not wait.
    private final Socket plain;

    private final InputStream in;
    private final OutputStream out;
    private final long answerBytesMax;
    private final Http2Session session;
    private byte[] bytes = new byte[READ_BYTES];
    private int have;
    private boolean leaving;
    private long sinceNanos = System.nanoTime();
    private byte[] frames = new byte[0];

    /// The other side has gone before it has said anything to a call.
    static final class UnansweredException extends IOException {
        private static final long serialVersionUID = 1;

        private UnansweredException(IOException cause) {
            super("the connection has ended", cause);
        }
    }

    /// What a call has brought.
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Answer(GrpcStatusCode getStatusCode, String getStatusDescription, byte[] message)
            implements GrpcResponse {
        @Override
        public byte[] getResponseMessage() {
            return message;
        }
    }

    private GrpcConnection(Socket socket, Socket plain, boolean secure, long answerBytesMax)
            throws IOException {
        this.plain = plain;
        this.answerBytesMax = answerBytesMax;
        in = socket.getInputStream();
        out = socket.getOutputStream();
        session =
                new Http2Session(
                        Http2Session.Role.CLIENT, Http2Limits.defaults(), secure, answerBytesMax);
        session.hurry(true);
    }

    /// Connects.
    ///
    /// @param nanos within which
    static GrpcConnection open(GrpcSenderConfig config, long nanos) throws IOException {
        URI to = config.getEndpoint();
        boolean secure = "https".equals(to.getScheme());
        int port = to.getPort() >= 0 ? to.getPort() : secure ? 443 : 80;
        long connect = Math.min(nanos, config.getConnectTimeout().toNanos());
        int millis = Math.clamp(TimeUnit.NANOSECONDS.toMillis(connect), 1, 60_000);
        Socket plain = new Socket();
        boolean opened = false;
        try {
            plain.setTcpNoDelay(true);
            plain.connect(new InetSocketAddress(host(to), port), millis);
            Socket socket = plain;
            if (secure) {
                plain.setSoTimeout(millis);
                socket = shaken(plain, config, port);
                plain.setSoTimeout(0);
            }
            GrpcConnection made =
                    new GrpcConnection(socket, plain, secure, config.getMaxResponseBodySize());
            opened = true;
            return made;
        } finally {
            if (!opened) {
                plain.close();
            }
        }
    }

    private static String host(URI to) {
        String host = to.getHost();
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    private static SSLSocket shaken(Socket plain, GrpcSenderConfig config, int port)
            throws IOException {
        SSLContext context = config.getSslContext();
        if (context == null) {
            try {
                context = SSLContext.getDefault();
            } catch (NoSuchAlgorithmException e) {
                throw new IOException(e);
            }
        }
        SSLSocket made =
                (SSLSocket)
                        context.getSocketFactory()
                                .createSocket(plain, host(config.getEndpoint()), port, true);
        SSLParameters parameters = made.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {"h2"});
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        List<String> versions = config.getEnabledProtocols();
        if (versions != null && !versions.isEmpty()) {
            parameters.setProtocols(versions.toArray(String[]::new));
        }
        made.setSSLParameters(parameters);
        made.startHandshake();
        if (!"h2".equals(made.getApplicationProtocol())) {
            throw new IOException("the collector does not speak HTTP/2 by ALPN");
        }
        return made;
    }

    /// Whether another call may follow.
    boolean isOpen() {
        return !leaving && !plain.isClosed();
    }

    /// Calls, and waits for the answer; when the time is over the connection ends.
    ///
    /// @throws UnansweredException when nothing has come of it, so that it may be made again
    GrpcResponse call(FieldList head, byte[] message, long nanos) throws IOException {
        CompletableFuture<Boolean> end =
                new CompletableFuture<Boolean>()
                        .completeOnTimeout(true, nanos, TimeUnit.NANOSECONDS);
        CompletableFuture<Void> _ = end.thenRun(this::close);
        Call call = new Call(message);
        forgive();
        try {
            Http2Stream stream = session.request(head, -1, false);
            if (stream == null) {
                throw new IOException("the collector takes no request");
            }
            if (have > 0) {
                // Such as a GOAWAY that came with the end of the last call.
                call.parse(stream, have);
            }
            call.run(stream);
            session.release(stream);
            flush();
            return call.answer();
        } catch (IllegalArgumentException e) {
            throw new IOException("a header of the collector cannot be sent: " + e.getMessage(), e);
        } catch (IOException e) {
            boolean late = !end.cancel(false);
            if (late) {
                throw new IOException("the collector does not answer in time", e);
            }
            throw call.begun ? e : new UnansweredException(e);
        } finally {
            end.cancel(false);
        }
    }

    /// Has what the collector sends between calls, such as PING, count for no more than it is.
    private void forgive() {
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - sinceNanos);
        session.seconds((int) Math.min(seconds, 3_600));
        sinceNanos += TimeUnit.SECONDS.toNanos(seconds);
    }

    /// One call under way.
    private final class Call {
        private final byte[] message;
        private int sent;
        private boolean begun;
        private boolean over;
        private int status;
        private @Nullable String code;
        private String text = "";
        private final ByteArrayOutputStream answer = new ByteArrayOutputStream();

        Call(byte[] message) {
            this.message = message;
        }

        void run(Http2Stream stream) throws IOException {
            while (!over) {
                int count = 1;
                while (sent < message.length && count > 0 && !stream.isOutputEnded()) {
                    count = session.send(stream, message, sent, message.length - sent, true);
                    sent += count;
                }
                flush();
                receive(stream);
            }
            if (!stream.isOutputEnded()) {
                session.reset(stream, Http2.NO_ERROR);
            }
        }

        private void receive(Http2Stream stream) throws IOException {
            if (have == bytes.length) {
                bytes = Arrays.copyOf(bytes, 2 * bytes.length);
            }
            int count = in.read(bytes, have, bytes.length - have);
            if (count < 0) {
                throw new IOException("the collector has closed the connection");
            }
            parse(stream, have + count);
        }

        private void parse(Http2Stream stream, int to) throws IOException {
            int at = 0;
            Event event;
            do {
                event = session.receive(bytes, at, to);
                take(event, stream);
                at = session.consumed();
            } while (event != Event.NEED_MORE && !over);
            have = to - at;
            System.arraycopy(bytes, at, bytes, 0, have);
        }

        private void take(Event event, Http2Stream stream) throws IOException {
            boolean ours = stream.equals(session.stream());
            switch (event) {
                case HEAD -> {
                    if (ours && !session.responseHead().isInterim()) {
                        ResponseHead head = session.responseHead();
                        begun = true;
                        status = head.status();
                        status(head.field("grpc-status"), head.field("grpc-message"));
                    }
                }
                case DATA -> {
                    int length = session.dataTo() - session.dataFrom();
                    if (ours) {
                        answer.write(bytes, session.dataFrom(), length);
                        boolean _ = session.used(stream, length);
                    }
                    if (answer.size() > answerBytesMax) {
                        throw new IOException("the answer of the collector is too long");
                    }
                }
                case TRAILERS -> {
                    Fields trailers = session.trailers();
                    status(trailers.get("grpc-status"), trailers.get("grpc-message"));
                }
                case GOAWAY -> {
                    leaving = true;
                    if (session.lastKnownId() < stream.id()) {
                        throw new IOException("the collector is going away");
                    }
                }
                case RESET -> {
                    if (ours) {
                        leaving = true;
                        throw new IOException(reason());
                    }
                }
                case FAILED -> throw new IOException(reason());
                default -> {}
            }
            over |= ours && stream.isInputEnded();
        }

        private void status(@Nullable String told, @Nullable String why) {
            if (told != null) {
                code = told;
                text = why == null ? "" : why;
            }
        }

        private String reason() {
            ProtocolError why = session.refusal();
            return why == null
                    ? "the collector ends the call with code " + session.code()
                    : why.text();
        }

        GrpcResponse answer() throws IOException {
            String told = code;
            if (told == null || !told.matches("[0-9]{1,3}")) {
                throw new IOException("the collector answers with HTTP status " + status);
            }
            byte[] whole = answer.toByteArray();
            return new Answer(
                    GrpcStatusCode.fromValue(Integer.parseInt(told)),
                    text,
                    whole.length > PREFIX_BYTES
                            ? Arrays.copyOfRange(whole, PREFIX_BYTES, whole.length)
                            : new byte[0]);
        }
    }

    private void flush() throws IOException {
        int size = session.output().size();
        if (size > 0) {
            frames = session.output().exchange(frames);
            out.write(frames, 0, size);
            out.flush();
        }
    }

    @Override
    public void close() {
        try {
            plain.close();
        } catch (IOException e) {
            // It is closed all the same.
        }
    }
}
