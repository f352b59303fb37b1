package io.margay.testkit;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/// An HTTP/1.1 client on a raw socket that sends exactly what it is told to and reads responses
/// strictly, with code of its own: so that it does not share a fault with the codecs under test.
///
/// Confined to one thread. Every read is bounded in time.
public final class RawHttpClient implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 20_000;

    private final Socket socket;

    /// The socket without TLS.
    private final Socket tcp;

    private final InputStream in;
    private final OutputStream out;

    /// A response as it came.
    ///
    /// @param fields lines `Name: value`, spelled as received
    @SuppressWarnings("ArrayRecordComponent")
    public record Response(String statusLine, int status, List<String> fields, byte[] body) {
        /// The first value of a field, or null.
        public @Nullable String field(String name) {
            List<String> all = all(name);
            return all.isEmpty() ? null : all.getFirst();
        }

        /// Every value of a field.
        public List<String> all(String name) {
            String prefix = name.toLowerCase(Locale.ROOT) + ":";
            return fields.stream()
                    .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(prefix))
                    .map(line -> line.substring(prefix.length()).strip())
                    .toList();
        }

        /// The content as ISO 8859-1.
        public String text() {
            return new String(body, StandardCharsets.ISO_8859_1);
        }

        /// Whether the server closes the connection.
        public boolean closes() {
            return "close".equalsIgnoreCase(field("Connection"));
        }
    }

    private RawHttpClient(Socket socket, Socket tcp) throws IOException {
        this.socket = socket;
        this.tcp = tcp;
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream(), 65_536);
        out = socket.getOutputStream();
    }

    /// Connects in plain text.
    public static RawHttpClient connect(InetSocketAddress address) throws IOException {
        Socket socket = new Socket();
        socket.connect(address, TIMEOUT_MILLIS);
        return new RawHttpClient(socket, socket);
    }

    /// Connects with a small receive buffer, for a client that reads slowly.
    public static RawHttpClient connect(InetSocketAddress address, int receiveBufferBytes)
            throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(receiveBufferBytes);
        socket.connect(address, TIMEOUT_MILLIS);
        return new RawHttpClient(socket, socket);
    }

    /// Connects with TLS, asking for the server name.
    ///
    /// @param serverName null = the handshake names none
    public static RawHttpClient connect(
            InetSocketAddress address, SSLContext context, @Nullable String serverName)
            throws IOException {
        Socket plain = new Socket();
        plain.connect(address, TIMEOUT_MILLIS);
        SSLSocket socket =
                (SSLSocket)
                        context.getSocketFactory()
                                .createSocket(plain, serverName, address.getPort(), true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setServerNames(
                serverName == null ? List.of() : List.of(new SNIHostName(serverName)));
        parameters.setApplicationProtocols(new String[] {"http/1.1"});
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return new RawHttpClient(socket, plain);
    }

    /// The socket, for what has no method here.
    public Socket socket() {
        return socket;
    }

    /// Sends text as ISO 8859-1.
    public RawHttpClient send(String text) throws IOException {
        return send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    public RawHttpClient send(byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
        return this;
    }

    public RawHttpClient send(byte[] bytes, int offset, int length) throws IOException {
        out.write(bytes, offset, length);
        return this;
    }

    /// Sends a GET with `Host` and reads the response.
    public Response get(String target) throws IOException {
        return send("GET " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n").response();
    }

    /// Ends the output; input stays open.
    public void shutdownOutput() throws IOException {
        socket.shutdownOutput();
    }

    /// Closes with a reset, without TLS: that would first take what the server has sent.
    public void reset() throws IOException {
        tcp.setSoLinger(true, 0);
        tcp.close();
    }

    /// Sets how long one read may take.
    public RawHttpClient timeout(int millis) throws IOException {
        socket.setSoTimeout(millis);
        return this;
    }

    /// Reads one byte; -1 at the end.
    public int read() throws IOException {
        return in.read();
    }

    /// Reads up to `length` bytes of whatever comes.
    public int read(byte[] target, int offset, int length) throws IOException {
        return in.read(target, offset, length);
    }

    /// Reads what comes up to the end, as ISO 8859-1.
    public String readToEnd() throws IOException {
        return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    /// Reads a response to anything but HEAD.
    public Response response() throws IOException {
        return response(false);
    }

    /// Reads a response.
    ///
    /// @param head whether it answers HEAD and so has no content
    public Response response(boolean head) throws IOException {
        String statusLine = line();
        if (!statusLine.matches("HTTP/1\\.[01] [1-5]\\d\\d .*")) {
            throw new IOException("no status line: " + statusLine);
        }
        int status = Integer.parseInt(statusLine.substring(9, 12));
        List<String> fields = fields();
        Response bare = new Response(statusLine, status, fields, new byte[0]);
        if (head || status < 200 || status == 204 || status == 304) {
            return bare;
        }
        return new Response(statusLine, status, fields, body(bare));
    }

    private byte[] body(Response head) throws IOException {
        List<String> lengths = head.all("Content-Length");
        List<String> codings = head.all("Transfer-Encoding");
        if (lengths.size() + codings.size() > 1) {
            throw new IOException("ambiguous framing: " + head.fields());
        }
        if (!codings.isEmpty()) {
            if (!codings.getFirst().equals("chunked")) {
                throw new IOException("unknown coding " + codings);
            }
            return chunks();
        }
        if (lengths.isEmpty()) {
            return in.readAllBytes();
        }
        int length = Integer.parseInt(lengths.getFirst());
        byte[] body = in.readNBytes(length);
        if (body.length < length) {
            throw new EOFException(body.length + " bytes of content instead of " + length);
        }
        return body;
    }

    private byte[] chunks() throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        while (true) {
            int size = Integer.parseInt(line(), 16);
            if (size == 0) {
                trailers = fields();
                return body.toByteArray();
            }
            byte[] chunk = in.readNBytes(size);
            if (chunk.length < size || in.read() != '\r' || in.read() != '\n') {
                throw new EOFException("a broken chunk");
            }
            body.write(chunk);
        }
    }

    private List<String> trailers = List.of();

    /// The trailer lines of the last chunked response.
    public List<String> trailers() {
        return trailers;
    }

    private List<String> fields() throws IOException {
        List<String> fields = new ArrayList<>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            if (!line.matches("[!#$%&'*+.^_`|~0-9A-Za-z-]+:.*")) {
                throw new IOException("no field line: " + line);
            }
            fields.add(line);
        }
        return fields;
    }

    /// Reads a line that ends in CR LF.
    public String line() throws IOException {
        StringBuilder line = new StringBuilder();
        while (true) {
            int c = in.read();
            if (c < 0) {
                throw new EOFException("the connection ended after: " + line);
            }
            if (c == '\r') {
                if (in.read() != '\n') {
                    throw new IOException("a bare CR after: " + line);
                }
                return line.toString();
            }
            if (c == '\n') {
                throw new IOException("a bare LF after: " + line);
            }
            line.append((char) c);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
