package io.margay.app.command;

import io.margay.app.startcache.CacheKind;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/// The requests of a [CacheTraining]: each page a few times on connections of its own, and one page
/// often on kept ones, for the JVM keeps what it has learnt of methods that were used some thousand
/// times. Confined to one thread.
///
/// @param http port
/// @param https port, 0 for none
record CacheVisits(int http, int https, CacheKind kind) {
    /// Names of the hosts that are a gateway to the others.
    static final String BY_HTTP = "by-http.localhost";

    static final String BY_AJP = "by-ajp.localhost";

    private static final String DIRECT = "localhost";
    private static final String FILE = "/heartbeat/index.html";

    /// [#FILE] by way of AJP13, which names the client's host again: another path is the gateway's.
    private static final String AJP_FILE = "/ajp/index.html";

    private static final String HEARTBEAT = "/heartbeat/heartbeat.jsp";
    private static final int ROUNDS = 20;
    private static final int KEPT_REQUESTS = 3000;
    private static final int HANDSHAKES = 20;

    /// Their content is less than the window of the connection, which the client never widens.
    private static final int STREAMS = 100;

    private static final int ANSWER_MILLIS_MAX = 30_000;
    private static final long TLS_SECONDS_MAX = 300;
    private static final List<String> PAGES =
            List.of(
                    HEARTBEAT,
                    "/heartbeat/servlet",
                    FILE,
                    "/jsp/",
                    "/guestbook/",
                    "/pages/",
                    "/none");

    private static final int FRAME_HEAD_BYTES = 9;
    private static final byte[] PREFACE =
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    /// Indexed in the static table of RFC 7541 appendix A: GET, http; then a literal path and
    /// authority.
    private static final int[] FIELDS = {0x82, 0x86, 0x04};

    private static final int AUTHORITY = 0x01;

    private String page() {
        return kind == CacheKind.GATEWAY ? FILE : HEARTBEAT;
    }

    /// Fails unless the server is open.
    void knock() throws IOException {
        get(kind == CacheKind.APPLICATIONS ? DIRECT : BY_HTTP, "/none");
    }

    void all() throws IOException {
        for (int i = 0; i < ROUNDS; i++) {
            for (String each : pages()) {
                get(DIRECT, each);
            }
        }
        boolean alone = kind == CacheKind.APPLICATIONS;
        for (String host : alone ? List.of(DIRECT) : List.of(DIRECT, BY_HTTP, BY_AJP)) {
            try (Socket socket = connect(http)) {
                often(socket, host, KEPT_REQUESTS);
            }
        }
        if (!alone) {
            overHttp2();
        }
        if (https != 0) {
            beside();
        }
    }

    /// All examples together use more than most applications do.
    private List<String> pages() {
        return switch (kind) {
            case BOTH -> PAGES;
            case GATEWAY -> List.of(FILE, "/none");
            case APPLICATIONS -> List.of(HEARTBEAT, "/heartbeat/servlet", FILE, "/none");
        };
    }

    /// The visits over TLS, in a process of their own: the classes of a client are none that the
    /// server needs, but all that this process uses are loaded at each start with the cache.
    private void beside() throws IOException {
        ProcessBuilder client =
                new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        kind.option(),
                        CacheVisits.class.getName(),
                        String.valueOf(https));
        // Options for servers: another collector, ports, agents.
        List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS")
                .forEach(client.environment()::remove);
        Process process =
                client.redirectErrorStream(true)
                        .redirectInput(new File("/dev/null"))
                        .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                        .start();
        try {
            if (!process.waitFor(TLS_SECONDS_MAX, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IOException("the client of TLS has failed");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        } finally {
            process.destroyForcibly();
        }
    }

    /// The visits over TLS.
    ///
    /// @param args the port
    public static void main(String[] args) throws IOException {
        new CacheVisits(0, Integer.parseInt(args[0]), CacheKind.trained()).overTls();
    }

    private static Socket connect(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(ANSWER_MILLIS_MAX);
        return socket;
    }

    private void get(String host, String page) throws IOException {
        String request =
                "GET " + page + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
        try (Socket socket = connect(http)) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            InputStream in = new BufferedInputStream(socket.getInputStream());
            String status = line(in);
            if (status.startsWith("HTTP/1.1 5")) {
                throw new IOException(page + ": " + status);
            }
            in.transferTo(OutputStream.nullOutputStream());
        }
    }

    private void often(Socket socket, String host, int times) throws IOException {
        byte[] request =
                ("GET "
                                + (host.equals(BY_AJP) ? AJP_FILE : page())
                                + " HTTP/1.1\r\nHost: "
                                + host
                                + "\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII);
        InputStream in = new BufferedInputStream(socket.getInputStream());
        OutputStream out = socket.getOutputStream();
        for (int i = 0; i < times; i++) {
            out.write(request);
            in.skipNBytes(length(in));
        }
    }

    /// Reads the head of a good answer.
    ///
    /// @return how long its content is
    private static long length(InputStream in) throws IOException {
        long length = -1;
        String status = line(in);
        if (!status.startsWith("HTTP/1.1 200 ")) {
            throw new IOException(status);
        }
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                length = Long.parseLong(line.substring(line.indexOf(':') + 1).strip());
            }
        }
        if (length < 0) {
            throw new IOException("an answer without a length");
        }
        return length;
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new IOException("the connection has ended");
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    private void overTls() throws IOException {
        SSLContext context = trustingContext();
        for (int i = 0; i < HANDSHAKES; i++) {
            int times = i == 0 ? KEPT_REQUESTS : 1;
            try (Socket plain = connect(https);
                    SSLSocket socket =
                            (SSLSocket)
                                    context.getSocketFactory()
                                            .createSocket(plain, DIRECT, https, true)) {
                often(socket, DIRECT, times);
            }
        }
    }

    /// Trusts everybody: it speaks to this process alone.
    private static SSLContext trustingContext() throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new Trusting()}, new SecureRandom());
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException("no TLS", e);
        }
    }

    private static final class Trusting implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    /// Streams one after the other, the client's window made large by the settings.
    private void overHttp2() throws IOException {
        byte[] fields = fields();
        try (Socket socket = connect(http)) {
            OutputStream out = socket.getOutputStream();
            InputStream in = new BufferedInputStream(socket.getInputStream());
            out.write(PREFACE);
            out.write(frame(0x4, 0, 0, new byte[0]));
            for (int i = 0; i < STREAMS; i++) {
                out.write(frame(0x1, 0x5, 2 * i + 1, fields)); // HEADERS, END_STREAM, END_HEADERS
                awaitEnd(in);
            }
        }
    }

    private byte[] fields() {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        for (int each : FIELDS) {
            block.write(each);
        }
        literal(block, page());
        block.write(AUTHORITY);
        literal(block, DIRECT);
        return block.toByteArray();
    }

    private static void literal(ByteArrayOutputStream block, String text) {
        block.write(text.length());
        block.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] frame(int type, int flags, int stream, byte[] content) {
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        frame.writeBytes(new byte[] {0, (byte) (content.length >> 8), (byte) content.length});
        frame.writeBytes(new byte[] {(byte) type, (byte) flags, 0, 0});
        frame.writeBytes(new byte[] {(byte) (stream >> 8), (byte) stream});
        frame.writeBytes(content);
        return frame.toByteArray();
    }

    /// Reads frames up to the end of a stream.
    private static void awaitEnd(InputStream in) throws IOException {
        while (true) {
            byte[] head = in.readNBytes(FRAME_HEAD_BYTES);
            if (head.length < FRAME_HEAD_BYTES) {
                throw new IOException("the connection has ended");
            }
            int length = (head[0] & 0xff) << 16 | (head[1] & 0xff) << 8 | (head[2] & 0xff);
            in.skipNBytes(length);
            boolean ofStream = head[3] <= 0x1; // DATA, HEADERS
            if (ofStream && (head[4] & 0x1) != 0) {
                return;
            }
        }
    }
}
