package io.margay.app.limits;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.MargayServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Clients of a server with shields, from any address of the loopback. Stateless.
final class ShieldClient {
    /// What a challenge asks about.
    static final Pattern TEXT = Pattern.compile("data-text=\"([A-Za-z0-9_-]{44})\"");

    /// The cookie of who has answered.
    static final Pattern COOKIE = Pattern.compile("Set-Cookie: (margay-pass=[^;]+);");

    private static final int TIMEOUT_MILLIS = 20_000;

    private final MargayServer server;

    ShieldClient(MargayServer server) {
        this.server = server;
    }

    /// A connection to a listener.
    Socket connect(String from, int listener) throws IOException {
        Socket socket = new Socket();
        socket.bind(new InetSocketAddress(InetAddress.ofLiteral(from), 0));
        socket.connect(
                new InetSocketAddress(
                        InetAddress.getLoopbackAddress(), server.ports().get(listener)));
        socket.setSoTimeout(TIMEOUT_MILLIS);
        return socket;
    }

    static void send(Socket socket, String host, String line, String... fields) throws IOException {
        StringBuilder head = new StringBuilder(line + " HTTP/1.1\r\nHost: " + host + "\r\n");
        for (String field : fields) {
            head.append(field).append("\r\n");
        }
        String whole = head + "Connection: close\r\n\r\n";
        socket.getOutputStream().write(whole.getBytes(StandardCharsets.UTF_8));
    }

    /// The whole response.
    String ask(String from, String host, String line, String... fields) throws IOException {
        try (Socket socket = connect(from, 0)) {
            send(socket, host, line, fields);
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    static int status(String answer) {
        return Integer.parseInt(answer.substring(9, 12));
    }

    static String found(Pattern pattern, String answer) {
        Matcher matcher = pattern.matcher(answer);
        assertTrue(matcher.find(), answer);
        return matcher.group(1);
    }

    /// The number that a challenge asks for.
    static String solve(String text, int bits) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            for (int number = 0; ; number++) {
                byte[] hash = sha.digest((text + "." + number).getBytes(StandardCharsets.US_ASCII));
                if (Integer.numberOfLeadingZeros(ByteBuffer.wrap(hash).getInt()) >= bits) {
                    return String.valueOf(number);
                }
            }
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
