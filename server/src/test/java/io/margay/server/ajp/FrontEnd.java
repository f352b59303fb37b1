package io.margay.server.ajp;

import io.margay.protocol.ajp.AjpAttribute;
import io.margay.protocol.ajp.AjpAttributes;
import io.margay.protocol.ajp.AjpForwardRequest;
import io.margay.protocol.ajp.AjpLimits;
import io.margay.protocol.ajp.AjpRequestEncoder;
import io.margay.protocol.ajp.AjpResponseDecoder;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.HttpVersion;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http.RequestTarget;
import io.margay.protocol.http.ResponseHead;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// A web server in front, made of one socket, for tests. Confined to the test's thread.
final class FrontEnd implements AutoCloseable {
    /// A whole response.
    ///
    /// @param asked how often content was asked for
    record Answer(ResponseHead head, byte[] content, boolean reuse, int asked) {
        int status() {
            return head.status();
        }

        String text() {
            return new String(content, StandardCharsets.ISO_8859_1);
        }
    }

    private static final int PATIENCE_MILLIS = 15_000;

    private final Socket socket;
    private final AjpLimits limits;
    private final AjpResponseDecoder decoder;
    private byte[] received = new byte[0];

    FrontEnd(InetSocketAddress address, AjpLimits limits) throws IOException {
        this.limits = limits;
        decoder = new AjpResponseDecoder(limits);
        socket = new Socket(address.getAddress(), address.getPort());
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.setTcpNoDelay(true);
    }

    static AjpAttributes secret(String secret) {
        return new AjpAttributes.Builder().set(AjpAttribute.SECRET, secret).build();
    }

    static AjpForwardRequest request(String method, String path, long length, AjpAttributes with) {
        return request(method, path, length, false, with);
    }

    static AjpForwardRequest request(
            String method, String path, long length, boolean secure, AjpAttributes with) {
        RequestTarget target =
                new RequestTarget(
                        RequestTarget.Form.ORIGIN,
                        path,
                        path,
                        null,
                        secure ? "https" : "http",
                        "www.example");
        Fields fields = new Fields.Builder().add("Host", "www.example").build();
        RequestHead head =
                new RequestHead(method, target, HttpVersion.HTTP_1_1, fields, length, false, true);
        return new AjpForwardRequest(
                head, "192.0.2.7", "client.example", "front.example", 8443, secure, with);
    }

    void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    void send(AjpForwardRequest request) throws IOException {
        byte[] packet = new byte[limits.packetBytesMax()];
        int end = AjpRequestEncoder.encodeRequest(packet, 0, limits, request);
        socket.getOutputStream().write(packet, 0, end);
    }

    void ping() throws IOException {
        byte[] packet = new byte[8];
        send(Arrays.copyOf(packet, AjpRequestEncoder.encodePing(packet, 0)));
    }

    /// Sends one data packet.
    void sendData(byte[] content, int from, int to) throws IOException {
        byte[] packet = new byte[limits.packetBytesMax()];
        int start = AjpRequestEncoder.encodeDataPrefix(packet, 0, to - from);
        System.arraycopy(content, from, packet, start, to - from);
        socket.getOutputStream().write(packet, 0, start + to - from);
    }

    void sendDataEnd() throws IOException {
        byte[] packet = new byte[8];
        send(Arrays.copyOf(packet, AjpRequestEncoder.encodeDataEnd(packet, 0)));
    }

    /// Sends a request with all its content, as it is asked for, and gives the response.
    Answer exchange(AjpForwardRequest request, byte[] content) throws IOException {
        send(request);
        int sent = 0;
        if (request.head().contentLength() > 0) {
            sent = Math.min(content.length, limits.requestDataMax());
            sendData(content, 0, sent);
        }
        return answer(request.head().isHead(), content, sent);
    }

    Answer get(String path, String secret) throws IOException {
        return exchange(request("GET", path, 0, secret(secret)), new byte[0]);
    }

    /// Receives a response, and sends `content` from `sent` on when asked.
    Answer answer(boolean toHead, byte[] content, int sent) throws IOException {
        decoder.reset(toHead);
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        int asked = 0;
        int at = sent;
        while (true) {
            AjpResponseDecoder.Result result = decoder.decode(received, 0, received.length);
            switch (result) {
                case NEED_MORE -> {
                    receive();
                    continue;
                }
                case HEAD, FLUSH, PONG, END -> {}
                case DATA ->
                        body.write(
                                received,
                                decoder.dataFrom(),
                                decoder.dataTo() - decoder.dataFrom());
                case GET_BODY -> {
                    asked++;
                    int to = Math.min(content.length, at + decoder.requestedBytes());
                    if (to > at) {
                        sendData(content, at, to);
                    } else {
                        sendDataEnd();
                    }
                    at = to;
                }
                case ERROR -> throw new IOException(decoder.error().cause().text());
            }
            received = Arrays.copyOfRange(received, decoder.packetEnd(), received.length);
            if (result == AjpResponseDecoder.Result.END) {
                return new Answer(decoder.head(), body.toByteArray(), decoder.reusable(), asked);
            }
        }
    }

    /// Receives the answer to a ping.
    void pong() throws IOException {
        decoder.reset(false);
        while (decoder.decode(received, 0, received.length)
                == AjpResponseDecoder.Result.NEED_MORE) {
            receive();
        }
        if (decoder.decode(received, 0, received.length) != AjpResponseDecoder.Result.PONG) {
            throw new IOException("not a CPONG");
        }
        received = Arrays.copyOfRange(received, decoder.packetEnd(), received.length);
    }

    private void receive() throws IOException {
        byte[] piece = new byte[8192];
        int count = socket.getInputStream().read(piece);
        if (count < 0) {
            throw new EOFException("the container has closed");
        }
        int before = received.length;
        received = Arrays.copyOf(received, before + count);
        System.arraycopy(piece, 0, received, before, count);
    }

    /// What still comes up to the end; fails when the connection is not closed.
    byte[] untilClosed() throws IOException {
        try {
            return socket.getInputStream().readAllBytes();
        } catch (java.net.SocketException e) {
            return new byte[0];
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
