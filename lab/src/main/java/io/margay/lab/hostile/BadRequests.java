package io.margay.lab.hostile;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/// Requests of which one in ten is bad, each in another way. A virtual thread for each connection,
/// which is opened again when the server closes it.
final class BadRequests {
    private static final int CONNECTIONS = 50;
    private static final int GOOD_BETWEEN = 9;
    private static final int TIMEOUT_MILLIS = 30_000;

    /// Tries in a row without an answer, after which a connection gives up.
    private static final int VAIN_MAX = 100;

    private static final List<String> BAD =
            List.of(
                    "GET /heartbeat/none HTTP/1.1\r\nHost: localhost\r\n\r\n",
                    "GET /heartbeat/servlet HTTP/1.1\r\n\r\n",
                    "GET /heartbeat/%zz HTTP/1.1\r\nHost: localhost\r\n\r\n",
                    "DELETE /heartbeat/servlet HTTP/1.1\r\nHost: localhost\r\n\r\n",
                    "GET /heartbeat/servlet HTTP/9.9\r\nHost: localhost\r\n\r\n",
                    "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
                    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
                    "GET / HTTP/1.1\r\nHost: a\r\nX: " + "y".repeat(20_000) + "\r\n\r\n");

    private final InetSocketAddress server;
    private final byte[] good;
    private final AtomicLong left = new AtomicLong();
    private final AtomicLong answered = new AtomicLong();

    BadRequests(InetSocketAddress server, String path) {
        this.server = server;
        good =
                ("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII);
    }

    /// Sends so many.
    ///
    /// @return how many were answered
    String run(int count) throws InterruptedException {
        left.set(count);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            int first = i;
            threads.add(Thread.startVirtualThread(() -> ask(first)));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        return answered.get() + " answered";
    }

    private void ask(int first) {
        int number = first;
        int inVain = 0;
        while (left.get() > 0 && inVain < VAIN_MAX) {
            try (Socket socket = new Socket()) {
                socket.setTcpNoDelay(true);
                socket.setSoTimeout(TIMEOUT_MILLIS);
                socket.connect(server, TIMEOUT_MILLIS);
                InputStream in = new BufferedInputStream(socket.getInputStream());
                boolean kept = true;
                while (kept && left.getAndDecrement() > 0) {
                    socket.getOutputStream().write(request(number++));
                    kept = isKept(in);
                    answered.incrementAndGet();
                    inVain = 0;
                }
            } catch (IOException e) {
                // The server may end a connection that breaks the protocol: the next one, then.
                inVain++;
            }
        }
    }

    private byte[] request(int number) {
        return number % (GOOD_BETWEEN + 1) < GOOD_BETWEEN
                ? good
                : BAD.get(number / (GOOD_BETWEEN + 1) % BAD.size())
                        .getBytes(StandardCharsets.US_ASCII);
    }

    /// Reads an answer with a declared length; any other ends with its connection.
    private static boolean isKept(InputStream in) throws IOException {
        long length = -1;
        boolean kept = true;
        String line = line(in);
        if (line.isEmpty()) {
            throw new IOException("no answer");
        }
        for (line = line(in); !line.isEmpty(); line = line(in)) {
            String field = line.toLowerCase(Locale.ROOT);
            if (field.startsWith("content-length:")) {
                length = Long.parseLong(field.substring(15).strip());
            }
            kept &= !field.equals("connection: close");
        }
        if (length < 0) {
            return false;
        }
        in.skipNBytes(length);
        return kept;
    }

    /// A line without its end; empty at the end of the connection, too.
    private static String line(InputStream in) throws IOException {
        StringBuilder text = new StringBuilder();
        for (int b = in.read(); b >= 0 && b != '\n'; b = in.read()) {
            if (b != '\r') {
                text.append((char) b);
            }
        }
        return text.toString();
    }
}
